internal import ArchiveReading
internal import ModelDrawing
internal import VitrineKit

/// A scene of VRML that is packed by gzip under the name of one that is not, as its programs read them (ISO/IEC 14772-1, annex B).
enum PackedScene {
    /// Bytes of a scene when unpacked.
    private static let mostBytes = 256 << 20

    /// - Throws: `corrupt`, `limitExceeded`; what reading throws.
    static func mesh(_ input: any RandomAccessInput) throws(PluginError) -> Mesh {
        let content = try GzipFile.contents(of: input, named: "the scene", limit: mostBytes)
        return try content.withUnsafeBufferPointer { bytes throws(PluginError) in
            try VRMLScene.mesh(UnsafeRawBufferPointer(bytes))
        }
    }
}
