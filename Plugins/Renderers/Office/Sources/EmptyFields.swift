internal import VitrineKit
internal import XML

/// Finds slides with fields that nobody filled. Where LibreOffice draws for people who edit, it invites them to click there
/// and add a title; where it prints, it leaves them out.
///
/// Known for packages and ppt files.
struct EmptyFields {
    /// Whether such a field was seen.
    private(set) var wereFound = false

    private let packing: DocumentFormat.Packing
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
        case .flatXML, .richText, .records, .own: return false
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
        var fields = EmptyFields(packing: format.packing)
        let reader = XMLReader("'\(part)'", limits: XMLLimits(depth: 256, text: 1 << 20))
        for start in stride(from: 0, to: bytes.count, by: step) {
            let end = min(start + step, bytes.count)
            guard !fields.wereFound, fields.page <= slide,
                let events = try? reader.events(from: Array(bytes[start..<end]), isLast: end == bytes.count)
            else { break }
            for event in events { fields.take(event, on: slide) }
        }
        return fields.wereFound
    }

    private init(packing: DocumentFormat.Packing) { self.packing = packing }

    private mutating func take(_ event: XMLEvent, on slide: Int) {
        switch (event, packing) {
        // OpenDocument 1.3, part 3, 19.418: such frames hold what invites.
        case (.start(let name, let attributes), .openDocument):
            if name.local == "page" { page += 1 }
            if name.local == "notes" { isInNotes = true }
            if page == slide, !isInNotes, attributes["placeholder"] == "true" { wereFound = true }
        case (.end(let name), .openDocument): if name.local == "notes" { isInNotes = false }
        // ISO/IEC 29500-1, 19.3.1.36 (`ph`) and 19.3.1.43 (`sp`).
        case (.start(let name, _), _):
            switch name.local {
            case "sp": (isField, hasWords) = (false, false)
            case "ph": isField = true
            case "t": isText = true
            // Numbers of slides and dates.
            case "fld": hasWords = true
            default: break
            }
        case (.text(let text), .openXML): if isText, !text.isEmpty { hasWords = true }
        case (.end(let name), .openXML):
            if name.local == "t" { isText = false }
            if name.local == "sp", isField, !hasWords { wereFound = true }
        default: break
        }
    }
}
