internal import Glibc
internal import JSON
internal import MIME
internal import ModelDrawing
internal import VitrineKit

/// The bytes that a model in glTF names: those behind its JSON, and those that are written in it. Not for several threads at
/// once.
final class GLTFBuffers {
    private let behind: UnsafeRawBufferPointer
    /// `nil` for the one that lies behind the JSON.
    private var own: [UnsafeMutableRawBufferPointer?] = []
    /// Those of ``room(for:)``.
    private var made: [UnsafeMutableRawBufferPointer] = []
    private var madeBytes = 0
    /// Numbers that have exceptions, by their accessors.
    var exceptional: [Int64: GLTFNumbers] = [:]
    /// What was packed with Draco, by the views that show it.
    var unpacked: [Int64: GLTFUnpacked] = [:]
    /// What was packed with meshoptimizer.
    private var meshopt: [GLTFMeshopt: UnsafeRawBufferPointer] = [:]
    /// Points and triangles in ``unpacked``.
    private var points = 0, triangles = 0

    private static let most = 64
    /// Bytes of numbers that have exceptions or were packed, all together.
    private static let mostMade = 256 << 20

    /// - Throws: `unsupported` when some lie in other files.
    init(_ json: JSONValue, _ behind: UnsafeRawBufferPointer) throws(PluginError) {
        self.behind = behind
        for buffer in (json["buffers"]?.list ?? []).prefix(Self.most) {
            guard let address = buffer["uri"]?.text else {
                own.append(nil)
                continue
            }
            guard let bytes = Self.data(address) else {
                throw PluginError(.unsupported, "the model's points lie in another file, which is not read here")
            }
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
            copy.copyBytes(from: bytes)
            own.append(copy)
        }
    }

    deinit {
        for bytes in own { bytes?.deallocate() }
        for bytes in made { bytes.deallocate() }
    }

    /// What an address holds itself (RFC 2397); `nil` for one of another file.
    static func data(_ address: String) -> [UInt8]? {
        guard address.hasPrefix("data:"), let comma = address.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        return TransferCoding.base64.decode(address.utf8[comma...].dropFirst())
    }

    /// Valid as long as this object and the file's bytes are.
    subscript(_ index: Int64) -> UnsafeRawBufferPointer? {
        guard 0..<Int64(own.count) ~= index else { return nil }
        return own[Int(index)].map { UnsafeRawBufferPointer($0) } ?? (index == 0 ? behind : nil)
    }

    /// What a view shows of a buffer.
    /// - Returns: `nil` when it lies beyond the bytes that are there.
    /// - Throws: `corrupt` for packed ones that cannot be unpacked, `limitExceeded` when there are too many of them.
    func bytes(of view: JSONValue) throws(PluginError) -> UnsafeRawBufferPointer? {
        if let packing = view["extensions"]?[GLTFMeshopt.name] { return try unpacked(packing) }
        return bytes(
            view["buffer"]?.integer ?? 0, view["byteOffset"]?.integer ?? 0, view["byteLength"]?.integer ?? 0)
    }

    private func unpacked(_ packing: JSONValue) throws(PluginError) -> UnsafeRawBufferPointer {
        let damaged = PluginError(.corrupt, "the model's points are packed with meshoptimizer, and damaged")
        guard let packing = GLTFMeshopt(packing), let bytes = bytes(packing.buffer, packing.offset, packing.length)
        else {
            throw damaged
        }
        if let known = meshopt[packing] { return known }
        let room = try room(for: packing.size)
        guard packing.unpack(bytes, into: room) else { throw damaged }
        let made = UnsafeRawBufferPointer(room)
        meshopt[packing] = made
        return made
    }

    private func bytes(_ number: Int64, _ offset: Int64, _ length: Int64) -> UnsafeRawBufferPointer? {
        guard let buffer = self[number] else { return nil }
        let most = Int64(buffer.count)
        guard 0...most ~= offset, 0...(most - offset) ~= length else { return nil }
        return UnsafeRawBufferPointer(rebasing: buffer[Int(offset)..<Int(offset + length)])
    }

    /// Room for numbers that lie nowhere as they are; zeros.
    /// - Throws: `limitExceeded` when there are too many.
    func room(for bytes: Int) throws(PluginError) -> UnsafeMutableRawBufferPointer {
        guard bytes <= Self.mostMade - madeBytes else {
            throw PluginError(
                .limitExceeded, "the numbers that are packed in the model have more than \(Self.mostMade) bytes")
        }
        madeBytes += bytes
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 16)
        if let start = room.baseAddress { memset(start, 0, bytes) }
        made.append(room)
        return room
    }

    /// Counts what was unpacked, of which no more is drawn than of others.
    /// - Throws: `limitExceeded` when it is too much.
    func count(points: Int, triangles: Int) throws(PluginError) {
        self.points += points
        self.triangles += triangles
        guard self.points <= Mesh.mostPoints, self.triangles <= Mesh.mostTriangles else { throw Mesh.tooLarge }
    }
}
