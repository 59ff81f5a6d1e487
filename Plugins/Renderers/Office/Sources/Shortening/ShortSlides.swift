internal import PrivateCopies
internal import VitrineKit

/// A presentation in PresentationML (ISO/IEC 29500-1, 19.2), for its first slide: the same, with that slide alone in its
/// list.
///
/// LibreOffice reads and builds all slides that are in the list, with their pictures: seconds and 100 MB for some dozen. Those
/// that are not in it stay in the package, where nothing reads them.
struct ShortSlides: ShortDocument {
    private let archive: ZipDirectory
    private let input: any RandomAccessInput
    private let list: SlideList

    private static let part = "ppt/presentation.xml"
    /// The most bytes of the part with the list.
    private static let partLimit = 4 << 20

    /// Looks whether a document is one.
    /// - Returns: `nil` when it has to be read as a whole: it has one slide only, or is not understood.
    init?(of input: any RandomAccessInput, _ format: DocumentFormat) {
        guard format.packing == .openXML, format.family == .presentation, let archive = try? ZipDirectory(input),
            archive.parsedSize <= DocumentSniffer.parsedLimit,
            let text = try? archive.unpacked(Self.part, limit: Self.partLimit, in: input),
            let list = SlideList(of: text)
        else { return nil }
        self.archive = archive
        self.input = input
        self.list = list
    }

    func copy(in folder: String, suffix: String) throws(PluginError) -> PrivateCopy {
        try PrivateCopy(in: folder, suffix: suffix) { (file) throws(PluginError) in
            try archive.replace([Self.part: list.shortened], of: input) { (block) throws(PluginError) in
                try PrivateCopy.write(block, to: file)
            }
        }
    }

    func allPages(whenShown pages: Int) -> Int? { pages == 1 ? list.count : nil }
}

/// The slides that a presentation's main part lists (ISO/IEC 29500-1, 19.2.1.34, `sldIdLst`).
struct SlideList {
    /// How many there are: at least two.
    let count: Int
    /// The part with the first of them alone.
    let shortened: [UInt8]

    /// Looks for them.
    /// - Parameter text: the part.
    /// - Returns: `nil` when there are less than two, when custom shows refer to them, or when the part is not understood.
    init?(of text: [UInt8]) {
        guard let found = text.withUnsafeBytes({ Self.slides(in: $0) }), found.ends.count > 1 else { return nil }
        count = found.ends.count
        shortened = Array(text[..<found.ends[0]] + text[found.listEnd...])
    }

    /// Where the slides' elements end, and where the tag begins that ends the list. Sections list slides in elements of the
    /// same name (`p14:sldIdLst`), deeper, behind it. They may name slides that are not there.
    private static func slides(in text: UnsafeRawBufferPointer) -> (ends: [Int], listEnd: Int)? {
        var ends: [Int] = []
        var listEnd: Int?
        var depth = 0
        // Where the list is open: outside of it, inside, or inside of a slide's element.
        var listDepth: Int?
        var at = 0
        while let tag = MarkupTag(in: text, from: at) {
            if tag.isNamed("custShowLst", in: text) { return nil }
            if tag.isEnd { depth -= 1 }
            guard depth >= 0 else { return nil }
            if let open = listDepth {
                if tag.isEnd, depth == open - 1 {
                    listDepth = nil
                    listEnd = tag.name.lowerBound - 2
                } else if depth == open, tag.isEnd || tag.isEmpty {
                    guard tag.isNamed("sldId", in: text) else { return nil }
                    ends.append(tag.end)
                }
            } else if depth == 1, !tag.isEnd, !tag.isEmpty, tag.isNamed("sldIdLst", in: text) {
                guard listEnd == nil else { return nil }
                listDepth = 2
            }
            if !tag.isEnd, !tag.isEmpty { depth += 1 }
            at = tag.end
        }
        guard depth == 0, let listEnd else { return nil }
        return (ends, listEnd)
    }
}
