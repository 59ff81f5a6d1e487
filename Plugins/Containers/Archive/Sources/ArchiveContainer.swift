internal import ArchiveReading
public import VitrineKit

/// Lists and unpacks archives, with libarchive: zip, tar and its packed forms, 7z, rar, iso, cpio, cab, deb, rpm.
///
/// Members of zip files and of tar files that are not packed are read from their own places; of all others the archive is
/// gone through. Archives inside of it are files like any other, and nothing is ever unpacked to a disk.
public final class ArchiveContainer: ContainerReader {
    /// What a hostile archive may cost in one pass. The memory for members is the worker's business, and so is its time.
    private static let limits: ArchiveLimits = {
        var limits = ArchiveLimits()
        limits.unpacked = 64 << 30
        limits.ratio = 500
        limits.member = 8 << 30
        // One more than is allowed, so that a name that is too long is seen to be.
        limits.name = ContainerMember.pathLimit + 1
        return limits
    }()

    /// Loads what libarchive loads late.
    public init(_ environment: RendererEnvironment) throws(PluginError) { try ArchiveLibrary.warmUp() }

    /// Lists an archive. One that is cut off has the members before the cut.
    public func list(
        _ input: any RandomAccessInput, _ take: (ContainerMember) throws(PluginError) -> Void
    ) throws(PluginError) -> ContainerOutline {
        let archive = try Archive(input, limits: Self.limits)
        for member in archive.members { try take(ContainerMember(member)) }
        return ContainerOutline(
            isSequential: archive.members.contains { !$0.isDirect }, failure: archive.failure)
    }

    /// Unpacks members.
    public func unpack(
        _ places: [UInt64], of input: any RandomAccessInput, into output: any MemberOutput
    ) throws(PluginError) {
        try ArchiveUnpacking(input, limits: Self.limits).forEach(places) { (place, content) throws(PluginError) in
            try output.take(place, content)
        }
    }
}

extension ContainerMember {
    init(_ member: ArchiveMember) {
        let kind: Entry.Kind =
            member.isLink ? .link : member.isFolder ? .folder : member.isFile ? .file : .special
        self.init(path: member.name, kind: kind, size: member.size, place: member.placeNumber)
        modified = member.modified
        checksum = member.checksum
        isEncrypted = member.isEncrypted
        extent = member.extent
    }
}
