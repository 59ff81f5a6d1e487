internal import Glibc
internal import ModelDrawing
internal import VitrineKit

/// The surfaces of a scene in VRML, at rest: faces and simple bodies in the colours of their materials, points and faces. Of what can be
/// shown in several ways the first is.
struct VRMLScene {
    private var mesh = Mesh()
    private var materials: [ObjectIdentifier: Int] = [:]
    /// What says the same in another place, such as a material.
    private var visits = 0

    /// Nodes that are looked at, of which one may stand in many places.
    private static let mostVisits = 1_000_000
    /// Corners of one face at most: more are nothing that a program writes.
    private static let mostCorners = 10_000

    /// What is known where a node stands. In version 1 nodes change it for those behind them.
    private struct State {
        var placement = Placement.upright
        var material: VRMLNode?
        var points: [Float] = []
        var binding = ""
    }

    /// - Throws: `corrupt`, `limitExceeded`.
    static func mesh(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> Mesh {
        let nodes = try VRMLReader.nodes(bytes)
        var scene = Self()
        var state = State()
        try scene.visit(nodes, &state, depth: 0)
        return scene.mesh
    }

    private mutating func visit(_ nodes: [VRMLNode], _ state: inout State, depth: Int) throws(PluginError) {
        for node in nodes { try visit(node, &state, depth: depth) }
    }

    /// The same, of which nothing stays for what comes behind.
    private mutating func visit(
        apart nodes: [VRMLNode], _ state: State, moved: Placement = .identity, depth: Int
    ) throws(PluginError) {
        var inner = state
        inner.placement = state.placement.of(moved)
        try visit(nodes, &inner, depth: depth)
    }

    private mutating func visit(_ node: VRMLNode, _ state: inout State, depth: Int) throws(PluginError) {
        visits += 1
        // A node may stand in itself.
        guard depth < 128, visits <= Self.mostVisits else {
            throw PluginError(
                .limitExceeded, "the scene shows more than \(Self.mostVisits) nodes, or a node within itself")
        }
        let depth = depth + 1
        switch node.type {
        case "Shape": try draw(shape: node, state)
        case "Transform" where node.fields["children"] != nil:
            try visit(apart: node.nodes("children"), state, moved: VRMLPlacement.transform(node), depth: depth)
        case "Transform": state.placement = state.placement.of(VRMLPlacement.transform(node))
        case "Translation": state.placement = state.placement.of(Placement(origin: node.vector("translation", .zero)))
        case "Rotation": state.placement = state.placement.of(VRMLPlacement.rotation(node.numbers("rotation")))
        case "Scale":
            state.placement = state.placement.of(VRMLPlacement.scale(node.vector("scaleFactor", [1, 1, 1])))
        case "MatrixTransform": state.placement = state.placement.of(VRMLPlacement.matrix(node.numbers("matrix")))
        case "Separator", "TransformSeparator", "WWWAnchor": try visit(apart: node.children, state, depth: depth)
        case "Switch": try visit(apart: Self.choice(node), state, depth: depth)
        case "LOD":
            let level = node.nodes("level").first ?? node.nodes("children").first ?? node.children.first
            if let level { try visit(apart: [level], state, depth: depth) }
        case "Material": state.material = node
        case "MaterialBinding": if case .word(let word) = node.fields["value"] { state.binding = word }
        case "Coordinate3": state.points = node.numbers("point")
        case "IndexedFaceSet":
            let colours = state.binding.hasPrefix("PER_FACE") ? state.material?.numbers("diffuseColor") ?? [] : []
            begin(colours.isEmpty ? state.material : nil, state)
            try addFaces(
                state.points, node.numbers("coordIndex"), state.placement,
                Paint(
                    colours: colours, isPerFace: true,
                    indices: state.binding.hasSuffix("INDEXED") ? node.numbers("materialIndex") : []))
        case "Cube", "Sphere", "Cylinder", "Cone":
            begin(state.material, state)
            try VRMLBodies.add(node, to: &mesh, state.placement)
        default:
            // Groups of all kinds, and what is made by prototypes.
            try visit(apart: node.nodes("children"), state, depth: depth)
            try visit(node.children, &state, depth: depth)
        }
    }

    /// What a switch shows.
    private static func choice(_ node: VRMLNode) -> [VRMLNode] {
        let all = node.nodes("choice") + node.nodes("children") + node.children
        let which = node.number("whichChoice", node.number("whichChild", -1))
        if which == -3 { return all }
        guard let index = Int(exactly: which.rounded()), all.indices ~= index else { return [] }
        return [all[index]]
    }

    // MARK: Shapes

    private mutating func draw(shape: VRMLNode, _ state: State) throws(PluginError) {
        guard let geometry = shape.nodes("geometry").first else { return }
        let points = geometry.nodes("coord").first?.numbers("point") ?? []
        let colours = geometry.nodes("color").first?.numbers("color") ?? []
        // Colours of points and faces take the place of the material's.
        begin(colours.isEmpty ? shape.nodes("appearance").first?.nodes("material").first : nil, state)
        var paint = Paint(
            colours: colours, isPerFace: !geometry.isTrue("colorPerVertex"), indices: geometry.numbers("colorIndex"))
        if geometry.isTrue("normalPerVertex") {
            paint.normals = geometry.nodes("normal").first?.numbers("vector") ?? []
            paint.normalIndices = geometry.numbers("normalIndex")
        }
        switch geometry.type {
        case "IndexedFaceSet": try addFaces(points, geometry.numbers("coordIndex"), state.placement, paint)
        case "IndexedTriangleSet":
            try addFaces(points, Self.threes(geometry.numbers("index")), state.placement, paint)
        case "TriangleSet":
            let indices = (0..<points.count / 3).map { Float($0) }
            try addFaces(points, Self.threes(indices), state.placement, paint)
        case "ElevationGrid": try VRMLBodies.addGrid(geometry, to: &mesh, state.placement)
        default: try VRMLBodies.add(geometry, to: &mesh, state.placement)
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

    /// Triangles from here on are of a material; `nil`: of one that names no colour.
    private mutating func begin(_ material: VRMLNode?, _ state: State) {
        let isMirrored = state.placement.isMirrored
        guard let material else {
            // The first material colours as points are, which are plain where they say nothing.
            return mesh.begin(material: 0, isMirrored: isMirrored)
        }
        let key = ObjectIdentifier(material)
        let number = materials[key] ?? mesh.add(Self.material(material))
        materials[key] = number
        mesh.begin(material: number, isMirrored: isMirrored)
    }

    private static func material(_ node: VRMLNode) -> Material {
        func part(_ value: Float) -> Float { min(max(value, 0), 1) }
        var colour = node.vector("diffuseColor", [0.8, 0.8, 0.8])
        // What only shines.
        if colour == .zero { colour = node.vector("emissiveColor", .zero) }
        let alpha = 1 - part(node.number("transparency", 0))
        var material = Material(colour: SIMD4(part(colour.x), part(colour.y), part(colour.z), alpha))
        if alpha < 1 { material.cover = .veil }
        return material
    }

    // MARK: Faces

    /// What corners have beside their places.
    private struct Paint {
        var colours: [Float] = []
        /// Whether a colour is that of a face, and not that of a corner.
        var isPerFace = false
        /// Which colour; empty where they stand in the order of faces, or are those of the points.
        var indices: [Float] = []
        var normals: [Float] = []
        var normalIndices: [Float] = []

        static func vector(_ numbers: [Float], _ index: Int) -> SIMD3<Float>? {
            guard index >= 0, index < numbers.count / 3 else { return nil }
            return SIMD3(numbers[3 * index], numbers[3 * index + 1], numbers[3 * index + 2])
        }
    }

    private mutating func addFaces(
        _ points: [Float], _ faces: [Float], _ placement: Placement, _ paint: Paint
    ) throws(PluginError) {
        let first = mesh.points.count, turned = placement.ofNormals
        let hasNormals = paint.normalIndices.isEmpty && !paint.normals.isEmpty
        for index in 0..<points.count / 3 {
            let point = SIMD3(points[3 * index], points[3 * index + 1], points[3 * index + 2])
            let normal = hasNormals ? Paint.vector(paint.normals, index) : nil
            try mesh.add(placement(point), Mesh.Traits(normal: normal.map { turned($0) }))
        }
        var variants = PointVariants()
        var face = 0
        var polygon: [Int] = []
        func index(_ numbers: [Float], _ at: Int) -> Int? {
            numbers.indices ~= at ? Int(exactly: numbers[at].rounded()) : nil
        }
        for (at, number) in faces.enumerated() {
            guard let corner = Int(exactly: number.rounded()) else { continue }
            guard corner >= 0 else {
                try addFace(polygon)
                polygon.removeAll(keepingCapacity: true)
                face += 1
                continue
            }
            var point = corner < points.count / 3 ? first + corner : -1
            if !paint.colours.isEmpty {
                let usual = paint.isPerFace ? face : corner
                let which = paint.indices.isEmpty ? usual : index(paint.indices, paint.isPerFace ? face : at) ?? -1
                if let colour = Paint.vector(paint.colours, which) {
                    point = try variants.point(point, which, in: &mesh) { Mesh.Traits(colour: colour.coded) }
                }
            } else if let which = index(paint.normalIndices, at), let normal = Paint.vector(paint.normals, which) {
                point = try variants.point(point, which, in: &mesh) { Mesh.Traits(normal: turned(normal)) }
            }
            if polygon.count < Self.mostCorners { polygon.append(point) }
        }
        try addFace(polygon)
    }

    /// Triangles around the first corner.
    private mutating func addFace(_ polygon: [Int]) throws(PluginError) {
        guard polygon.count > 2 else { return }
        for at in 2..<polygon.count { try mesh.add(corners: polygon[0], polygon[at - 1], polygon[at]) }
    }
}
