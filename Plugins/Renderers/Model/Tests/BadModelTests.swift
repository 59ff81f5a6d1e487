import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ModelDrawing
@testable import ModelRenderer

@Suite struct BadModelTests {
    private func failure(_ bytes: [UInt8], as name: String) throws -> PluginError.Code {
        let error = #expect(throws: PluginError.self) { try ModelRendererTests.draw(bytes, as: name) }
        return try #require(error).code
    }

    private func failure(_ text: String, as name: String) throws -> PluginError.Code {
        try failure(Array(text.utf8), as: name)
    }

    @Test("Files without a byte are empty, and those of another kind are no models")
    func otherFiles() throws {
        let picture = try Fixtures.bytes("image/rgb-8.png")
        for name in ["a.stl", "a.ply", "a.glb", "a.gltf", "a.3mf", "a.las"] {
            #expect(try failure([], as: name) == .empty)
            #expect(try failure(picture, as: name) == .corrupt, "\(name)")
        }
        #expect(try failure(picture, as: "a.obj") == .empty)
        #expect(try failure(zipFile([("a.txt", [65])]), as: "a.3mf") == .unsupported)
        // In one that is cut off it may have been behind the cut.
        let cut = zipFile([("a.txt", [UInt8](repeating: 65, count: 100)), ("3D/3dmodel.model", [65])]).prefix(60)
        #expect(try failure(Array(cut), as: "a.3mf") == .corrupt)
    }

    @Test("STL in capitals, and with the line ends of old Macintoshes, is the same model")
    func otherLetters() throws {
        let text = String(decoding: try Fixtures.bytes("model/text.stl"), as: UTF8.self)
        let expected = RGBAPicture(try ModelRendererTests.draw(Array(text.utf8), as: "a.stl").bitmap)
        for other in [text.uppercased(), text.replacing("\n", with: "\r"), text.replacing("\n", with: "\r\n")] {
            #expect(RGBAPicture(try ModelRendererTests.draw(Array(other.utf8), as: "a.stl").bitmap) == expected)
        }
    }

    @Test("Numbers that are none, and triangles without a surface, are left out")
    func strangeNumbers() throws {
        let good = try Fixtures.bytes("model/text.stl")
        let expected = RGBAPicture(try ModelRendererTests.draw(good, as: "a.stl").bitmap)
        for words in ["nan nan nan", "inf 0 0", "1e39 0 0", "-1e30 1e30 0", "x y z", "", "1 2", "1e99999 0 0", "- . +"]
        {
            let bad = Array("\nvertex 0 0 0\nvertex \(words)\nvertex 1 0 0\n".utf8)
            let drawn = RGBAPicture(try ModelRendererTests.draw(good + bad, as: "a.stl").bitmap)
            #expect(drawn == expected, "\(words)")
        }
        #expect(try failure("solid\nvertex 1 1 1\nvertex 1 1 1\nvertex 1 1 1\n", as: "a.stl") == .empty)
        #expect(try failure("solid\n", as: "a.stl") == .empty)
        // A facet with a corner too few or too many leaves those behind it as they are.
        for words in ["", "vertex 9 9 9\n", "vertex 1 0 0\nvertex 0 0 0\n"] {
            let odd = Array("solid\nfacet\n\(words)\n".utf8) + good.drop { $0 != 0x0A }
            let triangles = try odd.withUnsafeBytes { bytes throws(PluginError) in try STLFile.mesh(bytes) }
            #expect(triangles.points.count == 72, "\(words)")
        }
        // A line has no surface, and a sliver none that is seen; both beside a triangle are no reason to fail.
        for line in ["1 1 1\nvertex 2 2 2", "1 1 1\nvertex 2 2 2.0001"].map({ "vertex 0 0 0\nvertex \($0)\n" }) {
            #expect(try failure("solid\n" + line, as: "a.stl") == .empty)
            let beside = "solid\nvertex 0 0 0\nvertex 2 0 0\nvertex 0 0 2\n" + line
            #expect(try ModelRendererTests.draw(Array(beside.utf8), as: "a.stl").bitmap.width == 128)
        }
        // Points that are one step of their numbers apart, and too far away for any between them.
        for first in ["16777232", "16777234", "99999999999999991"] {
            for text in ["v \(first) 0 0\nv 16777236 0 0\n", "v 5 5 1\nv 0 0 \(first)\nv 0 0 16777236\nv 1e17 0 0\n"] {
                let picture = RGBAPicture(try ModelRendererTests.draw(Array(text.utf8), as: "a.obj").bitmap)
                #expect(picture.pixels.contains(255), "\(text)")
            }
        }
        // As small and as large as numbers are.
        for size in ["1e-30", "1e17"] {
            let text = "solid\nvertex 0 0 0\nvertex \(size) 0 0\nvertex 0 0 \(size)\n"
            let picture = RGBAPicture(try ModelRendererTests.draw(Array(text.utf8), as: "a.stl").bitmap)
            #expect(picture.pixels.contains(255), "\(size)")
        }
    }

