internal import VitrineKit
internal import XML

/// Finds the first slide that is shown to an audience: those before it are hidden, and left out where LibreOffice prints, which it
/// does not tell who draws.
enum HiddenSlides {
    /// The most bytes of a part that is read, and how many are parsed at once.
    private static let partLimit = 24 << 20, step = 64 << 10
    /// The most bytes of a slide that is unpacked for its first tag; a larger one counts as shown.
    private static let slideLimit = 2 << 20
    /// The most slides that are looked at.
    static let most = 64

    /// The first slide that is not hidden, counted from 0; the first of all when there is none, or this cannot be told.
    static func firstVisible(of input: any RandomAccessInput, _ format: DocumentFormat) -> Int {
        guard format.family == .presentation else { return 0 }
        switch format.packing {
        case .openXML: return inPackage(input)
        case .openDocument:
            guard let archive = try? ZipDirectory(input),
                let bytes = try? archive.unpacked("content.xml", limit: partLimit, in: input)
            else { return 0 }
            return inOpenDocument(size: bytes.count) { bytes[$0] }
        case .flatXML:
            return inOpenDocument(size: min(partLimit, Int(clamping: input.size))) {
                (try? input.bytes(at: Int64($0.lowerBound), count: $0.count))?[...] ?? []
            }
        case .compound: return ((try? SlideRecordList.firstVisible(of: input)) ?? nil) ?? 0
        case .richText, .records, .own: return 0
        }
    }

    /// The same of a presentation as one file of OpenDocument, of which the end may be missing.
    static func firstVisible(ofFlat bytes: [UInt8]) -> Int { inOpenDocument(size: bytes.count) { bytes[$0] } }

    /// ISO/IEC 29500-1, 19.3.1.38 (`sld`).
    private static func inPackage(_ input: any RandomAccessInput) -> Int {
        guard let archive = try? ZipDirectory(input) else { return 0 }
        let slides = PackageParts(archive: archive, input: input)
            .listed(in: "ppt/presentation.xml", "sldId", folder: "ppt/")
        return slides.prefix(most).firstIndex { !isHidden($0, archive, input) } ?? 0
    }

    private static func isHidden(_ slide: String, _ archive: ZipDirectory, _ input: any RandomAccessInput) -> Bool {
        guard let bytes = try? archive.unpacked(slide, limit: slideLimit, in: input) else { return false }
        let head = Array(bytes.prefix(step))
        let events = try? XMLReader("'\(slide)'").events(from: head, isLast: head.count == bytes.count)
        guard case .start(let name, let attributes) = events?.first(where: \.isStart), name.local == "sld" else {
            return false
        }
        return ["0", "false"].contains(attributes["show"])
    }

    /// OpenDocument 1.3, part 3, `presentation:visibility`.
    private static func inOpenDocument(size: Int, _ bytes: (Range<Int>) -> ArraySlice<UInt8>) -> Int {
        // Pictures stand in one file of XML as text.
        let reader = XMLReader("the slides", limits: XMLLimits(depth: 256, text: partLimit))
        var styles = OpenStyles()
        var slide = 0
        for start in stride(from: 0, to: size, by: step) {
            let end = min(start + step, size)
            guard let events = try? reader.events(from: Array(bytes(start..<end)), isLast: false) else { return 0 }
            for case .start(let name, let attributes) in events {
                styles.take(name.local, attributes)
                guard name.local == "page" else { continue }
                if !styles.hidden.contains(attributes["style-name"] ?? "") { return slide }
                slide += 1
            }
        }
        return 0
    }
}

extension XMLEvent {
    fileprivate var isStart: Bool { if case .start = self { true } else { false } }
}
