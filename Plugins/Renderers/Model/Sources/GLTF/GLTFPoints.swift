internal import JSON
internal import ModelDrawing
internal import VitrineKit

/// How the points of a mesh come to their places in the scene.
enum GLTFStand {
    /// All alike.
    case rigid(Placement)
    /// Each with the bones that it hangs on; as if there were none where it names none.
    case bones([Placement], else: Placement)

    /// Whether left and right are exchanged.
    var isMirrored: Bool {
        switch self {
        case .rigid(let placement): placement.isMirrored
        case .bones(let bones, let placement): (bones.first ?? placement).isMirrored
        }
    }
}

/// The points of a primitive, with what each of them has.
struct GLTFPoints {
    /// What points are that several primitives may name.
    struct Key: Hashable {
        fileprivate var accessors: [Int64?]
        /// Where they lie if they are packed.
        fileprivate var packing: Int64?
    }

    let key: Key
    private let positions: GLTFNumbers
    private let normals, textures, colours, joints, weights: GLTFNumbers?
    private let stand: GLTFStand
    /// Of ``GLTFStand/rigid(_:)``.
    private let turned: Placement

    var count: Int { positions.count }

    /// - Parameters:
    ///   - attributes: of the primitive.
    ///   - packed: what was packed of it.
    ///   - coordinates: which of the points' coordinates are wanted; `nil` for none.
    /// - Returns: `nil` where no place of a point can be found.
    init?(
        _ attributes: JSONValue, _ packed: GLTFPacked?, _ file: borrowing GLTFFile, coordinates: Int64?,
        _ stand: GLTFStand
    ) throws(PluginError) {
        let names = [
            "POSITION", "NORMAL", coordinates.map { "TEXCOORD_\($0)" } ?? "", "COLOR_0", "JOINTS_0", "WEIGHTS_0",
        ]
        func all(_ name: String) throws(PluginError) -> GLTFNumbers? {
            let accessor = file.json["accessors"]?.list?.at(attributes[name]?.integer)
            if let numbers = try packed?.numbers(name, accessor) { return numbers }
            return try file.accessor(attributes[name])
        }
        guard let positions = try all("POSITION"), positions.width == 3 else { return nil }
        /// What says less than it should is left out.
        func numbers(_ name: String, _ widths: ClosedRange<Int>) throws(PluginError) -> GLTFNumbers? {
            guard let found = try all(name), widths ~= found.width, found.count >= positions.count else { return nil }
            return found
        }
        self.positions = positions
        normals = try numbers("NORMAL", 3...3)
        textures = try numbers(names[2], 2...2)
        colours = try numbers("COLOR_0", 3...4)
        switch stand {
        case .rigid(let placement):
            (joints, weights) = (nil, nil)
            turned = placement.ofNormals
        case .bones(_, let placement):
            joints = try numbers("JOINTS_0", 4...4)
            weights = try numbers("WEIGHTS_0", 4...4)
            turned = placement.ofNormals
        }
        self.stand = stand
        key = Key(accessors: names.map { attributes[$0]?.integer }, packing: packed?.view)
    }

    /// Adds a point, which must be there.
    @inline(__always) func add(_ index: Int, to mesh: inout Mesh) throws(PluginError) {
        var traits = Mesh.Traits()
        if let colours { traits.colour = Self.coded(colours.quadruple(index)) }
        if let textures { traits.texture = textures.pair(index) }
        let point = positions.point(index), normal = normals?.point(index)
        switch stand {
        case .rigid(let placement):
            traits.normal = normal.map { turned($0) }
            try mesh.add(placement(point), traits)
        case .bones(let bones, let placement):
            let placement = hanging(index, bones) ?? placement
            traits.normal = normal.map { placement.ofNormals($0) }
            try mesh.add(placement(point), traits)
        }
    }

