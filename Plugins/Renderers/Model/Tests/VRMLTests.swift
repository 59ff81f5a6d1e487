import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ModelDrawing
@testable import ModelRenderer

@Suite struct VRMLTests {
    private func mesh(_ text: String, version: String = "#VRML V2.0 utf8") throws -> Mesh {
        try Array("\(version)\n\(text)".utf8).withUnsafeBytes { bytes throws(PluginError) in try VRMLScene.mesh(bytes) }
    }

    private func failure(_ text: String) -> PluginError.Code? { RendererFixtures.failure { try mesh(text) } }

    /// The box around all points, as scenes see it: y up.
    private func box(_ mesh: Mesh) -> (low: SIMD3<Float>, high: SIMD3<Float>) {
        let points = mesh.points.map { SIMD3($0.x, $0.z, -$0.y) }
        func rounded(_ point: SIMD3<Float>) -> SIMD3<Float> { (point * 1000).rounded(.toNearestOrEven) / 1000 }
        let low = points.reduce(SIMD3(repeating: .infinity)) {
            SIMD3(min($0.x, $1.x), min($0.y, $1.y), min($0.z, $1.z))
        }
        let high = points.reduce(-SIMD3(repeating: .infinity)) {
            SIMD3(max($0.x, $1.x), max($0.y, $1.y), max($0.z, $1.z))
        }
        return (rounded(low), rounded(high))
    }

    private static let square = "coord Coordinate { point [0 0 0, 1 0 0, 1 1 0, 0 1 0] } coordIndex [0 1 2 3 -1]"

    @Test(
        "Simple bodies have their sizes",
        arguments: [
            ("Box { size 2 4 6 }", SIMD3<Float>(1, 2, 3)), ("Box {}", SIMD3(1, 1, 1)),
            ("Sphere { radius 2 }", SIMD3(2, 2, 2)),
            ("Cylinder { radius 2 height 3 }", SIMD3(2, 1.5, 2)),
            ("Cone { bottomRadius 2 height 3 }", SIMD3(2, 1.5, 2)),
        ])
    func bodies(text: String, half: SIMD3<Float>) throws {
        let found = box(try mesh("Shape { geometry \(text) }"))
        #expect(found.low == -half && found.high == half, "\(found)")
    }

    @Test("What is in a node is stretched, turned and moved, around a center of its own")
    func transforms() throws {
        func found(_ fields: String) throws -> (low: SIMD3<Float>, high: SIMD3<Float>) {
            box(try mesh("Transform { \(fields) children Shape { geometry Box { size 2 4 6 } } }"))
        }
        #expect(try found("translation 1 2 3").low == [0, 0, 0])
        #expect(try found("scale 2 1 1").high == [2, 2, 3])
        #expect(try found("rotation 0 0 1 1.5707963").high == [2, 1, 3])
        #expect(try found("center 1 0 0 rotation 0 0 1 3.1415927").high == [3, 2, 3])
        // Stretched along what is the y axis before it is turned back.
        #expect(try found("scaleOrientation 0 0 1 1.5707963 scale 2 1 1").high == [1, 4, 3])
        // First stretched, then turned, then moved.
        #expect(try found("translation 10 0 0 rotation 0 0 1 1.5707963 scale 2 1 1").high == [12, 2, 3])
        // What is no number changes nothing.
        #expect(try found("rotation 0 0 0 1 scale nan 1 1 translation 1 2").high == [1, 2, 3])
    }

    @Test("Materials, and colours of points and of faces, are those of the scene")
    func colours() throws {
        let red = try mesh(
            "Shape { appearance Appearance { material Material { diffuseColor 1 0 0 transparency 0.25 } } "
                + "geometry IndexedFaceSet { \(Self.square) } }")
        let material = red.materials[red.stretches[0].material]
        #expect(material.colour == SIMD4(1, 0, 0, 0.75) && red.triangles == 2)
        let shared = "DEF A Material { diffuseColor 0 0 1 }"
        let twice = try mesh(
            "Shape { appearance Appearance { material \(shared) } geometry Box {} } Shape { geometry Sphere {} } "
                + "Shape { appearance Appearance { material USE A } geometry Cone {} }")
        #expect(twice.materials.count == 2 && twice.stretches.map(\.material) == [1, 0, 1])
        let points = try mesh(
            "Shape { geometry IndexedFaceSet { \(Self.square) color Color { color [1 0 0 0 1 0 0 0 1 1 1 1] } } }")
        #expect(points.colours == [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]])
        let faces = try mesh(
            "Shape { geometry IndexedFaceSet { \(Self.square.dropLast()) 0 1 3 -1] colorPerVertex FALSE colorIndex [1 0] "
                + "color Color { color [1 0 0 0 1 0] } } }")
        #expect(faces.triangles == 3 && faces.colours[Int(faces.corners[0])] == [0, 255, 0, 255])
        #expect(faces.colours[Int(faces.corners[6])] == [255, 0, 0, 255])
        // Each corner has a normal of its own where the file says so.
        let normals = try mesh(
            "Shape { geometry IndexedFaceSet { \(Self.square) normal Normal { vector [0 0 1, 0 1 0] } normalIndex [0 1 0 0] } }"
        )
        #expect(normals.normals == [[0, -127, 0, 0], [0, 0, 127, 0], [0, -127, 0, 0], [0, -127, 0, 0]])
    }

