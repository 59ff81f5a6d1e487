internal import BinaryNumbers
internal import JSON
internal import ModelDrawing
internal import VitrineKit

/// Khronos' glTF 2.0: a scene in JSON, with its numbers behind it in one file (GLB), or written into it.
struct GLTFFile {
    let json: JSONValue
    let buffers: GLTFBuffers
    var materials: GLTFMaterials
    var mesh = Mesh()
    /// Nodes and primitives so far, and indices that were looked at, whether they made triangles or not.
    private var uses = 0
    var indices = 0
    /// Of the mesh that is being added, where the points begin that its primitives have in common.
    var taken: [GLTFPoints.Key: Int] = [:]

    /// Bytes and values of JSON; nodes in one another, such as the bones of a tail; nodes and primitives all together.
    private static let longestJSON = 64 << 20, mostValues = 4_000_000, deepest = 256, mostUses = 100_000

    /// - Throws: `corrupt`, `limitExceeded`, `unsupported` for what lies in other files, is packed, or is said in a way that
    ///   is not known here.
    static func mesh(_ bytes: UnsafeRawBufferPointer, _ textures: TexturePool) throws(PluginError) -> Mesh {
        var file = try Self(bytes, textures)
        try file.addScene()
        if file.mesh.triangles == 0, let needed = file.json["extensionsRequired"]?.list?.compactMap(\.text),
            !needed.isEmpty
        {
            let names = DisplayText.of(needed.prefix(5).joined(separator: ", "))
            throw PluginError(.unsupported, "nothing can be drawn of the model without what it needs: \(names)")
        }
        return file.mesh
    }

    static let damaged = PluginError(.corrupt, "the file is no model in glTF 2.0, or it is damaged")

    private init(_ bytes: UnsafeRawBufferPointer, _ textures: TexturePool) throws(PluginError) {
        let isPacked = bytes.starts(with: "glTF".utf8)
        var (text, rest) = (bytes, UnsafeRawBufferPointer(rebasing: bytes[..<0]))
        if isPacked {
            text = try Self.chunk(bytes, at: 12, "JSON")
            let next = 20 + (text.count + 3) & ~3
            if bytes.count > next { rest = try Self.chunk(bytes, at: next, "BIN\0") }
        }
        let json = try Self.json(text)
        guard json["asset"]?["version"]?.text?.hasPrefix("2") == true else { throw Self.damaged }
        self.json = json
        buffers = try GLTFBuffers(json, rest)
        materials = GLTFMaterials(json, buffers, textures)
        mesh.unpainted = SIMD4(repeating: 255)
    }

    private static func json(_ text: UnsafeRawBufferPointer) throws(PluginError) -> JSONValue {
        let tooLarge = PluginError(
            .limitExceeded,
            "the model's scene has more than \(longestJSON) bytes or \(mostValues) values, or they are too deep in one another"
        )
        guard text.count <= longestJSON else { throw tooLarge }
        do throws(JSONRefusal) {
            return try JSONValue(Array(text.drop { [0xEF, 0xBB, 0xBF].contains($0) }), most: mostValues)
        } catch {
            throw error == .tooLarge ? tooLarge : damaged
        }
    }

    /// A part of a packed file: its length, what it is, and as many bytes.
    private static func chunk(
        _ bytes: UnsafeRawBufferPointer, at: Int, _ kind: String
    ) throws(PluginError) -> UnsafeRawBufferPointer {
        guard bytes.count >= at + 8, bytes[(at + 4)..<(at + 8)].elementsEqual(kind.utf8) else { throw damaged }
        let length = Int(bytes.number(UInt32.self, at: at))
        guard length <= bytes.count - at - 8 else { throw PluginError(.corrupt, "the model is cut off") }
        return UnsafeRawBufferPointer(rebasing: bytes[(at + 8)..<(at + 8 + length)])
    }

    // MARK: Nodes

    /// A mesh that is part of the scene.
    private struct Use {
        var mesh: Int64
        var placement: Placement
        var skin: Int64?
    }

    private mutating func addScene() throws(PluginError) {
        guard let scene = json["scenes"]?.list?.at(json["scene"]?.integer ?? 0), let roots = scene["nodes"]?.list else {
            for index in (json["meshes"]?.list ?? []).indices { try addMesh(Int64(index), .rigid(.upright)) }
            return
        }
        // Bones may come after what they move.
        var meshes: [Use] = []
        var nodes: [Int64: Placement] = [:]
        for root in roots { try visit(root.integer, .upright, 0, &meshes, &nodes) }
        var skins: [Int64: [Placement]?] = [:]
        for use in meshes {
            if let number = use.skin, skins[number] == nil { skins[number] = .some(try bones(of: number, nodes)) }
            let bones = use.skin.flatMap { skins[$0] ?? nil }
            try addMesh(use.mesh, bones.map { .bones($0, else: use.placement) } ?? .rigid(use.placement))
        }
    }

