internal import ArchiveReading
internal import VitrineKit

/// A diagram of Dia, which that program packs as one file.
enum PackedDiagram {
    /// Whether an archive is one: XML whose first element is named `dia:diagram`.
    /// - Throws: what the input throws, and what unpacking does.
    static func isIn(_ archive: Archive) throws(PluginError) -> Bool {
        guard !archive.isZip, archive.members.count == 1, let member = archive.members.first, !member.isApart else {
            return false
        }
        let head = try archive.beginning(of: member, count: headLength)
        return head.starts(with: "<".utf8) && head.firstRange(of: Array("<dia:diagram".utf8)) != nil
    }

    static let reason = PluginError(.unsupported, "the file is a packed diagram of Dia, which is not drawn")

    /// Bytes in which the element is looked for, behind the declaration.
    private static let headLength = 256
}
