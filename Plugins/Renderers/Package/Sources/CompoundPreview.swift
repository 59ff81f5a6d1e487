internal import CompoundFiles
internal import PackagePreviews
internal import PictureDecoding
internal import VitrineKit

/// The preview in a compound file of a program whose documents nothing here reads: the word processor Hangul, SolidWorks and
/// Revit have a stream for it, others keep it among the properties, as [MS-OLEPS] has it.
enum CompoundPreview {
    /// Streams with a picture in them, by their programs: Hangul (its file formats 5.0, 3.2.7), SolidWorks, Revit.
    private static let streams = ["PrvImage", "PreviewPNG", "RevitPreview4.0"]
    /// Bytes of a stream that are looked at, and those before the picture in it.
    private static let longest = 4 << 20, mostBefore = 4096
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Whether a file begins as one.
    static func begins(_ head: [UInt8]) -> Bool { head.starts(with: CompoundFile.signature) }

    /// Decodes the picture: the first that can be decoded.
    /// - Throws: `unsupported` when there is none, `corrupt` or `limitExceeded` when the first cannot be decoded, or what the
    ///   input throws.
    static func preview(
        _ input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Bitmap {
        let file = try CompoundFile(input)
        var failure: PluginError?
        for name in streams {
            guard let bytes = try file.head(of: name, count: longest) else { continue }
            do throws(PluginError) {
                return try picture(bytes, box: box, decoder)
            } catch {
                guard [.corrupt, .limitExceeded, .unsupported].contains(error.code) else { throw error }
                failure = failure ?? error
            }
        }
        if let value = SummaryInformation(file)?.thumbnail, let bitmap = try ClipboardPicture.bitmap(value) {
            return bitmap
        }
        throw failure
            ?? PluginError(.unsupported, "the compound file has no preview in it, and nothing else of it can be drawn")
    }

    /// What stands in a stream: a picture as it would be a file of its own, which may be a bitmap of Windows, or a PNG
    /// behind a few numbers.
    private static func picture(
        _ bytes: [UInt8], box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Bitmap {
        if !bytes.starts(with: "BM".utf8), !PictureDecoder.canDecode(bytes),
            let start = ByteSearch.offset(of: png, in: Array(bytes.prefix(mostBefore)))
        {
            return try decoder.picture(Array(bytes[start...]), box: box).bitmap
        }
        return try decoder.preview(bytes, box: box).bitmap
    }
}
