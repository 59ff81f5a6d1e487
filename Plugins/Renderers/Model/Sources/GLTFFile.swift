internal import Glibc
internal import JSON
internal import VitrineKit

/// Khronos' glTF 2.0: a scene in JSON, with its numbers behind it in one file (GLB), or written into it.
struct GLTFFile {
    private let json: JSONValue
    private let buffers: GLTFBuffers
    private var mesh = Mesh()
    /// Nodes and primitives so far, and indices that were looked at, whether they made triangles or not.
    private var uses = 0, indices = 0
    /// Of the mesh that is being added, where the points begin that its primitives have in common.
    private var taken: [Points: Int] = [:]

    /// Points that several primitives may name.
    private struct Points: Hashable {
        var accessor: Int64?
        var colour: SIMD4<UInt8>
    }

    /// Bytes and values of JSON; nodes in one another, such as the bones of a tail; nodes and primitives all together.
    private static let longestJSON = 64 << 20, mostValues = 4_000_000, deepest = 256, mostUses = 100_000

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
        let json = try Self.json(text)
        guard json["asset"]?["version"]?.text?.hasPrefix("2") == true else { throw Self.damaged }
        let packings = ["KHR_draco_mesh_compression", "EXT_meshopt_compression"]
        if let packing = json["extensionsRequired"]?.list?.compactMap(\.text).first(where: packings.contains) {
            throw PluginError(.unsupported, "the model's points are packed (\(packing)), which is not unpacked here")
        }
        self.json = json
        buffers = try GLTFBuffers(json, rest)
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
        try use(depth)
        guard let node = json["nodes"]?.list?.at(index) else { return }
        let placement = placement.of(Placement(node))
        if let index = node["mesh"]?.integer { try addMesh(Int(clamping: index), placement) }
        for child in node["children"]?.list ?? [] { try addNode(child.integer, placement, depth + 1) }
    }

    /// Counts a node or a primitive.
    private mutating func use(_ depth: Int = 0) throws(PluginError) {
        uses += 1
        guard depth < Self.deepest, uses <= Self.mostUses else {
            throw PluginError(.limitExceeded, "the model has too many nodes, or they are too deep in one another")
        }
    }

    private mutating func addMesh(_ index: Int, _ placement: Placement) throws(PluginError) {
        taken = [:]
        for primitive in json["meshes"]?.list?.at(Int64(index))?["primitives"]?.list ?? [] {
            try use()
            try addPrimitive(primitive, placement)
        }
    }

    private mutating func addPrimitive(_ primitive: JSONValue, _ placement: Placement) throws(PluginError) {
        // Triangles one by one, in a strip or in a fan; points and lines are no surface.
        let mode = primitive["mode"]?.integer ?? 4, position = primitive["attributes"]?["POSITION"]
        guard 4...6 ~= mode, let points = try accessor(position), points.width == 3 else { return }
        let indices = try accessor(primitive["indices"])
        // There are some, but not in this file.
        if indices == nil, primitive["indices"] != nil { return }
        let count = indices?.count ?? points.count
        self.indices += count
        guard self.indices <= 3 * Mesh.mostTriangles else { throw Mesh.tooLarge }
        let colour = colour(primitive)
        // Where many primitives name a few each of the same points, a copy of all for each would be too much.
        let first =
            count < points.count ? nil : try all(points, Points(accessor: position?.integer, colour: colour), placement)
        for index in stride(from: 0, to: count - 2, by: mode == 4 ? 3 : 1) {
            var corners = SIMD3(mode == 6 ? 0 : index, index + 1, index + 2)
            if let indices {
                for corner in 0..<3 { corners[corner] = indices.integer(corners[corner]) ?? -1 }
            }
            guard (0..<3).allSatisfy({ 0..<points.count ~= corners[$0] }) else { continue }
            if let first {
                try mesh.add(corners: first + corners.x, first + corners.y, first + corners.z)
            } else {
                for corner in 0..<3 { try mesh.add(placement(points.point(corners[corner])), colour) }
                let last = mesh.points.count - 1
                try mesh.add(corners: last - 2, last - 1, last)
            }
        }
    }

    /// Adds points, unless a primitive before did.
    /// - Returns: where they begin.
    private mutating func all(
        _ points: GLTFNumbers, _ key: Points, _ placement: Placement
    ) throws(PluginError) -> Int {
        if let first = taken[key] { return first }
        let first = mesh.points.count
        for index in 0..<points.count { try mesh.add(placement(points.point(index)), key.colour) }
        taken[key] = first
        return first
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

    /// - Returns: `nil` where there is none, and for one whose numbers are all zero, or lie where an extension says.
    private func accessor(_ index: JSONValue?) throws(PluginError) -> GLTFNumbers? {
        guard let accessor = json["accessors"]?.list?.at(index?.integer), let view = accessor["bufferView"] else {
            return nil
        }
        guard let view = json["bufferViews"]?.list?.at(view.integer),
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
