internal import CPictureCodecs
internal import VitrineKit

/// The first frame of a GIF picture by giflib, line by line, so that further frames cost nothing.
enum GIFDecoder {
    /// What is left to be read.
    private final class Rest {
        let bytes: [UInt8]
        var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    static func picture(_ bytes: [UInt8], _ limits: PictureDecoder) throws(PluginError) -> DecodedPicture {
        let rest = Rest(bytes)
        var status: CInt = 0
        let opened = DGifOpen(
            Unmanaged.passUnretained(rest).toOpaque(),
            { file, target, count in
                guard let owner = file?.pointee.UserData, let target, count > 0 else { return 0 }
                let rest = Unmanaged<Rest>.fromOpaque(owner).takeUnretainedValue()
                let count = min(Int(count), rest.bytes.count - rest.position)
                let part = rest.bytes[rest.position..<(rest.position + count)]
                part.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: target, count: count).copyMemory(from: $0) }
                rest.position += count
                return CInt(count)
            }, &status)
        guard let file = opened else { throw PictureDecoder.broken("GIF") }
        defer { withExtendedLifetime(rest) { _ = DGifCloseFile(file, nil) } }
        try limits.check(Int(file.pointee.SWidth), Int(file.pointee.SHeight), "GIF")
        let bitmap = try Bitmap(
            width: Int(file.pointee.SWidth), height: Int(file.pointee.SHeight), format: .bgraPremultiplied)
        let transparent = try skipToImage(file)
        try draw(file, transparent, on: bitmap)
        return DecodedPicture(bitmap: bitmap, size: PixelSize(width: bitmap.width, height: bitmap.height))
    }

    /// Reads on to the first frame.
    /// - Returns: the number of the colour that is none, or -1.
    private static func skipToImage(_ file: UnsafeMutablePointer<GifFileType>) throws(PluginError) -> Int {
        var transparent = -1
        while true {
            var kind = UNDEFINED_RECORD_TYPE
            guard DGifGetRecordType(file, &kind) == GIF_OK else { throw PictureDecoder.broken("GIF") }
            switch kind {
            case IMAGE_DESC_RECORD_TYPE:
                guard DGifGetImageDesc(file) == GIF_OK else { throw PictureDecoder.broken("GIF") }
                return transparent
            case EXTENSION_RECORD_TYPE:
                var code: CInt = 0
                var block: UnsafeMutablePointer<GifByteType>?
                guard DGifGetExtension(file, &code, &block) == GIF_OK else { throw PictureDecoder.broken("GIF") }
                // The graphic control: a length of 4, flags, a delay, and the colour that is none.
                if code == GRAPHICS_EXT_FUNC_CODE, let block, block[0] >= 4, block[1] & 1 != 0 {
                    transparent = Int(block[4])
                }
                while block != nil {
                    guard DGifGetExtensionNext(file, &block) == GIF_OK else { throw PictureDecoder.broken("GIF") }
                }
            default: throw PluginError(.empty, "the GIF picture inside has no frame")
            }
        }
    }

    private static func draw(
        _ file: UnsafeMutablePointer<GifFileType>, _ transparent: Int, on bitmap: Bitmap
    ) throws(PluginError) {
        let frame = file.pointee.Image
        let (width, height) = (Int(frame.Width), Int(frame.Height))
        guard width > 0, height > 0, frame.Left >= 0, frame.Top >= 0,
            Int(frame.Left) + width <= bitmap.width, Int(frame.Top) + height <= bitmap.height,
            let map = frame.ColorMap ?? file.pointee.SColorMap, let colors = map.pointee.Colors
        else { throw PictureDecoder.broken("GIF") }
        let count = Int(map.pointee.ColorCount)
        var line = [GifPixelType](repeating: 0, count: width)
        // Interlaced ones come in four passes.
        let passes = frame.Interlace ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
        for (start, step) in passes {
            for row in stride(from: start, to: height, by: step) {
                guard DGifGetLine(file, &line, CInt(width)) == GIF_OK else { throw PictureDecoder.broken("GIF") }
                bitmap.withUnsafeMutableBytes { bytes in
                    var at = (Int(frame.Top) + row) * bitmap.bytesPerRow + Int(frame.Left) * 4
                    for pixel in line {
                        let index = Int(pixel)
                        if index != transparent, index < count {
                            bytes[at] = colors[index].Blue
                            bytes[at + 1] = colors[index].Green
                            bytes[at + 2] = colors[index].Red
                            bytes[at + 3] = 0xFF
                        }
                        at += 4
                    }
                }
            }
        }
    }
}
