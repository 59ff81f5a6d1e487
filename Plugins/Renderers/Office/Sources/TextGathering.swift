internal import VitrineKit
internal import XML

/// Gathers the words of one XML part of a document.
final class TextGathering {
    /// What the part is.
    enum Kind {
        /// WordprocessingML, a slide of PresentationML, a sheet of SpreadsheetML with the strings that it refers to, and
        /// these strings themselves (ISO/IEC 29500-1, 17, 18, 19).
        case word, slide
        case sheet([String])
        case sharedStrings
        /// The content of an OpenDocument file (OpenDocument 1.3, part 3).
        case openDocument(DocumentFormat.Family)
    }

    /// What was gathered, page by page; strings one by one.
    private(set) var pages: [String] = [""]
    /// The page after which nothing more is wanted; `nil`: as much as is kept.
    var lastPage: Int?

    private let kind: Kind
    private let strings: [String]
    private var size = 0
    /// Whether text counts where the walk is.
    private var isText = false
    private var depthOfText = 0
    private var cellType = ""
    private var cell = ""

    /// The most strings of a workbook.
    private static let mostStrings = 200_000
    /// The most pages, of which the last ones share one.
    private static let mostPages = 10_000

    init(_ kind: Kind) {
        self.kind = kind
        strings = if case .sheet(let strings) = kind { strings } else { [] }
        switch kind {
        // Each begins with an element of its own.
        case .sharedStrings, .openDocument(.spreadsheet), .openDocument(.presentation), .openDocument(.drawing):
            pages = []
        case .word, .slide, .sheet, .openDocument(.text): break
        }
    }

    /// Whether nothing that comes would be kept.
    var isFull: Bool {
        if case .sharedStrings = kind { return pages.count >= Self.mostStrings || size > 16 << 20 }
        if let lastPage { return pages.count > lastPage + 1 || (pages.count == lastPage + 1 && isPageFull) }
        return size > Facts.textLimit
    }

    private var isPageFull: Bool { (pages.last?.utf8.count ?? 0) > Facts.textLimit }

    func take(_ event: XMLEvent) {
        switch event {
        case .start(let name, let attributes): start(name.local, attributes)
        case .end(let name): end(name.local)
        case .text(let text): if isText { add(text) }
        }
    }

    private func start(_ name: String, _ attributes: [String: String]) {
        switch (kind, name) {
        case (.word, "t"), (.slide, "t"), (.sharedStrings, "t"): isText = true
        case (.sharedStrings, "si"): pages.append("")
        case (.word, "tab"): add("\t")
        case (.word, "lastRenderedPageBreak"): breakPage()
        case (.word, "br"), (.word, "cr"), (.slide, "br"): add("\n")
        case (.sheet, "c"): (cellType, cell) = (attributes["t"] ?? "n", "")
        case (.sheet, "v"), (.sheet, "t"): isText = true
        case (.openDocument(let family), _): startOpen(name, attributes, family)
        default: break
        }
    }

    private func end(_ name: String) {
        switch (kind, name) {
        case (.word, "t"), (.slide, "t"), (.sharedStrings, "t"): isText = false
        case (.word, "p"), (.slide, "p"): endLine()
        case (.sheet, "v"), (.sheet, "t"): isText = false
        case (.sheet, "c"): endCell()
        case (.sheet, "row"): endLine()
        case (.openDocument, "p"), (.openDocument, "h"):
            depthOfText = max(0, depthOfText - 1)
            isText = depthOfText > 0
            if case .openDocument(.spreadsheet) = kind { add(" ") } else { endLine() }
        case (.openDocument(.spreadsheet), "table-cell"): if pages.last?.hasSuffix("\n") == false { add("\t") }
        case (.openDocument(.spreadsheet), "table-row"): endLine()
        default: break
        }
    }

    private func startOpen(_ name: String, _ attributes: [String: String], _ family: DocumentFormat.Family) {
        switch (family, name) {
        case (_, "p"), (_, "h"):
            depthOfText += 1
            isText = true
        case (_, "s"): add(" ")
        case (_, "tab"): add("\t")
        case (_, "line-break"): add("\n")
        case (.text, "soft-page-break"): breakPage()
        case (.spreadsheet, "table"), (.presentation, "page"), (.drawing, "page"): breakPage()
        default: break
        }
    }

    private func endCell() {
        if cellType == "s" {
            cell = Int(cell).flatMap { strings.indices.contains($0) ? strings[$0] : nil } ?? ""
        }
        let text = cell
        cell = ""
        append(text + "\t")
    }

    private func add(_ text: String) {
        if case .sheet = kind, isText {
            if cell.utf8.count < Facts.textLimit { cell += text }
        } else {
            append(text)
        }
    }

    private func append(_ text: String) {
        guard !pages.isEmpty, !isPageFull else { return }
        // Of pages before the one that is wanted nothing is kept.
        if let lastPage, pages.count <= lastPage { return }
        pages[pages.count - 1] += text
        size += text.utf8.count
    }

    private func breakPage() {
        if pages.count < Self.mostPages { pages.append("") }
    }

    /// Ends a line; empty cells and lines leave nothing.
    private func endLine() {
        guard var page = pages.last else { return }
        while let last = page.last, last == " " || last == "\t" { page.removeLast() }
        if !page.isEmpty, page.last != "\n" { page += "\n" }
        pages[pages.count - 1] = page
    }
}
