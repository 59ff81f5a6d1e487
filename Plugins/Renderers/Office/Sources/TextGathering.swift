internal import VitrineKit
internal import XML

/// Gathers the words of one XML part of a document.
final class TextGathering {
    /// What the part is.
    enum Kind {
        /// WordprocessingML, a slide of PresentationML, a sheet of SpreadsheetML with the strings and formats that it refers
        /// to, and these strings themselves (ISO/IEC 29500-1, 17, 18, 19).
        case word, slide
        case sheet([String], NumberFormats)
        case sharedStrings
        /// The content of an OpenDocument file (OpenDocument 1.3, part 3).
        case openDocument(DocumentFormat.Family)
        /// A formula in MathML, of which people read what its author wrote: its annotation.
        case formula
    }

    /// What was gathered, page by page; strings one by one.
    private(set) var pages: [String] = [""]
    /// The page after which nothing more is wanted; `nil`: as much as is kept.
    var lastPage: Int?

    private let kind: Kind
    private let strings: [String]
    private let formats: NumberFormats?
    private var size = 0
    /// Whether text counts where the walk is.
    private var isText = false
    private var depthOfText = 0
    /// Elements that are open of one that people do not read in the text, with itself.
    private var depthOfHidden = 0
    private var cellType = ""
    private var cellStyle = 0
    private var cell = ""
    private var row = RepeatedRow()

    /// The most strings of a workbook.
    private static let mostStrings = 200_000
    /// The most pages, of which the last ones share one.
    private static let mostPages = 10_000

    init(_ kind: Kind) {
        self.kind = kind
        (strings, formats) = if case .sheet(let strings, let formats) = kind { (strings, formats) } else { ([], nil) }
        switch kind {
        // Each begins with an element of its own.
        case .sharedStrings, .openDocument(.spreadsheet), .openDocument(.presentation), .openDocument(.drawing):
            pages = []
        case .word, .slide, .sheet, .openDocument(.text), .formula: break
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
        case .start(let name, _) where depthOfHidden > 0 || isHidden(name.local): depthOfHidden += 1
        case .end where depthOfHidden > 0: depthOfHidden -= 1
        case .start(let name, let attributes): start(name.local, attributes)
        case .end(let name): end(name.local)
        case .text(let text): if isText, depthOfHidden == 0 { add(text) }
        }
    }

    /// Whether an element has text that is no longer there, or words about the text (OpenDocument 1.3, part 3, 5.5.1, 9.9.1 and
    /// 14.1; ISO/IEC 29500-1, 17.13.5.22). What was deleted in WordprocessingML is no text by its element.
    private func isHidden(_ name: String) -> Bool {
        switch kind {
        case .openDocument: name == "tracked-changes" || name == "annotation"
        case .word: name == "moveFrom"
        case .slide, .sheet, .sharedStrings, .formula: false
        }
    }

    private func start(_ name: String, _ attributes: [String: String]) {
        switch (kind, name) {
        case (.word, "t"), (.slide, "t"), (.sharedStrings, "t"), (.formula, "annotation"): isText = true
        case (.sharedStrings, "si"): pages.append("")
        case (.word, "tab"): add("\t")
        case (.word, "lastRenderedPageBreak"): breakPage()
        case (.word, "br"), (.word, "cr"), (.slide, "br"): add("\n")
        case (.sheet, "c"):
            (cellType, cell) = (attributes["t"] ?? "n", "")
            cellStyle = attributes["s"].flatMap { Int($0) } ?? 0
        case (.sheet, "v"), (.sheet, "t"): isText = true
        case (.openDocument(let family), _): startOpen(name, attributes, family)
        default: break
        }
    }

    private func end(_ name: String) {
        switch (kind, name) {
        case (.word, "t"), (.slide, "t"), (.sharedStrings, "t"), (.formula, "annotation"): isText = false
        case (.word, "p"), (.slide, "p"): endLine()
        case (.sheet, "v"), (.sheet, "t"): isText = false
        case (.sheet, "c"): endCell()
        case (.sheet, "row"): endLine()
        case (.openDocument, "p"), (.openDocument, "h"):
            depthOfText = max(0, depthOfText - 1)
            isText = depthOfText > 0
            if !row.isInCell { endLine() }
        case (.openDocument(.spreadsheet), "table-cell"), (.openDocument(.spreadsheet), "covered-table-cell"):
            row.endCell(isKept: isKept && !isFull)
        case (.openDocument(.spreadsheet), "table-row"): endRow()
        default: break
        }
    }

    private func startOpen(_ name: String, _ attributes: [String: String], _ family: DocumentFormat.Family) {
        switch (family, name) {
        case (_, "p"), (_, "h"):
            depthOfText += 1
            isText = true
            row.startParagraph()
        case (_, "s"): add(" ")
        case (_, "tab"): add("\t")
        case (_, "line-break"): add("\n")
        case (.spreadsheet, "table-row"): row = RepeatedRow(attributes)
        case (.spreadsheet, "table-cell"), (.spreadsheet, "covered-table-cell"): row.startCell(attributes)
        case (.text, "soft-page-break"): breakPage()
        case (.spreadsheet, "table"), (.presentation, "page"), (.drawing, "page"): breakPage()
        default: break
        }
    }

    private func endCell() {
        if cellType == "s" {
            cell = Int(cell).flatMap { strings.indices.contains($0) ? strings[$0] : nil } ?? ""
        }
        let text = cellType == "n" ? formats?.text(cell, style: cellStyle) ?? cell : cell
        cell = ""
        append(text + "\t")
    }

    private func endRow() {
        let line = row.text
        guard !line.isEmpty else { return }
        for _ in 0..<row.count {
            if !isKept || isFull { break }
            append(line)
            endLine()
        }
    }

    private func add(_ text: String) {
        if case .sheet = kind, isText {
            if cell.utf8.count < Facts.textLimit { cell += text }
        } else if row.isInCell {
            row.add(text)
        } else {
            append(text)
        }
    }

    private func append(_ text: String) {
        guard isKept else { return }
        pages[pages.count - 1] += text
        size += text.utf8.count
    }

    /// Whether what comes next is kept: of pages before the one that is wanted nothing is.
    private var isKept: Bool {
        if let lastPage, pages.count <= lastPage { return false }
        return !pages.isEmpty && !isPageFull
    }

    private func breakPage() {
        if pages.count < Self.mostPages { pages.append("") }
    }

    /// Ends a line; empty cells and lines leave nothing.
    private func endLine() {
        guard let last = pages.indices.last else { return }
        while let blank = pages[last].last, blank == " " || blank == "\t" { pages[last].removeLast() }
        if let end = pages[last].last, end != "\n" { pages[last] += "\n" }
    }
}
