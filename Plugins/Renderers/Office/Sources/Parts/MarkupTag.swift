/// A tag of XML, where it stands: for who cuts XML apart without reading it. Comments and the like are not understood.
struct MarkupTag {
    /// Where its name stands, with a prefix if it has one.
    let name: Range<Int>
    /// The place behind it.
    let end: Int
    /// Whether it ends an element.
    let isEnd: Bool
    /// Whether it is an element without content.
    let isEmpty: Bool

    /// Finds the next one, past an XML declaration.
    /// - Returns: `nil` when there is none, or something else comes before it.
    init?(in text: UnsafeRawBufferPointer, from start: Int) {
        var at = start
        while true {
            guard let open = text[at...].firstIndex(of: UInt8(ascii: "<")), open + 1 < text.count else { return nil }
            at = open + 1
            if text[at] == UInt8(ascii: "!") { return nil }
            if text[at] != UInt8(ascii: "?") { break }
        }
        isEnd = text[at] == UInt8(ascii: "/")
        if isEnd { at += 1 }
        let nameStart = at
        while at < text.count, !Self.endsNames(text[at]) { at += 1 }
        name = nameStart..<at
        var quote: UInt8?
        while at < text.count {
            let byte = text[at]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                break
            }
            at += 1
        }
        guard at < text.count, !name.isEmpty else { return nil }
        isEmpty = !isEnd && text[at - 1] == UInt8(ascii: "/")
        end = at + 1
    }

    /// Whether it has this name, with any prefix.
    func isNamed(_ local: String, in text: UnsafeRawBufferPointer) -> Bool {
        let start = name.upperBound - local.utf8.count
        guard start >= name.lowerBound, text[start..<name.upperBound].elementsEqual(local.utf8) else { return false }
        return start == name.lowerBound || text[start - 1] == UInt8(ascii: ":")
    }

    private static func endsNames(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte <= UInt8(ascii: " ")
    }
}
