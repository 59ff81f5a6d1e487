/// Three characters in a row, by which an index finds what is anywhere in a text.
///
/// Indexed text ends in two characters of Unicode's private use, so that each of its characters begins a trigram: one
/// that is shorter is looked for as the beginning of trigrams.
enum Trigrams {
    /// What is put at the end of indexed text.
    static let end: [UInt8] = Array("\u{E000}\u{E000}".utf8)

    /// The most trigrams that are asked for at once: what they find is compared with the word anyway.
    private static let limit = 6

    /// Text as it is indexed.
    static func indexed(_ folded: [UInt8]) -> String { String(decoding: folded + end, as: UTF8.self) }

    /// An expression for FTS5 that finds texts with all of these words.
    /// - Parameter words: folded; those of one or two characters are passed over.
    /// - Returns: `nil` when none is long enough.
    static func expression(_ words: [[UInt8]]) -> String? {
        var terms: [String] = []
        for word in words {
            let scalars = Array(String(decoding: word, as: UTF8.self).unicodeScalars)
            guard scalars.count >= 3 else { continue }
            // Side by side rather than overlapping: these say most. The last one is the end of the word.
            let last = scalars.count - 3
            var starts = Array(stride(from: 0, to: last, by: 3)) + [last]
            if starts.count > limit { starts = (0..<limit).map { $0 * last / (limit - 1) } }
            for start in starts { terms.append(quoted(scalars[start..<start + 3])) }
        }
        return terms.isEmpty ? nil : terms.prefix(4 * limit).joined(separator: " AND ")
    }

    /// The terms that begin with a text: from the first one up to, and without, the second one.
    static func range(_ folded: [UInt8]) -> (from: String, to: String) {
        let text = String(decoding: folded, as: UTF8.self)
        return (text, text + "\u{10FFFF}")
    }

    /// A string of an FTS5 expression; nothing in it has a meaning of its own.
    static func quoted(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = "\""
        for scalar in scalars {
            if scalar == "\"" { text += "\"" }
            text.unicodeScalars.append(scalar)
        }
        return text + "\""
    }
}
