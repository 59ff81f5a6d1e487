internal import BinaryNumbers
internal import CImageCodecs
internal import VitrineKit

/// A sprite of Aseprite (its docs/ase-file-specs.md): the visible layers of the first frame, laid upon each other.
struct AsepriteSprite {
    private let size: PixelSize
    /// Bytes of a pixel: red, green, blue and alpha, grey and alpha, or an index.
    private let channels: Int
    /// The index that is none but on the lowest layer.
    private let clear: Int
    private var palette = [SIMD4<UInt8>](repeating: SIMD4(0, 0, 0, 255), count: 256)
    private var layers: [Layer] = []
    private var pixels: [SIMD4<UInt8>]

    private struct Layer {
        var isVisible: Bool, isBackground: Bool, depth: Int, blending: Int, opacity: Float
    }

    private struct Cel {
        var layer: Int, order: Int, content: UnsafeRawBufferPointer
    }

    private static let headLength = 128, frameHeadLength = 16
    private static let damage = PluginError(.corrupt, "the sprite is damaged: its first frame makes no sense")

    /// Draws the first frame.
    /// - Throws: `corrupt`, `unsupported` for layers of tiles and blending by hue, `limitExceeded`, and what `check` throws for a
    ///   size.
    static func rendering(
        _ bytes: UnsafeRawBufferPointer, box: Int, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering {
        let sprite = try AsepriteSprite(bytes, check: check)
        // Pixels may be twice as wide as high, or twice as high.
        let (wide, high) = (Int(bytes[34]), Int(bytes[35]))
        let shape = 1...4 ~= wide && 1...4 ~= high ? (wide / min(wide, high), high / min(wide, high)) : (1, 1)
        let size = PixelSize(width: sprite.size.width * shape.0, height: sprite.size.height * shape.1)
        try check(size)
        var rows = try RowReducer(size, box: box, hasAlpha: true)
        for y in 0..<size.height {
            _ = rows.next { row in
                for x in 0..<size.width {
                    let pixel = sprite.pixels[y / shape.1 * sprite.size.width + x / shape.0]
                    row.storeBytes(of: pixel, toByteOffset: 4 * x, as: SIMD4<UInt8>.self)
                }
                return true
            }
        }
        return Rendering(rows.bitmap, facts: Facts(size: size))
    }

    private init(
        _ bytes: UnsafeRawBufferPointer, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) {
        guard bytes.count >= Self.headLength + Self.frameHeadLength, bytes.number(UInt16.self, at: 4) == 0xA5E0,
            bytes.number(UInt16.self, at: Self.headLength + 4) == 0xF1FA
        else { throw Self.damage }
        func number(_ at: Int) -> Int { Int(bytes.number(UInt16.self, at: at)) }
        size = PixelSize(width: number(8), height: number(10))
        channels = number(12) / 8
        clear = Int(bytes[28])
        guard size.width > 0, size.height > 0, [1, 2, 4].contains(channels) else { throw Self.damage }
        try check(size)
        pixels = Array(repeating: .zero, count: size.width * size.height)
        let hasOpacity = bytes[14] & 1 == 1
        var cels: [Cel] = []
        var hasAlphaPalette = false
        var at = Self.headLength + Self.frameHeadLength
        let end = min(bytes.count, Self.headLength + Int(bytes.number(UInt32.self, at: Self.headLength)))
        while at + 6 <= end {
            let length = Int(bytes.number(UInt32.self, at: at))
            guard 6...(end - at) ~= length else { throw Self.damage }
            let content = UnsafeRawBufferPointer(rebasing: bytes[(at + 6)..<(at + length)])
            switch bytes.number(UInt16.self, at: at + 4) {
            case 0x2004: try addLayer(content, hasOpacity: hasOpacity)
            case 0x2005:
                guard content.count >= 16 else { throw Self.damage }
                let layer = Int(content.number(UInt16.self, at: 0))
                let order = layer + Int(content.number(Int16.self, at: 9))
                cels.append(Cel(layer: layer, order: order, content: content))
            case 0x2019:
                addColors(content)
                hasAlphaPalette = true
            // The older form is written for colours without alpha; where both are there, this one is for older programs.
            case 0x0004 where !hasAlphaPalette: addOlderColors(content, scale: 1)
            case 0x0011 where !hasAlphaPalette: addOlderColors(content, scale: 255 / 63)
            default: break
            }
            at += length
        }
        // Of two in one place the one that was brought there from above lies below (the format's notes on z-index).
        for cel in cels.sorted(by: { ($0.order, -$0.layer) < ($1.order, -$1.layer) }) { try lay(cel, check: check) }
    }

    private mutating func addLayer(_ content: UnsafeRawBufferPointer, hasOpacity: Bool) throws(PluginError) {
        guard content.count >= 16 else { throw Self.damage }
        func number(_ at: Int) -> Int { Int(content.number(UInt16.self, at: at)) }
        let (flags, kind, depth) = (number(0), number(2), number(4))
        // A group hides what is in it, and layers to draw from are seen by nobody else.
        let group = layers.last { $0.depth < depth }
        let isVisible = flags & 1 == 1 && flags & 64 == 0 && group?.isVisible != false
        guard !isVisible || kind != 2 else {
            throw PluginError(.unsupported, "the sprite has layers of tiles, which are not drawn")
        }
        layers.append(
            Layer(
                isVisible: isVisible, isBackground: flags & 8 != 0, depth: depth, blending: number(10),
                opacity: hasOpacity && kind == 0 ? Float(content[12]) / 255 : 1))
    }

    /// Takes what there is of a palette.
    private mutating func addColors(_ content: UnsafeRawBufferPointer) {
        guard content.count >= 20 else { return }
        var at = 20
        let first = Int(content.number(UInt32.self, at: 4))
        for index in min(first, palette.count)..<palette.count where at + 6 <= content.count {
            palette[index] = content.loadUnaligned(fromByteOffset: at + 2, as: SIMD4<UInt8>.self)
            let hasName = content[at] & 1 == 1
            at += 6
            if hasName, at + 2 <= content.count { at += 2 + Int(content.number(UInt16.self, at: at)) }
        }
    }

    /// Takes what there is of a palette in packets: how many colours are passed over, how many follow (0: 256), and these.
    private mutating func addOlderColors(_ content: UnsafeRawBufferPointer, scale: Double) {
        var (at, index) = (2, 0)
        while at + 2 <= content.count {
            index += Int(content[at])
            let count = content[at + 1] == 0 ? 256 : Int(content[at + 1])
            at += 2
            for _ in 0..<count where at + 3 <= content.count {
                func channel(_ offset: Int) -> UInt8 { UInt8(min(255, Double(content[at + offset]) * scale)) }
                if index < palette.count { palette[index] = SIMD4(channel(0), channel(1), channel(2), 255) }
                at += 3
                index += 1
            }
        }
    }

    /// Lays the pixels of a layer upon those that are there.
    private mutating func lay(_ cel: Cel, check: (PixelSize) throws(PluginError) -> Void) throws(PluginError) {
        guard layers.indices.contains(cel.layer), layers[cel.layer].isVisible else { return }
        let (content, layer) = (cel.content, layers[cel.layer])
        guard let blend = SpriteBlending(rawValue: layer.blending) else {
            throw PluginError(
                .unsupported, "the sprite blends layers in a way (\(layer.blending)) that is not supported")
        }
        let kind = content.number(UInt16.self, at: 7)
        guard kind == 0 || kind == 2, content.count >= 20 else { throw Self.damage }
        let (left, top) = (Int(content.number(Int16.self, at: 2)), Int(content.number(Int16.self, at: 4)))
        let size = PixelSize(
            width: Int(content.number(UInt16.self, at: 16)), height: Int(content.number(UInt16.self, at: 18)))
        try check(size)
        let bytes = try unpacked(UnsafeRawBufferPointer(rebasing: content[20...]), size, isPacked: kind == 2)
        let opacity = layer.opacity * Float(content[6]) / 255
        for y in max(0, -top)..<max(0, -top, min(size.height, self.size.height - top)) {
            for x in max(0, -left)..<max(0, -left, min(size.width, self.size.width - left)) {
                let at = (y * size.width + x) * channels
                let source: SIMD4<UInt8> =
                    switch channels {
                    case 4: SIMD4(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3])
                    case 2: SIMD4(bytes[at], bytes[at], bytes[at], bytes[at + 1])
                    default: bytes[at] == clear && !layer.isBackground ? .zero : palette[Int(bytes[at])]
                    }
                let place = (top + y) * self.size.width + left + x
                pixels[place] = blend.lay(source, opacity: opacity, on: pixels[place])
            }
        }
    }

    private func unpacked(
        _ content: UnsafeRawBufferPointer, _ size: PixelSize, isPacked: Bool
    ) throws(PluginError) -> [UInt8] {
        let count = size.width * size.height * channels
        guard isPacked else {
            guard content.count >= count else { throw Self.damage }
            return Array(content.prefix(count))
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            guard let from = content.baseAddress, let to = buffer.baseAddress else { return }
            done = vi_unpack_zlib(from.assumingMemoryBound(to: UInt8.self), content.count, to, count)
        }
        guard bytes.count == count else { throw Self.damage }
        return bytes
    }
}
