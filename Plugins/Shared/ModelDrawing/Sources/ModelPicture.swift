package import VitrineKit

/// Pictures of models, as large as was asked for: drawn several times as large where that is not very large, so that edges are
/// smooth.
package struct ModelPicture {
    /// The longest side that is drawn, in pixels: textures need not be finer.
    package let side: Int
    private let box: Int

    /// Longest sides of pictures that are drawn four times and twice as large.
    private static let smallSide = 256, middleSide = 1024

    /// - Parameters:
    ///   - box: the longest side of the picture, in pixels.
    ///   - maximumPixels: the most that are drawn.
    package init(box: Int, maximumPixels: Int) {
        self.box = box
        let longest = Int(Double(maximumPixels).squareRoot())
        let times = box <= Self.smallSide ? 4 : box <= Self.middleSide ? 2 : 1
        side = max(1, times * box <= longest ? times * box : min(box, longest))
    }

    /// Draws a model, in one calm light and with nothing behind it, and says how many triangles it has.
    /// - Throws: `empty` when it has no surface; `limitExceeded` when too many triangles cover one another, or there is no
    ///   memory for the picture.
    package func rendering(of mesh: Mesh) throws(PluginError) -> Rendering {
        guard let view = Viewpoint(of: mesh, side: side) else { throw Self.nothing }
        var bitmap = try ModelPainter(view, side: side).paint(mesh)
        while bitmap.width > box { bitmap = try bitmap.halved() }
        // Slivers may lie between the pixels.
        guard bitmap.showsAnything else { throw Self.nothing }
        var facts = Facts()
        if mesh.triangles > 0, let name = FactName(rawValue: "triangles") { facts.set(name, Double(mesh.triangles)) }
        return Rendering(bitmap, facts: facts)
    }

    private static let nothing = PluginError(.empty, "the model has no surface that could be drawn")
}

extension Bitmap {
    /// Whether there is a pixel in a picture with nothing behind it that people would see.
    fileprivate var showsAnything: Bool {
        withUnsafeMutableBytes { bytes in
            (0..<height).contains { row in
                (0..<width).contains { bytes[row * bytesPerRow + 4 * $0 + 3] > faintest }
            }
        }
    }
    private var faintest: UInt8 { 24 }
}
