import VitrineKit
import VitrineTesting

/// Files of the project's own, for the tests of renderers.
public enum Fixtures {
    /// Reads `fixtures/<path>`.
    public static func bytes(_ path: String) throws -> [UInt8] {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let input = try FileInput(path: "\(root)/fixtures/\(path)")
        return try input.bytes(at: 0, count: Int(input.size))
    }
}