    private mutating func visit(
        _ index: Int64?, _ placement: Placement, _ depth: Int, _ meshes: inout [Use], _ nodes: inout [Int64: Placement]
    ) throws(PluginError) {
        try use(depth)
        guard let index, let node = json["nodes"]?.list?.at(index) else { return }
        let placement = placement.of(Placement(node))
        nodes[index] = placement
        if let mesh = node["mesh"]?.integer {
            meshes.append(Use(mesh: mesh, placement: placement, skin: node["skin"]?.integer))
        }
        for child in node["children"]?.list ?? [] { try visit(child.integer, placement, depth + 1, &meshes, &nodes) }
    }

    /// Where the bones of a skin carry its points, from where these lie in their mesh.
    /// - Returns: `nil` when it has none that can be found.
    private func bones(of skin: Int64, _ nodes: [Int64: Placement]) throws(PluginError) -> [Placement]? {
        guard let skin = json["skins"]?.list?.at(skin), let joints = skin["joints"]?.list, !joints.isEmpty else {
            return nil
        }
        let inverse = try accessor(skin["inverseBindMatrices"])
        return joints.enumerated().map { index, joint in
            let placement = joint.integer.flatMap { nodes[$0] } ?? .upright
            guard let inverse, inverse.width == 16, index < inverse.count else { return placement }
            return placement.of(Placement((0..<16).map { inverse.number(index, $0) }))
        }
    }

    /// Counts a node or a primitive.
    mutating func use(_ depth: Int = 0) throws(PluginError) {
        uses += 1
        guard depth < Self.deepest, uses <= Self.mostUses else {
            throw PluginError(.limitExceeded, "the model has too many nodes, or they are too deep in one another")
        }
    }

    /// - Returns: `nil` where there is none, and for one whose numbers are all zero, or lie where an extension says.
    func accessor(_ index: JSONValue?) throws(PluginError) -> GLTFNumbers? {
        guard let number = index?.integer, let accessor = json["accessors"]?.list?.at(number) else { return nil }
        if let known = buffers.exceptional[number] { return known }
        let views = json["bufferViews"]?.list ?? []
        var numbers: GLTFNumbers?
        if let view = accessor["bufferView"] {
            if let view = views.at(view.integer) { numbers = try GLTFNumbers(accessor, view, buffers) }
            guard numbers != nil else { throw Self.damaged }
        }
        guard accessor["sparse"] != nil else { return numbers }
        guard let whole = try GLTFNumbers(accessor, exceptionsOf: numbers, views, buffers) else { throw Self.damaged }
        buffers.exceptional[number] = whole
        return whole
    }
}

extension Placement {
    /// Where a node of glTF stands: sixteen numbers, or how far it is moved, turned and stretched.
    init(_ node: JSONValue) {
        if let matrix = node["matrix"]?.numbers, matrix.count == 16 {
            self.init(matrix)
            return
        }
        let moved = node["translation"]?.numbers, turned = node["rotation"]?.numbers, size = node["scale"]?.numbers
        let (s, q) = (size?.count == 3 ? size ?? [] : [1, 1, 1], turned?.count == 4 ? turned ?? [] : [0, 0, 0, 1])
        let (a, b, c, w) = (q[0], q[1], q[2], q[3])
        self.init(
            x: SIMD3(1 - 2 * (b * b + c * c), 2 * (a * b + c * w), 2 * (a * c - b * w)) * s[0],
            y: SIMD3(2 * (a * b - c * w), 1 - 2 * (a * a + c * c), 2 * (b * c + a * w)) * s[1],
            z: SIMD3(2 * (a * c + b * w), 2 * (b * c - a * w), 1 - 2 * (a * a + b * b)) * s[2],
            origin: moved?.count == 3 ? SIMD3(moved ?? []) : .zero)
    }

    /// - Parameter m: sixteen numbers, four for each axis and for the origin.
    init(_ m: [Float]) {
        self.init(
            x: [m[0], m[1], m[2]], y: [m[4], m[5], m[6]], z: [m[8], m[9], m[10]], origin: [m[12], m[13], m[14]])
    }
}
