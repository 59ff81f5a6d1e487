internal import Glibc
internal import JSON
internal import VitrineKit

/// Khronos' glTF 2.0: a scene in JSON, with its numbers behind it in one file (GLB), or written into it.
struct GLTFFile {
    private let json: JSONValue
    private let buffers: GLTFBuffers
    private var mesh = Mesh()
    private var uses = 0

    /// Bytes of JSON, nodes in one another and all together.
    private static let longestJSON = 64 << 20, deepest = 32, mostUses = 100_000

    /// - Throws: `corrupt`, `limitExceeded`, `unsupported` for what lies in other files or is packed.
    static func mesh(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> Mesh {
        var file = try Self(bytes)
        try file.addScene()
        return file.mesh
    }

    private static let damaged = PluginError(.corrupt, "the file is no model in glTF 2.0, or it is damaged")

    private init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        let isPacked = bytes.starts(with: "glTF".utf8)
        var (text, rest) = (bytes, UnsafeRawBufferPointer(rebasing: bytes[..<0]))
        if isPacked {
            text = try Self.chunk(bytes, at: 12, "JSON")
            let next = 20 + (text.count + 3) & ~3
            if bytes.count > next { rest = try Self.chunk(bytes, at: next, "BIN\0") }
        }
        guard text.count <= Self.longestJSON,
            let json = JSONValue(Array(text.drop { [0xEF, 0xBB, 0xBF].contains($0) })),
            json["asset"]?["version"]?.text?.hasPrefix("2") == true
        else { throw Self.damaged }
        let packings = ["KHR_draco_mesh_compression", "EXT_meshopt_compression"]
        if let packing = json["extensionsRequired"]?.list?.compactMap(\.text).first(where: packings.contains) {
            throw PluginError(.unsupported, "the model's points are packed (\(packing)), which is not unpacked here")
        }
        self.json = json
        buffers = try GLTFBuffers(json, rest)
    }

    /// A part of a packed file: its length, what it is, and as many bytes.
    private static func chunk(
        _ bytes: UnsafeRawBufferPointer, at: Int, _ kind: String
    ) throws(PluginError) -> UnsafeRawBufferPointer {
        guard bytes.count >= at + 8, bytes[(at + 4)..<(at + 8)].elementsEqual(kind.utf8) else { throw damaged }
        let length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
        guard length <= bytes.count - at - 8 else { throw PluginError(.corrupt, "the model is cut off") }
        return UnsafeRawBufferPointer(rebasing: bytes[(at + 8)..<(at + 8 + length)])
    }

    // MARK: Nodes

    private mutating func addScene() throws(PluginError) {
        guard let scene = json["scenes"]?.list?.at(json["scene"]?.integer ?? 0), let roots = scene["nodes"]?.list else {
            for index in (json["meshes"]?.list ?? []).indices { try addMesh(index, .upright) }
            return
        }
        for root in roots { try addNode(root.integer, .upright, 0) }
    }

    private mutating func addNode(_ index: Int64?, _ placement: Placement, _ depth: Int) throws(PluginError) {
        uses += 1
        guard depth < Self.deepest, uses <= Self.mostUses else {
            throw PluginError(.limitExceeded, "the model has too many nodes, or they are too deep in one another")
        }
        guard let node = json["nodes"]?.list?.at(index) else { return }
        let placement = placement.of(Placement(node))
        if let index = node["mesh"]?.integer { try addMesh(Int(clamping: index), placement) }
        for child in node["children"]?.list ?? [] { try addNode(child.integer, placement, depth + 1) }
    }

    private mutating func addMesh(_ index: Int, _ placement: Placement) throws(PluginError) {
        for primitive in json["meshes"]?.list?.at(Int64(index))?["primitives"]?.list ?? [] {
            uses += 1
            try addPrimitive(primitive, placement)
        }
    }

    private mutating func addPrimitive(_ primitive: JSONValue, _ placement: Placement) throws(PluginError) {
        // Triangles one by one, in a strip or in a fan; points and lines are no surface.
        let mode = primitive["mode"]?.integer ?? 4
        guard 4...6 ~= mode, let points = try accessor(primitive["attributes"]?["POSITION"]), points.width == 3 else {
            return
        }
        let colour = colour(primitive)
        let first = mesh.points.count
        for index in 0..<points.count {
            let point = SIMD3(points.number(index, 0), points.number(index, 1), points.number(index, 2))
            try mesh.add(placement(point), colour)
        }
        let indices = try accessor(primitive["indices"])
        func corner(_ index: Int) -> Int { first + (indices?.integer(index) ?? index) }
        let count = indices?.count ?? points.count
        for index in stride(from: 0, to: count - 2, by: mode == 4 ? 3 : 1) {
            try mesh.add(corners: corner(mode == 6 ? 0 : index), corner(index + 1), corner(index + 2))
        }
    }

    /// Of its material, whose numbers are in proportion to light.
    private func colour(_ primitive: JSONValue) -> SIMD4<UInt8> {
        let material = json["materials"]?.list?.at(primitive["material"]?.integer)
        guard let factors = material?["pbrMetallicRoughness"]?["baseColorFactor"]?.numbers, factors.count >= 3 else {
            return Mesh.plain
        }
        func coded(_ light: Float) -> Float {
            light <= 0.0031308 ? 12.92 * light : 1.055 * powf(light, 1 / 2.4) - 0.055
        }
        return SIMD3(coded(factors[0]), coded(factors[1]), coded(factors[2])).coded
    }

    private func accessor(_ index: JSONValue?) throws(PluginError) -> GLTFNumbers? {
        guard let accessor = json["accessors"]?.list?.at(index?.integer) else { return nil }
        guard let view = json["bufferViews"]?.list?.at(accessor["bufferView"]?.integer),
            let numbers = GLTFNumbers(accessor, view, buffers)
        else { throw Self.damaged }
        return numbers
    }
}

extension Placement {
    /// Where a node of glTF stands: sixteen numbers, or how far it is moved, turned and stretched.
    init(_ node: JSONValue) {
        if let m = node["matrix"]?.numbers, m.count == 16 {
            self.init(
                x: [m[0], m[1], m[2]], y: [m[4], m[5], m[6]], z: [m[8], m[9], m[10]], origin: [m[12], m[13], m[14]])
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
}

extension JSONValue {
    /// The numbers of a list; `nil` when there is anything else in it.
    var numbers: [Float]? {
        let numbers = list?.compactMap { if case .number(let number) = $0 { Float(number) } else { nil } }
        return numbers?.count == list?.count ? numbers : nil
    }
}

extension [JSONValue] {
    /// The value of this number; `nil` when there is none.
    func at(_ index: Int64?) -> JSONValue? {
        guard let index, 0..<Int64(count) ~= index else { return nil }
        return self[Int(index)]
    }
}