    /// What four bones make of a point together.
    private func hanging(_ index: Int, _ bones: [Placement]) -> Placement? {
        guard let joints, let weights else { return nil }
        var whole = Placement(x: .zero, y: .zero, z: .zero, origin: .zero), sum: Float = 0
        for part in 0..<4 {
            let weight = weights.number(index, part)
            guard weight > 0, weight.isFinite, let joint = Int(exactly: joints.number(index, part)),
                bones.indices ~= joint
            else { continue }
            let bone = bones[joint]
            whole.x += bone.x * weight
            whole.y += bone.y * weight
            whole.z += bone.z * weight
            whole.origin += bone.origin * weight
            sum += weight
        }
        guard sum > 1e-6 else { return nil }
        return Placement(x: whole.x / sum, y: whole.y / sum, z: whole.z / sum, origin: whole.origin / sum)
    }

    // MARK: Colours

    /// Colours of points are in proportion to light.
    @inline(__always) private static func coded(_ light: SIMD4<Float>) -> SIMD4<UInt8> {
        func step(_ value: Float) -> Int { Int(max(0, min(1, value.isNaN ? 0 : value)) * Float(codes.count - 1)) }
        return SIMD4(codes[step(light.x)], codes[step(light.y)], codes[step(light.z)], UInt8(step(light.w) >> 4))
    }

    /// sRGB's code of 4096 steps of light.
    private static let codes = (0..<4096).map { SIMD3<Float>(repeating: Float($0) / 4095).shown.coded.x }
}

extension GLTFFile {
    /// Adds a mesh once.
    mutating func addMesh(_ index: Int64, _ stand: GLTFStand) throws(PluginError) {
        taken = [:]
        for primitive in json["meshes"]?.list?.at(index)?["primitives"]?.list ?? [] {
            try use()
            try addPrimitive(primitive, stand)
        }
    }

    private mutating func addPrimitive(_ primitive: JSONValue, _ stand: GLTFStand) throws(PluginError) {
        // Triangles one by one, in a strip or in a fan; points and lines are no surface.
        let mode = primitive["mode"]?.integer ?? 4
        guard 4...6 ~= mode, let attributes = primitive["attributes"] else { return }
        let material = materials.entry(
            primitive["material"]?.integer, isPainted: attributes["COLOR_0"] != nil, in: &mesh)
        let hasTexture = mesh.materials[material.number].texture != nil
        let coordinates = hasTexture ? material.coordinates : nil
        let packed = try GLTFPacked(primitive, json["bufferViews"]?.list ?? [], buffers)
        guard let points = try GLTFPoints(attributes, packed, self, coordinates: coordinates, stand) else { return }
        var indices = try packed?.indices()
        if packed == nil { indices = try accessor(primitive["indices"]) }
        // There are some, but not in this file.
        if indices == nil, packed != nil || primitive["indices"] != nil { return }
        let count = indices?.count ?? points.count
        self.indices += count
        guard self.indices <= 3 * Mesh.mostTriangles else { throw Mesh.tooLarge }
        mesh.begin(material: material.number, isMirrored: stand.isMirrored)
        // Where many primitives name a few each of the same points, a copy of all for each would be too much.
        let first = count < points.count ? nil : try all(points)
        for index in stride(from: 0, to: count - 2, by: mode == 4 ? 3 : 1) {
            var corners = SIMD3(mode == 6 ? 0 : index, index + 1, index + 2)
            // Of a strip, every other triangle goes round the other way.
            if mode == 5, index & 1 == 1 { corners = SIMD3(index + 1, index, index + 2) }
            if let indices {
                for corner in 0..<3 { corners[corner] = indices.integer(corners[corner]) ?? -1 }
            }
            guard (0..<3).allSatisfy({ 0..<points.count ~= corners[$0] }) else { continue }
            if let first {
                try mesh.add(corners: first + corners.x, first + corners.y, first + corners.z)
            } else {
                for corner in 0..<3 { try points.add(corners[corner], to: &mesh) }
                let last = mesh.points.count - 1
                try mesh.add(corners: last - 2, last - 1, last)
            }
        }
    }

    /// Adds points, unless a primitive before did.
    /// - Returns: where they begin.
    private mutating func all(_ points: GLTFPoints) throws(PluginError) -> Int {
        if let first = taken[points.key] { return first }
        let first = mesh.points.count
        for index in 0..<points.count { try points.add(index, to: &mesh) }
        taken[points.key] = first
        return first
    }
}
