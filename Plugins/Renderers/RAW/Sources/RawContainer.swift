internal import EXIF
internal import PictureDecoding
internal import VitrineKit

/// What is found in a raw file by reading its directories alone: a few ranges, wherever it lies.
struct RawContainer {
    private(set) var previews: [EmbeddedPreview] = []
    /// How what has no orientation of its own is to be turned.
    private(set) var orientation: Orientation?
    /// The photograph's size before it is turned; `nil` when not known.
    private(set) var size: PixelSize?

    /// What the camera wrote.
    private(set) var exif: EXIFBlock?

    private static let mostBoxes = 64
    /// Bytes in which cameras put their first directories, with what these point to.
    private static let exifSize = 16 << 10

    /// Looks at a file: TIFF with variations (DNG, CR2, NEF, ARW, PEF, RW2 …), Fuji's RAF, Canon's CR3.
    /// - Throws: what the input throws.
    init(_ input: any RandomAccessInput) throws(PluginError) {
        let head = try input.head(160)
        if head.starts(with: "FUJIFILMCCD-RAW".utf8), head.count >= 92 {
            let start = Self.big(head, 84)
            try add(input, offset: start, count: Self.big(head, 88))
            exif = try Self.camera(input, ofPictureAt: start)
        } else if head.dropFirst(4).starts(with: "ftypcrx ".utf8) {
            try readBoxes(input)
        } else if let tiff = try TIFFDirectories(input) {
            orientation = tiff.orientation.map(Orientation.init(exif:))
            size = tiff.size
            // A TIFF file is such a block as a whole, pictures and all, once it has the number of TIFF in place of its maker's.
            var block = try input.head(Self.exifSize)
            // It may have been cut off since its head was read.
            if block.count >= 4 { block.replaceSubrange(2..<4, with: block[0] == 0x49 ? [42, 0] : [0, 42]) }
            exif = EXIFBlock(block)
            for place in tiff.pictures { try add(input, offset: place.offset, count: place.count) }
        }
    }

    private mutating func add(_ input: any RandomAccessInput, offset: Int, count: Int) throws(PluginError) {
        if let preview = try EmbeddedPreview(input, offset: offset, count: count) { previews.append(preview) }
    }

    /// What a JPEG file begins with, when that is what a camera wrote.
    private static func camera(
        _ input: any RandomAccessInput, ofPictureAt offset: Int
    ) throws(PluginError) -> EXIFBlock? {
        let head = try input.bytes(at: Int64(offset), count: 6 + Self.longestSegment)
        guard head.starts(with: [0xFF, 0xD8, 0xFF, 0xE1]), head.count > 6 else { return nil }
        let block = head.dropFirst(6).prefix(max(0, Int(bigEndianBytes: head[4..<6]) - 2))
        return block.starts(with: EXIFBlock.mark) ? EXIFBlock(block) : nil
    }

    /// Bytes of a segment of JPEG at most, without its length.
    private static let longestSegment = 0xFFFF - 2

    /// Canon's third format: boxes (ISO/IEC 14496-12), of which one of Canon's own holds a preview.
    private mutating func readBoxes(_ input: any RandomAccessInput) throws(PluginError) {
        var at: Int64 = 0
        for _ in 0..<Self.mostBoxes {
            let head = try input.bytes(at: at, count: 128)
            guard head.count >= 16 else { return }
            var size = Int64(Self.big(head, 0))
            if size == 1 { size = Int64(Self.big(head, 8)) << 32 | Int64(Self.big(head, 12)) }
            if head[4..<8].elementsEqual("uuid".utf8), let mark = Self.place(of: "PRVW", in: head) {
                // After the mark: numbers of which the last is the length, then the picture.
                let start = head[mark...].indices.first { head[$0...].starts(with: [0xFF, 0xD8, 0xFF]) }
                if let start { try add(input, offset: Int(at) + start, count: Self.big(head, start - 4)) }
            }
            if head[4..<8].elementsEqual("moov".utf8) {
                let content = try input.bytes(at: at, count: Int(clamping: min(size, 256 << 10)))
                if let mark = Self.place(of: "CMT1", in: content) {
                    let tiff = Array(content[(mark + 4)...].prefix(4096))
                    // Canon keeps its directories apart: the first has maker and model, CMT2 what Exif adds.
                    exif = EXIFBlock(tiff)
                    orientation = Orientation(tiff: tiff)
                    self.size = try TIFFDirectories(BytesInput(tiff))?.size
                }
            }
            let (next, overflow) = at.addingReportingOverflow(size)
            guard size >= 8, !overflow, next < input.size else { return }
            at = next
        }
    }

    private static func place(of mark: String, in bytes: [UInt8]) -> Int? {
        let mark = Array(mark.utf8)
        return (0..<max(0, bytes.count - 4)).first { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
    }

    /// Four bytes, the most significant first; 0 past the end.
    private static func big(_ bytes: [UInt8], _ at: Int) -> Int {
        guard at >= 0, at + 4 <= bytes.count else { return 0 }
        return Int(bigEndianBytes: bytes[at..<(at + 4)])
    }
}
