internal import ModelDrawing
internal import VitrineKit

/// A set of faces in VRML and X3D (ISO/IEC 14772-1, 6.23): points, and faces between them, each of which ends with a number below 0.
struct VRMLFaces {
    /// Three numbers for each point.
    var points: [Float]
    /// Numbers of points.
    var corners: [Float]
    /// Three numbers for each colour; which one a corner has, in the order of ``corners``, or a face; empty where the numbers are those of
    /// the points, or of the faces.
    var colours: [Float] = []
    var colourIndices: [Float] = []
    var coloursAreOfFaces = false
    /// The same of directions in which the surface looks at corners.
    var normals: [Float] = []
    var normalIndices: [Float] = []
    /// Whether each face is cut rightly from its first corner.
    var areConvex = true

    /// Corners of one face at most: larger ones are left out, for they are nothing that a program writes.
    private static let mostCorners = 10_000
    /// Points of which the numbers can be told apart.
    private static let mostPoints = 1 << 24

    init(points: [Float], corners: [Float], colours: [Float]) {
        (self.points, self.corners, self.colours) = (points, corners, colours)
    }

    /// - Returns: `nil` for other nodes.
    init?(_ geometry: VRMLNode) {
        points = geometry.nodes("coord").first?.numbers("point") ?? []
        switch geometry.type {
        case "IndexedFaceSet": corners = geometry.numbers("coordIndex")
        case "IndexedTriangleSet": corners = Self.threes(geometry.numbers("index"))
        case "TriangleSet": corners = Self.threes((0..<points.count / 3).map { Float($0) })
        case "ElevationGrid": (points, corners) = Self.landscape(geometry)
        default: return nil
        }
    }

    /// Triangles as faces, each with its end.
    private static func threes(_ indices: [Float]) -> [Float] {
        var faces: [Float] = []
        faces.reserveCapacity(indices.count / 3 * 4)
        for at in stride(from: 0, to: indices.count - 2, by: 3) {
            faces += [indices[at], indices[at + 1], indices[at + 2], -1]
        }
        return faces
    }

    /// Heights above a grid (6.17), as points and faces.
    private static func landscape(_ node: VRMLNode) -> ([Float], [Float]) {
        let heights = node.numbers("height")
        guard let across = Int(exactly: node.number("xDimension", 0).rounded()),
            let down = Int(exactly: node.number("zDimension", 0).rounded()), across > 1, down > 1,
            across <= heights.count, down <= heights.count / across
        else { return ([], []) }
        let step = SIMD2(node.number("xSpacing", 1), node.number("zSpacing", 1))
        var points: [Float] = [], corners: [Float] = []
        for z in 0..<down {
            for x in 0..<across { points += [Float(x) * step.x, heights[z * across + x], Float(z) * step.y] }
        }
        for z in 0..<down - 1 {
            for x in 0..<across - 1 {
                let here = z * across + x
                corners += [here, here + across, here + across + 1, here + 1, -1].map { Float($0) }
            }
        }
        return (points, corners)
    }

    /// Adds the faces.
    /// - Throws: `limitExceeded`.
    func add(to mesh: inout Mesh, _ placement: Placement) throws(PluginError) {
        guard points.count / 3 <= Self.mostPoints else { throw Mesh.tooLarge }
        let turned = placement.ofNormals
        var known: [SIMD2<Int32>: Int] = [:]
        var face = 0
        var polygon: [Int] = [], places: [SIMD3<Float>] = []
        func finish() throws(PluginError) {
            defer {
                polygon.removeAll(keepingCapacity: true)
                places.removeAll(keepingCapacity: true)
                face += 1
            }
            guard 3...Self.mostCorners ~= polygon.count, !polygon.contains(-1) else { return }
            for (a, b, c) in areConvex ? EarClipping.fan(places.count) : EarClipping.triangles(places) {
                try mesh.add(corners: polygon[a], polygon[b], polygon[c])
            }
        }
        for (at, number) in corners.enumerated() {
            guard let corner = Int(exactly: number.rounded()) else { continue }
            guard corner >= 0 else {
                try finish()
                continue
            }
            guard polygon.count <= Self.mostCorners else { continue }
            guard let place = Self.vector(points, corner) else {
                polygon.append(-1)
                continue
            }
            let (colour, normal) = traits(of: corner, at: at, in: face)
            let key = SIMD2(Int32(truncatingIfNeeded: corner), Int32(truncatingIfNeeded: colour ?? normal ?? -1))
            let point = known[key] ?? mesh.points.count
            if known[key] == nil {
                known[key] = point
                try mesh.add(
                    placement(place),
                    Mesh.Traits(
                        colour: colour.flatMap { Self.vector(colours, $0)?.coded },
                        normal: normal.flatMap { Self.vector(normals, $0).map { turned($0) } }))
            }
            polygon.append(point)
            places.append(place)
        }
        try finish()
    }

    /// Which colour and which normal a corner has. Where corners have colours of their own, their normals are left out.
    private func traits(of corner: Int, at: Int, in face: Int) -> (colour: Int?, normal: Int?) {
        func index(_ numbers: [Float], _ at: Int) -> Int? {
            numbers.indices ~= at ? Int(exactly: numbers[at].rounded()) : nil
        }
        let colourCount = colours.count / 3
        if colourCount > 0 {
            let usual = coloursAreOfFaces ? face : corner
            let which = colourIndices.isEmpty ? usual : index(colourIndices, coloursAreOfFaces ? face : at) ?? -1
            // Of too few, the last one goes on.
            return (which < 0 ? nil : min(which, colourCount - 1), nil)
        }
        if normals.isEmpty { return (nil, nil) }
        let which = normalIndices.isEmpty ? corner : index(normalIndices, at) ?? -1
        return (nil, 0..<normals.count / 3 ~= which ? which : nil)
    }

    private static func vector(_ numbers: [Float], _ index: Int) -> SIMD3<Float>? {
        guard index >= 0, index < numbers.count / 3 else { return nil }
        return SIMD3(numbers[3 * index], numbers[3 * index + 1], numbers[3 * index + 2])
    }
}
