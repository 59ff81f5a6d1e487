import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ModelDrawing
@testable import ModelRenderer

/// Textures, colours and what is seen through.
@Suite struct PaintedModelTests {
    private static let quadrants: [(u: Double, v: Double, colour: [Int])] = [
        (0.12, 0.12, [214, 48, 49]), (0.88, 0.12, [46, 164, 79]), (0.12, 0.88, [45, 92, 206]),
        (0.88, 0.88, [241, 205, 55]),
    ]

    /// The scene of a square with the motif on it, with parts of its text replaced.
    private static func square(_ changes: [String: String] = [:]) throws -> [UInt8] {
        var text = String(decoding: try Fixtures.bytes("model/textured.gltf"), as: UTF8.self)
        for (from, to) in changes {
            #expect(text.contains(from), "\(from)")
            text = text.replacing(from, with: to)
        }
        return Array(text.utf8)
    }

    /// What is seen at a place of an upright square that alone fills a picture: from 35° beside it and 27° above.
    private static func at(_ u: Double, _ v: Double, in picture: RGBAPicture) -> [Int] {
        let (across, slope, height) = (0.8192, 0.2604, 0.8910)
        let middle = Double(picture.width) / 2, scale = 2 * middle * 0.92 / (slope + height)
        let x = middle - across * scale / 2 + across * scale * u
        let y = middle + (slope + height) * scale / 2 - (slope * (1 - u) + height * (1 - v)) * scale
        let pixel = picture.pixel(x: Int(x), y: Int(y))
        return [pixel.red, pixel.green, pixel.blue, pixel.alpha].map { Int($0) }
    }

    private static func isAlike(_ a: some Collection<Int>, _ b: some Collection<Int>) -> Bool {
        zip(a, b).allSatisfy { abs($0 - $1) < 14 }
    }

    private func quadrants(_ bytes: [UInt8], as name: String) throws -> [[Int]] {
        let picture = RGBAPicture(try ModelRendererTests.draw(bytes, as: name, box: 32).bitmap)
        return Self.quadrants.map { Self.at($0.u, $0.v, in: picture) }
    }

    /// Which quadrant of the motif is seen in each of a square.
    private func arrangement(_ bytes: [UInt8], as name: String) throws -> [Int?] {
        try quadrants(bytes, as: name).map { seen in
            Self.quadrants.firstIndex { Self.isAlike($0.colour, seen.prefix(3)) }
        }
    }

    // MARK: Textures

    @Test("A texture lies on its triangles as it was laid, from within the JSON and from behind it")
    func texture() throws {
        for name in ["textured.gltf", "textured.glb"] {
            #expect(try arrangement(try Fixtures.bytes("model/\(name)"), as: name) == [0, 1, 2, 3])
        }
    }

