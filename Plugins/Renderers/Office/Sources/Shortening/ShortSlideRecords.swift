internal import CompoundFiles
internal import PrivateCopies
internal import VitrineKit

/// A presentation in PowerPoint's own format ([MS-PPT]), for its first slide: the same, with that slide alone in its list; see
/// ``ShortSlides``.
struct ShortSlideRecords: ShortDocument {
    private let input: any RandomAccessInput
    private let list: SlideRecordList

    /// Looks whether a document is one.
    /// - Returns: `nil` when it has to be read as a whole: it has one slide only, or is not understood.
    init?(of input: any RandomAccessInput, _ format: DocumentFormat) {
        guard format.packing == .compound, format.family == .presentation,
            // Then LibreOffice counts these.
            !PresentationState.showsMasters(input, format), let list = try? SlideRecordList(of: input)
        else { return nil }
        self.input = input
        self.list = list
    }

    func copy(in folder: String, suffix: String) throws(PluginError) -> PrivateCopy {
        try PrivateCopy(in: folder, suffix: suffix) { (file) throws(PluginError) in
            try PrivateCopy.copy(input, to: file) { block, start in
                for (place, byte) in list.changes where block.indices.contains(Int(place - start)) {
                    block[Int(place - start)] = byte
                }
            }
        }
    }

    func allPages(whenShown pages: Int) -> Int? { pages == 1 ? list.count : nil }
}

/// The slides that a presentation lists, and what makes it list the first one alone: what stands behind that one becomes a
/// single record of a type that nobody knows and everybody passes over.
struct SlideRecordList {
    /// How many there are: at least two.
    let count: Int
    /// Bytes that are others, by their places in the file.
    let changes: [Int64: UInt8]

    /// `RT_UserEditAtom`, `RT_PersistDirectoryAtom`, `RT_Document`, `RT_SlideListWithText` of slides, `RT_SlidePersistAtom`, and a
    /// type that [MS-PPT] 2.13.24 does not have.
    private static let edit = 0x0FF5, directory = 0x1772, document = 0x03E8, list = 0x0FF0, unknown = 0x0FFF
    static let slide = 0x03F3
    /// Bytes of a record's head ([MS-PPT] 2.3.1).
    static let head = 8
    /// Edits that were added to the file without writing it anew, and records of the document, that are gone through.
    private static let mostEdits = 1000, mostRecords = 10_000
    /// Bytes of all directories that are read.
    private static let mostDirectories = 4 << 20

    /// Looks for them.
    /// - Returns: `nil` when there are less than two, or the records make no sense.
    init?(of input: any RandomAccessInput) throws(PluginError) {
        let file = try CompoundFile(input)
        guard let user = try file.head(of: "Current User", count: 20), let lastEdit = user.uint32(at: 16),
            let stream = CompoundStream("PowerPoint Document", of: file),
            let (start, bytes) = try Self.listed(stream, lastEdit)
        else { return nil }
        let slides = SlideRecords.starts(of: Self.slide, among: bytes)
        guard slides.count > 1 else { return nil }
        count = slides.count
        let length = bytes.count - slides[1] - Self.head
        let record = [0, Self.unknown, length & 0xFFFF, length >> 16].flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
        var changes: [Int64: UInt8] = [:]
        for (offset, byte) in record.enumerated() {
            guard let place = try stream.place(of: start + slides[1] + offset) else { return nil }
            changes[place] = byte
        }
        self.changes = changes
    }

    /// The content of the list of slides, and where it lies.
    static func listed(
        _ stream: CompoundStream, _ lastEdit: Int
    ) throws(PluginError) -> (start: Int, bytes: [UInt8])? {
        guard let place = try place(of: nil, stream, lastEdit), let document = try record(stream, place),
            document.type == Self.document, let list = try list(stream, document.content),
            let bytes = try stream.bytes(at: list.lowerBound, count: list.count)
        else { return nil }
        return (list.lowerBound, bytes)
    }

    /// Where the record of an object lies, as the newest edit has it ([MS-PPT] 2.1.2).
    /// - Parameter identifier: its number; `nil` for the document's own.
    static func place(
        of identifier: Int?, _ stream: CompoundStream, _ lastEdit: Int
    ) throws(PluginError) -> Int? {
        var at = lastEdit
        var identifier = identifier
        var bytesLeft = mostDirectories
        for _ in 0..<mostEdits {
            guard let edit = try record(stream, at), edit.type == Self.edit,
                let bytes = try stream.bytes(at: at + head, count: 20), let before = bytes.uint32(at: 8),
                let directory = bytes.uint32(at: 12), let current = identifier ?? bytes.uint32(at: 16)
            else { return nil }
            identifier = current
            guard let directory = try content(ofDirectoryAt: directory, stream, &bytesLeft) else { return nil }
            if let place = place(of: current, directory) { return place }
            // The one before lies before.
            guard before < at, before > 0 else { return nil }
            at = before
        }
        return nil
    }

    /// - Returns: `nil` when there is no directory, or too much in all of them.
    private static func content(
        ofDirectoryAt offset: Int, _ stream: CompoundStream, _ bytesLeft: inout Int
    ) throws(PluginError) -> [UInt8]? {
        guard let record = try record(stream, offset), record.type == directory, record.content.count <= bytesLeft
        else { return nil }
        bytesLeft -= record.content.count
        return try stream.bytes(at: record.content.lowerBound, count: record.content.count)
    }

    /// Where an object lies that a directory has: numbers of objects that follow one another, and their places ([MS-PPT] 2.3.5).
    private static func place(of identifier: Int, _ directory: [UInt8]) -> Int? {
        var at = 0
        while let run = directory.uint32(at: at) {
            let (first, count) = (run & 0xF_FFFF, run >> 20)
            if first..<(first + count) ~= identifier {
                return directory.uint32(at: at + 4 + 4 * (identifier - first))
            }
            at += 4 + 4 * count
        }
        return nil
    }

    /// Where the content of the list of slides lies; those of masters and notes have other instances ([MS-PPT] 2.4.14.3).
    private static func list(_ stream: CompoundStream, _ document: Range<Int>) throws(PluginError) -> Range<Int>? {
        var at = document.lowerBound
        for _ in 0..<mostRecords {
            guard let record = try record(stream, at), record.content.upperBound <= document.upperBound else {
                return nil
            }
            if record.type == Self.list, record.instance == 0 { return record.content }
            at = record.content.upperBound
        }
        return nil
    }

    /// - Returns: `nil` when it is cut off.
    static func record(
        _ stream: CompoundStream, _ offset: Int
    ) throws(PluginError) -> (type: Int, instance: Int, content: Range<Int>)? {
        guard let bytes = try stream.bytes(at: offset, count: head), let version = bytes.uint16(at: 0),
            let type = bytes.uint16(at: 2), let length = bytes.uint32(at: 4), length <= stream.size - offset - head
        else { return nil }
        return (type, version >> 4, offset + head..<offset + head + length)
    }
}
