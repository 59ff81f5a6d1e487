import VitrineKit

/// A PNG file that came from a worker, checked before it is trusted with a name in the cache.
///
/// A worker runs code that may have been taken over by a hostile file, and the memory that it hands over stays
/// writable to it: so the bytes are copied first, and the copy is checked and written. What passes is a frame
/// as plain as PNG allows, in which nothing can hide but compressed pixels.
struct WorkerPicture {
    /// The file, as checked.
    let bytes: [UInt8]

    /// Checks a picture.
    /// - Parameters:
    ///   - picture: the file, copied out of what the worker can write to.
    ///   - size: what the worker said that it is.
    ///   - box: the longest side that was asked for, in pixels.
    /// - Throws: `invalidAnswer` when it is anything but an 8-bit RGBA picture of that size, not interlaced, in
    ///   IHDR, IDAT and IEND chunks with right checksums and nothing after.
    init(_ picture: [UInt8], size: PixelSize, box: Int) throws(PluginError) {
        guard 1...box ~= size.width, 1...box ~= size.height else {
            throw Self.wrong("\(size.width) × \(size.height) pixels were declared where \(box) at most were asked for")
        }
        // Compression makes pixels longer by a thousandth at worst; the rest is for frames of small chunks.
        let pixels = size.height * (1 + 4 * size.width)
        guard picture.count <= pixels + pixels / 64 + 65_536 else {
            throw Self.wrong("\(picture.count) bytes are more than such a picture can need")
        }
        bytes = picture
        if let fault = bytes.withUnsafeBytes({ Self.fault(in: $0, size) }) { throw Self.wrong(fault) }
    }

    private static func fault(in bytes: UnsafeRawBufferPointer, _ size: PixelSize) -> String? {
        guard bytes.starts(with: PNG.signature) else { return "the PNG signature is missing" }
        var offset = PNG.signature.count
        var hasPixels = false
        while true {
            guard bytes.count - offset >= PNG.frameLength else { return "it is cut short" }
            let length = Int(PNG.number(bytes, at: offset))
            guard length <= bytes.count - offset - PNG.frameLength else { return "a chunk is longer than the file" }
            let type = PNG.ChunkType(code: PNG.number(bytes, at: offset + 4))
            let chunk = UnsafeRawBufferPointer(rebasing: bytes[(offset + 4)..<(offset + 8 + length)])
            guard PNG.checksum(chunk) == PNG.number(bytes, at: offset + 8 + length) else {
                return "the checksum of a chunk is wrong"
            }
            let isFirst = offset == PNG.signature.count
            offset += length + PNG.frameLength
            switch type {
            case .header where isFirst:
                guard length == 13, PNG.number(chunk, at: 4) == size.width, PNG.number(chunk, at: 8) == size.height
                else { return "it is not of the size that was declared" }
                // Depth 8, colour type 6 (RGBA), the only compression and filter methods, not interlaced.
                guard chunk[12...].elementsEqual([8, 6, 0, 0, 0]) else { return "it is not plain 8-bit RGBA" }
            case .data where !isFirst:
                hasPixels = hasPixels || length > 0
            case .end where hasPixels:
                if length > 0 { return "its end holds data" }
                return offset == bytes.count ? nil : "something follows its end"
            default:
                return "it holds a chunk that has no place there"
            }
        }
    }

    private static func wrong(_ why: String) -> PluginError {
        PluginError(.invalidAnswer, "the worker's picture was refused: \(why)")
    }
}
