/// How a text is to be set.
enum TextKind: Equatable, CaseIterable {
    /// Paragraphs, broken into lines.
    case prose
    /// Paragraphs with headings, lists and code among them.
    case markdown
    /// The cells of a notebook.
    case notebook([TextBlock])
    /// Lines that stay lines.
    case code
    /// Rows and columns.
    /// - Parameter separator: what stands between two cells, or `nil` to find out.
    case table(separator: Character?)

    static var allCases: [TextKind] { [.prose, .markdown, .code, .table(separator: nil)] }

    /// Chooses by the type, and for plain text by what it looks like.
    init(_ mimeType: String, _ text: String) {
        switch mimeType {
        case "text/csv": self = .table(separator: nil)
        case "text/tab-separated-values": self = .table(separator: "\t")
        case "text/markdown": self = .markdown
        case "application/x-ipynb+json":
            let blocks = Notebook(text).blocks
            self = blocks.isEmpty ? .code : .notebook(blocks)
        case "text/plain": self = Self.looksLikeProse(text) ? .prose : .code
        default: self = .code
        }
    }

    /// Prose is words with single blanks between them. What has columns, indents or symbols needs type of one width.
    private static func looksLikeProse(_ text: String) -> Bool {
        var (letters, others, gaps) = (0, 0, 0)
        var (previous, beforeThat): (Unicode.Scalar, Unicode.Scalar) = ("\n", "\n")
        for scalar in text.unicodeScalars.prefix(4096) {
            switch scalar {
            case " ": if previous == " ", beforeThat != "." { gaps += 1 }
            case "\t": gaps += 2
            case "\n", ".", ",", "'", "-", "\"": break
            default:
                // Beyond ASCII are the quotes and stops of other scripts.
                if scalar.properties.isAlphabetic { letters += 1 } else if scalar.isASCII { others += 1 }
            }
            (beforeThat, previous) = (previous, scalar)
        }
        return others * 12 < letters && gaps * 30 < letters
    }
}
