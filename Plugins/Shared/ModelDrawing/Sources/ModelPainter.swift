internal import VitrineKit

/// Draws a model pixel by pixel, each as the surface that is nearest there.
///
/// First everything that hides what is behind it, in the file's order; then what is seen through, the farthest first.
struct ModelPainter: ~Copyable {
    let view: Viewpoint
    let light: Light
    private let side: Int
    private let bitmap: Bitmap
    /// How near what is drawn in a pixel is.
    private let depths: UnsafeMutablePointer<Float>
    /// Rows and pixels that may still be looked at.
    var allowance: Int
    /// Whether a triangle had a pixel in the picture.
    var isDrawn = false
    /// Triangles that are seen through somewhere, and how near they are.
    private var veils: [(triangle: Int, stretch: Mesh.Stretch, depth: Float)] = []

    /// Far more than models need whose triangles lie beside one another: some seconds.
    static let mostWork = 3_000_000_000
    /// More are drawn in any order.
    private static let mostSorted = 2_000_000

    /// - Parameter work: rows and pixels that may be looked at, each time that a triangle lies there.
    init(_ view: Viewpoint, side: Int, work: Int = mostWork) throws(PluginError) {
        allowance = work
        self.view = view
        self.side = side
        light = Light(view)
        bitmap = try Bitmap(width: side, height: side, format: .bgraPremultiplied)
        depths = .allocate(capacity: side * side)
        depths.initialize(repeating: -.infinity, count: side * side)
    }

    deinit { depths.deallocate() }

    /// - Returns: the model, with nothing behind it.
    /// - Throws: `limitExceeded` when too many triangles cover one another.
    consuming func paint(_ mesh: Mesh) throws(PluginError) -> Bitmap {
        let bitmap = bitmap
        try bitmap.withUnsafeMutableBytes { (bytes) throws(PluginError) in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: SIMD4<UInt8>.self) else { return }
            let canvas = Canvas(pixels: start, stride: bitmap.bytesPerRow / 4, depths: depths, side: side)
            if mesh.kind == .cloud { return dots(of: mesh, canvas) }
            try drawAll(of: mesh, canvas, culls: true)
            // A leaf of which nothing but its back is seen.
            if !isDrawn { try drawAll(of: mesh, canvas, culls: false) }
        }
        return bitmap
    }

    private mutating func drawAll(of mesh: Mesh, _ canvas: Canvas, culls: Bool) throws(PluginError) {
        try mesh.forEachStretch { (triangles, stretch) throws(PluginError) in
            let brush = Brush(mesh.materials[stretch.material], stretch, culls: culls)
            for triangle in triangles {
                guard try draw(triangle, of: mesh, brush, canvas) == .seenThrough else { continue }
                veils.append((triangle, stretch, nearness(of: triangle, mesh)))
            }
        }
        if veils.count <= Self.mostSorted { veils.sort { $0.depth < $1.depth } }
        for veil in veils {
            var brush = Brush(mesh.materials[veil.stretch.material], veil.stretch, culls: culls)
            brush.isLast = true
            _ = try draw(veil.triangle, of: mesh, brush, canvas)
        }
        veils = []
    }

    private func nearness(of triangle: Int, _ mesh: Mesh) -> Float {
        let (a, b, c) = mesh.corners(of: triangle)
        return view.place(mesh.points[a]).z + view.place(mesh.points[b]).z + view.place(mesh.points[c]).z
    }

    // MARK: Points

    /// Each point as a square dot, larger where there are few; those behind others are darker.
    private mutating func dots(of mesh: Mesh, _ canvas: Canvas) {
        let each = Float(side * side) / Float(max(1, mesh.points.count))
        // In pictures that are made smaller afterwards, single pixels would become veils.
        let least = side >= 512 ? 2 : 1
        let size = max(least, min(side / 64 + 1, Int((each.squareRoot() * 1.5).rounded())))
        for (index, point) in mesh.points.enumerated() where Viewpoint.isSeen(point) {
            let place = view.place(point)
            guard 0...Float(side) ~= place.x, 0...Float(side) ~= place.y else { continue }
            let colour = mesh.colours.isEmpty ? Mesh.plain &- [60, 60, 60, 0] : mesh.colours[index]
            let dot = SIMD4(colour.z, colour.y, colour.x, 255)
            let (x, y) = (Int(place.x) - size / 2, Int(place.y) - size / 2)
            let columns = (x..<x + size).clamped(to: 0..<side)
            for row in (y..<y + size).clamped(to: 0..<side) {
                for column in columns where place.z > depths[row * side + column] {
                    depths[row * side + column] = place.z
                    canvas.pixels[row * canvas.stride + column] = dot
                }
            }
        }
    }
}
