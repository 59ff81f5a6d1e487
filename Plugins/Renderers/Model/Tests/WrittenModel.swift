import RendererFixtures

/// A model in the formats that Assimp reads, written here as their specifications say, with nothing more than is needed.
struct WrittenModel {
    /// Corners of triangles, three by three, as z points up.
    var corners: [SIMD3<Float>]

    /// Those of an STL file of numbers.
    init(stl: [UInt8]) {
        func number(_ at: Int) -> Float {
            Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(stl[at + $1]) << (8 * UInt32($1)) })
        }
        corners = stride(from: 84, to: stl.count - 49, by: 50).flatMap { at in
            (0..<3).map { SIMD3(number(at + 12 + 12 * $0), number(at + 16 + 12 * $0), number(at + 20 + 12 * $0)) }
        }
    }

    /// Where y points up.
    private var upright: [SIMD3<Float>] { corners.map { SIMD3($0.x, $0.z, -$0.y) } }

    private static func text(_ points: [SIMD3<Float>], _ separator: String = " ", _ end: String = " ") -> String {
        points.map { "\($0.x)\(separator)\($0.y)\(separator)\($0.z)" }.joined(separator: end)
    }

    private var indices: String { corners.indices.map(String.init).joined(separator: " ") }

    /// Geomview's object file format.
    var off: [UInt8] {
        let faces = stride(from: 0, to: corners.count, by: 3).map { "3 \($0) \($0 + 1) \($0 + 2)\n" }.joined()
        return Array("OFF\n\(corners.count) \(corners.count / 3) 0\n\(Self.text(corners, " ", "\n"))\n\(faces)".utf8)
    }

    /// The additive manufacturing format (ISO/ASTM 52915).
    var amf: [UInt8] {
        let points = corners.map {
            "<vertex><coordinates><x>\($0.x)</x><y>\($0.y)</y><z>\($0.z)</z></coordinates></vertex>"
        }
        let faces = stride(from: 0, to: corners.count, by: 3).map {
            "<triangle><v1>\($0)</v1><v2>\($0 + 1)</v2><v3>\($0 + 2)</v3></triangle>"
        }
        return Array(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <amf unit="millimeter"><object id="0"><mesh><vertices>\(points.joined())</vertices>\
            <volume>\(faces.joined())</volume></mesh></object></amf>
            """.utf8)
    }

    /// Extensible 3D (ISO/IEC 19775-1), in XML.
    var x3d: [UInt8] { Array(x3d(with: "", over: "").utf8) }

    /// The same with more in it.
    /// - Parameters:
    ///   - nodes: before the part.
    ///   - appearance: what lies on the part.
    func x3d(with nodes: String, over appearance: String) -> String {
        let faces = stride(from: 0, to: corners.count, by: 3).map { "\($0) \($0 + 1) \($0 + 2) -1" }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <X3D profile="Interchange" version="3.3"><Scene>\(nodes)<Shape>\(appearance)<IndexedFaceSet solid="false" \
            coordIndex="\(faces.joined(separator: " "))"><Coordinate point="\(Self.text(upright, " ", " "))"/>\
            </IndexedFaceSet></Shape></Scene></X3D>
            """
    }

    /// COLLADA 1.4.1.
    /// - Parameter colour: red, green and blue, from 0 to 1.
    func collada(colour: String? = nil) -> [UInt8] {
        let effect = colour.map {
            """
            <library_effects><effect id="e"><profile_COMMON><technique sid="t"><lambert><diffuse><color>\($0) 1</color>\
            </diffuse></lambert></technique></profile_COMMON></effect></library_effects>
            <library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
            """
        }
        let bound =
            ##"<bind_material><technique_common><instance_material symbol="s" target="#m"/></technique_common></bind_material>"##
        return Array(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
            <asset><up_axis>Z_UP</up_axis></asset>\(effect ?? "")
            <library_geometries><geometry id="g"><mesh>
            <source id="p"><float_array id="a" count="\(3 * corners.count)">\(Self.text(corners))</float_array>
            <technique_common><accessor source="#a" count="\(corners.count)" stride="3"><param name="X" type="float"/>\
            <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
            <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
            <triangles count="\(corners.count / 3)" material="s"><input semantic="VERTEX" source="#v" offset="0"/>\
            <p>\(indices)</p></triangles></mesh></geometry></library_geometries>
            <library_visual_scenes><visual_scene id="w"><node><instance_geometry url="#g">\(effect == nil ? "" : bound)\
            </instance_geometry></node></visual_scene></library_visual_scenes>
            <scene><instance_visual_scene url="#w"/></scene></COLLADA>
            """.utf8)
    }

    /// Autodesk's FBX 7.4, as text.
    var fbx: [UInt8] {
        let points = upright.flatMap { [$0.x, $0.y, $0.z] }.map { "\($0)" }
        // The last corner of each face is written as its complement.
        let faces = corners.indices.map { $0 % 3 == 2 ? "\(~$0)" : "\($0)" }
        return Array(
            """
            ; FBX 7.4.0 project file
            FBXHeaderExtension:  {
                FBXHeaderVersion: 1003
                FBXVersion: 7400
            }
            Objects:  {
                Geometry: 1, "Geometry::part", "Mesh" {
                    Vertices: *\(points.count) {
                        a: \(points.joined(separator: ","))
                    }
                    PolygonVertexIndex: *\(faces.count) {
                        a: \(faces.joined(separator: ","))
                    }
                    GeometryVersion: 124
                }
                Model: 2, "Model::part", "Mesh" {
                    Version: 232
                }
            }
            Connections:  {
                C: "OO",2,0
                C: "OO",1,2
            }

            """.utf8)
    }

    /// 3D Studio's chunks.
    var studio: [UInt8] {
        func chunk(_ id: Int, _ content: [UInt8]) -> [UInt8] { little(id, 2) + little(content.count + 6, 4) + content }
        let numbers = corners.flatMap { [$0.x, $0.y, $0.z] }
        let points = numbers.flatMap { little(Int($0.bitPattern), 4) }
        let faces = corners.indices.flatMap { (corner: Int) -> [UInt8] in
            little(corner, 2) + (corner % 3 == 2 ? [0, 0] : [])
        }
        // Each face in a group of its own, so that no edge is smooth.
        let groups = chunk(0x4150, (0..<corners.count / 3).flatMap { little(1 << $0, 4) })
        let mesh =
            chunk(0x4110, little(corners.count, 2) + points)
            + chunk(0x4120, little(corners.count / 3, 2) + faces + groups)
        let object = chunk(0x4000, Array("part\0".utf8) + chunk(0x4100, mesh))
        return chunk(0x4D4D, chunk(2, little(3, 4)) + chunk(0x3D3D, object))
    }

    /// LightWave's objects of version 2, whose z points away from who looks, and whose faces turn to the right.
    var lightWave: [UInt8] {
        func chunk(_ id: String, _ content: [UInt8]) -> [UInt8] { Array(id.utf8) + big(content.count, 4) + content }
        let numbers = upright.flatMap { [$0.x, $0.y, -$0.z] }
        let points = numbers.flatMap { big(Int($0.bitPattern), 4) }
        let faces = stride(from: 0, to: corners.count, by: 3).flatMap { first in
            big(3, 2) + (0..<3).flatMap { big(first + 2 - $0, 2) }
        }
        let layer = chunk("LAYR", [UInt8](repeating: 0, count: 18))
        return chunk(
            "FORM", Array("LWO2".utf8) + layer + chunk("PNTS", points) + chunk("POLS", Array("FACE".utf8) + faces))
    }
}
