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
    /// Whether sheets and slides of OpenDocument that are hidden are passed over, as if they were not there; so are sheets
    /// without text before the page that is wanted. Default: no.
    var skipsHidden = false
    /// Whether the slide of PresentationML is hidden (ISO/IEC 29500-1, 19.3.1.38, `show`).
    private(set) var isHiddenSlide = false
    /// What is known of the styles of an OpenDocument file; those that stand in the part itself are added.
    var styles = OpenStyles()

    /// Words of diagrams and charts, by what the part calls its relations to them; in OpenDocument by the folders they lie in.
    var drawings: [String: String] = [:]
    /// Charts: whether words that they take from cells are left out, as these stand on a sheet. Default: no.
    var skipsCells = false
    /// Sheets of SpreadsheetML: whether their formulas are to be computed when the workbook is opened, so that zeros are no
    /// values of theirs and leave nothing in the text (ISO/IEC 29500-1, 18.2.2, `fullCalcOnLoad`). Default: no.
    var computesOnLoad = false

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
    /// Whether the cell has a formula.
    private var hasFormula = false
    /// OpenDocument in one file: documents and charts that are open, which stand in it where they are shown.
    private var depthOfObjects = 0
    private var row = RepeatedRow()
    /// OpenDocument: what stands on controls of forms, by their names.
    private var controls: [String: String] = [:]
    /// Charts: whether the walk is among words of cells, such as names of series, and those that there were
    /// (ISO/IEC 29500-1, 21.2.2.201). Each series has those of the axis once more.
    private var isInCellWords = false
    private var cellWords: Set<String> = []
    /// DrawingML: whether each of the shapes and groups that are open is hidden (ISO/IEC 29500-1, 20.1.2.2.8, `hidden`).
    private var shapes: [Bool] = []
    /// DrawingML: what stands on slides and sheets, and may be hidden (ISO/IEC 29500-1, 19.3.1 and 20.5.2).
    private static let shapeNames: Set = ["sp", "grpSp", "graphicFrame", "pic", "cxnSp", "contentPart"]
    /// WordprocessingML and DrawingML: whether the words are hidden ones.
    private var isVanished = false
    /// Whether the page was begun by its author, and has no words yet.
    private var isBegun = false
    /// Whether something stands before that may end a page.
    private var hasParagraphs = false
    /// OpenDocument: whether a page ends behind the paragraph or table that is open, at this depth.
    private var endings: [Bool] = []

    /// The most strings of a workbook.
    private static let mostStrings = 200_000
    /// The most pages, of which the last ones share one.
    private static let mostPages = 10_000
    /// The most controls of forms that are known.
    private static let mostControls = 1000

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
        case .start(let name, let attributes) where depthOfHidden > 0 || isHidden(name.local, attributes):
            depthOfHidden += 1
        case .end where depthOfHidden > 0: depthOfHidden -= 1
        case .start(let name, let attributes): start(name.local, attributes)
        case .end(let name): end(name.local)
        case .text(let text): if isText, depthOfHidden == 0 { add(text) }
        }
    }

    /// Whether an element has text that is no longer there, words about the text, or what the speaker says (OpenDocument 1.3,
    /// part 3, 5.5.1, 9.9.1, 14.1 and 16.17; ISO/IEC 29500-1, 17.13.5.22), how something was formatted once (17.13.5.29 and
    /// 17.13.5.31), or the same once more for programs that know no better (ISO/IEC 29500-3, `Fallback`), or stands for a value
    /// that a chart shows (21.1.2.2.4: `VALUE`, where slides have `slidenum`). What was deleted in WordprocessingML is no text by
    /// its element. Nor are stops of tabulators (17.3.1.38), which are called as what moves to them.
    private func isHidden(_ name: String, _ attributes: [String: String]) -> Bool {
        switch (kind, name) {
        case (.openDocument, "tracked-changes"), (.openDocument, "annotation"): true
        case (.openDocument(.presentation), "notes"): true
        // The numbers that a chart shows.
        case (.openDocument(.text), "table") where attributes["name"] == "local-table",
            (.openDocument(.presentation), "table") where attributes["name"] == "local-table":
            true
        // Those of charts and documents on a sheet are no sheets.
        case (.openDocument(.spreadsheet), "table") where depthOfObjects > 0: true
        case (.openDocument(.spreadsheet), "table"), (.openDocument(.presentation), "page"):
            skipsHidden && styles.hidden.contains(attributes["style-name"] ?? "")
        case (.word, "moveFrom"), (.word, "rPrChange"), (.word, "pPrChange"), (.word, "tabs"): true
        case (.word, "Fallback"), (.slide, "Fallback"): true
        case (.slide, "strCache"): skipsCells
        case (.slide, "fld"): attributes["type"]?.allSatisfy(\.isUppercase) ?? false
        default: false
        }
    }

    private func start(_ name: String, _ attributes: [String: String]) {
        switch (kind, name) {
        case (.word, "t"), (.slide, "t"), (.sharedStrings, "t"), (.formula, "annotation"): isText = true
        case (.sharedStrings, "si"): pages.append("")
        case (.word, "tab"), (.word, "ptab"): add("\t")
        case (.word, "noBreakHyphen"): add("\u{2011}")
        case (.word, _) where startWord(name, attributes): break
        case (.word, "relIds"), (.slide, "relIds"): addDrawing(attributes["dm"])
        case (.word, "chart"), (.slide, "chart"): addDrawing(attributes["id"])
        case (.slide, _) where Self.shapeNames.contains(name): shapes.append(shapes.last ?? false)
        case (.slide, "cNvPr"): if ["1", "true"].contains(attributes["hidden"]) { hideShape() }
        case (.slide, "strCache"): isInCellWords = true
        case (.slide, "v") where isInCellWords: (isText, cell) = (true, "")
        case (.slide, "sld"): isHiddenSlide = ["0", "false"].contains(attributes["show"])
        case (.word, "br"), (.word, "cr"), (.slide, "br"): add("\n")
        case (.sheet, "c"):
            (cellType, cell) = (attributes["t"] ?? "n", "")
            cellStyle = attributes["s"].flatMap { Int($0) } ?? 0
            hasFormula = false
        case (.sheet, "f"): hasFormula = true
        case (.sheet, "v"), (.sheet, "t"): isText = true
        case (.openDocument(let family), _): startOpen(name, attributes, family)
        default: break
        }
    }

    /// - Returns: whether it is about pages, or about words that nobody sees (ISO/IEC 29500-1, 17.3.3.1, 17.3.3.13, 17.3.1.23
    ///   and 17.3.2.41).
    private func startWord(_ name: String, _ attributes: [String: String]) -> Bool {
        let isOn = !["0", "false", "off"].contains(attributes["val"])
        switch name {
        case "r": isVanished = false
        case "vanish": isVanished = isOn
        case "br" where attributes["type"] == "page": beginPage()
        case "pageBreakBefore": if isOn, hasParagraphs, !isBegun { beginPage() }
        // Word notes those of the author as well, behind them.
        case "lastRenderedPageBreak":
            if !isBegun { breakPage() }
            isBegun = false
        default: return false
        }
        return true
    }

    private func end(_ name: String) {
        switch (kind, name) {
        case (.word, "t"), (.slide, "t"), (.sharedStrings, "t"), (.formula, "annotation"): isText = false
        case (.slide, _) where Self.shapeNames.contains(name):
            _ = shapes.popLast()
            isVanished = shapes.last ?? false
        case (.slide, "strCache"): isInCellWords = false
        case (.slide, "v") where isInCellWords:
            isText = false
            if cellWords.insert(cell).inserted { append(cell) }
            endLine()
        case (.word, "p"), (.slide, "p"):
            endLine()
            hasParagraphs = true
        case (.sheet, "v"), (.sheet, "t"): isText = false
        case (.sheet, "c"): endCell()
        case (.sheet, "row"): endLine()
        case (.openDocument, "object"): depthOfObjects = max(0, depthOfObjects - 1)
        case (.openDocument, "p"), (.openDocument, "h"):
            depthOfText = max(0, depthOfText - 1)
            isText = depthOfText > 0
            if !row.isInCell { endLine() }
            if case .openDocument(.text) = kind { endParagraph() }
        case (.openDocument(.text), "table"): endParagraph()
        case (.openDocument(.spreadsheet), "table-cell"), (.openDocument(.spreadsheet), "covered-table-cell"):
            row.endCell(isKept: isKept && !isFull)
        case (.openDocument(.spreadsheet), "table-row"): endRow()
        default: break
        }
    }

    /// Leaves out the words of the innermost shape or group that is open.
    private func hideShape() {
        guard let last = shapes.indices.last else { return }
        (shapes[last], isVanished) = (true, true)
    }

    private func startOpen(_ name: String, _ attributes: [String: String], _ family: DocumentFormat.Family) {
        styles.take(name, attributes)
        switch (family, name) {
        case (_, "object"):
            depthOfObjects += 1
            if family != .spreadsheet {
                addDrawing(attributes["href"].map { $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0 })
            }
        case (_, "control"): if family != .spreadsheet { addWords(controls[attributes["control"] ?? ""]) }
        case (.text, "table"): startParagraph(attributes)
        case (_, "p"), (_, "h"):
            if family == .text { startParagraph(attributes) }
            depthOfText += 1
            isText = true
            row.startParagraph()
        // Several blanks in OpenDocument.
        case (_, "s"): add(String(repeating: " ", count: min(max(1, Int(attributes["c"] ?? "") ?? 1), 100)))
        case (_, "tab"): add("\t")
        case (_, "line-break"): add("\n")
        case (.spreadsheet, "table-row"): row = RepeatedRow(attributes)
        case (.spreadsheet, "table-cell"), (.spreadsheet, "covered-table-cell"): row.startCell(attributes)
        case (.text, "soft-page-break"): breakPage()
        case (.spreadsheet, "table") where skipsHidden && lastPage != nil && pages.last?.isEmpty == true: break
        case (.spreadsheet, "table"), (.presentation, "page"), (.drawing, "page"): breakPage()
        // What is typed into one of these is shown to nobody.
        case (_, "password"): break
        default: takeControl(attributes)
        }
    }

    /// Notes what stands on a control of a form, which is described before the page that it is on (OpenDocument 1.3, part 3,
    /// 19.272, `form:control-implementation`).
    private func takeControl(_ attributes: [String: String]) {
        guard attributes["control-implementation"] != nil, let name = attributes["id"],
            controls.count < Self.mostControls
        else { return }
        controls[name] = attributes["label"] ?? attributes["current-value"]
    }

    /// Begins a paragraph or a table of a text in OpenDocument. Of those within others, styles break no page.
    private func startParagraph(_ attributes: [String: String]) {
        let style = attributes["style-name"] ?? ""
        if endings.isEmpty, hasParagraphs, !isBegun, styles.beginning.contains(style) { beginPage() }
        hasParagraphs = true
        isBegun = false
        endings.append(endings.isEmpty && styles.ending.contains(style))
    }

    private func endParagraph() {
        if endings.popLast() == true { beginPage() }
    }

    /// Begins a page where the author wants one.
    private func beginPage() {
        endLine()
        breakPage()
        isBegun = true
    }

    private func endCell() {
        if cellType == "s" {
            cell = Int(cell).flatMap { strings.indices.contains($0) ? strings[$0] : nil } ?? ""
        } else if cellType == "b" {
            cell = ["1": "TRUE", "0": "FALSE"][cell] ?? cell
        } else if cellType == "n", hasFormula, computesOnLoad, cell == "0" {
            cell = ""
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
        if isVanished { return }
        if isInCellWords || isOfSheet, isText {
            if cell.utf8.count < Facts.textLimit { cell += text }
        } else if row.isInCell {
            row.add(text)
        } else {
            append(text)
        }
    }

    private var isOfSheet: Bool { if case .sheet = kind { true } else { false } }

    /// Adds the words of a diagram or chart, which stand on lines of their own.
    private func addDrawing(_ name: String?) { addWords(name.flatMap { drawings[$0] }) }

    private func addWords(_ words: String?) {
        guard let words, !words.isEmpty else { return }
        endLine()
        add(words)
        endLine()
    }

    private func append(_ text: String) {
        isBegun = false
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
