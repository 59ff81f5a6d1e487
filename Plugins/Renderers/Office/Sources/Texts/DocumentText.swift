internal import VitrineKit
internal import XML

/// The text of a document that is a package of XML, found without LibreOffice: in the order of the file, which is that of
/// reading but for text in frames.
///
/// Pages are what the program that wrote the document noted: where it broke them last in a text, one sheet, one slide.
struct DocumentText {
    /// Of each page, sheet or slide so many as were read; texts end after ``Facts/textLimit``.
    private(set) var pages: [String] = []

    private let archive: ZipDirectory
    private let input: any RandomAccessInput
    /// The page whose text is wanted; `nil` for as much as is kept.
    private let wanted: Int?
    /// Whether sheets and slides that are hidden are passed over.
    private let skipsHidden: Bool

    /// The most bytes of a part that is read.
    private static let partLimit = 24 << 20
    /// The most diagrams and charts of a part that are read, and bytes of each.
    private static let mostDrawings = 16, drawingLimit = 4 << 20
    /// The most bytes of a workbook's styles, and of its list of sheets.
    private static let stylesLimit = 4 << 20
    /// Bytes that are parsed at once.
    private static let step = 64 << 10
    /// The most sheets or slides that are opened when all are wanted.
    private static let mostParts = 8

    /// Reads the text.
    /// - Parameters:
    ///   - page: the page whose text is wanted; `nil` for that of the first ones.
    ///   - isAsked: whether somebody asked for that very page. Otherwise what is hidden is passed over, as for the picture.
    /// - Returns: `nil` when the document is of another kind, or damaged.
    init?(of input: any RandomAccessInput, _ format: DocumentFormat, page: Int?, isAsked: Bool = false) {
        // Workbooks of records come in packages, too.
        guard format.packing == .openXML || format.packing == .openDocument, format.suffix != "xlsb",
            let archive = try? ZipDirectory(input)
        else {
            return nil
        }
        (self.archive, self.input, wanted) = (archive, input, page)
        skipsHidden = !isAsked && page ?? 0 == 0
        switch (format.packing, format.family) {
        case (.openDocument, _):
            let gathering = TextGathering(format.isFormula ? .formula : .openDocument(format.family))
            if format.family == .text { gathering.styles = openStyles() }
            if format.family != .spreadsheet { gathering.drawings = objects() }
            read("content.xml", gathering)
        case (_, .text): readDrawn("word/document.xml", TextGathering(.word))
        case (_, .presentation):
            for slide in parts(of: "ppt/presentation.xml", "sldId", in: "ppt/") {
                readDrawn(slide, TextGathering(.slide))
            }
        case (_, .spreadsheet):
            let strings = TextGathering(.sharedStrings)
            walk("xl/sharedStrings.xml", strings)
            let settings = events("xl/workbook.xml")
            let formats = NumberFormats(
                styles: events("xl/styles.xml"), startsIn1904: Self.isOn("date1904", of: "workbookPr", in: settings))
            let computesOnLoad = Self.isOn("fullCalcOnLoad", of: "calcPr", in: settings)
            for sheet in parts(of: "xl/workbook.xml", "sheet", in: "xl/") {
                let gathering = TextGathering(.sheet(strings.pages, formats))
                gathering.computesOnLoad = computesOnLoad
                readSheet(sheet, gathering)
                // Where none is asked for it is the first one with something in it, as for the picture.
                if wanted == 0, !text(nil).isEmpty { break }
            }
        case (_, .drawing): return nil
        }
    }

    /// The text that was wanted; `nil` when there is none.
    var text: String? {
        let found = text(isByParts ? nil : wanted)
        return found.isEmpty ? nil : found
    }

    /// Whether each page is a part of its own, so that only those were opened that are wanted.
    private var isByParts = false

    private func text(_ page: Int?) -> String {
        if let page { return pages.indices.contains(page) ? Facts.bounded(pages[page]) : "" }
        return Facts.bounded(pages.joined(separator: "\n"))
    }

    /// Reads a part with the diagrams and charts in it, whose words stand in parts of their own (ISO/IEC 29500-1, 21.2 and 21.4).
    private mutating func readDrawn(_ part: String, _ gathering: TextGathering) {
        gathering.drawings = drawings(of: part)
        read(part, gathering)
    }

