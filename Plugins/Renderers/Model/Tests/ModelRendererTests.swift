import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ModelRenderer

@Suite struct ModelRendererTests {
    private static let types = [
        "stl": "model/stl", "obj": "model/obj", "ply": "application/x-ply", "glb": "model/gltf-binary",
        "gltf": "model/gltf+json", "3mf": "model/3mf", "off": "model/x-off", "amf": "application/x-amf",
        "x3d": "model/x3d+xml", "dae": "model/vnd.collada+xml", "fbx": "application/vnd.autodesk.fbx",
        "3ds": "image/x-3ds", "lwo": "image/x-lwo", "ifc": "application/x-extension-ifc",
        "las": "application/vnd.las", "wrl": "model/vrml", "x3dv": "model/x3d+vrml",
    ]

    static func type(of name: String) -> String {
        types[name.split(separator: ".").last.map { String($0) } ?? ""] ?? "model/stl"
    }

    static func draw(
        _ bytes: [UInt8], as name: String, box: Int = 128, page: Int = 0, maximumPixels: Int = 64_000_000
    ) throws -> Rendering {
        let renderer = try ModelRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: maximumPixels))
        return try renderer.render(BytesInput(bytes), RenderRequest(box: box, mimeType: type(of: name), page: page))
    }

    private static func picture(_ name: String, box: Int = 128) throws -> RGBAPicture {
        RGBAPicture(try draw(try Fixtures.bytes("model/\(name)"), as: name, box: box).bitmap)
    }

    @Test(
        "It keeps the renderer's contract",
        arguments: [
            "part.stl", "part.obj", "cube.ply", "part.glb", "part.3mf", "textured.glb", "textured.3mf", "draco.glb",
            "hill.las", "part.wrl",
        ])
    func conformance(name: String) throws {
        let sample = RendererSample(
            name, mimeType: Self.type(of: name), bytes: try Fixtures.bytes("model/\(name)"))
        let suite = RendererConformance(samples: [sample], enlarges: true) { environment throws(PluginError) in
            try ModelRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test(
        "One part looks the same in every format, wherever y or z points up and whatever its pieces are moved by",
        arguments: [
            "text.stl", "part.obj", "part.ply", "part.glb", "part.gltf", "part.3mf", "draco.glb", "part.ifc",
            "part.wrl",
        ])
    func sameEverywhere(name: String) throws {
        let (one, other) = (try Self.picture("part.stl"), try Self.picture(name))
        let differing = zip(one.pixels, other.pixels).count { abs(Int($0) - Int($1)) > 8 }
        // Edges may lie a hair beside.
        #expect(differing < one.pixels.count / 500, "\(differing) of \(one.pixels.count)")
        #expect(try Self.draw(try Fixtures.bytes("model/\(name)"), as: name).facts.details.values.contains(.number(24)))
    }

    @Test(
        "A cube shows its top, its front and its right side in their colours, with nothing behind them",
        arguments: ["cube.ply", "cube-swapped.ply"])
    func sides(name: String) throws {
        let picture = try Self.picture(name)
        let (top, front, right) = (
            picture.pixel(x: 64, y: 25), picture.pixel(x: 40, y: 75), picture.pixel(x: 95, y: 75)
        )
        #expect(top.red > 220 && top.green > 220 && top.blue > 220 && top.alpha == 255)
        #expect(front.red > 2 * front.green && front.red > 2 * front.blue && front.red > 120)
        #expect(right.green > 2 * right.red && right.green > right.blue && right.green > 60)
        #expect(picture.pixel(x: 2, y: 2).alpha == 0 && picture.pixel(x: 125, y: 125).alpha == 0)
    }

    @Test("Triangles that lie beside one another leave no gaps between them", arguments: [63, 200])
    func noGaps(box: Int) throws {
        // A square of a fan of thin triangles, in the plane that faces up.
        var text = "solid\n"
        let steps = 97
        for step in 0..<steps {
            let (one, other) = (Double(step) / Double(steps), Double(step + 1) / Double(steps))
            text += "vertex 0 0 0\nvertex 1 \(one) 0\nvertex 1 \(other) 0\n"
            text += "vertex 0 0 0\nvertex \(one) 1 0\nvertex \(other) 1 0\n"
        }
        let picture = RGBAPicture(try Self.draw(Array(text.utf8), as: "a.stl", box: box).bitmap)
        // Along each row what is opaque is so without a hole.
        for y in 0..<picture.height {
            let row = picture.pixels[(y * picture.width * 4)..<((y + 1) * picture.width * 4)]
            let columns = row.indices.filter { $0 % 4 == 3 && row[$0] == 255 }
            guard let first = columns.first, let last = columns.last else { continue }
            #expect(4 * columns.count == last - first + 4, "row \(y)")
        }
    }

    @Test("Points without faces are drawn as dots in their colours")
    func cloud() throws {
        let picture = try Self.picture("cloud.ply")
        let seen = picture.pixels.count { $0 != 0 }
        #expect(seen > picture.pixels.count / 4)
        #expect(try Self.draw(try Fixtures.bytes("model/cloud.ply"), as: "cloud.ply").facts.details.isEmpty)
        let plain = RGBAPicture(try Self.draw(Array("v 0 0 0\nv 1 1 1\nv 1 0 0\n".utf8), as: "a.obj").bitmap)
        #expect(plain.pixels.contains(255))
    }

    @Test("What lies millions of metres from the origin looks as it does beside it", arguments: ["OBJ", "PLY", "STL"])
    func farAway(format: String) throws {
        func model(_ far: Double) -> (bytes: [UInt8], name: String) {
            let corners = [(0.0, 0.0, 0.0), (0.8, 0.1, 0.0), (0.3, 0.7, 0.2), (0.2, 0.3, 0.9)].map { x, y, z in
                "\(far + x) \(far + y) \(z)\n"
            }
            let faces = [[0, 1, 2], [0, 1, 3], [1, 2, 3], [0, 2, 3]]
            let text =
                switch format {
                case "OBJ":
                    corners.map { "v " + $0 }.joined()
                        + faces.map { face in "f" + face.map { " \($0 + 1)" }.joined() + "\n" }.joined()
                case "PLY":
                    "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty double z\n"
                        + "element face 4\nproperty list uchar int vertex_indices\nend_header\n" + corners.joined()
                        + faces.map { face in "3" + face.map { " \($0)" }.joined() + "\n" }.joined()
                default:
                    "solid\n" + faces.joined().map { "vertex " + corners[$0] }.joined()
                }
            return (Array(text.utf8), "a.\(format.lowercased())")
        }
        let (near, far) = (model(0), model(5_481_234))
        let (one, other) = (
            RGBAPicture(try Self.draw(near.bytes, as: near.name).bitmap),
            RGBAPicture(try Self.draw(far.bytes, as: far.name).bitmap)
        )
        let differing = zip(one.pixels, other.pixels).count { abs(Int($0) - Int($1)) > 8 }
        #expect(differing < one.pixels.count / 500, "\(differing) of \(one.pixels.count)")
    }

    @Test("What is larger than the limits allow is drawn smaller")
    func limits() throws {
        let bytes = try Fixtures.bytes("model/part.stl")
        let picture = try Self.draw(bytes, as: "a.stl", box: 4096, maximumPixels: 1000 * 1000).bitmap
        #expect(picture.width == 1000 && picture.height == 1000)
        #expect(throws: PluginError.self) { try Self.draw(bytes, as: "a.stl", page: 1) }
    }
}
