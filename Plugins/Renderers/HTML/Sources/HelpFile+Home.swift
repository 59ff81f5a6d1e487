internal import MIME
internal import VitrineKit

/// Which page is the first one, and what the file says of itself.
extension HelpFile {
    /// Names of pages that are the first one where nothing says which is.
    private static let usualNames = ["index", "default", "main", "welcome", "introduction", "home"]

    /// The page that is most likely the first one: of a usual name, in as few folders as can be; else one whose name begins like
    /// that; else the first in the list.
    /// - Parameter pages: their paths.
    /// - Returns: its number among them.
    static func firstPage(of pages: [String]) -> Int? {
        // The exact name comes first, then the fewer folders, then the name that is more usual.
        var best: (page: Int, order: [Int])?
        for (page, path) in pages.enumerated() {
            let parts = path.utf8.split(separator: UInt8(ascii: "/"))
            let file = (parts.last.map { String(Substring($0)) } ?? "").lowercased()
            let name = String(file.lastIndex(of: ".").map { file[..<$0] } ?? file[...])
            guard let rank = usualNames.firstIndex(where: name.hasPrefix) else { continue }
            let order = [usualNames[rank] == name ? 0 : 1, parts.count, rank]
            if let best, !order.lexicographicallyPrecedes(best.order) { continue }
            best = (page, order)
        }
        return best?.page ?? pages.indices.first
    }

    /// Whether a file is a page by its name.
    /// - Parameter path: in lower case.
    static func isPage(_ path: String) -> Bool {
        [".htm", ".html", ".xhtml"].contains(where: path.hasSuffix)
    }

    /// Whether a file of another name begins as a page does. Lists of contents do, too, and show nothing.
    static func isPage(_ path: String, _ content: [UInt8]?) -> Bool {
        guard let content, ![".hhc", ".hhk"].contains(where: path.lowercased().hasSuffix) else { return false }
        return String(decoding: content, as: UTF8.self).lowercased().contains("<html")
    }

    /// What bytes may mean that the file says of itself, the likeliest first: they are in the encoding of its language, but newer
    /// compilers write UTF-8, and what is UTF-8 is hardly anything else.
    static func texts(_ bytes: ArraySlice<UInt8>, charset: String?) -> [String] {
        let text = Charset.text(bytes, charset: charset)
        guard let unicode = String(validating: bytes, as: UTF8.self) else { return [text] }
        // A letter of East Asia has two bytes, which now and then are a European one in UTF-8: there its own have three.
        let hasPairs = ["BIG5", "GB18030", "CP932", "UHC"].contains(charset)
        let isEuropean = unicode.unicodeScalars.allSatisfy { $0.value < 0x800 }
        return hasPairs && isEuropean ? [text, unicode] : [unicode, text]
    }

    /// What the file `#SYSTEM` says: behind the number of its version, the bytes for each of its codes.
    static func statements(_ system: [UInt8]) -> [Int: ArraySlice<UInt8>] {
        func number(_ at: Int) -> Int { Int(littleEndianBytes: system[at...at + 1]) }
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
    /// - Parameter language: its number, the lowest byte first.
    static func charset(_ language: ArraySlice<UInt8>) -> String? {
        guard language.count >= 2 else { return nil }
        let (primary, region) = (language[language.startIndex], language[language.startIndex + 1])
        switch primary {
        case 0x04: return [0x04, 0x0C, 0x14, 0x7C].contains(region) ? "BIG5" : "GB18030"
        // Serbian and Bosnian in Cyrillic letters; Croatian and the same in Latin ones.
        case 0x1A: return [0x0C, 0x1C, 0x20, 0x28, 0x30].contains(region) ? "WINDOWS-1251" : "WINDOWS-1250"
        case 0x05, 0x0E, 0x15, 0x18, 0x1B, 0x1C, 0x24: return "WINDOWS-1250"
        case 0x02, 0x19, 0x22, 0x23, 0x2F, 0x3F, 0x40, 0x44, 0x50: return "WINDOWS-1251"
        case 0x08: return "WINDOWS-1253"
        // Azerbaijani and Uzbek are written in either letters.
        case 0x2C, 0x43: return region == 0x08 ? "WINDOWS-1251" : "WINDOWS-1254"
        case 0x1F: return "WINDOWS-1254"
        case 0x0D: return "WINDOWS-1255"
        case 0x01, 0x20, 0x29: return "WINDOWS-1256"
        case 0x25, 0x26, 0x27: return "WINDOWS-1257"
        case 0x2A: return "WINDOWS-1258"
        case 0x1E: return "CP874"
        case 0x11: return "CP932"
        case 0x12: return "UHC"
        default: return "WINDOWS-1252"
        }
    }
}
