internal import CompoundFiles
internal import VitrineKit
internal import XML

/// What a document says of itself in a place of its own, which is read without opening the document: at the cost of a few
/// kilobytes. What cannot be read says nothing; the document itself may be sound.
struct DocumentProperties {
    /// Title, author, creation, and what else is told cheaply.
    private(set) var facts = Facts()
    private let input: any RandomAccessInput

    /// The most bytes of a part that is unpacked for it.
    private static let partLimit = 1 << 20
    /// Where the properties stand in a document of one XML file: before its styles, of which there are many.
    private static let flatHead = 32 << 10

    /// Reads them.
    init(of input: any RandomAccessInput, _ format: DocumentFormat) {
        self.input = input
        switch format.packing {
        case .openXML:
            guard let archive = try? ZipDirectory(input) else { return }
            read("docProps/core.xml", in: archive)
            if format.family == .spreadsheet { facts.set(.sheetNames, Self.sheets(archive, input)) }
        case .openDocument:
            if let archive = try? ZipDirectory(input) { read("meta.xml", in: archive) }
        case .flatXML: readXML((try? input.head(Self.flatHead)) ?? [], isWhole: false)
        case .compound:
            guard let file = try? CompoundFile(input), let summary = SummaryInformation(file) else { return }
            facts.title = summary.text(.title)
            facts.set(.author, summary.text(.author))
            facts.set(.created, summary.time(.created)?.text)
        case .richText:
            let info = RichTextInfo(of: (try? input.head(RichTextInfo.reach)) ?? [])
            facts.title = info.title
            facts.set(.author, info.author)
            facts.set(.created, info.created?.text)
        case .records, .own: break
        }
    }

    private mutating func read(_ part: String, in archive: ZipDirectory) {
        guard let bytes = try? archive.unpacked(part, limit: Self.partLimit, in: input) else { return }
        readXML(bytes, isWhole: true)
    }

    /// Dublin Core's names, which both families of formats use (ISO/IEC 29500-2, 11; OpenDocument 1.3, part 3, 4.3), and those of
    /// Office 2003, which begin with capitals.
    private mutating func readXML(_ bytes: [UInt8], isWhole: Bool) {
        let reader = XMLReader("the document's properties")
        guard let events = try? reader.events(from: bytes, isLast: isWhole) else { return }
        var texts: [String: String] = [:]
        var name = ""
        for event in events {
            switch event {
            case .start(let element, _): name = element.local
            case .end: name = ""
            case .text(let text): if texts[name] == nil { texts[name] = text }
            }
        }
        facts.title = (texts["title"] ?? texts["Title"]).flatMap { Facts.line($0) }
        facts.set(.author, texts["initial-creator"] ?? texts["creator"] ?? texts["Author"])
        let created = texts["created"] ?? texts["creation-date"] ?? texts["Created"]
        facts.set(.created, created.flatMap(FactDate.init)?.text)
    }

    private static func sheets(_ archive: ZipDirectory, _ input: any RandomAccessInput) -> [String] {
        guard let bytes = try? archive.unpacked("xl/workbook.xml", limit: partLimit, in: input),
            let events = try? XMLReader("the workbook").events(from: bytes, isLast: true)
        else { return [] }
        return events.compactMap { event in
            if case .start(let element, let attributes) = event, element.local == "sheet" { return attributes["name"] }
            return nil
        }
    }
}
