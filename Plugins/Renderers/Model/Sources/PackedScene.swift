internal import ArchiveReading
internal import ModelDrawing
internal import VitrineKit

/// A scene of VRML that is packed by gzip under the name of one that is not, as its programs read them (ISO/IEC 14772-1, annex B).
enum PackedScene {
    /// Bytes of a scene when unpacked.
    private static let mostBytes = 256 << 20

    /// Whether it is packed.
    static func isPacked(_ input: any RandomAccessInput) throws(PluginError) -> Bool {
        try input.head(2) == [0x1F, 0x8B]
    }

    /// - Throws: `corrupt`, `limitExceeded`; what reading throws.
    static func mesh(_ input: any RandomAccessInput) throws(PluginError) -> Mesh {
        var limits = ArchiveLimits()
        limits.member = mostBytes
        let archive = try Archive(input, limits: limits)
        guard let member = archive.members.first else {
            throw PluginError(.corrupt, "the scene is packed, and cannot be unpacked")
        }
        let content = try archive.contents(of: member)
        return try content.withUnsafeBufferPointer { bytes throws(PluginError) in
            try VRMLScene.mesh(UnsafeRawBufferPointer(bytes))
        }
    }
}
