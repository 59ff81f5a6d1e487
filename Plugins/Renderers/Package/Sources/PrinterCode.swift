internal import MIME
internal import PictureDecoding
internal import VitrineKit

/// Code for 3D printers with pictures of what is printed among its comments, as PrusaSlicer and its relatives write it:
/// `; thumbnail begin 220x124 8740`, lines of Base64 behind semicolons, `; thumbnail end`.
enum PrinterCode {
    static let type = "text/x.gcode"
    /// Bytes in which pictures are looked for, and pictures at most.
    private static let range = 2 << 20, mostPictures = 8

    /// Decodes the smallest picture that is large enough, else the largest.
    /// - Throws: `unsupported` when there is none, `corrupt` or `limitExceeded` when it cannot be decoded, or what the input
    ///   throws.
    static func preview(
        _ input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Bitmap {
        var best: DecodedPicture?
        var failure = PluginError(.unsupported, "the code has no picture of what is printed in it")
        for bytes in pictures(try input.head(range)) {
            do throws(PluginError) {
                let picture = try decoder.picture(bytes, box: box)
                let side = max(picture.size.width, picture.size.height)
                let known = best.map { max($0.size.width, $0.size.height) } ?? 0
                if known < box ? side > known : side >= box && side < known { best = picture }
            } catch { failure = error }
        }
        guard let best else { throw failure }
        return best.bitmap
    }

    /// The pictures' bytes, each as it stands in a file of its own.
    private static func pictures(_ head: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var letters: [UInt8]?
        for line in head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) where line.first == UInt8(ascii: ";") {
            let text = line.dropFirst().drop { $0 == 0x20 }
            if text.starts(with: "thumbnail end".utf8) || text.starts(with: "thumbnail_JPG end".utf8) {
                if let letters { found.append(TransferCoding.base64.decode(letters)) }
                letters = nil
                if found.count == mostPictures { break }
            } else if text.starts(with: "thumbnail begin".utf8) || text.starts(with: "thumbnail_JPG begin".utf8) {
                letters = []
            } else {
                letters?.append(contentsOf: text)
            }
        }
        return found
    }
}
