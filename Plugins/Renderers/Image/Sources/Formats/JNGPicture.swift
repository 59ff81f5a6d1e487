internal import PictureTraits
internal import VitrineKit

/// A picture whose colours are a JPEG file in the chunks of a PNG ("JNG (JPEG Network Graphics) Format", version 1.0), and whose
/// alpha, where it has one, is another JPEG file or the pixels of a grey PNG.
struct JNGPicture {
    static let signature: [UInt8] = [0x8B, 0x4A, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let headLength = 16
    /// Bytes of a file, which are copied.
    private static let longest = 256 << 20

    /// The colours.
    let jpeg: [UInt8]
    /// A file whose greys are alpha, and its format.
    let alpha: (file: [UInt8], format: ImageFormat)?

    /// - Throws: `corrupt` when it has no head or no colours, `limitExceeded` when it is too long.
    init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        guard bytes.count <= Self.longest else {
            throw PluginError(
                .limitExceeded, "the picture has \(bytes.count) bytes; JNG of at most \(Self.longest) is decoded")
        }
        var head: [UInt8]?
        var colours: [UInt8] = []
        var alphaJPEG: [UInt8] = []
        var alphaPixels: [UInt8] = []
        // Behind a separator stand the same colours with 12 bits.
        var isFirst = true
        for chunk in PNGChunks(bytes) {
            switch chunk.name {
            case "JHDR": head = head ?? Array(bytes[chunk.content])
            case "JDAT" where isFirst: colours += bytes[chunk.content]
            case "JDAA": alphaJPEG += bytes[chunk.content]
            // With their checksums, as they stand in a PNG.
            case "IDAT": alphaPixels += bytes[chunk.range]
            case "JSEP": isFirst = false
            default: break
            }
            if chunk.name == "IEND" { break }
        }
        guard let head, head.count == Self.headLength, !colours.isEmpty else {
            throw PluginError(.corrupt, "the picture is damaged: it has no colours in it")
        }
        jpeg = colours
        // Kinds of 12 and 14 have alpha, which is packed as a PNG (0) or a JPEG (8).
        switch (head[8], head[13]) {
        case (12, 0), (14, 0):
            var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            png += PNGAnimation.chunk("IHDR", head[..<8] + [head[12], 0, 0, 0, head[15]])
            alpha = (png + alphaPixels + PNGAnimation.chunk("IEND", []), .png)
        case (12, 8), (14, 8): alpha = (alphaJPEG, .jpeg)
        default: alpha = nil
        }
    }
}

extension Bitmap {
    /// The same colours with the greys of another picture as alpha.
    /// - Parameter mask: of the same picture, maybe of another size.
    /// - Throws: `limitExceeded` when there is no memory.
    func masked(by mask: Bitmap) throws(PluginError) -> Bitmap {
        let made = try Bitmap(width: width, height: height, format: .rgba)
        made.withUnsafeMutableBytes { target in
            withUnsafeMutableBytes { colours in
                mask.withUnsafeMutableBytes { greys in
                    for y in 0..<height {
                        let line = y * mask.height / height * mask.bytesPerRow
                        for x in 0..<width {
                            let (to, from) = (y * made.bytesPerRow + 4 * x, y * bytesPerRow + 4 * x)
                            for channel in 0..<3 { target[to + channel] = colours[from + channel] }
                            target[to + 3] = greys[line + x * mask.width / width * 4]
                        }
                    }
                }
            }
        }
        return made
    }
}
