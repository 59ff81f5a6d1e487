import CMeshopt
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

/// Models whose numbers are packed with meshoptimizer, which packs them here.
@Suite struct MeshoptTests {
    /// A packed part of a model, and what its view says of it.
    private struct Part {
        var bytes: [UInt8]
        var count: Int, stride: Int
        var mode: String, filter = "NONE"

        func view(at offset: Int) -> String {
            #"{"buffer": 1, "byteLength": \#(count * stride), "byteStride": \#(stride), "extensions": "#
                + #"{"EXT_meshopt_compression": {"buffer": 0, "byteOffset": \#(offset), "byteLength": \#(bytes.count), "#
                + #""byteStride": \#(stride), "count": \#(count), "mode": "\#(mode)", "filter": "\#(filter)"}}}"#
        }
    }

    private static func packed(_ elements: [UInt32], stride: Int, filter: String = "NONE") -> Part {
        let count = elements.count * 4 / stride
        var bytes = [UInt8](repeating: 0, count: meshopt_encodeVertexBufferBound(count, stride))
        let length = meshopt_encodeVertexBuffer(&bytes, bytes.count, elements, count, stride)
        return Part(
            bytes: Array(bytes[..<length]), count: count, stride: stride, mode: "ATTRIBUTES", filter: filter)
    }

    private static func triangles(_ count: Int) -> Part {
        let indices = (0..<UInt32(count)).map { $0 }
        var bytes = [UInt8](repeating: 0, count: meshopt_encodeIndexBufferBound(count, count))
        let length = meshopt_encodeIndexBuffer(&bytes, bytes.count, indices, count)
        return Part(bytes: Array(bytes[..<length]), count: count, stride: 4, mode: "TRIANGLES")
    }

    private static func sequence(_ count: Int) -> Part {
        let indices = (0..<UInt32(count)).map { $0 }
        var bytes = [UInt8](repeating: 0, count: meshopt_encodeIndexSequenceBound(count, count))
        let length = meshopt_encodeIndexSequence(&bytes, bytes.count, indices, count)
        return Part(bytes: Array(bytes[..<length]), count: count, stride: 4, mode: "INDICES")
    }

    private static func model(_ points: Part, _ indices: Part) -> [UInt8] {
        let scene =
            #"{"asset": {"version": "2.0"}, "extensionsRequired": ["EXT_meshopt_compression"], "scenes": [{"nodes": [0]}], "#
            + #""nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "#
            + #""materials": [], "buffers": [{"byteLength": 9}, {"byteLength": 9}], "#
            + #""accessors": [{"bufferView": 0, "componentType": 5126, "count": \#(points.count), "type": "VEC3"}, "#
            + #"{"bufferView": 1, "componentType": 5125, "count": \#(indices.count), "type": "SCALAR"}], "#
            + #""bufferViews": [\#(points.view(at: 0)), \#(indices.view(at: points.bytes.count))]}"#
        func chunk(_ kind: String, _ content: [UInt8], _ filler: UInt8) -> [UInt8] {
            let rest = content + [UInt8](repeating: filler, count: (4 - content.count % 4) % 4)
            return little(rest.count) + Array(kind.utf8) + rest
        }
        let chunks = chunk("JSON", Array(scene.utf8), 0x20) + chunk("BIN\0", points.bytes + indices.bytes, 0)
        return Array("glTF".utf8) + little(2) + little(chunks.count + 12) + chunks
    }

    private static func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }

    /// The corners of a part, as y points up.
    private static func corners() throws -> [SIMD3<Float>] {
        WrittenModel(stl: try Fixtures.bytes("model/part.stl")).corners.map { SIMD3($0.x, $0.z, -$0.y) }
    }

    @Test(
        "One part looks the same however its points and its triangles are packed", arguments: ["NONE", "EXPONENTIAL"])
    func packedModel(filter: String) throws {
        let numbers = try Self.corners().flatMap { [$0.x, $0.y, $0.z] }
        // Of a fraction its whole part in 1024ths, behind the exponent of two that these are.
        let words = numbers.map { number in
            filter == "NONE"
                ? number.bitPattern
                : UInt32(bitPattern: Int32((number * 1024).rounded())) & 0xFF_FFFF | UInt32(256 - 10) << 24
        }
        let points = Self.packed(words, stride: 12, filter: filter)
        let one = RGBAPicture(try ModelRendererTests.draw(try Fixtures.bytes("model/part.stl"), as: "part.stl").bitmap)
        for indices in [Self.triangles(72), Self.sequence(72)] {
            let other = try ModelRendererTests.draw(Self.model(points, indices), as: "part.glb")
            let differing = zip(one.pixels, RGBAPicture(other.bitmap).pixels).count { abs(Int($0) - Int($1)) > 8 }
            #expect(differing < one.pixels.count / 500, "\(differing) of \(one.pixels.count)")
        }
    }

    @Test("What is damaged, or packed as nothing can be, is refused")
    func damaged() throws {
        let numbers = try Self.corners().flatMap { [$0.x, $0.y, $0.z] }
        let points = Self.packed(numbers.map(\.bitPattern), stride: 12), indices = Self.triangles(72)
        var parts: [(Part, Part)] = []
        func change(_ body: (inout Part) -> Void) {
            var other = points
            body(&other)
            parts.append((other, indices))
            other = indices
            body(&other)
            parts.append((points, other))
        }
        change { $0.bytes = [] }
        change { $0.bytes.removeLast(9) }
        change { $0.bytes[0] ^= 0xFF }
        change { $0.stride = 7 }
        change { $0.stride = 260 }
        change { $0.count = 0 }
        change { $0.count = 90_000_000 }
        change { $0.count += 300 }
        change { $0.mode = "TETRAHEDRA" }
        change { $0.filter = "QUATERNION" }
        change { $0.filter = "OCTAHEDRAL" }
        for (points, indices) in parts {
            let error = #expect(throws: PluginError.self) {
                try ModelRendererTests.draw(Self.model(points, indices), as: "part.glb")
            }
            #expect([.corrupt, .limitExceeded].contains(error?.code), "\(points.view(at: 0)), \(indices.view(at: 0))")
        }
        for at in stride(from: 0, to: points.bytes.count, by: 7) {
            var other = points
            other.bytes[at] ^= 0x5A
            _ = try? ModelRendererTests.draw(Self.model(other, indices), as: "part.glb")
        }
    }
}
