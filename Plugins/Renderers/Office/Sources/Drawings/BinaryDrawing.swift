internal import CompoundFiles
internal import VitrineKit

/// A drawing of AutoCAD's exchange format in its binary form, which LibreOffice does not read: the same pairs of a number and a
/// value as in its text, but not as lines.
///
/// Source: AutoCAD's DXF Reference, "Binary DXF Files" and "Group Code Value Types".
enum BinaryDrawing {
    /// What a file begins with.
    static let signature = Array("AutoCAD Binary DXF\r\n\u{1A}\0".utf8)

    /// Bytes of a file at most; its text has four times as many.
    private static let limit: Int64 = 32 << 20
    /// Bytes of a value at most.
    private static let longestText = 64 << 10

    /// The drawing as text.
    /// - Returns: `nil` where it is no binary one.
    /// - Throws: `limitExceeded` above 32 MiB, `corrupt` where a pair is not of the format, or what the input throws. A file that is
    ///   cut off is the drawing up to there.
    static func text(of input: any RandomAccessInput) throws(PluginError) -> [UInt8]? {
        guard try input.head(signature.count) == signature else { return nil }
        guard input.size <= limit else {
            throw PluginError(
                .limitExceeded, "the binary drawing has \(input.size) bytes; at most \(limit) are turned into text")
        }
        let bytes = try input.head(Int(limit))
        var text: [UInt8] = []
        text.reserveCapacity(3 * bytes.count)
        var at = signature.count
        let isShort = hasShortCodes(bytes)
        while let code = code(bytes, &at, isShort: isShort) {
            guard let type = ValueType(code: code) else {
                throw PluginError(.corrupt, "the drawing is damaged: it has a value of the unknown number \(code)")
            }
            guard let value = try value(type, bytes, &at) else { break }
            text += "\(code)\n".utf8
            text += value
            text.append(UInt8(ascii: "\n"))
            if code == 0, value == Array("EOF".utf8) { return text }
        }
        return text + Array("0\nEOF\n".utf8)
    }

    /// Whether numbers take a byte each, as up to release 12: the first one is 0, of a section, or that of a comment.
    private static func hasShortCodes(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.uint16(at: signature.count) else { return false }
        return first & 0xFF == 0xFF || first & 0xFF == 0 && first != 0
    }

    private static func code(_ bytes: [UInt8], _ at: inout Int, isShort: Bool) -> Int? {
        if isShort, at < bytes.count, bytes[at] != 0xFF {
            at += 1
            return Int(bytes[at - 1])
        }
        let start = isShort ? at + 1 : at
        guard let code = bytes.uint16(at: start) else { return nil }
        at = start + 2
        return code
    }

    /// - Returns: `nil` past the end.
    private static func value(
        _ type: ValueType, _ bytes: [UInt8], _ at: inout Int
    ) throws(PluginError) -> [UInt8]? {
        let start = at
        switch type {
        case .text:
            guard let end = bytes[start...].prefix(longestText + 1).firstIndex(of: 0) else {
                guard bytes.count - start <= longestText else {
                    throw PluginError(.corrupt, "the drawing is damaged: one of its texts has no end")
                }
                return nil
            }
            at = end + 1
            // A line is a value.
            return bytes[start..<end].map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        case .chunk:
            guard start < bytes.count, start + 1 + Int(bytes[start]) <= bytes.count else { return nil }
            at = start + 1 + Int(bytes[start])
            return bytes[(start + 1)..<at].flatMap { [hexadecimal[Int($0 >> 4)], hexadecimal[Int($0 & 15)]] }
        case .number:
            guard let low = bytes.uint32(at: start), let high = bytes.uint32(at: start + 4) else { return nil }
            at = start + 8
            let number = Double(bitPattern: UInt64(high) << 32 | UInt64(low))
            return Array("\(number.isFinite ? number : 0)".utf8)
        case .integer(let size):
            guard start + size <= bytes.count else { return nil }
            at = start + size
            let value = UInt64(littleEndianBytes: bytes[start..<at])
            let shift = 64 - 8 * size
            // A single byte is a truth, the others have a sign.
            return Array("\(size == 1 ? Int64(value) : Int64(bitPattern: value << shift) >> shift)".utf8)
        }
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    private enum ValueType {
        /// Up to a zero.
        case text
        /// Bytes, behind one that counts them.
        case chunk
        /// Of eight bytes.
        case number
        /// Of so many bytes.
        case integer(Int)

        /// - Returns: `nil` for a number that has no type.
        init?(code: Int) {
            switch code {
            case 0...9, 100...109, 300...309, 320...369, 390...399, 410...419, 430...439, 470...481, 999, 1000...1003,
                1005...1009:
                self = .text
            case 310...319, 1004: self = .chunk
            case 10...59, 110...149, 210...239, 460...469, 1010...1059: self = .number
            case 60...79, 170...179, 270...289, 370...389, 400...409, 1060...1070: self = .integer(2)
            case 90...99, 420...429, 440...459, 1071: self = .integer(4)
            case 160...169: self = .integer(8)
            case 290...299: self = .integer(1)
            default: return nil
            }
        }
    }
}
