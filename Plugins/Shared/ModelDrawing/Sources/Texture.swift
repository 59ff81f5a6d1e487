package import VitrineKit

/// A picture that lies on triangles, and its smaller versions, each half as large as the one before.
package final class Texture {
    /// One of the versions; there as long as its texture is.
    struct Level {
        fileprivate let width: Int, height: Int
        /// The first of its texels: blue, green, red, alpha; colours multiplied by alpha.
        fileprivate let texels: UnsafeMutablePointer<SIMD4<UInt8>>
    }
    private var levels: [Level] = []

    /// Takes a picture in one of cairo's formats.
    /// - Throws: `limitExceeded` when there is no memory for its smaller versions.
    package init(_ bitmap: Bitmap) throws(PluginError) {
        var bitmap = bitmap
        add(bitmap)
        while bitmap.width > 1, bitmap.height > 1 {
            bitmap = try bitmap.halved()
            add(bitmap)
        }
    }

    deinit { for level in levels { level.texels.deallocate() } }

    private func add(_ bitmap: Bitmap) {
        let texels = UnsafeMutablePointer<SIMD4<UInt8>>.allocate(capacity: bitmap.width * bitmap.height)
        bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<bitmap.height {
                for x in 0..<bitmap.width {
                    var texel = bytes.load(fromByteOffset: y * bitmap.bytesPerRow + 4 * x, as: SIMD4<UInt8>.self)
                    if bitmap.isOpaque { texel.w = 255 }
                    (texels + y * bitmap.width + x).initialize(to: texel)
                }
            }
        }
        levels.append(Level(width: bitmap.width, height: bitmap.height, texels: texels))
    }

    /// Which version is about as fine as a triangle's pixels.
    /// - Parameter share: of the texture, how much lies in one pixel: an area, where the whole texture has 1.
    func level(_ share: Float) -> Level {
        let texels = share * Float(levels[0].width * levels[0].height)
        guard texels.isFinite, texels > 0 else { return levels[texels > 0 ? levels.count - 1 : 0] }
        // Each has a quarter of the texels of the one before; between two of them, the finer one.
        return levels[min(max(Int(texels.exponent), 0) / 2, levels.count - 1)]
    }
}

extension Texture.Level {

    /// The colour at a place: blue, green, red, alpha from 0 to 255; colours multiplied by alpha.
    /// - Parameter place: 0 to 1 from the left and from the top, or beyond.
    @inline(__always) func colour(_ place: SIMD2<Float>, _ laying: Material.Laying) -> SIMD4<Float> {
        let x = place.x * Float(width) - 0.5, y = place.y * Float(height) - 0.5
        if laying.isBlocky {
            let column = Self.within(width, Int((x + 0.5).rounded(.down)), laying.across)
            let row = Self.within(height, Int((y + 0.5).rounded(.down)), laying.down)
            return SIMD4(texels[row * width + column])
        }
        let left = x.rounded(.down), top = y.rounded(.down)
        let columns = Self.pair(width, Int(left), laying.across)
        let rows = Self.pair(height, Int(top), laying.down)
        let (upper, lower) = (texels + rows.0 * width, texels + rows.1 * width)
        let (a, b) = (SIMD4<Float>(upper[columns.0]), SIMD4<Float>(upper[columns.1]))
        let (c, d) = (SIMD4<Float>(lower[columns.0]), SIMD4<Float>(lower[columns.1]))
        let above = a + (b - a) * (x - left), below = c + (d - c) * (x - left)
        return above + (below - above) * (y - top)
    }

    @inline(__always) private static func pair(_ count: Int, _ index: Int, _ edge: Material.Laying.Edge) -> (Int, Int) {
        if index >= 0, index &+ 1 < count { return (index, index &+ 1) }
        return (within(count, index, edge), within(count, index &+ 1, edge))
    }

    private static func within(_ count: Int, _ index: Int, _ edge: Material.Laying.Edge) -> Int {
        if 0..<count ~= index { return index }
        switch edge {
        case .border: return min(max(index, 0), count - 1)
        case .again: return ((index % count) + count) % count
        case .mirrored:
            let inPair = ((index % (2 * count)) + 2 * count) % (2 * count)
            return inPair < count ? inPair : 2 * count - 1 - inPair
        }
    }
}
