import FileBytes
import Glibc

/// What is mounted, as far as it decides whether a file that cannot be found is gone or merely out of reach.
struct VolumeTable: Sendable {
    private struct Mount {
        var path: [UInt8]
        var isRemote: Bool
        var isDisk: Bool
    }
    /// The longest paths first.
    private var mounts: [Mount]
    /// Mount points of `/etc/fstab` on which nothing is mounted.
    private let vacant: [[UInt8]]

    /// Where desktops and automounters put volumes that come and go.
    private static let removable = ["/media", "/run/media", "/mnt", "/net", "/misc", "/run/user"].map { Array($0.utf8) }

    /// File systems whose answers come over a network or from a program, and may not come at all.
    private static let remoteTypes: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "afs", "9p", "autofs", "coda", "ncpfs", "lustre", "glusterfs",
        "davfs", "virtiofs",
    ]

    /// File systems that the kernel itself reads from a disk of this machine, or from memory: they answer, if only that the
    /// disk is broken.
    private static let diskTypes: Set<String> = [
        "bcachefs", "btrfs", "devtmpfs", "erofs", "exfat", "ext2", "ext3", "ext4", "f2fs", "iso9660", "jfs", "ntfs3",
        "ramfs", "reiserfs", "squashfs", "tmpfs", "udf", "vfat", "xfs", "zfs",
    ]

    /// Reads tables.
    /// - Parameters:
    ///   - mountInfo: the content of `/proc/self/mountinfo`; proc_pid_mountinfo(5).
    ///   - fstab: the content of `/etc/fstab`; fstab(5).
    init(mountInfo: [UInt8], fstab: [UInt8]) {
        mounts = MountLine.all(in: mountInfo).map { line in
            Mount(
                path: Self.unescaped(line.place), isRemote: Self.isRemote(line.type),
                isDisk: Self.diskTypes.contains(line.type))
        }.sorted { $0.path.count > $1.path.count }
        let used = Set(mounts.map(\.path))
        vacant = fstab.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard fields.count > 1, fields[0].first != UInt8(ascii: "#"), fields[1].first == UInt8(ascii: "/") else {
                return nil
            }
            let path = Self.unescaped(fields[1])
            return used.contains(path) ? nil : path
        }
    }

    /// What is mounted now, for this process.
    static var current: VolumeTable {
        VolumeTable(mountInfo: contents("/proc/self/mountinfo"), fstab: contents("/etc/fstab"))
    }

    /// Whether a path lies on a storage that may be slow, silent or absent.
    func isRemote(_ path: [UInt8]) -> Bool { mount(of: path)?.isRemote ?? true }

    /// Whether a path lies on a disk of this machine, and so does all that leads to it. What the root itself lies on does
    /// not matter: when that answers no more, nothing does.
    func isOnDisk(_ path: [UInt8]) -> Bool {
        let way = mounts.filter { $0.path == path || Self.is(path, below: $0.path) }
        return !way.isEmpty && way.allSatisfy { $0.isDisk || $0.path.count == 1 }
    }

    /// Whether a path lies where a volume belongs that is not mounted.
    /// - Parameters:
    ///   - path: the file.
    ///   - ancestor: the nearest folder above it that is there, links resolved.
    func isAbsent(_ path: [UInt8], ancestor: [UInt8]) -> Bool {
        if vacant.contains(where: { Self.is(path, below: $0) || Self.is(ancestor, below: $0) || ancestor == $0 }) {
            return true
        }
        return Self.removable.contains { root in
            guard Self.is(path, below: root) || Self.is(ancestor, below: root) || ancestor == root else { return false }
            guard let mount = mount(of: ancestor) else { return true }
            return !Self.is(mount.path, below: root)
        }
    }

    private func mount(of path: [UInt8]) -> Mount? {
        mounts.first { $0.path == path || Self.is(path, below: $0.path) }
    }

    private static func `is`(_ path: [UInt8], below folder: [UInt8]) -> Bool {
        if folder.count == 1 { return path.count > 1 }
        return path.count > folder.count && path[folder.count] == UInt8(ascii: "/") && path.starts(with: folder)
    }

    private static func isRemote(_ type: String) -> Bool {
        // A program serves these, most of them from afar; of disks, ntfs-3g and exfat are `fuseblk`.
        remoteTypes.contains(type) || type == "fuse" || type.hasPrefix("fuse.")
    }

    /// Takes back the octal escapes of blanks and backslashes.
    private static func unescaped(_ field: some Collection<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        var rest = Array(field)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == UInt8(ascii: "\\"), digits.count == 3,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            else {
                out.append(byte)
                continue
            }
            out.append(value)
            rest = rest.dropFirst(3)
        }
        return out
    }

    private static func contents(_ path: String) -> [UInt8] {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { return [] }
        defer { close(fd) }
        // Thousands of mounts are a few hundred kilobytes.
        return FileBytes.readToEnd(limit: 16 << 20, from: fd).bytes
    }
}
