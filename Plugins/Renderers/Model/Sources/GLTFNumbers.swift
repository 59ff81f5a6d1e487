internal import JSON
internal import MIME
internal import VitrineKit

/// The bytes that a model in glTF names: those behind its JSON, and those that are written in it. Not for several threads at
/// once.
final class GLTFBuffers {
    private let behind: UnsafeRawBufferPointer
    /// `nil` for the one that lies behind the JSON.
    private var own: [UnsafeMutableRawBufferPointer?] = []

    private static let most = 64

    /// - Throws: `unsupported` when some lie in other files.
    init(_ json: JSONValue, _ behind: UnsafeRawBufferPointer) throws(PluginError) {
        self.behind = behind
        for buffer in (json["buffers"]?.list ?? []).prefix(Self.most) {
            guard let address = buffer["uri"]?.text else {
                own.append(nil)
                continue
            }
            guard address.hasPrefix("data:"), let comma = address.utf8.firstIndex(of: UInt8(ascii: ",")) else {
                throw PluginError(.unsupported, "the model's points lie in another file, which is not read here")
            }
            let bytes = TransferCoding.base64.decode(address.utf8[comma...].dropFirst())
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
            copy.copyBytes(from: bytes)
            own.append(copy)
        }
    }

    deinit { for bytes in own { bytes?.deallocate() } }

    /// Valid as long as this object and the file's bytes are.
    subscript(_ index: Int64) -> UnsafeRawBufferPointer? {
        guard 0..<Int64(own.count) ~= index else { return nil }
        return own[Int(index)].map { UnsafeRawBufferPointer($0) } ?? (index == 0 ? behind : nil)
    }
}

/// Numbers in such bytes, what glTF calls an accessor. Those that are sparse are taken as they are without their
/// exceptions.
struct GLTFNumbers {
    private let bytes: UnsafeRawBufferPointer
    private let stride: Int
    private let kind: Int64
    private let isNormalized: Bool
    /// How many there are, and of how many parts each.
    let count: Int, width: Int

    /// - Returns: `nil` when they lie beyond the bytes that are there.
    init?(_ accessor: JSONValue, _ view: JSONValue, _ buffers: GLTFBuffers) {
        let widths = ["SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4]
        guard let kind = accessor["componentType"]?.integer, let size = Self.size(kind),
            let width = accessor["type"]?.text.flatMap({ widths[$0] }), let count = accessor["count"]?.integer,
            let buffer = buffers[view["buffer"]?.integer ?? 0]
        else { return nil }
        let stride = view["byteStride"]?.integer ?? Int64(size * width)
        let (offset, length) = (view["byteOffset"]?.integer ?? 0, view["byteLength"]?.integer ?? 0)
        let start = accessor["byteOffset"]?.integer ?? 0
        let most = Int64(buffer.count)
        guard 0...most ~= offset, 0...(most - offset) ~= length, 0...length ~= start, count >= 1, count <= most,
            Int64(size * width)...max(Int64(size * width), 4096) ~= stride,
            (count - 1) * stride + Int64(size * width) <= length - start
        else { return nil }
        bytes = UnsafeRawBufferPointer(rebasing: buffer[Int(offset + start)..<Int(offset + length)])
        (self.stride, self.kind, self.width, self.count) = (Int(stride), kind, width, Int(count))
        isNormalized = accessor["normalized"]?.boolean ?? false
    }

    /// Bytes of a number, by what OpenGL calls it.
    private static func size(_ kind: Int64) -> Int? {
        switch kind {
        case 5120, 5121: 1
        case 5122, 5123: 2
        case 5125, 5126: 4
        default: nil
        }
    }

    /// Three numbers as a point.
    func point(_ index: Int) -> SIMD3<Float> { SIMD3(number(index, 0), number(index, 1), number(index, 2)) }

    /// A part of a number.
    func number(_ index: Int, _ part: Int) -> Float {
        let at = index * stride
        switch kind {
        case 5126:
            let bits = bytes.loadUnaligned(fromByteOffset: at + 4 * part, as: UInt32.self)
            return Float(bitPattern: UInt32(littleEndian: bits))
        case 5120:
            let value = Float(Int8(bitPattern: bytes[at + part]))
            return isNormalized ? max(-1, value / 127) : value
        case 5121: return isNormalized ? Float(bytes[at + part]) / 255 : Float(bytes[at + part])
        case 5122:
            let value = Float(Int16(bitPattern: short(at + 2 * part)))
            return isNormalized ? max(-1, value / 32767) : value
        case 5123: return isNormalized ? Float(short(at + 2 * part)) / 65535 : Float(short(at + 2 * part))
        default: return Float(integer(index) ?? 0)
        }
    }

    private func short(_ at: Int) -> UInt16 {
        UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt16.self))
    }

    /// A whole number; `nil` beyond the last, or where there are none.
    func integer(_ index: Int) -> Int? {
        guard 0..<count ~= index else { return nil }
        let at = index * stride
        switch kind {
        case 5121: return Int(bytes[at])
        case 5123: return Int(short(at))
        case 5125:
            return Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
        default: return nil
        }
    }
}
