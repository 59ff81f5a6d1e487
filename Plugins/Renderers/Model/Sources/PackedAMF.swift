internal import ArchiveReading
internal import ModelDrawing
internal import VitrineKit

/// A model of the Additive Manufacturing Format that is packed: a zip file with the model in it (ISO/ASTM 52915, section 6.2), as
/// CAD programs write it by default.
enum PackedAMF {
    /// Bytes of the model when unpacked: of text of which the library makes several times as much.
    static let mostBytes = 256 << 20

    /// Whether it is packed.
    static func isPacked(_ input: any RandomAccessInput) throws(PluginError) -> Bool {
        try Archive.beginsAsZip(input.head(4))
    }

    /// - Throws: `unsupported` when there is no model in it; `corrupt`, `locked`, `limitExceeded`; what reading throws.
    static func mesh(
        _ input: any RandomAccessInput, _ pool: TexturePool, mostBytes: Int = mostBytes
    ) throws(PluginError) -> Mesh {
        var limits = ArchiveLimits()
        limits.member = mostBytes
        let archive = try Archive(input, limits: limits)
        guard let member = archive.members.first(where: { $0.isFile && isModel($0.name) }) else {
            throw archive.lacks(PluginError(.unsupported, "there is no model in the packed AMF file"))
        }
        let content = try archive.contents(of: member)
        guard !content.isEmpty else { throw PluginError(.empty, "the packed model is empty: it has no bytes") }
        return try content.withUnsafeBufferPointer { bytes throws(PluginError) in
            try AssimpFile.mesh(UnsafeRawBufferPointer(bytes), .amf, pool)
        }
    }

    /// Whether a path is that of a model, and not of what macOS puts beside each file that it packs.
    private static func isModel(_ path: [UInt8]) -> Bool {
        let ending = Array(".amf".utf8), name = path.split(separator: UInt8(ascii: "/")).last ?? []
        return path.suffix(ending.count).map { $0 | 0x20 } == ending.map { $0 | 0x20 }
            && !path.starts(with: "__MACOSX/".utf8) && !name.starts(with: "._".utf8)
    }
}
