internal import CHelpFiles
internal import VitrineKit

/// A help file of Windows (CHM): pages of the web with their pictures and style sheets, packed together.
///
/// What its header says is Matthew Russotto's "Unofficial (Preliminary) HTML Help Specification". Used by one thread, as long as
/// the input it was made of.
final class HelpFile {
    /// Its MIME type.
    static let type = "application/vnd.ms-htmlhelp"

    /// The page that is shown first.
    let home: Entry
    /// What it calls itself.
    let title: String?
    /// The encoding that pages have which do not name one, by the language of the file.
    let charset: String?

    private let source: Source
    private let archive: Archive
    /// Where a file stands in the list, by its path without regard to case, as Windows looks for it.
    private let places: [String: Int]
    /// Where files stand that were looked at for being pages.
    private var tried: Set<Int> = []

    /// Bytes that are read of a page or a picture.
    private static let reach = 16 << 20
    /// Bytes by which a page is known.
    private static let headLength = 1024
    /// Files that are looked at for being pages, besides the first one.
    private static let mostTried = 16

    /// A file in it.
    struct Entry {
        /// With the slash that it begins with.
        let path: String
        /// Where it stands in the list.
        fileprivate let place: Int
    }

    /// Reads what lies in a help file.
    /// - Throws: `corrupt` for what is none, `empty` for one without a page, `limitExceeded` for one of too many files, or what the
    ///   input throws.
    init(_ input: any RandomAccessInput) throws(PluginError) {
        source = Source(input)
        let archive = try Self.opened(source, size: input.size)
        self.archive = archive
        var (places, pages) = ([String: Int](), [Entry]())
        for index in 0..<chelpfiles_count(archive.pointer) {
            guard let path = chelpfiles_path(archive.pointer, index).map(String.init(cString:)) else { continue }
            let lowercase = path.lowercased()
            places[lowercase] = index
            if path.hasPrefix("/"), Self.isPage(lowercase) { pages.append(Entry(path: path, place: index)) }
        }
        self.places = places
        let said = Self.content(archive, places["/#system"]).map(Self.statements) ?? [:]
        let charset = said[4].flatMap(Self.charset)
        self.charset = charset
        title = said[3].flatMap { Self.texts($0, charset: charset).first }.flatMap { Facts.line($0) }
        let topics = said[2].map { Self.texts($0, charset: charset) } ?? []
        let stated = topics.lazy.flatMap(HelpAddress.spellings(ofTopic:)).compactMap { path in
            places[path.lowercased()].map { Entry(path: path, place: $0) }
        }.first { Self.isPage($0, archive) }
        let found = stated ?? Self.firstPage(of: pages.map(\.path)).map { pages[$0] }
        if let failure = source.failure { throw failure }
        guard let found else { throw PluginError(.empty, "the help file has no page in it") }
        home = found
        tried = [found.place]
    }

    /// What the library has read of the file, which it keeps until nobody needs it.
    private final class Archive {
        let pointer: OpaquePointer

        init(_ pointer: OpaquePointer) { self.pointer = pointer }

        deinit { chelpfiles_close(pointer) }
    }

    private static func opened(_ source: Source, size: Int64) throws(PluginError) -> Archive {
        let context = Unmanaged.passUnretained(source).toOpaque()
        let reading = chelpfiles_input(context: context, size: size) { context, offset, buffer, count in
            guard let context, let buffer else { return -1 }
            let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
            return source.read(at: offset, UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
        }
        var failure = chelpfiles_damaged
        if let pointer = chelpfiles_open(reading, &failure) { return Archive(pointer) }
        if let failure = source.failure { throw failure }
        guard failure != chelpfiles_too_many else {
            throw PluginError(.limitExceeded, "the help file lists more files than the renderer looks through")
        }
        throw PluginError(.corrupt, "the help file is damaged or cut off, or it is none")
    }

    /// What a reading of the input failed with, if one did.
    var failure: PluginError? { source.failure }

    /// Looks for a page.
    /// - Parameter address: its whole address, as a page names it.
    /// - Returns: `nil` where no page stands there; for each that was looked at before; and once too many were.
    func unseenPage(at address: String) -> Entry? {
        guard tried.count <= Self.mostTried, address.utf8.count <= WebAddress.longest,
            let entry = entry(at: address), tried.insert(entry.place).inserted
        else { return nil }
        return Self.isPage(entry, archive) ? entry : nil
    }

    private func entry(at address: String) -> Entry? {
        HelpAddress.spellings(of: address).lazy
            .compactMap { path in self.places[path.lowercased()].map { Entry(path: path, place: $0) } }.first
    }

    /// A file in it.
    /// - Parameter address: its whole address, as a page names it.
    /// - Returns: `nil` where there is none, or it is damaged or too large.
    subscript(_ address: String) -> [UInt8]? { Self.content(archive, entry(at: address)?.place) }

    /// The bytes of a file; `nil` where it is damaged or too large.
    subscript(_ entry: Entry) -> [UInt8]? { Self.content(archive, entry.place) }

    /// Whether a file is a page, by its name or its beginning.
    private static func isPage(_ entry: Entry, _ archive: Archive) -> Bool {
        isPage(entry.path.lowercased()) || isPage(entry.path, content(archive, entry.place, atMost: headLength))
    }

    /// - Parameter limit: bytes of the beginning that are enough.
    private static func content(_ archive: Archive, _ place: Int?, atMost limit: Int = reach) -> [UInt8]? {
        guard let place, case let length = chelpfiles_length(archive.pointer, place), 0...Int64(reach) ~= length else {
            return nil
        }
        var done: Int64 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: min(Int(length), limit)) { buffer, count in
            done = chelpfiles_unpack(archive.pointer, place, buffer.baseAddress, buffer.count)
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
