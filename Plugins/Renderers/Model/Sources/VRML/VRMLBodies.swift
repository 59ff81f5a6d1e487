internal import Glibc
internal import ModelDrawing
internal import VitrineKit

/// The simple bodies of VRML (ISO/IEC 14772-1, 6.6, 6.9, 6.12 and 6.42).
enum VRMLBodies {
    /// Pieces around a round body, and from pole to pole.
    private static let around = 48, between = 24

    /// Adds a body; what is none is left out.
    /// - Throws: `limitExceeded`.
    static func add(_ node: VRMLNode, to mesh: inout Mesh, _ placement: Placement) throws(PluginError) {
        switch node.type {
        case "Box": try addBox(node.vector("size", [2, 2, 2]), to: &mesh, placement)
        case "Cube":
            let size = SIMD3(node.number("width", 2), node.number("height", 2), node.number("depth", 2))
            try addBox(size, to: &mesh, placement)
        case "Sphere":
            let radius = node.number("radius", 1)
            // A circle for each step from pole to pole.
            let profile = (0...between).map { step in
                let angle = Float.pi * Float(step) / Float(between)
                return SIMD2(sin(angle), cos(angle)) * radius
            }
            try addTurned(profile, isSmooth: true, to: &mesh, placement)
        case "Cylinder":
            let radius = node.number("radius", 1), half = node.number("height", 2) / 2
            if hasPart("top", node) {
                try addTurned([[0, half], [radius, half]], isSmooth: false, to: &mesh, placement)
            }
            if hasPart("side", node) {
                try addTurned([[radius, half], [radius, -half]], isSmooth: false, to: &mesh, placement)
            }
            if hasPart("bottom", node) {
                try addTurned([[radius, -half], [0, -half]], isSmooth: false, to: &mesh, placement)
            }
        case "Cone":
            let radius = node.number("bottomRadius", 1), half = node.number("height", 2) / 2
            if hasPart("side", node) {
                try addTurned([[0, half], [radius, -half]], isSmooth: false, to: &mesh, placement)
            }
            if hasPart("bottom", node) {
                try addTurned([[radius, -half], [0, -half]], isSmooth: false, to: &mesh, placement)
            }
        default: break
        }
    }

    /// Whether a part of a body is there, which has a field of its own, and in version 1 a word among those of one.
    private static func hasPart(_ part: String, _ node: VRMLNode) -> Bool {
        let parts = node.word("parts")
        return node.isTrue(part) && (parts.isEmpty || parts == "ALL" || parts.lowercased().hasPrefix(part))
    }

    private static func addBox(
        _ size: SIMD3<Float>, to mesh: inout Mesh, _ placement: Placement
    ) throws(PluginError) {
        let first = mesh.points.count
        for corner in 0..<8 {
            let side = SIMD3<Float>(
                corner & 1 == 0 ? -0.5 : 0.5, corner & 2 == 0 ? -0.5 : 0.5, corner & 4 == 0 ? -0.5 : 0.5)
            try mesh.add(placement(side * size))
        }
        for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
            try mesh.add(corners: first + face[0], first + face[1], first + face[2])
            try mesh.add(corners: first + face[0], first + face[2], first + face[3])
        }
    }

    /// A line that is turned around the y axis.
    /// - Parameters:
    ///   - profile: how far its points are from the axis, and how high.
    ///   - isSmooth: whether it is a part of a sphere around the origin, and not a straight piece.
    private static func addTurned(
        _ profile: [SIMD2<Float>], isSmooth: Bool, to mesh: inout Mesh, _ placement: Placement
    ) throws(PluginError) {
        let first = mesh.points.count, turned = placement.ofNormals
        let along = profile[profile.count - 1] - profile[0]
        for point in profile {
            // To the right of the way along the profile.
            let out = isSmooth ? point : SIMD2(-along.y, along.x)
            for step in 0...around {
                let angle = 2 * Float.pi * Float(step) / Float(around), (x, z) = (cos(angle), sin(angle))
                try mesh.add(
                    placement(SIMD3(point.x * x, point.y, point.x * z)),
                    Mesh.Traits(normal: turned(SIMD3(out.x * x, out.y, out.x * z))))
            }
        }
        for row in 0..<profile.count - 1 {
            for step in 0..<around {
                let here = first + row * (around + 1) + step, below = here + around + 1
                try mesh.add(corners: here, here + 1, below)
                try mesh.add(corners: below, here + 1, below + 1)
            }
        }
    }
}
