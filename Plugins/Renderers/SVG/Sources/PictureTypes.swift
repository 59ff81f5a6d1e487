import Glibc

/// Gives the pictures inside of a drawing (`data:`) the types that they have. Many are called something else: `image/jpg`, which
/// is no type, or what they were before they were packed anew. Browsers look at the picture; librsvg believes the type, and
/// draws nothing.
enum PictureTypes {
    private static let scheme = Array("data".utf8)
    /// What stands before the comma and the picture.
    private static let coding = Array(";base64".utf8)
    /// Bytes at most between the scheme and the picture.
    private static let longestHeader = 128
    /// How pictures begin, in the letters of base64.
    private static let beginnings = [
        ("iVBORw0KGgo", "image/png"), ("/9j/", "image/jpeg"), ("R0lGOD", "image/gif"),
    ]

    /// - Parameter drawing: in an encoding that has the letters of ASCII.
    /// - Returns: the drawing with the right types; `nil` when it has no wrong one.
    static func corrected(in drawing: UnsafeRawBufferPointer) -> [UInt8]? {
        var corrected: [UInt8] = []
        var copied = 0
        var at = 0
        while let start = behindScheme(in: drawing, from: at) {
            at = start
            guard let (range, type) = wrongType(in: drawing, from: at) else { continue }
            corrected += drawing[copied..<range.lowerBound]
            corrected += type.utf8
            copied = range.upperBound
            at = range.upperBound
        }
        guard copied > 0 else { return nil }
        return corrected + drawing[copied...]
    }

    /// Behind the next place where a link with data may begin.
    private static func behindScheme(in drawing: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var at = start
        // What is in base64 has no colon, so that nearly all of a drawing with pictures is passed over at once.
        while let base = drawing.baseAddress, at < drawing.count,
            let colon = memchr(base + at, CInt(UInt8(ascii: ":")), drawing.count - at)
        {
            at = UnsafeRawPointer(colon) - base + 1
            if drawing[..<(at - 1)].suffix(scheme.count).elementsEqual(scheme) { return at }
        }
        return nil
    }

    /// - Parameter start: of the type that a link names.
    /// - Returns: where it lies, and the picture's own; `nil` when it is right, not told, or that of something else.
    private static func wrongType(
        in drawing: UnsafeRawBufferPointer, from start: Int
    ) -> (range: Range<Int>, type: String)? {
        // Of links without data, which may stand side by side by the million, no more is looked at.
        guard let base = drawing.baseAddress,
            let comma = memchr(base + start, CInt(UInt8(ascii: ",")), min(longestHeader, drawing.count - start))
        else { return nil }
        let header = drawing[start..<(UnsafeRawPointer(comma) - base)]
        guard header.suffix(coding.count).elementsEqual(coding) else { return nil }
        let picture = drawing[header.endIndex...].dropFirst().prefix(longestHeader).drop { $0 <= UInt8(ascii: " ") }
        guard let (_, own) = beginnings.first(where: { picture.starts(with: $0.0.utf8) }) else { return nil }
        let type = header.prefix { $0 != UInt8(ascii: ";") }
        let isType = type.allSatisfy { byte in
            byte > UInt8(ascii: " ") && !"\"'<>()".utf8.contains(byte)
        }
        guard !type.isEmpty, isType else { return nil }
        let isRight = String(decoding: type, as: UTF8.self).lowercased() == own
        return isRight ? nil : (type.startIndex..<type.endIndex, own)
    }
}
