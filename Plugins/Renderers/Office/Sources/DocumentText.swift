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

    /// The most bytes of a part that is read.
    private static let partLimit = 24 << 20
    /// The most bytes of a workbook's styles, and of its list of sheets.
    private static let stylesLimit = 4 << 20
    /// Bytes that are parsed at once.
    private static let step = 64 << 10
    /// The most sheets or slides that are opened when all are wanted.
    private static let mostParts = 8

    /// Reads the text.
    /// - Parameter page: the page whose text is wanted; `nil` for that of the first ones.
    /// - Returns: `nil` when the document is of another kind, or damaged.
    init?(of input: any RandomAccessInput, _ format: DocumentFormat, page: Int?) {
        // Workbooks of records come in packages, too.
        guard format.packing == .openXML || format.packing == .openDocument, format.suffix != "xlsb",
            let archive = try? ZipDirectory(input)
        else {
            return nil
        }
        (self.archive, self.input, wanted) = (archive, input, page)
        switch (format.packing, format.family) {
        case (.openDocument, _):
            read("content.xml", TextGathering(format.isFormula ? .formula : .openDocument(format.family)))
        case (_, .text): read("word/document.xml", TextGathering(.word))
        case (_, .presentation):
            for slide in parts(of: "ppt/presentation.xml", "sldId", in: "ppt/") { read(slide, TextGathering(.slide)) }
        case (_, .spreadsheet):
            let strings = TextGathering(.sharedStrings)
            walk("xl/sharedStrings.xml", strings)
            let formats = numberFormats()
            for sheet in parts(of: "xl/workbook.xml", "sheet", in: "xl/") {
                read(sheet, TextGathering(.sheet(strings.pages, formats)))
                // Sheet 0 is the first one with something in it, as for the picture.
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

    private mutating func read(_ part: String, _ gathering: TextGathering) {
        gathering.lastPage = isByParts ? 0 : wanted
        walk(part, gathering)
        pages += gathering.pages
    }

    private func walk(_ part: String, _ gathering: TextGathering) {
        guard let bytes = try? archive.unpacked(part, limit: Self.partLimit, in: input) else { return }
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

    /// How cells of the workbook show their numbers; as they are written when that cannot be read.
    private func numberFormats() -> NumberFormats {
        func events(_ part: String) -> [XMLEvent] {
            guard let bytes = try? archive.unpacked(part, limit: Self.stylesLimit, in: input) else { return [] }
            return (try? XMLReader("'\(part)'").events(from: bytes, isLast: true)) ?? []
        }
        let startsIn1904 = events("xl/workbook.xml").contains { event in
            guard case .start(let name, let attributes) = event, name.local == "workbookPr" else { return false }
            return ["1", "true", "on"].contains(attributes["date1904"])
        }
        return NumberFormats(styles: events("xl/styles.xml"), startsIn1904: startsIn1904)
    }

    /// The parts that the main one lists: the one that is wanted, or the first ones.
    private mutating func parts(of main: String, _ element: String, in folder: String) -> [String] {
        let found = PackageParts(archive: archive, input: input).listed(in: main, element, folder: folder)
        isByParts = true
        guard let wanted, wanted > 0 || element == "sldId" else { return Array(found.prefix(Self.mostParts)) }
        return found.indices.contains(wanted) ? [found[wanted]] : []
    }
}
