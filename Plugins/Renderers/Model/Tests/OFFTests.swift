import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ModelDrawing
@testable import ModelRenderer

/// Geomview's object file format.
@Suite struct OFFTests {
    private func mesh(_ text: String) throws -> Mesh { try mesh(Array(text.utf8)) }

    private func mesh(_ bytes: [UInt8]) throws -> Mesh {
        try bytes.withUnsafeBytes { bytes in
            try Result { () throws(PluginError) in try OFFFile.mesh(bytes) }.get()
        }
    }

    private func failure(_ bytes: [UInt8]) throws -> PluginError {
        try #require(#expect(throws: PluginError.self) { try ModelRendererTests.draw(bytes, as: "a.off") })
    }

    private static let square = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n"

    @Test("Faces of any number of corners are drawn", arguments: [3, 4, 9, 10, 12, 400])
    func corners(count: Int) throws {
        let points = (0..<count).map { "\($0) \($0 * $0) 0\n" }.joined()
        let face = (0..<count).map { "\($0)" }.joined(separator: " ")
        #expect(try mesh("OFF\n\(count) 1 0\n\(points)\(count) \(face)\n").corners.count == 3 * (count - 2))
    }

    @Test("A face with a corner that points inwards is cut so that it stays inside")
    func inwards() throws {
        let mesh = try mesh("OFF 4 1 4\n0 0 0\n4 0 0\n1 1 0\n0 4 0\n4 1 2 3 0\n")
        // From its first corner on, (4, 0), both triangles would lie beyond the edge between the first and the third.
        #expect(mesh.corners.count == 6)
        let pairs = stride(from: 0, to: 6, by: 3).map { Set(mesh.corners[$0..<$0 + 3]) }
        #expect(pairs.allSatisfy { $0.isSuperset(of: [0, 2]) }, "\(pairs)")
    }

    @Test(
        "The head may be written in many ways",
        arguments: [
            "OFF\n4 1 0\n", "OFF 4 1 0\n", "4 1 0\n", "# a\nOFF # b\n\n# c\n4 # d\n1 0\n", "\u{FEFF}OFF\r\n4 1 4\r\n",
            "OFF\n4\n1\n4\n", "OFF\r\n4 1\r\n# f\r\n4 # g\r\n", "OFF\n4 1 # without edges\n",
        ])
    func heads(head: String) throws {
        let mesh = try mesh(head + Self.square + "# e\n4 0 1 2 3 0.5 0.5 0.5\n")
        #expect(mesh.points.map { $0 - mesh.points[0] } == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
        #expect(mesh.corners.count == 6)
    }

    @Test("Points have what the word in the head says")
    func traits() throws {
        let coloured = try mesh("COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 0 128 0 255\n0 1 0 0 0 255\n3 0 1 2\n")
        #expect(coloured.colours == [[255, 0, 0, 255], [0, 128, 0, 255], [0, 0, 255, 255]])
        let parts = try mesh("COFF\n2 0 0\n0 0 0 1 0 0 0.5\n1 0 0 0 0.5 1\n")
        #expect(parts.colours == [[255, 0, 0, 128], [0, 128, 255, 255]] && parts.kind == .cloud)
        let all = try mesh("STCNOFF\n1 0 0\n0 0 0 0 0 1 10 20 30 0.5 0.5\n")
        #expect(all.colours == [[10, 20, 30, 255]] && all.normals == [[0, 0, 127, 0]])
        let weighed = try mesh("4OFF\n2 0 0\n0 0 0 1\n4 2 2 2\n")
        #expect(weighed.points.map { $0 - weighed.points[0] } == [[0, 0, 0], [2, 1, 1]])
        let flat = try mesh("nOFF\n2\n2 0 0\n0 0\n4 2\n")
        #expect(flat.points.map { $0 - flat.points[0] } == [[0, 0, 0], [4, 2, 0]])
    }

    @Test(
        "Faces that cannot be are left out, and others drawn",
        arguments: [
            "0\n3 0 1 2\n", "-13 0 1 2\n3 0 1 2\n", "3 0 1 9\n3 0 1 2\n", "x y\n3 0 1 2\n", "1 0\n3 0 1 2\n",
            "3 0 1 -1\n3 0 1 2\n", "2 0 1\n3 0 1 2\n",
        ])
    func oddFaces(faces: String) throws {
        #expect(try mesh("OFF\n4 2 0\n" + Self.square + faces).corners == [0, 1, 2])
    }

    @Test(
        "Documents over which Assimp crashes end in a picture",
        arguments: [
            "0 0 1\n3 0 1 2\n? 0 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n? 0 1 3\n3 1 2 3\n3 0 2 3\n",
            "0 0 1\n-13 0 1 2\n3 00 2 3\n 1 2 3\nCOFF3 0 2 3\n0 0\n0 1 0\n0 0 1\n-13 0 1 2\n3 00 2 3\n 1 2 3\n",
        ])
    func crashes(rest: String) throws {
        _ = try ModelRendererTests.draw(Array("OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n\(rest)".utf8), as: "a.off")
    }

    @Test(
        "Counts that the bytes cannot hold are refused before memory is taken for them",
        arguments: [
            "OFF\n60000000 60000000 0\n0 0 0\n", "OFF60000000 1 0\n0 0 0\n", "# a\nSTCN4nOFF 3 # b\n1 60000000 0\n0\n",
            "COFF\n99999999999999999999999 1 0\n0 0 0\n", "60000000 1 0\n0 0 0\n",
            "\u{FEFF}OFF\n60000000 60000000 0\n0 0 0\n", "OFF # a\r60000000 60000000 0\n3 1 0\n0 0 0\n",
        ])
    func claims(text: String) throws {
        let error = try failure(Array(text.utf8))
        #expect(error.code == .corrupt && error.message.contains("claims"), "\(error)")
    }

    @Test("What is no text is told from what is damaged")
    func kinds() throws {
        #expect(try failure(Array("OFF BINARY\n\0\0\0\u{1}".utf8)).code == .unsupported)
        #expect(try failure([0xFF, 0xFE, 0x4F, 0]).code == .unsupported)
        #expect(try failure(Array("nOFF 99\n1 0 0\n0 0 0\n".utf8)).code == .corrupt)
        for text in ["4\n", "a\n", "CNOF 4 1 0\n"] { #expect(try failure(Array(text.utf8)).code == .corrupt) }
    }
}
