import ModelDrawing
import VitrineKit

@testable import ModelRenderer

extension FuzzTarget {
    /// Models of the formats that are read here in one go. The first byte says which.
    static let model = FuzzTarget(
        name: "model", maximumLength: 1 << 12, fixtures: ["model/part.ply"], fixturePrefix: [2],
        seeds: {
            [
                "\u{0}COFF\n4 2 0\n0 0 0 255 0 0\n1 0 0 0 255 0\n1 1 0 0 0 255\n0 1 0.5 9 9 9\n3 0 1 2\n4 0 1 2 3 0.5 0.5 1\n",
                "\u{0}# a\nST4nOFF BINARY\n2\n3 1\n", "\u{0}3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
                "\u{1}v 0 0 0\nv 1 0 0 1 0 0\nv 0 1 0\nvt 0 1\nvn 0 0 1\nf 1/1/1 2//1 -1\nf 1 2 3 1\nl 1 2\n",
                "\u{3}solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 1e2\nendloop\nendfacet\n",
                "\u{2}ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                    + "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
            ].map { Array($0.utf8) }
        },
        words: [
            "OFF", "COFF", "nan", "-1", "1e39", "99999999", "9999999999999999999", "#", "\n", "element face ",
            "property list uchar int vertex_indices\n", "format binary_little_endian 1.0", "endfacet", "f -1", "vt ",
        ],
        check: { bytes in
            guard let kind = bytes.first else { return }
            let read = bytes.withUnsafeBytes { all in
                let content = UnsafeRawBufferPointer(rebasing: all[1...])
                return Result { () throws(PluginError) in
                    switch kind % 5 {
                    case 0: try OFFFile.mesh(content)
                    case 1: try OBJFile.mesh(content)
                    case 2: try PLYFile.mesh(content)
                    case 3: try STLFile.mesh(content)
                    default: try LASFile.mesh(content)
                    }
                }
            }
            switch read {
            case .failure(let error): try error.mustBe(.corrupt, .empty, .unsupported, .limitExceeded)
            case .success(let mesh):
                try hold(mesh.corners.count % 3 == 0, "a triangle has fewer corners than three")
                try hold(mesh.corners.allSatisfy { $0 < mesh.points.count }, "a corner is at a point that is not there")
                // A point or a corner has a byte at least; faces of n corners have n - 2 triangles.
                try hold(mesh.points.count <= 4 * bytes.count, "\(mesh.points.count) points of \(bytes.count) bytes")
                try hold(mesh.triangles <= 2 * bytes.count, "\(mesh.triangles) triangles of \(bytes.count) bytes")
            }
        })
}
