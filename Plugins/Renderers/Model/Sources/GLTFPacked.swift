internal import CDraco
internal import JSON
internal import VitrineKit

/// The points and triangles of a primitive that were packed with Draco (KHR_draco_mesh_compression).
struct GLTFPacked {
    private let mesh: Unpacked
    private let attributes: JSONValue
    private let buffers: GLTFBuffers
    /// Where it lies, which tells it from others.
    let view: Int64

    /// What libdraco owns.
    private final class Unpacked {
        let pointer: OpaquePointer

        init?(_ bytes: UnsafeRawBufferPointer) {
            guard let start = bytes.baseAddress, let pointer = cdraco_open(start, bytes.count) else { return nil }
            self.pointer = pointer
        }

        deinit { cdraco_free(pointer) }
    }

    /// Unpacks a primitive.
    /// - Returns: `nil` for one that is not packed.
    /// - Throws: `corrupt`, `limitExceeded`.
    init?(_ primitive: JSONValue, _ views: [JSONValue], _ buffers: GLTFBuffers) throws(PluginError) {
        guard let packing = primitive["extensions"]?["KHR_draco_mesh_compression"] else { return nil }
        guard let number = packing["bufferView"]?.integer, let view = views.at(number),
            let bytes = buffers.bytes(of: view), let attributes = packing["attributes"], let mesh = Unpacked(bytes)
        else { throw PluginError(.corrupt, "the model's points are packed with Draco, and damaged") }
        guard cdraco_points(mesh.pointer) <= Mesh.mostPoints, cdraco_triangles(mesh.pointer) <= Mesh.mostTriangles
        else { throw Mesh.tooLarge }
        (self.mesh, self.attributes, self.buffers, self.view) = (mesh, attributes, buffers, number)
    }

    /// The numbers of an attribute.
    /// - Parameters:
    ///   - name: as glTF calls it.
    ///   - accessor: what the model says of it apart from where it lies.
    /// - Returns: `nil` for one that is not packed.
    func numbers(_ name: String, _ accessor: JSONValue?) throws(PluginError) -> GLTFNumbers? {
        guard let attribute = attributes[name]?.integer.flatMap({ UInt32(exactly: $0) }) else { return nil }
        let width = Int(cdraco_width(mesh.pointer, attribute)), count = Int(cdraco_points(mesh.pointer))
        guard width > 0, count > 0 else { return nil }
        guard let room = buffers.room(for: 4 * width * count) else { throw Mesh.tooLarge }
        let isFraction = accessor?["normalized"]?.boolean ?? false
        guard let start = room.bindMemory(to: Float.self).baseAddress,
            cdraco_numbers(mesh.pointer, attribute, isFraction, start)
        else { return nil }
        return GLTFNumbers(UnsafeRawBufferPointer(room), .float, count: count, width: width)
    }

    /// The points of its triangles.
    func indices() throws(PluginError) -> GLTFNumbers? {
        let count = Int(cdraco_triangles(mesh.pointer))
        guard count > 0 else { return nil }
        guard let room = buffers.room(for: 12 * count) else { throw Mesh.tooLarge }
        let corners = room.bindMemory(to: UInt32.self)
        for triangle in 0..<count {
            guard let start = corners.baseAddress else { return nil }
            cdraco_corners(mesh.pointer, UInt32(triangle), start + 3 * triangle)
        }
        return GLTFNumbers(UnsafeRawBufferPointer(room), .index, count: 3 * count, width: 1)
    }
}
