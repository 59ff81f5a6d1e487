import Foundation
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ModelRenderer

/// What Assimp is kept from, and what is said of what it does not read.
@Suite struct AssimpLimitsTests {
    private static func part() throws -> WrittenModel { WrittenModel(stl: try Fixtures.bytes("model/part.stl")) }

    private static func picture(_ text: String) throws -> RGBAPicture {
        RGBAPicture(try ModelRendererTests.draw(Array(text.utf8), as: "a.x3d").bitmap)
    }

    private func failure(_ bytes: [UInt8], as name: String) throws -> PluginError {
        try #require(#expect(throws: PluginError.self) { try ModelRendererTests.draw(bytes, as: name) })
    }

    @Test(
        "A part of X3D is drawn without the pictures, models and notes that it names",
        arguments: [
            ("", "<Appearance><ImageTexture url='\"a.png\" \"https://example.org/a.png\"'/></Appearance>"),
            ("", "<Appearance><ImageTexture DEF=\"a\" url = \"&quot;a.png&quot;\" repeatS='true'/></Appearance>"),
            ("<Inline url='\"b.x3d\"'/>", ""), ("<Inline\nurl='b.x3d' load='true'></Inline>", ""),
            ("<!-- <Inline url='> --><MetadataString name='a' value='\"x\" \"y\"'/>", ""),
        ])
    func otherFiles(nodes: String, appearance: String) throws {
        let part = try Self.part()
        let plain = try Self.picture(part.x3d(with: "", over: ""))
        #expect(try Self.picture(part.x3d(with: nodes, over: appearance)) == plain)
    }

    @Test("A building is only read in the version of IFC that Assimp knows: it would take others for that, and crash")
    func versions() throws {
        let part = String(decoding: try Fixtures.bytes("model/part.ifc"), as: UTF8.self)
        // A test here, which is not alone in its process, cannot try what a damaged building does.
        for other in ["IFC4", "IFC4X3_ADD2", "IFC2X2_FINAL", "AUTOMOTIVE_DESIGN", ""] {
            let bytes = Array(part.replacingOccurrences(of: "IFC2X3", with: other).utf8)
            #expect(try failure(bytes, as: "part.ifc").code == .unsupported, "\(other)")
        }
        let nameless = Array(part.replacingOccurrences(of: "FILE_SCHEMA", with: "SCHEMA").utf8)
        #expect(try failure(nameless, as: "part.ifc").code == .corrupt)
        let spaced = Array(part.replacingOccurrences(of: "FILE_SCHEMA((", with: "FILE_SCHEMA ( (").utf8)
        #expect(try ModelRendererTests.draw(spaced, as: "part.ifc").facts.details.values.contains(.number(24)))
    }

    @Test("Only names of other files are left out of X3D")
    func keepsTheRest() {
        let text = "<a url='x>'  b=\"url='y'\"/><!-- url='z' --><c value='1'/><MetadataString value='2'/><d url=\"w"
        let blanked = Array(text.utf8).withUnsafeBytes { X3DLinks.blanked($0) }
        let expected =
            "<a           b=\"url='y'\"/><!-- url='z' --><c value='1'/><MetadataString          /><d url=\"w"
        #expect(String(decoding: blanked, as: UTF8.self) == expected)
    }

    @Test("A model reads no other file, and does not include itself, whatever it names")
    func includesNothing() throws {
        let part = try Self.part()
        let file = FileManager.default.temporaryDirectory.appending(path: "vitrine-\(UUID().uuidString).x3d")
        try Data(part.x3d).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for name in [file.path, "model.x3d", "./model.x3d", "$$$___magic___$$$.x3d"] {
            let text = "<?xml version=\"1.0\"?><X3D><Scene><Inline url='\(name)'/></Scene></X3D>"
            #expect(try failure(Array(text.utf8), as: "a.x3d").code == .empty, "\(name)")
            // Were the name left to Assimp.
            let error = #expect(throws: PluginError.self, "\(name)") {
                try Array(text.utf8).withUnsafeBytes {
                    try AssimpFile.mesh(of: $0, .x3d, TexturePool(maximumPixels: 1, side: 1))
                }
            }
            #expect(error?.code == .corrupt && error?.message.contains(name) == true, "\(error as Any)")
        }
    }

    @Test("What is not read is told from what is damaged")
    func unsupported() throws {
        let newer = String(decoding: try Self.part().fbx, as: UTF8.self)
        let older = newer.replacing("FBX 7.4.0", with: "FBX 6.1.0").replacing("7400", with: "6100")
        let error = try failure(Array(older.utf8), as: "a.fbx")
        #expect(error.code == .unsupported && error.message.contains("old format version"), "\(error)")
        #expect(try failure(Array(newer.prefix(200).utf8), as: "a.fbx").code != .unsupported)
    }
}
