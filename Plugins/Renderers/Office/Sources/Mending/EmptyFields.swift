internal import VitrineKit
internal import XML

/// Finds slides with fields that nobody filled. Where LibreOffice draws for people who edit, it invites them to click there
/// and add a title; where it prints, it leaves them out.
///
/// Known for packages, single files of OpenDocument, and ppt files.
struct EmptyFields {
    /// Whether such a field was seen.
    private(set) var wereFound = false

    /// Whether it is in Office Open XML; else in OpenDocument.
    private let isOpenXML: Bool
    /// OpenDocument: the page that is walked through, from 0.
    private var page = -1
    /// OpenDocument: whether the words of the speaker are walked through, whose field is on no slide.
    private var isInNotes = false
    /// Office Open XML: whether the shape around is a field, and whether it has words.
    private var isField = false
    private var hasWords = false
    private var isText = false

    /// The most bytes of a part that is read, and how many are parsed at once.
    private static let partLimit = 24 << 20, step = 64 << 10

    /// Looks for them.
    /// - Parameters:
    ///   - slide: counted from 0.
    ///   - input: the document; of damaged ones nothing is found.
    static func are(on slide: Int, of input: any RandomAccessInput, _ format: DocumentFormat) -> Bool {
        guard format.family == .presentation else { return false }
        switch format.packing {
        case .compound: return SlideRecords.haveEmptyField(on: slide, of: input, limit: partLimit)
        case .openXML, .openDocument: return areInPackage(on: slide, of: input, format)
        case .flatXML:
            let size = min(partLimit, Int(clamping: input.size))
            return EmptyFields(isOpenXML: false).areFound(on: slide, size: size) {
                (try? input.bytes(at: Int64($0.lowerBound), count: $0.count)) ?? []
            }
        case .richText, .records, .own: return false
        }
    }

    private static func areInPackage(on slide: Int, of input: any RandomAccessInput, _ format: DocumentFormat) -> Bool {
        guard let archive = try? ZipDirectory(input) else { return false }
        var part = "content.xml"
        if format.packing == .openXML {
            let slides = PackageParts(archive: archive, input: input)
                .listed(in: "ppt/presentation.xml", "sldId", folder: "ppt/")
            guard slides.indices.contains(slide) else { return false }
            part = slides[slide]
        }
        guard let bytes = try? archive.unpacked(part, limit: partLimit, in: input) else { return false }
        return EmptyFields(isOpenXML: format.packing == .openXML)
            .areFound(on: slide, size: bytes.count) { Array(bytes[$0]) }
    }

    private init(isOpenXML: Bool) { self.isOpenXML = isOpenXML }

    /// Walks through the part, or as much of it as there is.
    private func areFound(on slide: Int, size: Int, _ bytes: (Range<Int>) -> [UInt8]) -> Bool {
        var fields = self
        // Pictures stand in one file of XML as text.
        let reader = XMLReader("the slides", limits: XMLLimits(depth: 256, text: Self.partLimit))
        for start in stride(from: 0, to: size, by: Self.step) {
            let end = min(start + Self.step, size)
            guard !fields.wereFound, fields.page <= slide,
                let events = try? reader.events(from: bytes(start..<end), isLast: end == size)
            else { break }
            for event in events { fields.take(event, on: slide) }
        }
        return fields.wereFound
    }

    private mutating func take(_ event: XMLEvent, on slide: Int) {
        switch (event, isOpenXML) {
        // OpenDocument 1.3, part 3, 19.418: such frames hold what invites.
        case (.start(let name, let attributes), false):
            if name.local == "page" { page += 1 }
            if name.local == "notes" { isInNotes = true }
            if page == slide, !isInNotes, attributes["placeholder"] == "true" { wereFound = true }
        case (.end(let name), false): if name.local == "notes" { isInNotes = false }
        // ISO/IEC 29500-1, 19.3.1.36 (`ph`) and 19.3.1.43 (`sp`).
        case (.start(let name, _), true):
            switch name.local {
            case "sp": (isField, hasWords) = (false, false)
            case "ph": isField = true
            case "t": isText = true
            // Numbers of slides and dates.
            case "fld": hasWords = true
            default: break
            }
        case (.text(let text), true): if isText, !text.isEmpty { hasWords = true }
        case (.end(let name), true):
            if name.local == "t" { isText = false }
            if name.local == "sp", isField, !hasWords { wereFound = true }
        default: break
        }
    }
}
