internal import BinaryNumbers
internal import JSON
internal import VitrineKit

/// Numbers in a model's bytes, what glTF calls an accessor.
struct GLTFNumbers {
    private let bytes: UnsafeRawBufferPointer
    private let stride: Int
    private let kind: Int64
    private let isNormalized: Bool
    /// How many there are, and of how many parts each.
    let count: Int, width: Int

    private static let widths = ["SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16]

    /// - Parameter view: where they lie; the accessor's own.
    /// - Returns: `nil` when they lie beyond the bytes that are there.
    /// - Throws: as ``GLTFBuffers/bytes(of:)``.
    init?(_ accessor: JSONValue, _ view: JSONValue, _ buffers: GLTFBuffers) throws(PluginError) {
        guard let kind = accessor["componentType"]?.integer, let size = Self.size(kind),
            let width = accessor["type"]?.text.flatMap({ Self.widths[$0] }), let count = accessor["count"]?.integer,
            let bytes = try buffers.bytes(of: view)
        else { return nil }
        let stride = view["byteStride"]?.integer ?? Int64(size * width)
        let start = accessor["byteOffset"]?.integer ?? 0
        let most = Int64(bytes.count)
        guard 0...most ~= start, count >= 1, count <= most,
            Int64(size * width)...max(Int64(size * width), 4096) ~= stride,
            (count - 1) * stride + Int64(size * width) <= most - start
        else { return nil }
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes[Int(start)...])
        (self.stride, self.kind, self.width, self.count) = (Int(stride), kind, width, Int(count))
        isNormalized = accessor["normalized"]?.boolean ?? false
    }

    /// Numbers of which some are written apart, instead of those that lie in their places or of zeros.
    /// - Parameters:
    ///   - all: those that lie in their places, if there are any.
    ///   - views: what the indices and the values of exceptions refer to.
    /// - Returns: `nil` when some lie beyond the bytes that are there, or there are too many.
    /// - Throws: `limitExceeded` when there are too many with those of others, and as ``GLTFBuffers/bytes(of:)``.
    init?(
        _ accessor: JSONValue, exceptionsOf all: Self?, _ views: [JSONValue], _ buffers: GLTFBuffers
    ) throws(PluginError) {
        guard let sparse = accessor["sparse"], let few = sparse["count"], case .object(var places) = sparse["indices"],
            case .object(var values) = sparse["values"], let kind = accessor["componentType"]?.integer,
            let size = Self.size(kind), let type = accessor["type"], let width = type.text.flatMap({ Self.widths[$0] }),
            let count = all.map({ Int64($0.count) }) ?? accessor["count"]?.integer, 1...Self.mostApart ~= count
        else { return nil }
        (places["type"], places["count"]) = (.text("SCALAR"), few)
        (values["type"], values["count"], values["componentType"]) = (type, few, .number(Double(kind)))
        guard let placeView = views.at(places["bufferView"]?.integer),
            let valueView = views.at(values["bufferView"]?.integer),
            let places = try Self(.object(places), placeView, buffers),
            let values = try Self(.object(values), valueView, buffers)
        else { return nil }
        let step = size * width
        let room = try buffers.room(for: Int(count) * step)
        func copy(_ from: Self, _ index: Int, to place: Int) {
            for byte in 0..<step { room[place * step + byte] = from.bytes[index * from.stride + byte] }
        }
        if let all { for index in 0..<Int(count) { copy(all, index, to: index) } }
        for index in 0..<min(places.count, values.count) {
            if let place = places.integer(index), place < Int(count) { copy(values, index, to: place) }
        }
        bytes = UnsafeRawBufferPointer(room)
        (stride, self.kind, self.width, self.count) = (step, kind, width, Int(count))
        isNormalized = accessor["normalized"]?.boolean ?? false
    }

    /// How numbers lie that were unpacked.
    enum Unpacked: Int64 {
        case float = 5126, index = 5125
    }

    /// Numbers that were unpacked, one behind the other. The bytes are all there.
    init(_ bytes: UnsafeRawBufferPointer, _ kind: Unpacked, count: Int, width: Int) {
        (self.bytes, self.kind, stride, isNormalized) = (bytes, kind.rawValue, 4 * width, false)
        (self.count, self.width) = (count, width)
    }

    /// Numbers that are written apart.
    private static let mostApart: Int64 = 10_000_000

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

    /// Four numbers, of which the last is one where there are three.
    func quadruple(_ index: Int) -> SIMD4<Float> {
        SIMD4(number(index, 0), number(index, 1), number(index, 2), width > 3 ? number(index, 3) : 1)
    }

    /// Two numbers.
    func pair(_ index: Int) -> SIMD2<Float> { SIMD2(number(index, 0), number(index, 1)) }

    /// A part of a number.
    func number(_ index: Int, _ part: Int) -> Float {
        let at = index * stride
        switch kind {
        case 5126:
            return bytes.float(at: at + 4 * part)
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
        bytes.number(UInt16.self, at: at)
    }

    /// A whole number; `nil` beyond the last, or where there are none.
    func integer(_ index: Int) -> Int? {
        guard 0..<count ~= index else { return nil }
        let at = index * stride
        switch kind {
        case 5121: return Int(bytes[at])
        case 5123: return Int(short(at))
        case 5125: return Int(bytes.number(UInt32.self, at: at))
        default: return nil
        }
    }
}
