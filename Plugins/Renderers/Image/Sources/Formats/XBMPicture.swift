internal import VitrineKit

/// A bitmap of X: a piece of C with its sides and its bits, the lowest of a byte leftmost, black where they are set (Xlib's
/// manual, 16.9). ImageMagick does not know it when its bits are `const`, as programs write them now.
enum XBMPicture {
    /// Bytes in which the sides stand.
    private static let headLength = 4096

    /// Draws a picture.
    /// - Throws: `corrupt` when its sides or bits are missing, `limitExceeded`, and what `check` throws for its size.
    static func rendering(
        _ bytes: UnsafeRawBufferPointer, box: Int, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering {
        let head = bytes.prefix(headLength)
        guard let width = side("_width", in: head), let height = side("_height", in: head),
            let start = bytes.firstIndex(of: UInt8(ascii: "{")), width > 0, height > 0
        else { throw PluginError(.corrupt, "the bitmap is damaged: it does not say how large it is") }
        let size = PixelSize(width: width, height: height)
        try check(size)
        let bits = isShort(bytes[..<start].suffix(headLength)) ? 16 : 8
        var numbers = Numbers(bytes[bytes.index(after: start)...])
        var rows = try RowReducer(size, box: box, hasAlpha: false)
        for _ in 0..<height {
            let isRead = rows.next { row in
                var number = 0
                for x in 0..<width {
                    if x % bits == 0 {
                        guard let next = numbers.next() else { return false }
                        number = next
                    }
                    let grey: UInt8 = number >> (x % bits) & 1 == 1 ? 0 : 255
                    row.storeBytes(of: SIMD4(grey, grey, grey, 255), toByteOffset: 4 * x, as: SIMD4<UInt8>.self)
                }
                return true
            }
            guard isRead else {
                throw PluginError(.corrupt, "the bitmap is damaged: it has fewer pixels than it says")
            }
        }
        return Rendering(rows.bitmap, facts: Facts(size: size))
    }

    /// The number that is defined under a name with this end.
    private static func side(_ name: String, in head: Slice<UnsafeRawBufferPointer>) -> Int? {
        var rest = head
        while let found = rest.firstRange(of: Array(name.utf8)) {
            rest = rest[found.upperBound...]
            guard let next = rest.first, next == 0x20 || next == 0x09 else { continue }
            let digits = rest.drop { $0 == 0x20 || $0 == 0x09 }.prefix { 0x30...0x39 ~= $0 }
            if digits.count <= 7, let number = Int(String(decoding: digits, as: UTF8.self)) { return number }
        }
        return nil
    }

    /// Whether the bits are declared as numbers of 16 bits, as X10 wrote them. The word may be a part of names and stand in
    /// comments, too.
    /// - Parameter text: what stands before the bits.
    private static func isShort(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        // After the last definition and the last comment.
        let lines = text.split { $0 == 0x0A || $0 == 0x0D }
        let first = lines.lastIndex { $0.first == UInt8(ascii: "#") }.map { $0 + 1 } ?? 0
        let words = lines[first...].flatMap { line in line.split { $0 == 0x20 || $0 == 0x09 }.map { Array($0) } }
        let comment = words.lastIndex { $0.suffix(2).elementsEqual("*/".utf8) }
        return words[(comment.map { $0 + 1 } ?? 0)...].contains(Array("short".utf8))
    }

    /// Numbers of C with anything between them, up to the brace that closes.
    private struct Numbers {
        private var rest: Slice<UnsafeRawBufferPointer>

        init(_ rest: Slice<UnsafeRawBufferPointer>) { self.rest = rest }

        mutating func next() -> Int? {
            rest = rest.drop { $0 != 0x7D && !(0x30...0x39 ~= $0) }
            guard let first = rest.first, first != 0x7D else { return nil }
            let word = rest.prefix { 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 & 0xDF || $0 & 0xDF == 0x58 }
            rest = rest.dropFirst(word.count)
            guard word.count <= 8 else { return nil }
            let text = String(decoding: word, as: UTF8.self).lowercased()
            return text.hasPrefix("0x") ? Int(hexadecimal: text.dropFirst(2).utf8) : Int(text)
        }
    }
}
