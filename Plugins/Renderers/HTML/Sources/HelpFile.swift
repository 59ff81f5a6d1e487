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
    private(set) var title: String?
    /// The encoding that pages have which do not name one, by the language of the file.
    private(set) var charset: String?

    private let source: Source
    private let archive: OpaquePointer
    /// Where a file stands in the list, by its path without regard to case, as Windows looks for it.
    private let places: [String: Int]

    /// Bytes that are read of a page or a picture.
    private static let reach = 16 << 20
    /// Names of pages that are the first one where nothing says which is.
    private static let usualNames = ["index", "default", "main", "welcome", "introduction", "home"]

    /// Reads what lies in a help file.
    /// - Throws: `corrupt` for what is none, `empty` for one without a page, or what the input throws.
    init(_ input: any RandomAccessInput) throws(PluginError) {
        source = Source(input)
        let context = Unmanaged.passUnretained(source).toOpaque()
        let reading = chelp_input(context: context, size: input.size) { context, offset, buffer, count in
            guard let context, let buffer else { return -1 }
            let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
            return source.read(at: offset, UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
        }
        guard let archive = chelp_open(reading) else {
            throw source.failure ?? PluginError(.corrupt, "the help file is damaged or cut off, or it is none")
        }
        self.archive = archive
        var (places, pages) = ([String: Int](), [String]())
        for index in 0..<chelp_count(archive) {
            guard let path = chelp_path(archive, index).map(String.init(cString:)) else { continue }
            places[path.lowercased()] = index
            if path.hasPrefix("/"), Self.isPage(path) { pages.append(path) }
        }
        self.places = places
        let system = Self.content(archive, places["/#system"])
        let said = system.map(Self.statements) ?? [:]
        let stated = said[2].map { "/" + String(decoding: $0, as: UTF8.self) }
        let usual = Self.usualNames.lazy.compactMap { name in
            pages.first { $0.lowercased().split(separator: "/").last?.hasPrefix(name) == true }
        }
        let found = stated.flatMap { places[$0.lowercased()] == nil ? nil : $0 } ?? usual.first ?? pages.first
        home = found ?? ""
        charset = said[4].flatMap(Self.charset)
        title = said[3].flatMap { [charset] in Facts.line(Charset.text($0, charset: charset)) }
        if let failure = source.failure { throw failure }
        guard found != nil else { throw PluginError(.empty, "the help file has no page in it") }
    }

    deinit { chelp_close(archive) }

    /// What a reading of the input failed with, if one did.
    var failure: PluginError? { source.failure }

    /// A file in it.
    /// - Parameter address: its path, or the whole address of one that a page names.
    /// - Returns: `nil` where there is none, or it is damaged or too large.
    subscript(_ address: String) -> [UInt8]? {
        let path = address.hasPrefix(Self.root) ? address.dropFirst(Self.root.count).prefix { $0 != "?" } : address[...]
        let place = places[path.lowercased()] ?? places[Self.withoutEscapes(path).lowercased()]
        return Self.content(archive, place)
    }

    /// What stands before the path in the address of a file in it.
    static let root = "chm://help"

    /// A path with the letters for which `%XX` stands (RFC 3986, 2.1).
    private static func withoutEscapes(_ path: Substring) -> String {
        var (rest, bytes) = (path.utf8, [UInt8]())
        while let byte = rest.popFirst() {
            let code = rest.prefix(2)
            if byte == UInt8(ascii: "%"), code.count == 2, let letter = UInt8(String(Substring(code)), radix: 16) {
                bytes.append(letter)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPage(_ path: String) -> Bool {
        let name = path.lowercased()
        return name.hasSuffix(".htm") || name.hasSuffix(".html") || name.hasSuffix(".xhtml")
    }

    private static func content(_ archive: OpaquePointer, _ place: Int?) -> [UInt8]? {
        guard let place, case let length = chelp_length(archive, place), 0...Int64(reach) ~= length else { return nil }
        var done: Int64 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            done = chelp_unpack(archive, place, buffer.baseAddress, buffer.count)
            count = Int(max(0, done))
        }
        return done < 0 ? nil : bytes
    }

    /// What the file `#SYSTEM` says: behind the number of its version, the bytes for each of its codes.
    private static func statements(_ system: [UInt8]) -> [Int: ArraySlice<UInt8>] {
        func number(_ at: Int) -> Int { Int(system[at]) | Int(system[at + 1]) << 8 }
        var (at, said) = (4, [Int: ArraySlice<UInt8>]())
        while at + 4 <= system.count {
            let (code, length) = (number(at), number(at + 2))
            let content = system[(at + 4)...].prefix(length)
            // A text ends with a zero; the number of the language is one.
            said[code] = code == 4 ? content : content.prefix { $0 != 0 }
            at += 4 + length
        }
        return said
    }

    /// The encoding that Windows has for a language ([MS-LCID], [MS-UCODEREF]).
    private static func charset(_ language: ArraySlice<UInt8>) -> String? {
        guard language.count >= 2 else { return nil }
        let (primary, region) = (language[language.startIndex], language[language.startIndex + 1])
        switch primary {
        case 0x04: return [0x04, 0x0C, 0x14, 0x7C].contains(region) ? "BIG5" : "GB18030"
        case 0x05, 0x0E, 0x15, 0x18, 0x1A, 0x1B, 0x1C, 0x24: return "WINDOWS-1250"
        case 0x02, 0x19, 0x22, 0x23, 0x2F: return "WINDOWS-1251"
        case 0x08: return "WINDOWS-1253"
        case 0x1F: return "WINDOWS-1254"
        case 0x0D: return "WINDOWS-1255"
        case 0x01, 0x20, 0x29: return "WINDOWS-1256"
        case 0x25, 0x26, 0x27: return "WINDOWS-1257"
        case 0x2A: return "WINDOWS-1258"
        case 0x11: return "CP932"
        case 0x12: return "UHC"
        default: return "WINDOWS-1252"
        }
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
