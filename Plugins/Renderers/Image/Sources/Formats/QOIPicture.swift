internal import BinaryNumbers
internal import VitrineKit

/// A QOI picture (The Quite OK Image Format, specification 1.0), unpacked here row by row.
enum QOIPicture {
    private static let headLength = 14

    /// Draws a picture.
    /// - Throws: `corrupt` when its header makes no sense or pixels are missing, `limitExceeded`, and what `check` throws
    ///   for its size.
    static func rendering(
        _ bytes: UnsafeRawBufferPointer, box: Int, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering {
        func number(_ at: Int) -> Int { Int(bytes.number(UInt32.self, at: at, isBigEndian: true)) }
        guard bytes.count > headLength, 3...4 ~= bytes[12] else {
            throw PluginError(.corrupt, "the picture is damaged: its header makes no sense")
        }
        let size = PixelSize(width: number(4), height: number(8))
        guard size.width > 0, size.height > 0 else {
            throw PluginError(.empty, "the picture says that it has no pixels")
        }
        try check(size)
        var pixels = Pixels(bytes, at: headLength)
        var rows = try RowReducer(size, box: box, hasAlpha: bytes[12] == 4)
        for _ in 0..<size.height {
            guard rows.next({ pixels.read(size.width, into: $0) }) else {
                throw PluginError(.corrupt, "the picture is damaged: it has fewer pixels than it says")
            }
        }
        return Rendering(rows.bitmap, facts: Facts(size: size))
    }

    /// Pixels one after the other; a run may go on in the next row.
    private struct Pixels {
        private let bytes: UnsafeRawBufferPointer
        private var at: Int
        private var pixel: SIMD4<UInt8> = [0, 0, 0, 255]
        /// Pixels met before, by ``place(of:)``.
        private var seen = [SIMD4<UInt8>](repeating: .zero, count: 64)
        /// How often the pixel is still repeated.
        private var run = 0

        init(_ bytes: UnsafeRawBufferPointer, at start: Int) {
            self.bytes = bytes
            at = start
        }

        private static func place(of pixel: SIMD4<UInt8>) -> Int {
            (Int(pixel.x) * 3 + Int(pixel.y) * 5 + Int(pixel.z) * 7 + Int(pixel.w) * 11) & 63
        }

        /// Writes R, G, B and alpha of the next pixels.
        /// - Returns: whether there were as many.
        mutating func read(_ count: Int, into row: UnsafeMutableRawPointer) -> Bool {
            for x in 0..<count {
                if run > 0 { run -= 1 } else { guard step() else { return false } }
                row.storeBytes(of: pixel, toByteOffset: 4 * x, as: SIMD4<UInt8>.self)
            }
            return true
        }

        /// Takes the next chunk.
        private mutating func step() -> Bool {
            guard at < bytes.count else { return false }
            let tag = bytes[at]
            switch tag {
            case 0xFE, 0xFF:
                let channels = tag == 0xFE ? 3 : 4
                guard at + channels < bytes.count else { return false }
                for channel in 0..<channels { pixel[channel] = bytes[at + 1 + channel] }
                at += channels
            case 0xC0...:
                run = Int(tag & 63)
            case 0x80...:
                guard at + 1 < bytes.count else { return false }
                let (green, others) = ((tag & 63) &- 32, bytes[at + 1])
                pixel.x &+= green &- 8 &+ others >> 4
                pixel.y &+= green
                pixel.z &+= green &- 8 &+ others & 15
                at += 1
            case 0x40...:
                pixel.x &+= (tag >> 4 & 3) &- 2
                pixel.y &+= (tag >> 2 & 3) &- 2
                pixel.z &+= (tag & 3) &- 2
            default: pixel = seen[Int(tag)]
            }
            at += 1
            seen[Self.place(of: pixel)] = pixel
            return true
        }
    }
}
