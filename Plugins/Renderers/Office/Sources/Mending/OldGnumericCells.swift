internal import COffice

/// A workbook of Gnumeric piece by piece, its cells as version 10 of the format has them: what is written in a cell stands in its
/// element itself, which says of what kind it is. Before, it stood in an element of its own, and the kind was seen by it.
struct OldGnumericCells: IteratorProtocol {
    private let bytes: [UInt8]
    private var at: Int
    private let (opening, closing): ([UInt8], [UInt8])
    private let content: (opening: [UInt8], closing: [UInt8])

    /// - Parameters:
    ///   - bytes: the workbook.
    ///   - start: where to begin.
    ///   - prefix: of its elements' names.
    init(_ bytes: [UInt8], from start: Int, prefix: String) {
        (self.bytes, at) = (bytes, start)
        (opening, closing) = (Array("<\(prefix):Cell ".utf8), Array("</\(prefix):Cell>".utf8))
        content = (Array("<\(prefix):Content>".utf8), Array("</\(prefix):Content>".utf8))
    }

    /// What follows; `nil` at the end.
    mutating func next() -> [UInt8]? {
        guard at < bytes.count else { return nil }
        let start = at
        guard let cell = offset(of: opening, from: start) else {
            at = bytes.count
            return Array(bytes[start...])
        }
        guard cell == start else {
            at = cell
            return Array(bytes[start..<cell])
        }
        guard let tagEnd = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else {
            at = bytes.count
            return Array(bytes[start...])
        }
        // An empty one.
        guard bytes[tagEnd - 1] != UInt8(ascii: "/") else {
            at = tagEnd
            return Array(bytes[start..<tagEnd])
        }
        // Where none of them ends, it is not looked for again.
        guard let end = offset(of: closing, from: tagEnd) else {
            at = bytes.count
            return Array(bytes[start...])
        }
        at = end + closing.count
        return written(Array(bytes[start..<tagEnd]), Array(bytes[(tagEnd + 1)..<end])) ?? Array(bytes[start..<at])
    }

    /// A cell in the other form.
    /// - Returns: `nil` for one that has it, or holds something that is not known.
    private func written(_ tag: [UInt8], _ body: [UInt8]) -> [UInt8]? {
        // A formula that several cells share is in one of them, and the others say only which.
        let hasForm = ["ValueType=", "ExprID="].contains { tag.firstRange(of: Array($0.utf8)) != nil }
        guard !hasForm else { return nil }
        var text = body
        if let start = body.firstRange(of: content.opening)?.upperBound {
            guard let end = body[start...].firstRange(of: content.closing)?.lowerBound else { return nil }
            text = Array(body[start..<end])
        }
        guard !text.contains(UInt8(ascii: "<")) else { return nil }
        let kind =
            if text.first == UInt8(ascii: "=") {
                ""
            } else {
                Self.isNumber(text) ? " ValueType=\"40\"" : " ValueType=\"60\""
            }
        return tag + Array(kind.utf8) + [UInt8(ascii: ">")] + text + closing
    }

    private static func isNumber(_ text: [UInt8]) -> Bool {
        text.count <= 32 && text.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            && text.allSatisfy { "0123456789.+-eE".utf8.contains($0) }
            && Double(String(decoding: text, as: UTF8.self)) != nil
    }

    /// Where something is next.
    private func offset(of words: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress, start <= bytes.count,
                let found = coffice_find(first + start, bytes.count - start, words, words.count)
            else { return nil }
            return UnsafeRawPointer(found) - first
        }
    }
}