    @Test(
        "Textures are moved, turned and made smaller, and go on beyond their edges",
        arguments: [
            (#""offset": [0.5, 0]"#, "", [1, 0, 3, 2]), (#""offset": [0, 0.5]"#, "", [2, 3, 0, 1]),
            (#""rotation": 3.1415927"#, "", [3, 2, 1, 0]), (#""rotation": 1.5707963"#, "", [2, 0, 3, 1]),
            (#""scale": [-1, 1]"#, "", [1, 0, 3, 2]),
            (#""scale": [0.4, 0.4], "offset": [0.55, 0.05]"#, "", [1, 1, 1, 1]),
            (#""offset": [1, 0]"#, #""wrapS": 33648"#, [1, 0, 3, 2]),
            (#""offset": [-0.5, 0]"#, #""wrapS": 33071"#, [0, 0, 2, 2]),
            (#""scale": [1, 1]"#, #""magFilter": 9728"#, [0, 1, 2, 3]),
            (#""offset": [1e30, 0]"#, #""magFilter": 9728"#, [0, 0, 0, 0]),
        ])
    func transform(_ transform: String, _ sampler: String, _ expected: [Int]) throws {
        let bytes = try Self.square([
            #""baseColorTexture": {"index": 0}"#:
                #""baseColorTexture": {"index": 0, "extensions": {"KHR_texture_transform": {\#(transform)}}}"#,
            #""textures": [{"source": 0}]"#: #""textures": [{"source": 0, "sampler": 0}], "samplers": [{\#(sampler)}]"#,
        ])
        #expect(try arrangement(bytes, as: "a.gltf") == expected)
    }

    @Test("Alpha counts where the material says so")
    func alpha() throws {
        let opaque = #""materials": [{"#
        let yellow = 3
        let cut = try quadrants(try Self.square([opaque: opaque + #""alphaMode": "MASK", "#]), as: "a.gltf")
        #expect(cut[0].last == 255 && cut[yellow].last == 0)
        let factor = [#""baseColorTexture""#: #""baseColorFactor": [1, 1, 1, 0.5], "baseColorTexture""#]
        let veiled = try Self.square(factor.merging([opaque: opaque + #""alphaMode": "BLEND", "#]) { $1 })
        let veil = try quadrants(veiled, as: "a.gltf")
        #expect(abs((veil[0].last ?? 0) - 128) < 4 && veil[yellow].last == 0)
        #expect(Self.isAlike(veil[0].prefix(3), Self.quadrants[0].colour))
        let less = try Self.square(
            factor.merging([opaque: opaque + #""alphaMode": "MASK", "alphaCutoff": 0.6, "#]) { $1 })
        #expect(throws: PluginError.self) { try quadrants(less, as: "a.gltf") }
        // Otherwise it does not.
        #expect(try quadrants(try Self.square(factor), as: "a.gltf").allSatisfy { $0.last == 255 })
    }

    @Test("Gaussian splats are dots in their colours, with y down, and those that nobody sees are left out")
    func splats() throws {
        #expect(try arrangement(try Fixtures.bytes("model/splats.ply"), as: "splats.ply") == [0, 1, 2, 3])
    }

    @Test("What is seen through shows what is behind it, whatever stands first in the file")
    func veils() throws {
        for order in ["0, 1", "1, 0"] {
            let bytes = try Self.square([
                #""scenes": [{"nodes": [0]}]"#: #""scenes": [{"nodes": [\#(order)]}]"#,
                #""nodes": [{"mesh": 0}]"#: #""nodes": [{"mesh": 0}, {"mesh": 1, "translation": [0, 0, 0.001]}]"#,
                #""material": 0}]}]"#:
                    #""material": 0}]}, {"primitives": [{"attributes": {"POSITION": 0}, "indices": 2, "material": 1}]}]"#,
                #""KHR_materials_unlit": {}}}]"#:
                    #""KHR_materials_unlit": {}}}, {"pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 0.5]}, "#
                    + #""alphaMode": "BLEND", "extensions": {"KHR_materials_unlit": {}}}]"#,
            ])
            let seen = try quadrants(bytes, as: "a.gltf")
            #expect(Self.isAlike(seen[0], [107, 24, 25, 255]), "\(seen[0])")
        }
    }

    @Test("Pictures that cannot be decoded leave the model as it is without them")
    func badPictures() throws {
        let good = String(decoding: try Fixtures.bytes("model/textured.gltf"), as: UTF8.self)
        let start = try #require(good.firstRange(of: "data:image/png;base64,")?.upperBound)
        let end = try #require(good[start...].firstIndex(of: "\""))
        for picture in ["", "AAAA", String(good[start..<end].prefix(80)), "q0tUWCAyMLsNChoK", "/9j/4AAQ"] {
            var bad = good
            bad.replaceSubrange(start..<end, with: picture)
            #expect(try quadrants(Array(bad.utf8), as: "a.gltf").allSatisfy { $0 == [200, 208, 220, 255] })
        }
        for (from, to) in [(#"{"index": 0}"#, #"{"index": 9}"#), (#""source": 0"#, #""source": -1"#)] {
            #expect(try quadrants(try Self.square([from: to]), as: "a.gltf")[0] == [200, 208, 220, 255])
        }
        // A picture that says it has a million pixels a side.
        let bomb = Array(try Fixtures.bytes("image/rgb-8.png"))
        var large = bomb
        large.replaceSubrange(16..<24, with: [0, 15, 0, 0, 0, 15, 0, 0])
        let pool = TexturePool(maximumPixels: 1_000_000, side: 64)
        #expect(pool.texture(large, ignoresAlpha: true) == nil && pool.texture(bomb, ignoresAlpha: true) != nil)
    }

    @Test("Pictures lie on a model as they are stored, however the camera was held")
    func cameras() throws {
        let pool = TexturePool(maximumPixels: 1_000_000, side: 256)
        let stored = try Fixtures.bytes("image/exif-6.jpg")
        let texture = try #require(pool.texture(stored, ignoresAlpha: true))
        // Green is what comes to lie at the right.
        let colour = texture.level(1).colour(SIMD2(0.1, 0.1), Material.Laying())
        #expect(colour.y > colour.z + 50)
    }

    @Test("A worker decodes so many pixels of textures and no more")
    func allowance() throws {
        let picture = try Fixtures.bytes("image/rgb-8.png")
        let pool = TexturePool(maximumPixels: 1_000_000, side: 64, decodable: 1000)
        #expect(pool.texture(picture, ignoresAlpha: true) != nil)
        #expect(pool.isSpent && pool.texture(picture, ignoresAlpha: true) == nil)
        // One that is scaled while it is decoded counts as a whole, and so do bytes that hold nothing.
        let photograph = try Fixtures.bytes("image/exif-1.jpg")
        for (bytes, most) in [(photograph, 160 * 120), (picture + [UInt8](repeating: 0, count: 90_000), 90_000)] {
            let pool = TexturePool(maximumPixels: 1_000_000, side: 16, decodable: most)
            #expect(pool.texture(bytes, ignoresAlpha: true) != nil && pool.isSpent)
        }
    }

    // MARK: Sides

    @Test("Of a surface with one side nothing is seen from behind, but where nothing else is there")
    func sides() throws {
        func mesh(_ first: Material, isMirrored: Bool) throws -> Mesh {
            var mesh = Mesh()
            var behind = Material()
            behind.colour = SIMD4(0, 0, 1, 1)
            behind.isUnlit = true
            for (material, y) in [(first, Float(0)), (behind, 0.01)] {
                mesh.begin(material: mesh.add(material), isMirrored: isMirrored && y == 0)
                let start = mesh.points.count
                for point: SIMD3<Float> in [[0, y, 0], [1, y, 0], [1, y, 1], [0, y, 1]] {
                    try mesh.add(point, Mesh.Traits(colour: SIMD4(repeating: 255)))
                }
                try mesh.add(corners: start, start + 1, start + 2)
                try mesh.add(corners: start, start + 2, start + 3)
            }
            return mesh
        }
        func middle(_ mesh: Mesh) throws -> [Int] {
            let view = try #require(Viewpoint(of: mesh, side: 64))
            let pixel = RGBAPicture(try ModelPainter(view, side: 64).paint(mesh)).pixel(x: 32, y: 32)
            return [pixel.red, pixel.green, pixel.blue].map { Int($0) }
        }
        var red = Material()
        red.colour = SIMD4(1, 0, 0, 1)
        (red.isUnlit, red.isDoubleSided) = (true, false)
        #expect(try middle(try mesh(red, isMirrored: false)) == [255, 0, 0])
        #expect(try middle(try mesh(red, isMirrored: true)) == [0, 0, 255])
        red.isDoubleSided = true
        #expect(try middle(try mesh(red, isMirrored: true)) == [255, 0, 0])
        // From behind, and nothing else.
        let back = try Self.square([#""nodes": [{"mesh": 0}]"#: #""nodes": [{"mesh": 0, "rotation": [0, 1, 0, 0]}]"#])
        #expect(RGBAPicture(try ModelRendererTests.draw(back, as: "a.gltf").bitmap).pixels.contains { $0 > 0 })
    }

    @Test("Normals of points make edges between triangles smooth")
    func normals() throws {
        func shades(_ normals: [SIMD3<Float>]) throws -> Set<UInt8> {
            var mesh = Mesh()
            let points: [SIMD3<Float>] = [[0, 0, 0], [1, 0, 0], [0, 0, 1]]
            for (point, normal) in zip(points, normals) { try mesh.add(point, Mesh.Traits(normal: normal)) }
            try mesh.add(corners: 0, 1, 2)
            let view = try #require(Viewpoint(of: mesh, side: 64))
            let picture = RGBAPicture(try ModelPainter(view, side: 64).paint(mesh))
            return Set(
                stride(from: 0, to: picture.pixels.count, by: 4).compactMap {
                    picture.pixels[$0 + 3] == 255 ? picture.pixels[$0] : nil
                })
        }
        let flat = try shades([[0, -1, 0], [0, -3, 0], [0, -1, 0]])
        #expect(flat.count == 1)
        #expect(try shades([[0, 0, 0], [0, .nan, 0], [0, .infinity, 0]]) == flat)
        // Turned inside out, they say the same.
        #expect(try shades([[0, 1, 0], [0, 1, 0], [0, 1, 0]]) == flat)
        #expect(try shades([[-1, -1, 0], [1, -1, 0], [0, -1, 1]]).count > 10)
    }

    @Test("Corners of an OBJ file that look elsewhere get points of their own, and others keep theirs")
    func corners() throws {
        let text = """
            v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nvn 0 1 1\nf 1//1 2//1 3//1\nf 1//2 2//1 3//1\nf 1//2 2//-2 3//9\nv 1 1 0
            f 4//1 -3//1 -2/7/2\nf 1 2 5//1\n
            """
        let mesh = try Array(text.utf8).withUnsafeBytes { bytes throws(PluginError) in try OBJFile.mesh(bytes) }
        // The first and the third point twice.
        #expect(mesh.triangles == 4 && mesh.points.count == 6)
        let last = mesh.corners(of: 3)
        #expect(mesh.points[last.0] - mesh.points[last.1] == [0, 0, 1])
    }
}
