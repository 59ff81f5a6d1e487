internal import ModelDrawing
internal import PictureDecoding
internal import VitrineKit

/// Decodes the pictures that lie on a model, as fine as they are seen, and as many as a worker has the time and the memory
/// for. What cannot be decoded is left out: the model is drawn without it.
final class TexturePool {
    private var decoder: PictureDecoder
    /// The longest side of what is kept of a picture.
    private let side: Int
    /// Pixels and bytes of pictures that may still be decoded, and pixels that are kept: some seconds, and with smaller
    /// versions 340 MB.
    private var decodable: Int, keepable = 64_000_000

    /// - Parameters:
    ///   - maximumPixels: of one picture.
    ///   - side: of the picture that is drawn, in pixels.
    ///   - decodable: pixels and bytes of all pictures together.
    init(maximumPixels: Int, side: Int, decodable: Int = 256_000_000) {
        self.decodable = decodable
        decoder = PictureDecoder(maximumPixels: maximumPixels)
        // Points of a model lie on pixels as they are stored.
        decoder.ignoresOrientation = true
        self.side = max(side, 64)
    }

    /// Whether no more pictures are decoded: none needs to be read for it.
    var isSpent: Bool { decodable <= 0 || keepable <= 0 }

    /// - Parameters:
    ///   - bytes: of a picture in PNG, JPEG, WebP or GIF.
    ///   - ignoresAlpha: whether colours are shown as well where alpha would hide them.
    func texture(_ bytes: [UInt8], ignoresAlpha: Bool) -> Texture? {
        guard !isSpent else { return nil }
        decodable -= bytes.count
        decoder.ignoresAlpha = ignoresAlpha
        do throws(PluginError) {
            let picture = try decoder.picture(bytes, box: side)
            // What is scaled while it is decoded takes its time as a whole.
            decodable -= picture.size.width * picture.size.height
            var bitmap = picture.bitmap
            while max(bitmap.width, bitmap.height) > side, min(bitmap.width, bitmap.height) > 1 {
                bitmap = try bitmap.halved()
            }
            keepable -= bitmap.width * bitmap.height
            return try Texture(bitmap)
        } catch {
            // One that is damaged took its time, too.
            decodable -= error.code == .corrupt ? 32_000_000 : 100_000
            return nil
        }
    }
}
