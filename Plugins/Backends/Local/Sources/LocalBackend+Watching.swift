import CFolderScan
public import VitrineKit

extension LocalBackend: WatchableBackend {
    /// Watches folders with inotify(7). A network file system, or one in user space, is refused with `unsupported`: the
    /// kernel does not hear of what others change there.
    ///
    /// A file that is being written is told when it is made and when it is closed, and not in between.
    public func watch() async throws(PluginError) -> any FolderWatch {
        let root = self.root
        return try await Blocking.run { () throws(PluginError) in try InotifyWatch(root) }
    }
}

/// File systems on which changes happen that this machine's kernel does not see.
enum ForeignFileSystem {
    /// Magic numbers of statfs(2), from linux/magic.h and the sources of those that have none there.
    private static let names: [UInt32: String] = [
        0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB", 0x6573_5546: "FUSE",
        0x0102_1997: "9P", 0x00C3_6400: "Ceph", 0x5346_414F: "AFS", 0x6B41_4653: "AFS", 0x7375_7245: "Coda",
        0x564C: "NCP", 0x0BD0_0BD0: "Lustre", 0x7461_636F: "OCFS2", 0x0116_1970: "GFS2",
    ]

    /// What people call the file system that a descriptor lies on; `nil` when it is an ordinary one.
    static func name(at descriptor: CInt) -> String? {
        names[cfolderscan_file_system(descriptor)]
    }
}
