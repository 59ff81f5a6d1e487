internal import ModelDrawing
internal import VitrineKit

/// The surfaces of a scene in VRML, at rest: sets of faces in the colours of their materials, corners and faces, simple bodies, and
/// landscapes. Of what can be shown in several ways the first is. Left out are lines and points, textures, which are files of
/// their own, extrusions, and the strips and fans of X3D.
struct VRMLScene {
    private var mesh = Mesh()
    /// Numbers in the mesh, by colour.
    private var materials: [SIMD4<Float>: Int] = [:]
    private var visits = 0
    /// Whether it is of version 1, in which nodes change what is known for those behind them.
    private let isFirst: Bool

    /// Nodes that are looked at, of which one may stand in many places.
    private static let mostVisits = 1_000_000

    /// What is known where a node stands.
    private struct State {
        var placement = Placement.upright
        var material: VRMLNode?
        var points: [Float] = []
        var binding = "", faces = ""
    }

    /// - Throws: `corrupt`, `limitExceeded`.
    static func mesh(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> Mesh {
        let (nodes, isFirst) = try VRMLReader.nodes(bytes)
        var scene = Self(isFirst: isFirst)
        var state = State()
        try scene.visit(nodes, &state)
        return scene.mesh
    }

    private init(isFirst: Bool) { self.isFirst = isFirst }

    private mutating func visit(_ nodes: [VRMLNode], _ state: inout State) throws(PluginError) {
        for node in nodes {
            visits += 1
            guard visits <= Self.mostVisits else {
                throw PluginError(.limitExceeded, "the scene shows more than \(Self.mostVisits) nodes")
            }
            if isFirst, try change(&state, by: node) { continue }
            try visit(node, &state)
        }
    }

    /// The same, of which nothing stays for what comes behind.
    private mutating func visit(
        apart nodes: [VRMLNode], _ state: State, moved: Placement = .identity
    ) throws(PluginError) {
        var inner = state
        inner.placement = state.placement.of(moved)
        try visit(nodes, &inner)
    }

    private mutating func visit(_ node: VRMLNode, _ state: inout State) throws(PluginError) {
        switch node.type {
        case "Shape": try draw(shape: node, state)
        case "Transform": try visit(apart: node.nodes("children"), state, moved: VRMLPlacement.transform(node))
        case "Switch": try visit(apart: Self.choice(node), state)
        case "LOD":
            let level = node.nodes("level").first ?? node.nodes("children").first ?? node.children.first
            if let level { try visit(apart: [level], state) }
        default:
            // Groups of all kinds, and what is made by prototypes.
            try visit(apart: node.nodes("children"), state)
            try visit(node.children, &state)
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

    // MARK: Version 1

    /// What nodes of version 1 do.
    /// - Returns: whether it is one of these.
    private mutating func change(_ state: inout State, by node: VRMLNode) throws(PluginError) -> Bool {
        switch node.type {
        case "Transform": state.placement = state.placement.of(VRMLPlacement.transform(node))
        case "Translation": state.placement = state.placement.of(Placement(origin: node.vector("translation", .zero)))
        case "Rotation": state.placement = state.placement.of(VRMLPlacement.rotation(node.numbers("rotation")))
        case "Scale": state.placement = state.placement.of(VRMLPlacement.scale(node.vector("scaleFactor", [1, 1, 1])))
        case "MatrixTransform": state.placement = state.placement.of(VRMLPlacement.matrix(node.numbers("matrix")))
        case "Separator", "WWWAnchor": try visit(apart: node.children, state)
        case "TransformSeparator":
            let outer = state.placement
            try visit(node.children, &state)
            state.placement = outer
        case "Switch": try visit(Self.choice(node), &state)
        case "Material": state.material = node
        case "MaterialBinding": state.binding = node.word("value")
        case "ShapeHints": state.faces = node.word("faceType")
        case "Coordinate3": state.points = node.numbers("point")
        case "IndexedFaceSet":
            var colours = state.material?.numbers("diffuseColor") ?? []
            if colours.count < 6 || !state.binding.hasPrefix("PER_FACE") && !state.binding.hasPrefix("PER_VERTEX") {
                colours = []
            }
            var faces = VRMLFaces(points: state.points, corners: node.numbers("coordIndex"), colours: colours)
            faces.coloursAreOfFaces = state.binding.hasPrefix("PER_FACE")
            if state.binding.hasSuffix("INDEXED") { faces.colourIndices = node.numbers("materialIndex") }
            faces.areConvex = state.faces != "UNKNOWN_FACE_TYPE"
            try add(faces, state.material, state)
        case "Cube", "Sphere", "Cylinder", "Cone":
            begin(state.material, state)
            try VRMLBodies.add(node, to: &mesh, state.placement)
        default: return false
        }
        return true
    }

    // MARK: Shapes

    private mutating func draw(shape: VRMLNode, _ state: State) throws(PluginError) {
        guard let geometry = shape.nodes("geometry").first else { return }
        let material = shape.nodes("appearance").first?.nodes("material").first
        guard var faces = VRMLFaces(geometry) else {
            begin(material, state)
            return try VRMLBodies.add(geometry, to: &mesh, state.placement)
        }
        faces.colours = geometry.nodes("color").first?.numbers("color") ?? []
        faces.coloursAreOfFaces = !geometry.isTrue("colorPerVertex")
        faces.colourIndices = geometry.numbers("colorIndex")
        if geometry.isTrue("normalPerVertex") {
            faces.normals = geometry.nodes("normal").first?.numbers("vector") ?? []
            faces.normalIndices = geometry.numbers("normalIndex")
        }
        faces.areConvex = geometry.isTrue("convex")
        try add(faces, material, state)
    }

    private mutating func add(_ faces: VRMLFaces, _ material: VRMLNode?, _ state: State) throws(PluginError) {
        // Colours of corners and faces take the place of the material's.
        begin(faces.colours.count < 3 ? material : nil, state)
        try faces.add(to: &mesh, state.placement)
    }

    /// Triangles from here on are of a material; `nil`: of one that names no colour.
    private mutating func begin(_ material: VRMLNode?, _ state: State) {
        var number = 0
        if let material = material.map(Self.material) {
            number = materials[material.colour] ?? mesh.add(material)
            materials[material.colour] = number
        }
        // The first material colours as points are, which are plain where they say nothing.
        mesh.begin(material: number, isMirrored: state.placement.isMirrored)
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
}
