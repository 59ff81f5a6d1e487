internal import CMeshopt
internal import JSON

/// Numbers of a model that were packed with meshoptimizer (EXT_meshopt_compression): where they lie, and how they were packed.
struct GLTFMeshopt: Hashable {
    let buffer: Int64, offset: Int64, length: Int64
    private let count: Int, stride: Int
    private let mode: UInt32, filter: UInt32

    static let name = "EXT_meshopt_compression"
    private static let modes = [
        "ATTRIBUTES": CMESHOPT_ATTRIBUTES, "TRIANGLES": CMESHOPT_TRIANGLES, "INDICES": CMESHOPT_INDICES,
    ]
    private static let filters = [
        "NONE": CMESHOPT_NONE, "OCTAHEDRAL": CMESHOPT_OCTAHEDRAL, "QUATERNION": CMESHOPT_QUATERNION,
        "EXPONENTIAL": CMESHOPT_EXPONENTIAL,
    ]
    /// Elements at most: more than numbers of a model that is drawn.
    private static let most: Int64 = 100_000_000

    /// - Parameter packing: what a view says of it.
    /// - Returns: `nil` for what cannot be.
    init?(_ packing: JSONValue) {
        guard let mode = packing["mode"]?.text.flatMap({ Self.modes[$0] }), let count = packing["count"]?.integer,
            let filter = Self.filters[packing["filter"]?.text ?? "NONE"], let stride = packing["byteStride"]?.integer,
            1...Self.most ~= count, 1...256 ~= stride,
            cmeshopt_may_be(mode, filter, Int(count), Int(stride)) != 0
        else { return nil }
        (buffer, offset) = (packing["buffer"]?.integer ?? 0, packing["byteOffset"]?.integer ?? 0)
        length = packing["byteLength"]?.integer ?? 0
        (self.count, self.stride, self.mode, self.filter) = (Int(count), Int(stride), mode.rawValue, filter.rawValue)
    }

    /// Bytes when they are unpacked.
    var size: Int { count * stride }

    /// Unpacks them.
    /// - Parameter room: for ``size`` bytes.
    /// - Returns: whether they were all there.
    func unpack(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Bool {
        guard let from = bytes.bindMemory(to: UInt8.self).baseAddress else { return false }
        let (mode, filter) = (cmeshopt_mode(rawValue: mode), cmeshopt_filter(rawValue: filter))
        return cmeshopt_unpack(mode, filter, count, stride, from, bytes.count, room.baseAddress) != 0
    }
}