    /// Reads a sheet with what stands on it in text boxes, shapes, diagrams and charts (ISO/IEC 29500-1, 20.5). Comments have
    /// parts of another kind.
    private mutating func readSheet(_ sheet: String, _ gathering: TextGathering) {
        read(sheet, gathering)
        let parts = PackageParts(archive: archive, input: input).parts(relatedTo: sheet, as: ["/drawing"])
        // A sheet has one drawing (18.3.1.36).
        guard let drawing = parts.first, let last = pages.indices.last else { return }
        let words = TextGathering(.slide)
        words.drawings = drawings(of: drawing.part, skipsCells: true)
        walk(drawing.part, words, limit: Self.drawingLimit)
        pages[last] += words.pages.joined()
    }

    /// The words of the diagrams and charts of a part, by what it calls its relations to them.
    private func drawings(of part: String, skipsCells: Bool = false) -> [String: String] {
        guard archive.entries.contains(where: { $0.name.contains("/diagrams/") || $0.name.contains("/charts/") })
        else { return [:] }
        var drawings: [String: String] = [:]
        let parts = PackageParts(archive: archive, input: input).parts(relatedTo: part, as: ["/diagramData", "/chart"])
        for drawing in parts.prefix(Self.mostDrawings) {
            let words = TextGathering(.slide)
            words.skipsCells = skipsCells
            walk(drawing.part, words, limit: Self.drawingLimit)
            drawings[drawing.name] = words.pages.joined()
        }
        return drawings
    }

    /// The words of the charts and documents in an OpenDocument file, by the folders that they lie in (OpenDocument 1.3, part 3,
    /// 10.4.6.2).
    private func objects() -> [String: String] {
        let end = "/content.xml"
        let parts = archive.entries.map(\.name).filter { $0.hasSuffix(end) }.prefix(Self.mostDrawings)
        var objects: [String: String] = [:]
        for part in parts {
            let words = TextGathering(.openDocument(.text))
            walk(part, words, limit: Self.drawingLimit)
            objects[String(part.dropLast(end.count))] = words.pages.joined()
        }
        return objects
    }

    private mutating func read(_ part: String, _ gathering: TextGathering) {
        gathering.lastPage = isByParts ? 0 : wanted
        gathering.skipsHidden = skipsHidden
        walk(part, gathering)
        if skipsHidden, gathering.isHiddenSlide { return }
        pages += gathering.pages
    }

    private func walk(_ part: String, _ gathering: TextGathering, limit: Int = partLimit) {
        guard let bytes = try? archive.unpacked(part, limit: limit, in: input) else { return }
        let reader = XMLReader("'\(part)'", limits: XMLLimits(depth: 256, text: 1 << 20))
        for start in stride(from: 0, to: bytes.count, by: Self.step) {
            let end = min(start + Self.step, bytes.count)
            // What stands before a damage is text all the same.
            guard !gathering.isFull,
                let events = try? reader.events(from: Array(bytes[start..<end]), isLast: end == bytes.count)
            else { break }
            for event in events { gathering.take(event) }
        }
    }

    /// Whether an element sets an attribute to true.
    private static func isOn(_ attribute: String, of element: String, in events: [XMLEvent]) -> Bool {
        events.contains { event in
            guard case .start(let name, let attributes) = event, name.local == element else { return false }
            return ["1", "true", "on"].contains(attributes[attribute])
        }
    }

    /// What the styles that have names say of pages.
    private func openStyles() -> OpenStyles {
        var styles = OpenStyles()
        for case .start(let name, let attributes) in events("styles.xml") { styles.take(name.local, attributes) }
        return styles
    }

    /// - Returns: none when it cannot be read.
    private func events(_ part: String) -> [XMLEvent] {
        guard let bytes = try? archive.unpacked(part, limit: Self.stylesLimit, in: input) else { return [] }
        return (try? XMLReader("'\(part)'").events(from: bytes, isLast: true)) ?? []
    }

    /// The parts that the main one lists: the one that is wanted, or the first ones, of sheets those that people see.
    private mutating func parts(of main: String, _ element: String, in folder: String) -> [String] {
        let entries = PackageParts(archive: archive, input: input).entries(in: main, element, folder: folder)
        let found = entries.filter { !skipsHidden || $0.attributes["state"] ?? "visible" == "visible" }.map(\.part)
        isByParts = true
        guard let wanted, !skipsHidden || element == "sldId" else { return Array(found.prefix(Self.mostParts)) }
        return found.indices.contains(wanted) ? [found[wanted]] : []
    }
}
