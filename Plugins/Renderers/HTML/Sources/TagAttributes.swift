/// The attributes of a tag that have values (HTML, 13.2.5.32 to 13.2.5.39), as far as a tag has as many as a person would write:
/// who parses it compares each of them with all others.
struct TagAttributes: Sequence, IteratorProtocol {
    struct Attribute {
        /// In lower case.
        let name: String
        /// Where its value is, without quotes.
        let value: Range<Int>
        /// Whether it has none.
        let isBare: Bool
    }

    private let tag: ArraySlice<UInt8>
    private var at: Int
    /// Attributes that were gone by, without values too.
    private var count = 0

    /// More than a tag has.
    private static let most = 256

    /// Whether there are more than are gone by.
    var isTooLong: Bool { count > Self.most }
    /// Where the tag ends, or the first attribute begins that is too many; known when all were gone by.
    var end: Int { isTooLong ? at : tag.endIndex }

    /// - Parameter tag: what stands behind the element's name, with the bracket that ends it.
    init(_ tag: ArraySlice<UInt8>) {
        self.tag = tag
        at = tag.startIndex
    }

    mutating func next() -> Attribute? {
        while at < tag.endIndex {
            skip { StyleRewriter.isSpace($0) || $0 == UInt8(ascii: "/") }
            guard at < tag.endIndex, tag[at] != UInt8(ascii: ">") else { return nil }
            count += 1
            guard !isTooLong else { return nil }
            let start = at
            // A sign of equality may begin a name.
            at += 1
            skip {
                !StyleRewriter.isSpace($0) && ![UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/")].contains($0)
            }
            let name = start..<at
            skip(StyleRewriter.isSpace)
            guard at < tag.endIndex, tag[at] == UInt8(ascii: "=") else { continue }
            at += 1
            skip(StyleRewriter.isSpace)
            guard at < tag.endIndex else { return nil }
            let text = String(decoding: tag[name], as: UTF8.self).lowercased()
            let quote = tag[at]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                let value = at
                skip { !StyleRewriter.isSpace($0) && $0 != UInt8(ascii: ">") }
                return Attribute(name: text, value: value..<at, isBare: true)
            }
            at += 1
            let value = at
            skip { $0 != quote }
            defer { at = Swift.min(at + 1, tag.endIndex) }
            return Attribute(name: text, value: value..<at, isBare: false)
        }
        return nil
    }

    private mutating func skip(_ isPassed: (UInt8) -> Bool) {
        while at < tag.endIndex, isPassed(tag[at]) { at += 1 }
    }
}
