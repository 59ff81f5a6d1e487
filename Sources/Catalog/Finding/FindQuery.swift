public import VitrineKit

/// What is looked for: words that must all be there, and what else must be true of an item.
public struct FindQuery: Sendable {
    /// One word, or several in quotes.
    struct Word: Hashable, Sendable {
        /// As it is compared.
        var folded: [UInt8]
        /// Whether it may be the beginning of a longer word of a text.
        var isPrefix: Bool

        /// From its first to its last letter or digit, which is what counts in a text; empty for signs alone.
        var written: [UInt8] {
            let scalars = String(decoding: folded, as: UTF8.self).unicodeScalars
            func counts(_ scalar: Unicode.Scalar) -> Bool {
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || UnspacedScript.contains(scalar)
            }
            guard let first = scalars.firstIndex(where: counts), let last = scalars.lastIndex(where: counts) else {
                return []
            }
            return Array(String(scalars[first...last]).utf8)
        }
    }

    var words: [Word]
    /// Only items of these types: MIME types such as `application/pdf`, or the beginnings of some, such as `image/`.
    public var types: [String] = []
    /// What type a file of a name has that was not opened yet. Without it, such files have none.
    public var typeOfName: (@Sendable ([UInt8]) -> String)?
    /// Only items of this many bytes or more.
    public var minimumSize: Int64?
    /// Only items of this many bytes or fewer.
    public var maximumSize: Int64?
    /// Only items that changed at this moment or later, in seconds since 1970.
    public var from: Int64?
    /// Only items that changed before this moment, in seconds since 1970.
    public var until: Int64?
    /// Only what lies in this folder of a source of the catalog.
    public var place: (source: SourceID, folder: ItemPath)?
    /// Only these items.
    public var items: Set<ItemID>?
    /// The most items that are found, 1 to ``maximumLimit``. Default: 50.
    public var limit = 50

    /// The most words of a query; others are not looked for.
    public static let maximumWords = 32
    /// The most items of one answer.
    public static let maximumLimit = 100_000
    private static let wordLimit = 256

    /// Reads a query as somebody types it.
    ///
    /// Words are separated by blanks, and mean nothing but themselves; `"what is in quotes"` is one. The last word may be
    /// the beginning of one, unless it ends in a quote. Bytes that are no UTF-8 count as U+FFFD, as they do in names.
    /// - Parameter text: the query; none finds all items.
    public init(_ text: some Collection<UInt8>) {
        words = []
        let all = String(decoding: text, as: UTF8.self)
        for (index, part) in all.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            let isQuoted = index % 2 == 1
            let pieces = isQuoted ? [part] : part.split { $0.isWhitespace || $0 == "\0" }
            for piece in pieces {
                let scalars = String.UnicodeScalarView(piece.unicodeScalars.prefix(Self.wordLimit))
                let folded = Self.trimmed(SearchText.folded(String(scalars).utf8))
                guard !folded.isEmpty, words.count < Self.maximumWords else { continue }
                words.append(Word(folded: folded, isPrefix: false))
            }
        }
        if all.last != "\"", let last = words.indices.last { words[last].isPrefix = true }
    }

    /// Whether no word is looked for.
    public var hasNoWords: Bool { words.isEmpty }

    /// Without blanks at both ends.
    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == 0x20 || 0x09...0x0D ~= byte }
        let start = bytes.drop(while: isBlank)
        let end = start.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start.startIndex
        return Array(start[..<end])
    }
}