    @Test("More triangles than there are, and points that nobody gave, are not believed")
    func claims() throws {
        let head = [UInt8](repeating: 0, count: 80)
        #expect(try failure(head + little(0x7FFF_FFFF, 4) + [UInt8](repeating: 1, count: 100), as: "a.stl") == .corrupt)
        #expect(try failure(head + little(0, 4), as: "a.stl") == .corrupt)
        #expect(try failure("v 0 0 0\nf 1 2 3\nf -9 -8 -7\nf 99999999999999999999 1 1\n", as: "a.obj") == .empty)
        let ply = "ply\nformat ascii 1.0\n"
        #expect(try failure(ply + "element vertex 9999999999999\nend_header\n", as: "a.ply") == .empty)
        #expect(
            try failure(ply + "element vertex 9999999999999\nproperty float x\nend_header\n1\n", as: "a.ply") == .empty)
        #expect(try failure(ply + "element vertex -1\nend_header\n", as: "a.ply") == .corrupt)
        #expect(try failure(ply + "property float x\n", as: "a.ply") == .corrupt)
        #expect(try failure(ply + String(repeating: "comment\n", count: 20_000), as: "a.ply") == .corrupt)
        // What was being read when the file ended is no point, and no corner.
        let points = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
        let cut = Array(("ply\nformat binary_little_endian 1.0\n" + points + "end_header\n").utf8)
        let whole = [UInt8](repeating: 0, count: 12) + [UInt8](repeating: 0x40, count: 12)
        for rest in [0, 3, 4, 11] {
            let bytes = cut + whole + [UInt8](repeating: 0x44, count: rest)
            #expect(
                try bytes.withUnsafeBytes { bytes throws(PluginError) in try PLYFile.mesh(bytes) }.points.count == 2)
        }
        let list = "element face 5\nproperty list uint int vertex_indices\nend_header\n"
        #expect(
            try failure(
                Array(("ply\nformat binary_little_endian 1.0\n" + list).utf8) + [255, 255, 255, 255], as: "a.ply")
                == .empty)
    }

    /// A scene of glTF with these members.
    private func scene(_ members: String) -> String { #"{"asset": {"version": "2.0"}, \#(members)}"# }

    @Test("Scenes that refer to themselves, to nothing, to other files or beyond their bytes come to an end")
    func scenes() throws {
        #expect(try failure(#"{"asset": {"version": "1.0"}}"#, as: "a.gltf") == .corrupt)
        #expect(
            try failure(scene(#""scenes": [{"nodes": [0]}], "nodes": [{"children": [0]}]"#), as: "a.gltf")
                == .limitExceeded)
        let twice = (0..<20).map { #"{"children": [\#($0 + 1), \#($0 + 1)]}"# }.joined(separator: ",")
        #expect(
            try failure(scene(#""scenes": [{"nodes": [0]}], "nodes": [\#(twice), {}]"#), as: "a.gltf") == .limitExceeded
        )
        #expect(try failure(scene(#""scenes": [{"nodes": [7, -1, 0.5]}]"#), as: "a.gltf") == .empty)
        #expect(try failure(scene(#""buffers": [{"uri": "part.bin", "byteLength": 9}]"#), as: "a.gltf") == .unsupported)
        let unknown = #""extensionsRequired": ["EXT_of_tomorrow"]"#
        #expect(try failure(scene(unknown), as: "a.gltf") == .unsupported)
        let good = String(decoding: try Fixtures.bytes("model/part.gltf"), as: UTF8.self)
        for (from, to) in [
            (#""count": 8"#, #""count": 9000000000"#), (#""byteOffset": 96"#, #""byteOffset": 9600"#),
            (#""byteOffset": 96"#, #""byteOffset": -96"#), (#""componentType": 5126"#, #""componentType": 1"#),
            (#""buffer": 0"#, #""buffer": 7"#), (#""bufferView": 0"#, #""bufferView": 7"#),
        ] {
            #expect(good.contains(from))
            #expect(try failure(good.replacing(from, with: to), as: "a.gltf") == .corrupt, "\(to)")
        }
        let packed = try Fixtures.bytes("model/part.glb")
        #expect(try failure(Array(packed.dropLast(40)), as: "a.glb") == .corrupt)
        #expect(try failure(Array(packed.prefix(16)), as: "a.glb") == .corrupt)
    }

    @Test("Where a surface looks is known by numbers of any size")
    func normals() throws {
        func packed(_ normal: SIMD3<Float>) throws -> SIMD4<Int8> {
            var mesh = Mesh()
            try mesh.add(.zero, Mesh.Traits(normal: normal))
            return mesh.normals[0]
        }
        for size: Float in [.leastNonzeroMagnitude, 4e-23, 1e-19, 1, 1e30, .greatestFiniteMagnitude] {
            #expect(try packed([size, 0, 0]) == [127, 0, 0, 0], "\(size)")
            #expect(try packed([0, -size, size]) == [0, -90, 90, 0], "\(size)")
        }
        for size: Float in [0, .nan, .infinity] { #expect(try packed([0, size, 0]) == .zero) }
        let text = "v 0 0 0\nv 1 0 0\nv 0 0 1\nvn 4e-23 0 0\nf 1//1 2//1 3//1\n"
        #expect(try ModelRendererTests.draw(Array(text.utf8), as: "a.obj").bitmap.width == 128)
    }

    @Test("What is packed with Draco and damaged says so, whichever byte is wrong")
    func packedPoints() throws {
        let good = try Fixtures.bytes("model/draco.glb")
        let start = try #require(good.firstRange(of: Array("DRACO".utf8))?.lowerBound)
        for length in [0, 3, 11, 40] {
            let bad = good[..<(start + length)] + [UInt8](repeating: 0, count: good.count - start - length)
            #expect(try failure(Array(bad), as: "a.glb") == .corrupt, "\(length)")
        }
        for at in stride(from: start + 5, to: good.count, by: 3) {
            var bad = good
            bad[at] ^= 0xFF
            do { _ = try ModelRendererTests.draw(bad, as: "a.glb", box: 16) } catch let error as PluginError {
                #expect([.corrupt, .empty, .limitExceeded].contains(error.code), "\(at): \(error)")
            }
        }
        // In two places, as it is in one.
        var twice = good
        for (from, to) in [
            (#""generator": "Vitrine""#, #""generator": "Vitri""#), (#""nodes": [0]"#, #""nodes": [0,0]"#),
        ] {
            twice.replaceSubrange(try #require(twice.firstRange(of: Array(from.utf8))), with: Array(to.utf8))
        }
        func points(_ bytes: [UInt8]) throws -> [SIMD3<Float>] {
            try bytes.withUnsafeBytes { bytes throws(PluginError) in
                try GLTFFile.mesh(bytes, TexturePool(maximumPixels: 1_000_000, side: 64))
            }.points
        }
        #expect(try points(twice) == points(good) + points(good))
        // Points only.
        var cloud = good
        cloud[start + 7] = 0
        #expect(try failure(cloud, as: "a.glb") == .unsupported)
        let text = String(decoding: good[20..<(start - 8)], as: UTF8.self)
        for (from, to) in [
            (#""POSITION": 0, "NORMAL": 1}}"#, #""POSITION": 9, "NORMAL": 1}}"#),
            (#"{"bufferView": 0, "attr"#, #"{"bufferView": 7, "attr"#),
        ] {
            #expect(text.contains(from))
            var bad = good
            let place = try #require(bad.firstRange(of: Array(from.utf8)))
            bad.replaceSubrange(place, with: Array(to.utf8))
            #expect(throws: Never.self) {
                do { _ = try ModelRendererTests.draw(bad, as: "a.glb", box: 16) } catch let error as PluginError {
                    #expect([.corrupt, .empty].contains(error.code))
                }
            }
        }
    }

    private func mesh(_ scene: String) throws -> Mesh {
        try Array(scene.utf8).withUnsafeBytes { bytes throws(PluginError) in
            try GLTFFile.mesh(bytes, TexturePool(maximumPixels: 1_000_000, side: 64))
        }
    }

    @Test(
        "Points that many primitives name are taken once, primitives are counted, and what may be missing is left out")
    func primitives() throws {
        let good = String(decoding: try Fixtures.bytes("model/part.gltf"), as: UTF8.self)
        let primitive = #"{"attributes": {"POSITION": 0}, "indices": 2}"#
        #expect(good.contains(primitive))
        func repeated(_ count: Int) -> String {
            good.replacing(primitive, with: repeatElement(primitive, count: count).joined(separator: ","))
        }
        let shared = try mesh(repeated(1000))
        #expect(shared.points.count == 16 && shared.triangles == 12_012)
        // Of the points those that are named, where they are few.
        let few = try mesh(repeated(1000).replacing(#""count": 36"#, with: #""count": 3"#))
        #expect(few.points.count == 3003 && few.triangles == 1001)
        let empty = repeatElement("{}", count: 100_001).joined(separator: ",")
        #expect(try failure(good.replacing(primitive, with: empty), as: "a.gltf") == .limitExceeded)
        // Numbers that lie where an extension says.
        for (from, to) in [
            (#"{"bufferView": 0, "byteOffset": 0,"#, "{"), (#"{"bufferView": 0, "byteOffset": 96,"#, "{"),
        ] {
            #expect(try mesh(good.replacing(from, with: to)).triangles == 12)
        }
        #expect(try failure(good.replacing(#"{"bufferView": 1,"#, with: "{"), as: "a.gltf") == .empty)
        // The bones of a tail, and more than anybody's.
        for (count, isDrawn) in [(200, true), (400, false)] {
            let bones = (3..<3 + count).map { #"{"children": [\#($0 + 1)]}"# }.joined(separator: ",")
            let chain = good.replacing(#""children": [1, 2]}"#, with: #""children": [3]}"#)
                .replacing(#"{"mesh": 0}"#, with: "{}").replacing(
                    #""scale": [10, 20, 10]}"#, with: #""scale": [10, 20, 10]}, \#(bones), {"mesh": 0}"#)
            if isDrawn {
                #expect(try mesh(chain).triangles == 12)
            } else {
                #expect(try failure(chain, as: "a.gltf") == .limitExceeded)
            }
        }
        let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
        #expect(try failure(scene(#""extras": \#(deep)"#), as: "a.gltf") == .limitExceeded)
    }

    @Test("Indices of points that are not there are counted like others")
    func indices() throws {
        let count = 3 * Mesh.mostTriangles + 4
        let points = #"{"bufferView": 0, "componentType": 5121, "count": 1, "type": "VEC3"}"#
        let indices = #"{"bufferView": 0, "componentType": 5121, "count": \#(count), "type": "SCALAR"}"#
        let members =
            #""meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "#
            + #""accessors": [\#(points), \#(indices)], "bufferViews": [{"byteLength": \#(count)}], "buffers": [{}]"#
        var text = Array(scene(members).utf8)
        while text.count % 4 > 0 { text.append(0x20) }
        var bytes = Array("glTF".utf8) + little(2, 4) + little(28 + text.count + count, 4)
        bytes += little(text.count, 4) + Array("JSON".utf8) + text
        bytes += little(count, 4) + Array("BIN\0".utf8) + [UInt8](repeating: 255, count: count)
        #expect(try failure(bytes, as: "a.glb") == .limitExceeded)
    }

    private func package(_ model: String) -> [UInt8] {
        zipFile([("3D/3dmodel.model", Array("<model>\(model)</model>".utf8))])
    }

    @Test("Packages that refer to themselves or to what is missing, and bombs, come to an end")
    func packages() throws {
        let itself = #"<object id="1"><components><component objectid="1"/></components></object>"#
        #expect(try failure(package(itself), as: "a.3mf") == .limitExceeded)
        let missing = #"<object id="1"><components><component objectid="1" path="/b.model"/></components></object>"#
        #expect(try failure(package(missing), as: "a.3mf") == .corrupt)
        #expect(try failure(package(#"<build><item objectid="9"/></build>"#), as: "a.3mf") == .empty)
        #expect(try failure(package(#"<object id="1">"#), as: "a.3mf") == .corrupt)
        let entity = "<!DOCTYPE a [<!ENTITY b \"bbbb\">]><model>&b;</model>"
        #expect(try failure(zipFile([("3D/3dmodel.model", Array(entity.utf8))]), as: "a.3mf") == .corrupt)
        let corners = #"<vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/>"#
        // Texts and attributes that nobody reads may be long.
        let words = String(repeating: "word ", count: 40_000)
        let triangle = #"<triangle v1="0" v2="1" v3="2"/>"#
        let long =
            #"<metadata name="a" b="\#(words)">\#(words)</metadata><object id="1">\#(corners)\#(triangle)</object>"#
        #expect(try ModelRendererTests.draw(package(long), as: "a.3mf").bitmap.width == 128)
        // Points alone are no object.
        #expect(try failure(package(#"<object id="1">\#(corners)</object>"#), as: "a.3mf") == .empty)
        #expect(
            try failure(package(#"<object id="1">\#(corners)<triangle v1="0" v2="1" v3="3"/></object>"#), as: "a.3mf")
                == .empty)
        // Each of seven objects thirty times as many as the one before, of many triangles.
        let faces = String(repeating: #"<triangle v1="0" v2="1" v3="2"/>"#, count: 100)
        var bomb = #"<object id="0">\#(corners)\#(faces)</object>"#
        for level in 1...7 {
            let components = String(repeating: #"<component objectid="\#(level - 1)"/>"#, count: 30)
            bomb += #"<object id="\#(level)"><components>\#(components)</components></object>"#
        }
        #expect(try failure(package(bomb + #"<build><item objectid="7"/></build>"#), as: "a.3mf") == .limitExceeded)
    }

    @Test("Triangles that cover one another again and again end in a sentence, not at the deadline")
    func overdraw() throws {
        var mesh = Mesh()
        mesh.kind = .apart
        for step in 0..<100 {
            let z = Float(step)
            for point: SIMD3<Float> in [[0, 0, z], [100_000, 0, z], [0, 100_000, z]] { try mesh.add(point) }
        }
        let view = try #require(Viewpoint(of: mesh, side: 64))
        let error = #expect(throws: PluginError.self) { _ = try ModelPainter(view, side: 64, work: 50_000).paint(mesh) }
        #expect(error?.code == .limitExceeded)
    }
}
