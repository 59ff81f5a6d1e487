internal import VitrineKit

/// The chunks of a WebP file (RFC 9649, 2.3).
public enum WebPChunks {
    /// The ICC profile of an extended file, which stands before the picture (RFC 9649, 2.7.1.4).
    /// - Parameter bytes: the file.
    /// - Returns: where it lies in `bytes`; `nil` when there is none, when it is longer than ``ColorProfile/longest``, or
    ///   when the chunks before it are damaged.
    public static func profile(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        chunk("ICCP", of: bytes).flatMap { $0.count <= ColorProfile.longest ? $0 : nil }
    }

    /// What a camera wrote, which stands behind the picture (RFC 9649, 2.7.1.5).
    /// - Parameter bytes: the file.
    /// - Returns: where it lies in `bytes`; `nil` when there is none, or when the chunks before it are damaged.
    public static func camera(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? { chunk("EXIF", of: bytes) }

    /// The first frame of an animation (RFC 9649, 2.7.1.1) as a file of its own.
    /// - Parameter bytes: an extended file.
    /// - Returns: `nil` when there is none, or when it does not fill the picture.
    public static func firstFrame(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        // A place, a size that is as the picture's, a duration and flags; then chunks.
        guard let frame = chunk("ANMF", of: bytes), frame.count > 24, frame[0..<6].allSatisfy({ $0 == 0 }),
            frame[6..<12].elementsEqual(bytes[24..<30])
        else { return nil }
        return file(ofFrame: frame)
    }

    /// The first frames of an animation (RFC 9649, 2.7.1.1): places, sizes, durations and flags, then chunks.
    /// - Parameters:
    ///   - bytes: an extended file.
    ///   - count: how many are listed at most.
    /// - Returns: where they lie in `bytes`, each of more than 24 bytes; up to the first chunk that is damaged.
    public static func frames(_ bytes: UnsafeRawBufferPointer, atMost count: Int) -> [UnsafeRawBufferPointer] {
        var frames: [UnsafeRawBufferPointer] = []
        var at = 12
        while frames.count < count, let next = chunk("ANMF", of: bytes, from: &at), next.count > 24 {
            frames.append(next)
        }
        return frames
    }

    /// A frame of an animation as a file of its own.
    /// - Parameter frame: what ``frames(_:atMost:)`` lists.
    public static func file(ofFrame frame: UnsafeRawBufferPointer) -> [UInt8] {
        func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let alpha: UInt8 = frame[16..<20].elementsEqual("ALPH".utf8) ? 0x10 : 0
        // What is not extended has no chunk of alpha.
        let head = alpha == 0 ? [] : Array("VP8X".utf8) + little(10) + [alpha, 0, 0, 0] + frame[6..<12]
        let content = Array("WEBP".utf8) + head + frame[16...]
        return Array("RIFF".utf8) + little(content.count) + content
    }

    private static func chunk(_ name: String, of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var at = 12
        return chunk(name, of: bytes, from: &at)
    }

    /// The next chunk of a name; then `at` is behind it.
    private static func chunk(
        _ name: String, of bytes: UnsafeRawBufferPointer, from at: inout Int
    ) -> UnsafeRawBufferPointer? {
        while at + 8 <= bytes.count {
            let length = Int(littleEndianBytes: bytes[at + 4..<at + 8])
            guard length <= bytes.count - at - 8 else { return nil }
            let start = at
            at += 8 + length + length % 2
            if bytes[start..<start + 4].elementsEqual(name.utf8) {
                return UnsafeRawBufferPointer(rebasing: bytes[start + 8..<start + 8 + length])
            }
        }
        return nil
    }
}