    @Test("Version 1, and X3D's classic way, are read as well")
    func otherVersions() throws {
        let old = try mesh(
            """
            Separator { Material { diffuseColor [1 0 0, 0 1 0] } MaterialBinding { value PER_FACE_INDEXED }
              Separator { Translation { translation 9 0 0 } Cube { width 2 } }
              Coordinate3 { point [0 0 0, 1 0 0, 1 1 0, 0 1 0] }
              IndexedFaceSet { coordIndex [0,1,2,-1, 0,2,3,-1] materialIndex [1, 0] } }
            """, version: "#VRML V1.0 ascii")
        #expect(old.triangles == 14 && box(old).high == [10, 1, 1] && box(old).low == [0, -1, -1])
        #expect(old.colours[Int(old.corners[36])] == [0, 255, 0, 255])
        let switched = "Switch { whichChild %d Cube {} Sphere {} }"
        #expect(try mesh(switched.replacing("%d", with: "0"), version: "#VRML V1.0 ascii").triangles == 12)
        #expect(try mesh(switched.replacing("%d", with: "-1"), version: "#VRML V1.0 ascii").triangles == 0)
        let classic = "PROFILE Interchange\nMETA \"a\" \"{ b\"\nGroup { children [ Shape { geometry Box {} } ] }"
        #expect(try mesh(classic, version: "#X3D V3.2 utf8").triangles == 12)
        let indices =
            "Shape { geometry IndexedTriangleSet { index [0 1 2 0 2 3] coord Coordinate { point [0 0 0 1 0 0 1 1 0 0 1 0] } } }"
        #expect(try mesh(indices, version: "#X3D V3.2 utf8").triangles == 2)
    }

    @Test("Landscapes, the first level of detail, choices and prototypes")
    func otherNodes() throws {
        let grid = "ElevationGrid { xDimension 3 zDimension 2 xSpacing 2 height [0 1 0 0 2 0] }"
        let land = try mesh("Shape { geometry \(grid) }")
        #expect(land.triangles == 4 && box(land).high == [4, 2, 1])
        #expect(try mesh("Shape { geometry \(grid.replacing("zDimension 2", with: "zDimension 9")) }").triangles == 0)
        let two = "Shape { geometry Box {} }, Shape { geometry Sphere {} }"
        #expect(try mesh("LOD { range [9] level [ \(two) ] }").triangles == 12)
        #expect(try mesh("Switch { whichChoice 0 choice [ \(two) ] }").triangles == 12)
        #expect(try mesh("Switch { choice [ \(two) ] }").triangles == 0)
        // What a prototype is made of is not shown before it is used, and passed over then.
        let prototype =
            "PROTO A [ field SFString s \"}\" ] { Shape { geometry Box {} } } A { s \"]\" } ROUTE a.b TO c.d "
        #expect(try mesh(prototype + "Shape { geometry Box {} }").triangles == 12)
        #expect(
            try mesh("Script { url \"a { \\\" b\" field SFBool x TRUE } Shape { geometry Box {} } # }").triangles == 12)
    }

    @Test("What is cut off, of another kind, too deep or stands in itself is refused, and odd numbers are left out")
    func bad() throws {
        let whole = "Group { children [ Shape { geometry IndexedFaceSet { \(Self.square) } } ] }"
        for count in stride(from: 7, to: whole.utf8.count - 1, by: 5) {
            #expect(failure(String(whole.prefix(count))) == .corrupt, "\(count)")
        }
        #expect(throws: PluginError.self) { try mesh(whole, version: "#VRML V3.0") }
        #expect(failure(String(repeating: "Group { children ", count: 100)) == .limitExceeded)
        #expect(failure("DEF A Group { children [ USE A ] }") == nil)
        // Twice as many each time.
        let doubled = (0..<40).map { "DEF N\($0 + 1) Group { children [ USE N\($0), USE N\($0) ] }" }.joined()
        #expect(failure("DEF N0 Group { } " + doubled) == .limitExceeded)
        let indices = "coordIndex [0 1 99999999999 -1 -5 0 1 2 3 1e30 nan -1 0 1 2]"
        let odd = Self.square.replacing("coordIndex [0 1 2 3 -1]", with: indices)
        #expect(try mesh("Shape { geometry IndexedFaceSet { \(odd) } }").triangles > 0)
        for text in [
            "", "Shape { }", "Shape { geometry IndexedFaceSet { } }", "] } {", "USE A", "DEF",
            "Shape { geometry NULL }",
        ] {
            #expect(try mesh(text).triangles == 0, "\(text)")
        }
    }
}
