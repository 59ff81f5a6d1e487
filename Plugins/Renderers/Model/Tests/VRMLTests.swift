import RendererFixtures
import Testing
import VitrineKit

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
        // Of too few colours the last one goes on.
        let few = try mesh(
            "Shape { geometry IndexedFaceSet { \(Self.square.dropLast()) 0 1 3 -1] colorPerVertex FALSE "
                + "color Color { color [1 0 0] } } }")
        #expect(few.triangles == 3 && few.colours.allSatisfy { $0 == [255, 0, 0, 255] })
        let land = try mesh(
            "Shape { geometry ElevationGrid { xDimension 2 zDimension 2 height [0 0 0 0] color Color { color [0 1 0] } } }"
        )
        #expect(
            land.colours == [[UInt8]](repeating: [0, 255, 0, 255], count: 4).map { SIMD4($0[0], $0[1], $0[2], $0[3]) })
        // Ten thousand nodes of one colour are one material.
        let many = (0..<10_001).map { _ in
            "Shape { appearance Appearance { material Material { diffuseColor 1 0 0 } } geometry Box {} }"
        }
        #expect(try mesh(many.joined(separator: "\n")).materials.count == 2)
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
        func colours(_ binding: String, _ colors: String, _ rest: String) throws -> [SIMD4<UInt8>] {
            let text =
                "Material { diffuseColor [\(colors)] } MaterialBinding { value \(binding) } "
                + "Coordinate3 { point [0 0 0, 1 0 0, 1 1 0] } IndexedFaceSet { coordIndex [0 1 2 -1 2 1 0 -1] \(rest) }"
            let found = try mesh(text, version: "#VRML V1.0 ascii")
            return found.colours.isEmpty ? [] : found.corners.map { found.colours[Int($0)] }
        }
        let (red, green) = (SIMD4<UInt8>(255, 0, 0, 255), SIMD4<UInt8>(0, 255, 0, 255))
        #expect(try colours("PER_FACE", "1 0 0, 0 1 0", "") == [red, red, red, green, green, green])
        #expect(
            try colours("PER_VERTEX_INDEXED", "1 0 0, 0 1 0", "materialIndex [1 0 1 -1 0 0 0 -1]") == [
                green, red, green, red, red, red,
            ])
        #expect(try colours("PER_VERTEX", "1 0 0, 0 1 0", "") == [red, green, green, green, green, red])
        // One colour is the material's.
        #expect(try colours("PER_FACE", "1 0 0", "").isEmpty && colours("OVERALL", "1 0 0, 0 1 0", "").isEmpty)
        // What is switched on counts for what is behind it.
        let on = try mesh(
            "Switch { whichChild 0 Material { diffuseColor 1 0 0 } } Cube {}", version: "#VRML V1.0 ascii")
        #expect(on.materials.last?.colour == [1, 0, 0, 1])
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

    @Test("Faces with corners that point inwards are cut where they are filled, and bodies may lack parts")
    func parts() throws {
        // The letter L, from its tip on.
        let letter = "coord Coordinate { point [3 0 0 3 1 0 1 1 0 1 3 0 0 3 0 0 0 0] } coordIndex [0 1 2 3 4 5 -1]"
        func area(_ fields: String) throws -> Float {
            let mesh = try mesh("Shape { geometry IndexedFaceSet { \(letter) \(fields) } }")
            return (0..<mesh.triangles).reduce(0) { sum, triangle in
                let (a, b, c) = mesh.corners(of: triangle), points = mesh.points
                let cross = (points[b] - points[a]).cross(points[c] - points[a])
                return sum + (cross * cross).sum().squareRoot() / 2
            }
        }
        let (cut, fanned) = (try area("convex FALSE"), try area(""))
        #expect(abs(cut - 5) < 1e-5 && fanned > 5.1)
        #expect(EarClipping.triangles((0..<6).map { SIMD3(Float($0), 0, 0) }).count == 4)
        let whole = try mesh("Shape { geometry Cylinder {} }").triangles
        #expect(try mesh("Shape { geometry Cylinder { top FALSE bottom FALSE } }").triangles * 3 == whole)
        #expect(try mesh("Cone { parts SIDES }", version: "#VRML V1.0 ascii").triangles * 3 == whole)
    }

    @Test("Many sets of faces, of the same points or with colours, take no more than their faces")
    func sharing() throws {
        let points = (0..<20_000).map { "\($0) 0 \($0 % 7)" }.joined(separator: ", ")
        let sets = (0..<400).map {
            "Shape { geometry IndexedFaceSet { coord USE C coordIndex [\($0) \($0 + 1) 19999 -1] } }"
        }
        let shared =
            "Shape { geometry IndexedFaceSet { coord DEF C Coordinate { point [\(points)] } coordIndex [0 1 2 -1] } }"
        let mesh = try mesh(shared + sets.joined(separator: "\n"))
        #expect(mesh.triangles == 401 && mesh.points.count == 401 * 3)
    }

    @Test("What is cut off, of another kind or too deep is refused, and odd numbers are left out")
    func bad() throws {
        let whole = "Group { children [ Shape { geometry IndexedFaceSet { \(Self.square) } } ] }"
        for count in stride(from: 7, to: whole.utf8.count - 1, by: 5) {
            #expect(failure(String(whole.prefix(count))) == .corrupt, "\(count)")
        }
        #expect(throws: PluginError.self) { try mesh(whole, version: "#VRML V3.0") }
        #expect(failure(String(repeating: "Group { children ", count: 100)) == .limitExceeded)
        // A node is known by its name behind its end.
        #expect(failure("DEF A Group { children [ USE A ] }") == nil)
        #expect(failure(String(repeating: "DEF A ", count: 200_000) + "Group { }") == nil)
        #expect(failure("DEF A G { }\n" + String(repeating: "DEF A G { x USE A }\n", count: 50_000)) == .limitExceeded)
        // A node without children moves nothing but these.
        let boxes = "Transform { translation 5 0 0 scale 1 3 1 } Shape { geometry Box {} }"
        #expect(box(try mesh(boxes)).high == [1, 1, 1])
        // What C writes for numbers that are none keeps the places of those behind it.
        for none in ["nan", "-1.#IND", "inf", "1.#QNAN"] {
            let text =
                "Shape { geometry IndexedFaceSet { coord Coordinate { point [0 0 \(none), 1 0 0, 1 1 0, 0 1 0] } coordIndex [1 2 3 -1] } }"
            let found = try mesh(text)
            #expect(box(found).high == [1, 1, 0] && found.triangles == 1, "\(none)")
        }
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
