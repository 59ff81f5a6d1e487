internal import MIME
internal import PictureDecoding
internal import VitrineKit

/// The card of one person with a photograph in it (RFC 6350, RFC 2426, and vCard 2.1 before them). Address books with several
/// persons, and cards without a photograph, are left to who draws texts.
enum ContactCard {
    static let type = "text/vcard"
    /// Bytes that are looked at.
    private static let range = 8 << 20

    /// Decodes the photograph.
    /// - Returns: it, and what the person is called.
    /// - Throws: `unsupported` when there is none, `corrupt` or `limitExceeded` when it cannot be decoded, or what the input
    ///   throws.
    static func preview(
        _ input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> (picture: Bitmap, name: String?) {
        var photo: [UInt8]?
        var name: String?
        var cards = 0
        for line in lines(try input.head(range)) {
            guard let colon = colon(in: line) else { continue }
            // Before a dot stands what belongs together, behind a semicolon what more there is to say.
            let head = line[..<colon].prefix { $0 != UInt8(ascii: ";") }
            let property = head.split(separator: UInt8(ascii: ".")).last ?? []
            let value = line[(colon + 1)...]
            switch String(decoding: property, as: UTF8.self).uppercased() {
            case "BEGIN": cards += 1
            case "FN": name = name ?? Facts.line(unescaped(value))
            case "PHOTO": photo = photo ?? letters(value)
            default: break
            }
        }
        guard cards == 1, let photo else {
            throw PluginError(.unsupported, "the file is not the card of one person with a photograph in it")
        }
        return (try decoder.picture(TransferCoding.base64.decode(photo), box: box).bitmap, name)
    }

    /// Lines as they were before they were folded: what goes on begins with a blank or, of a picture in vCard 2.1, has no
    /// colon in it.
    private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let isFolded = line.first == 0x20 || line.first == 0x09
            if !lines.isEmpty, isFolded || !line.contains(UInt8(ascii: ":")) {
                lines[lines.count - 1] += isFolded ? line.dropFirst() : line
            } else {
                lines.append(Array(line))
            }
        }
        return lines
    }

    /// The colon before the value: others may stand in quotes.
    private static func colon(in line: [UInt8]) -> Int? {
        var isQuoted = false
        return line.firstIndex { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ":") && !isQuoted
        }
    }

    /// The Base64 of a picture: as it is, or behind `data:image/jpeg;base64,`.
    /// - Returns: `nil` for an address on the network, which is not looked up.
    private static func letters(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        guard value.contains(UInt8(ascii: ":")) else { return Array(value) }
        guard value.starts(with: "data:".utf8), let comma = value.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        return Array(value[(comma + 1)...])
    }

    private static func unescaped(_ value: ArraySlice<UInt8>) -> String {
        String(decoding: value, as: UTF8.self).replacing("\\,", with: ",").replacing("\\;", with: ";")
    }
}
