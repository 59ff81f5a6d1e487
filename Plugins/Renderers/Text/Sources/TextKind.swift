/// How a text is to be set.
enum TextKind: Equatable, CaseIterable {
    /// Paragraphs, broken into lines.
    case prose
    /// Paragraphs with headings, lists and code among them.
    case markdown
    /// What the file's own format tells: the cells of a notebook, the people of an address book, the entries of a calendar.
    case entries([TextBlock])
    /// Lines that stay lines.
    case code
    /// Rows and columns.
    /// - Parameter separator: what stands between two cells, or `nil` to find out.
    case table(separator: Character?)

    static var allCases: [TextKind] { [.prose, .markdown, .code, .table(separator: nil)] }

    /// Chooses by the type, and for plain text by what it looks like.
    /// - Parameters:
    ///   - text: the beginning of it.
    ///   - bytes: more of it, as it is written; for address books and calendars.
    ///   - notebook: what was found in it, if it is a notebook.
    init(_ mimeType: String, _ text: String, _ bytes: [UInt8] = [], _ notebook: Notebook? = nil) {
        if let notebook, !notebook.blocks.isEmpty {
            self = .entries(notebook.blocks)
            return
        }
        switch mimeType {
        case "text/csv": self = .table(separator: nil)
        case "text/tab-separated-values": self = .table(separator: "\t")
        case "text/markdown": self = .markdown
        case AddressBook.type: self = Self.entriesOrCode(AddressBook.blocks(bytes))
        case Agenda.type: self = Self.entriesOrCode(Agenda.blocks(bytes))
        case "text/plain": self = Self.looksLikeProse(text) ? .prose : .code
        default: self = .code
        }
    }

    private static func entriesOrCode(_ blocks: [TextBlock]) -> TextKind { blocks.isEmpty ? .code : .entries(blocks) }

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
