import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ModelDrawing
@testable import ModelRenderer

/// Colours of points and triangles, and places that are computed.
@Suite struct ColouredModelTests {
    private func mesh(_ scene: String) throws -> Mesh {
        let text = #"{"asset": {"version": "2.0"}, \#(scene)}"#
        return try Array(text.utf8).withUnsafeBytes { bytes throws(PluginError) in
            try GLTFFile.mesh(bytes, TexturePool(maximumPixels: 1_000_000, side: 64))
        }
    }

    @Test(
        "Each side of a cube has its colour in every format",
        arguments: ["coloured.stl", "magics.stl", "base.3mf", "colours.3mf"])
    func cubes(name: String) throws {
        let bytes = try Fixtures.bytes("model/\(name)")
        let picture = RGBAPicture(try ModelRendererTests.draw(bytes, as: name).bitmap)
        let (top, front, right) = (
            picture.pixel(x: 64, y: 25), picture.pixel(x: 40, y: 75), picture.pixel(x: 95, y: 75)
        )
        #expect(top.red > 200 && top.green > 200 && top.blue > 200 && top.alpha == 255)
        #expect(front.red > 2 * front.green && front.red > 2 * front.blue && front.red > 120)
        #expect(right.green > 2 * right.red && right.green > right.blue && right.green > 60)
    }

    @Test("A picture on each side of a cube in 3MF stands upright there, and a missing one does no harm")
    func picturedCube() throws {
        let bytes = try Fixtures.bytes("model/textured.3mf")
        let picture = RGBAPicture(try ModelRendererTests.draw(bytes, as: "a.3mf").bitmap)
        // The front's left edge, above and below.
        let (above, below) = (picture.pixel(x: 15, y: 52), picture.pixel(x: 15, y: 84))
        #expect(above.red > 2 * above.blue && above.red > 2 * above.green)
        #expect(below.blue > 2 * below.red)
        let model =
            #"<texture2d id="2" path="/no.png"/><texture2dgroup id="3" texid="2"><tex2coord u="0" v="0"/>"#
            + #"</texture2dgroup><object id="1"><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/>"#
            + #"<vertex x="0" y="0" z="1"/><triangle v1="0" v2="1" v3="2" pid="3" p1="7"/></object>"#
        let package = zipFile([("3D/3dmodel.model", Array("<model>\(model)</model>".utf8))])
        let plain = RGBAPicture(try ModelRendererTests.draw(package, as: "a.3mf").bitmap)
        #expect(plain.pixels.contains { $0 > 100 })
    }

