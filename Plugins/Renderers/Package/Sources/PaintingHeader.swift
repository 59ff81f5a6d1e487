internal import MIME
internal import PictureDecoding
internal import VitrineKit

/// The header of a painting of Paint.NET: its signature, a length of three bytes, and so many of XML, where the program leaves a PNG in
/// Base64, `<custom><thumb png="…"/></custom>`. The layers behind it are objects of .NET and are not read.
enum PaintingHeader {
    private static let signature = Array("PDN3".utf8)
    private static let start = Array("<thumb png=\"".utf8)

    /// Whether a file begins as one.
    static func begins(_ head: [UInt8]) -> Bool { head.starts(with: signature) }

    /// Decodes the preview.
    /// - Throws: `unsupported` when there is none, `corrupt` or `limitExceeded` when it cannot be decoded, or what the input
    ///   throws.
    static func preview(
        _ input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Bitmap {
        let length = try input.bytes(at: Int64(signature.count), count: 3)
        guard length.count == 3 else { throw PluginError(.corrupt, "the painting ends within its header") }
        let size = Int(littleEndianBytes: length)
        let header = try input.bytes(at: Int64(signature.count + 3), count: size)
        guard header.count == size else { throw PluginError(.corrupt, "the painting ends within its header") }
        guard let place = header.firstRange(of: start) else {
            throw PluginError(
                .unsupported, "the painting was saved without a preview, and nothing else of it can be drawn")
        }
        let letters = header[place.upperBound...].prefix { $0 != UInt8(ascii: "\"") }
        return try decoder.picture(TransferCoding.base64.decode(Array(letters)), box: box).bitmap
    }
}
