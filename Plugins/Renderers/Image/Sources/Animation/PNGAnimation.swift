internal import CImageCodecs
internal import PictureTraits
internal import VitrineKit

/// The frames of an animated PNG (PNG, Third Edition, 11.3.6), each as a picture of its own.
struct PNGAnimation {
    private static let headLength = 13

    private let bytes: UnsafeRawBufferPointer
    /// What is in the header, and chunks of colours whole.
    private let head: Range<Int>
    private var colors: [Range<Int>] = []
    /// The frames' places.
    private(set) var frames: [AnimationFrame] = []
    /// Where the packed pixels of each frame lie.
    private var pixels: [[Range<Int>]] = []

    /// Lists frames.
    /// - Parameters:
    ///   - bytes: a file that begins with PNG's signature; valid as long as this.
    ///   - count: how many frames are listed at most.
    /// - Returns: `nil` when it is no animation.
    init?(_ bytes: UnsafeRawBufferPointer, atMost count: Int) {
        self.bytes = bytes
        head = 16..<16 + Self.headLength
        var isAnimation = false
        chunks: for chunk in PNGChunks(bytes) {
            guard chunk.isWhole else { break }
            switch chunk.name {
            case "IHDR" where chunk.length != Self.headLength || chunk.range.lowerBound != 8: return nil
            case "acTL": isAnimation = true
            case "PLTE", "tRNS": if frames.isEmpty, chunk.length <= 1024 { colors.append(chunk.range) }
            case "fcTL":
                guard frames.count < count, chunk.length == 26,
                    let frame = Self.frame(bytes, at: chunk.content.lowerBound)
                else { break chunks }
                frames.append(frame)
                pixels.append([])
            // What says that it is one comes before.
            case "IDAT" where !isAnimation: return nil
            case "IDAT": if !frames.isEmpty { pixels[frames.count - 1].append(chunk.content) }
            case "fdAT":
                // A number comes first.
                if !frames.isEmpty, chunk.length >= 4 { pixels[frames.count - 1].append(chunk.content.dropFirst(4)) }
            case "IEND": break chunks
            default: break
            }
            guard isAnimation || frames.isEmpty else { return nil }
        }
        guard isAnimation, !frames.isEmpty else { return nil }
    }

    private static func frame(_ bytes: UnsafeRawBufferPointer, at start: Int) -> AnimationFrame? {
        // A number comes first.
        let numbers = (1..<5).map { part in
            Int(bigEndianBytes: bytes[start + 4 * part..<start + 4 * part + 4])
        }
        let disposal: AnimationFrame.Disposal? =
            switch bytes[start + 24] {
            case 0: .keep
            case 1: .clear
            case 2: .restore
            default: nil
            }
        guard let disposal, numbers[0] > 0, numbers[1] > 0 else { return nil }
        return AnimationFrame(
            x: numbers[2], y: numbers[3], size: PixelSize(width: numbers[0], height: numbers[1]),
            isBlended: bytes[start + 25] == 1, disposal: disposal)
    }

    /// A frame as a file of its own.
    func file(_ index: Int) -> [UInt8] {
        let size = frames[index].size
        var out = Array(bytes[0..<8])
        out += Self.chunk("IHDR", Self.big(size.width) + Self.big(size.height) + bytes[head].dropFirst(8))
        for range in colors { out += bytes[range] }
        out += Self.chunk("IDAT", pixels[index].reduce(into: []) { $0 += bytes[$1] })
        return out + Self.chunk("IEND", [])
    }

    private static func big(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// A chunk with its checksum (PNG, Third Edition, 5.3).
    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return big(content.count) + named + big(Int(crc32_gzip_refl(0, named, UInt64(named.count))))
    }
}
