internal import CDraco
internal import JSON
internal import VitrineKit

/// The points and triangles of a primitive that were packed with Draco (KHR_draco_mesh_compression).
struct GLTFPacked {
    private let mesh: GLTFUnpacked
    private let attributes: JSONValue
    private let buffers: GLTFBuffers
    /// Where it lies, which tells it from others.
    let view: Int64

    /// Unpacks a primitive, unless one before was packed in the same place.
    /// - Returns: `nil` for one that is not packed.
    /// - Throws: `corrupt`, `limitExceeded`, `unsupported`.
    init?(_ primitive: JSONValue, _ views: [JSONValue], _ buffers: GLTFBuffers) throws(PluginError) {
        guard let packing = primitive["extensions"]?["KHR_draco_mesh_compression"] else { return nil }
        guard let number = packing["bufferView"]?.integer, let view = views.at(number),
            let bytes = try buffers.bytes(of: view), let attributes = packing["attributes"]
        else { throw GLTFUnpacked.damaged }
        (self.attributes, self.buffers, self.view) = (attributes, buffers, number)
        if let known = buffers.unpacked[number] {
            mesh = known
        } else {
            mesh = try GLTFUnpacked(bytes)
            try buffers.count(points: mesh.points, triangles: mesh.triangles)
            buffers.unpacked[number] = mesh
        }
    }

    /// The numbers of an attribute.
    /// - Parameters:
    ///   - name: as glTF calls it.
    ///   - accessor: what the model says of it apart from where it lies.
    /// - Returns: `nil` for one that is not packed.
    /// - Throws: `limitExceeded`.
    func numbers(_ name: String, _ accessor: JSONValue?) throws(PluginError) -> GLTFNumbers? {
        guard let attribute = attributes[name]?.integer.flatMap({ UInt32(exactly: $0) }) else { return nil }
        return try mesh.numbers(attribute, isFraction: accessor?["normalized"]?.boolean ?? false, buffers)
    }

    /// The points of its triangles.
    /// - Throws: `limitExceeded`.
    func indices() throws(PluginError) -> GLTFNumbers? { try mesh.indices(buffers) }
}

/// A mesh that libdraco unpacked, and what was taken out of it so far: many nodes may show it.
final class GLTFUnpacked {
    private let mesh: OpaquePointer
    private var known: [Key: GLTFNumbers?] = [:]
    private var corners: GLTFNumbers?

    private struct Key: Hashable {
        var attribute: UInt32
        var isFraction: Bool
    }

    static let damaged = PluginError(.corrupt, "the model's points are packed with Draco, and damaged")

    /// - Throws: `corrupt`, `limitExceeded` where there is no memory for it, `unsupported` for points without triangles.
    init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        guard let start = bytes.baseAddress else { throw Self.damaged }
        var failure = CDRACO_DAMAGED
        guard let mesh = cdraco_open(start, bytes.count, &failure) else {
            switch failure {
            case CDRACO_NO_MESH:
                throw PluginError(.unsupported, "what is packed with Draco in the model has no triangles")
            case CDRACO_NO_MEMORY:
                throw PluginError(.limitExceeded, "there is no memory for what is packed with Draco in the model")
            default: throw Self.damaged
            }
        }
        self.mesh = mesh
    }

    deinit { cdraco_free(mesh) }

    /// How many there are.
    var points: Int { Int(cdraco_points(mesh)) }
    var triangles: Int { Int(cdraco_triangles(mesh)) }

    /// The numbers of an attribute.
    /// - Parameters:
    ///   - isFraction: whether whole numbers are parts of the largest one.
    ///   - buffers: where there is room for them.
    /// - Returns: `nil` when there are none.
    func numbers(
        _ attribute: UInt32, isFraction: Bool, _ buffers: GLTFBuffers
    ) throws(PluginError) -> GLTFNumbers? {
        let width = Int(cdraco_width(mesh, attribute))
        guard width > 0, points > 0 else { return nil }
        let key = Key(attribute: attribute, isFraction: isFraction)
        if let known = known[key] { return known }
        let room = try buffers.room(for: 4 * width * points)
        var numbers: GLTFNumbers?
        if let start = room.bindMemory(to: Float.self).baseAddress,
            cdraco_numbers(mesh, attribute, isFraction, start)
        {
            numbers = GLTFNumbers(UnsafeRawBufferPointer(room), .float, count: points, width: width)
        }
        known[key] = .some(numbers)
        return numbers
    }

    /// The points of all triangles.
    func indices(_ buffers: GLTFBuffers) throws(PluginError) -> GLTFNumbers? {
        if let corners { return corners }
        let count = triangles
        guard count > 0 else { return nil }
        let room = try buffers.room(for: 12 * count)
        guard let start = room.bindMemory(to: UInt32.self).baseAddress else { return nil }
        for triangle in 0..<count { cdraco_corners(mesh, UInt32(triangle), start + 3 * triangle) }
        corners = GLTFNumbers(UnsafeRawBufferPointer(room), .index, count: 3 * count, width: 1)
        return corners
    }
}
