internal import CHelpFiles
internal import MIME
internal import VitrineKit

/// A help file of Windows (CHM): pages of the web with their pictures and style sheets, packed together.
///
/// What its header says is Matthew Russotto's "Unofficial (Preliminary) HTML Help Specification". Used by one thread, as long as
/// the input it was made of.
final class HelpFile {
    /// Its MIME type.
    static let type = "application/vnd.ms-htmlhelp"

    /// The path of the page that is shown first.
    let home: String
    /// What it calls itself.
    let title: String?
    /// The encoding that pages have which do not name one, by the language of the file.
    let charset: String?

    private let source: Source
    private let archive: OpaquePointer
    /// Where a file stands in the list, by its path without regard to case, as Windows looks for it.
    private let places: [String: Int]

    /// Bytes that are read of a page or a picture.
    private static let reach = 16 << 20

    /// Reads what lies in a help file.
    /// - Throws: `corrupt` for what is none, `empty` for one without a page, `limitExceeded` for one of too many files, or what the
    ///   input throws.
    init(_ input: any RandomAccessInput) throws(PluginError) {
        source = Source(input)
        let archive = try Self.opened(source, size: input.size)
        self.archive = archive
        var (places, pages) = ([String: Int](), [String]())
        for index in 0..<chelp_count(archive) {
            guard let path = chelp_path(archive, index).map(String.init(cString:)) else { continue }
            places[path.lowercased()] = index
            if path.hasPrefix("/"), Self.isPage(path) { pages.append(path) }
        }
        self.places = places
        let said = Self.content(archive, places["/#system"]).map(Self.statements) ?? [:]
        let charset = said[4].flatMap(Self.charset)
        self.charset = charset
        title = said[3].flatMap { Self.texts($0, charset: charset).first }.flatMap { Facts.line($0) }
        let topics = said[2].map { Self.texts($0, charset: charset) } ?? []
        let stated = topics.lazy.flatMap(HelpAddress.spellings).first { path in
            guard let place = places[path.lowercased()] else { return false }
            return Self.isPage(path) || Self.isPage(path, Self.content(archive, place))
        }
        let found = stated ?? Self.firstPage(of: pages)
        home = found ?? ""
        if let failure = source.failure { throw failure }
        guard found != nil else { throw PluginError(.empty, "the help file has no page in it") }
    }

    deinit { chelp_close(archive) }

    private static func opened(_ source: Source, size: Int64) throws(PluginError) -> OpaquePointer {
        let context = Unmanaged.passUnretained(source).toOpaque()
        let reading = chelp_input(context: context, size: size) { context, offset, buffer, count in
            guard let context, let buffer else { return -1 }
            let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
            return source.read(at: offset, UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
        }
        var failure = chelp_damaged
        if let archive = chelp_open(reading, &failure) { return archive }
        if let failure = source.failure { throw failure }
        guard failure != chelp_too_many else {
            throw PluginError(.limitExceeded, "the help file lists more files than the renderer looks through")
        }
        throw PluginError(.corrupt, "the help file is damaged or cut off, or it is none")
    }

    /// What a reading of the input failed with, if one did.
    var failure: PluginError? { source.failure }

    /// Where a file stands in the list.
    /// - Parameter address: its whole address, as a page names it.
    /// - Returns: `nil` where there is none.
    func place(of address: String) -> Int? {
        HelpAddress.spellings(of: address).lazy.compactMap { self.places[$0.lowercased()] }.first
    }

    /// A file in it.
    /// - Parameter address: its whole address, as a page names it.
    /// - Returns: `nil` where there is none, or it is damaged or too large.
    subscript(_ address: String) -> [UInt8]? { Self.content(archive, place(of: address)) }

    private static func content(_ archive: OpaquePointer, _ place: Int?) -> [UInt8]? {
        guard let place, case let length = chelp_length(archive, place), 0...Int64(reach) ~= length else { return nil }
        var done: Int64 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            done = chelp_unpack(archive, place, buffer.baseAddress, buffer.count)
            count = Int(max(0, done))
        }
        return done < 0 ? nil : bytes
    }

    /// The input, for the library, and what reading it failed with.
    private final class Source {
        private let input: any RandomAccessInput
        private(set) var failure: PluginError?

        init(_ input: any RandomAccessInput) { self.input = input }

        func read(at offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> CInt {
            guard failure == nil, !buffer.isEmpty else { return failure == nil ? 0 : -1 }
            do throws(PluginError) { return CInt(try input.read(at: offset, into: buffer)) } catch {
                failure = error
                return -1
            }
        }
    }
}
