internal import CompoundFiles
internal import PictureDecoding
internal import VitrineKit

/// The preview of a drawing of AutoCAD since release 13: its head says where a short list of pictures lies (Open Design
/// Specification for .dwg files 5.4.1, 3.2 and 14).
enum DrawingPreview {
    /// What stands before the list.
    private static let sentinel: [UInt8] = [
        0x1F, 0x25, 0x6D, 0x07, 0xD4, 0x36, 0x28, 0x28, 0x9D, 0x57, 0xCA, 0x3F, 0x9D, 0x44, 0x10, 0x2B,
    ]
    /// Where the head says where the list lies, pictures in it, and bytes of one, at most.
    private static let place = 13, mostPictures = 8, longest = 16 << 20

    /// Whether a file begins as one: a version, then zeros.
    static func begins(_ head: [UInt8]) -> Bool {
        head.starts(with: "AC10".utf8) && head.holds([0, 0, 0, 0, 0], at: 6)
    }

    /// Decodes the first picture in the list that can be.
    /// - Throws: `unsupported` when there is none, `corrupt` or `limitExceeded` when none can be decoded, or what the input
    ///   throws.
    static func preview(
        _ input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Bitmap {
        var failure = PluginError(.unsupported, "the drawing has no preview in it, and nothing else of it is drawn")
        guard let start = try input.head(place + 4).uint32(at: place), start > 0 else { throw failure }
        let list = try input.bytes(at: Int64(start), count: 21 + mostPictures * 9)
        // Behind the sentinel stands how long all of it is, then how many pictures there are.
        guard list.starts(with: sentinel), list.count > 20 else { throw failure }
        for number in 0..<min(Int(list[20]), mostPictures) {
            let at = 21 + number * 9
            guard let from = list.uint32(at: at + 1), let size = list.uint32(at: at + 5) else { break }
            guard 1...longest ~= size, kinds.contains(list[at]) else { continue }
            let bytes = try input.bytes(at: Int64(from), count: size)
            do throws(PluginError) {
                if let bitmap = try bitmap(list[at], bytes, box: box, decoder) { return bitmap }
                failure = PluginError(.corrupt, "the preview in the drawing is damaged, or of a kind that is not known")
            } catch { failure = error }
        }
        throw failure
    }

    /// A bitmap, a metafile, a PNG.
    private static let kinds: Set<UInt8> = [2, 3, 6]

    private static func bitmap(
        _ kind: UInt8, _ bytes: [UInt8], box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Bitmap? {
        switch kind {
        case 2: try DeviceBitmap.bitmap(bytes, at: 0)
        case 3: try MetafilePicture.bitmap(bytes)
        default: try decoder.picture(bytes, box: box).bitmap
        }
    }
}