    @Test("What stands behind triangles of STL and is no colour, is none")
    func noColours() throws {
        func colours(_ mark: (Int) -> Int, _ head: String = "") throws -> [SIMD4<UInt8>] {
            let count = 1200
            var bytes = Array(head.utf8) + [UInt8](repeating: 0x20, count: 80 - head.utf8.count) + little(count, 4)
            for triangle in 0..<count { bytes += [UInt8](repeating: 0, count: 48) + little(mark(triangle), 2) }
            return try bytes.withUnsafeBytes { bytes throws(PluginError) in try STLFile.mesh(bytes).colours }
        }
        #expect(try colours { _ in 0 }.isEmpty && colours { _ in 12 }.isEmpty && colours { _ in 0xFFFF }.isEmpty)
        #expect(try colours { $0 & 0x7FFF | 0x8000 }.isEmpty)
        #expect(try colours { _ in 0x8000 | 31 << 10 }.allSatisfy { $0 == [255, 0, 0, 255] })
        // Nothing behind any of them: all are as the head says.
        #expect(try colours({ _ in 0 }, "COLOR=abcd").allSatisfy { $0 == [97, 98, 99, 255] })
        #expect(
            try colours({ $0 == 5 ? 31 : 0x8000 }, "COLOR=abcd")[15...18] == [
                [255, 0, 0, 255], [255, 0, 0, 255], [255, 0, 0, 255], [97, 98, 99, 255],
            ])
    }

    @Test("Corners without a number are painted as each of their groups has it")
    func noNumbers() throws {
        let model =
            #"<colorgroup id="2"/><texture2d id="9" path="/no.png"/><texture2dgroup id="3" texid="9"/>"#
            + #"<object id="1" pid="2" pindex="-5"><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/>"#
            + #"<vertex x="0" y="0" z="1"/><triangle v1="0" v2="1" v3="2" pid="2"/>"#
            + #"<triangle v1="0" v2="1" v3="2" pid="3"/></object>"#
        let package = zipFile([("3D/3dmodel.model", Array("<model>\(model)</model>".utf8))])
        let pool = TexturePool(maximumPixels: 1_000_000, side: 64)
        let mesh = try ThreeMFFile.mesh(BytesInput(package), pool)
        #expect(
            mesh.colours.count == 6 && mesh.colours.first == Mesh.plain && mesh.colours.last == [255, 255, 255, 255])
    }

    // Three points of a triangle, one more, a colour for each, and a matrix that moves by -5.
    private static let floats: [Float] = [
        0, 0, 0, 1, 0, 0, 0, 1, 0, 7, 8, 9, 1, 0, 0, 0.5, 0, 1, 0, 1, 0, 0, 1, 1,
        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -5, 0, 0, 1,
    ]
    private static func address(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return stride(from: 0, to: bytes.count - 2, by: 3).map { at in
            let bits = Int(bytes[at]) << 16 | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2])
            return String((0..<4).map { letters[bits >> (18 - 6 * $0) & 63] })
        }.joined()
    }
    private static func buffers(_ more: [UInt8] = []) -> String {
        var bytes = floats.flatMap { little(Int($0.bitPattern), 4) } + more
        let views = #""bufferViews": [{"byteLength": \#(bytes.count)}]"#
        while bytes.count % 3 > 0 { bytes.append(0) }
        return #""buffers": [{"uri": "data:;base64,\#(address(bytes))"}], \#(views)"#
    }

    @Test("Colours of points in glTF are light, and shown as such")
    func pointColours() throws {
        let mesh = try mesh(
            #""meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 1}}]}], \#(Self.buffers()), "#
                + #""accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}, "#
                + #"{"bufferView": 0, "byteOffset": 48, "componentType": 5126, "count": 3, "type": "VEC4"}]"#)
        #expect(mesh.colours == [[255, 0, 0, 127], [0, 255, 0, 255], [0, 0, 255, 255]])
    }

    @Test("Points that are written as exceptions of others, or of nothing, lie where the exceptions say")
    func sparse() throws {
        func points(_ accessor: String) throws -> [SIMD3<Float>] {
            try mesh(
                #""meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], \#(Self.buffers([2, 0, 0])), "#
                    + #""accessors": [{"componentType": 5126, "count": 3, "type": "VEC3", \#(accessor)}]"#
            ).points
        }
        let values = #""values": {"bufferView": 0, "byteOffset": 36}"#
        let indices = #""indices": {"bufferView": 0, "byteOffset": 160, "componentType": 5121}"#
        // With y up in the file: 7, 8, 9 is 7, -9, 8.
        #expect(
            try points(#""bufferView": 0, "sparse": {"count": 1, \#(values), \#(indices)}"#) == [
                [0, 0, 0], [1, 0, 0], [7, -9, 8],
            ])
        #expect(
            try points(#""sparse": {"count": 1, \#(values), \#(indices)}"#) == [[0, 0, 0], [0, 0, 0], [7, -9, 8]])
        for wrong in [
            #""sparse": {"count": 99, \#(values), \#(indices)}"#, #""sparse": {"count": 1, \#(values)}"#,
            #""count": 99000000, "sparse": {"count": 1, \#(values), \#(indices)}"#, #""sparse": 3"#,
        ] {
            let error = #expect(throws: PluginError.self) { _ = try points(wrong) }
            #expect(error?.code == .corrupt, "\(wrong)")
        }
    }

    @Test("Numbers with exceptions are made once for a model, and those of different ones are counted together")
    func manyExceptions() throws {
        let sparse =
            #"{"componentType": 5126, "count": 9000000, "type": "VEC3", "sparse": {"count": 1, "#
            + #""values": {"bufferView": 0, "byteOffset": 36}, "#
            + #""indices": {"bufferView": 0, "byteOffset": 160, "componentType": 5121}}}"#
        func scene(_ points: [Int]) throws -> Mesh {
            let primitives = points.map { #"{"attributes": {"POSITION": \#($0)}, "indices": 0}"# }
            return try mesh(
                #""scenes": [{"nodes": [0, 0, 0]}], "nodes": [{"mesh": 0}], \#(Self.buffers([2, 0, 0])), "#
                    + #""meshes": [{"primitives": [\#(primitives.joined(separator: ", "))]}], "accessors": "#
                    + #"[{"bufferView": 0, "byteOffset": 160, "componentType": 5121, "count": 3, "type": "SCALAR"}, "#
                    + #"\#(sparse), \#(sparse), \#(sparse)]"#)
        }
        let few = try scene([1, 1])
        #expect(few.triangles == 6 && few.points.first == [7, -9, 8])
        let error = #expect(throws: PluginError.self) { _ = try scene([1, 2, 3]) }
        #expect(error?.code == .limitExceeded && error?.message.contains("packed") == true)
    }

    @Test("Points hang on their bones as the file has left them, wherever their node stands")
    func bones() throws {
        let more = [UInt8](repeating: 0, count: 12) + [255, 0, 0, 0] + [255, 0, 0, 0] + [0, 0, 0, 0]
        func points(_ skin: String) throws -> [SIMD3<Float>] {
            try mesh(
                #""scenes": [{"nodes": [0, 1]}], "nodes": [{"mesh": 0, "skin": 0, "translation": [90, 0, 0]}, "#
                    + #"{"translation": [6, 0, 0]}], "skins": [\#(skin)], \#(Self.buffers(more)), "meshes": "#
                    + #"[{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]}], "accessors": "#
                    + #"[{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}, "#
                    + #"{"bufferView": 0, "byteOffset": 160, "componentType": 5121, "count": 3, "type": "VEC4"}, "#
                    + #"{"bufferView": 0, "byteOffset": 172, "componentType": 5121, "normalized": true, "count": 3, "#
                    + #""type": "VEC4"}, {"bufferView": 0, "byteOffset": 96, "componentType": 5126, "count": 1, "#
                    + #""type": "MAT4"}]"#
            ).points
        }
        // The last point hangs on nothing.
        #expect(
            try points(#"{"joints": [1], "inverseBindMatrices": 3}"#) == [[1, 0, 0], [2, 0, 0], [90, 0, 1]])
        #expect(try points(#"{"joints": [1]}"#).first == [6, 0, 0])
        #expect(try points(#"{"joints": []}"#).first == [90, 0, 0])
        #expect(try points(#"{"joints": [77]}"#).count == 3)
    }

    @Test("A model that nothing can be drawn of says what it needs")
    func needs() throws {
        let error = #expect(throws: PluginError.self) { _ = try mesh(#""extensionsRequired": ["EXAMPLE_shapes"]"#) }
        #expect(error?.code == .unsupported && error?.message.contains("EXAMPLE_shapes") == true)
    }
}
