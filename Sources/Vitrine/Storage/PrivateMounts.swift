import Containment
import FileBytes
import Glibc
import Synchronization

/// The file systems that a program serves to its own user alone, as sshfs, `rclone mount` and gocryptfs do (FUSE without
/// `allow_other`).
///
/// Their kernel side asks at every call who makes it, whoever opened the file (`fuse_permissible_uidgid` in fs/fuse/dir.c): a
/// worker that runs as another user than the program itself cannot even tell the size of a file that it was given.
final class PrivateMounts: Sendable {
    /// Those that this process sees.
    static let current = PrivateMounts()

    /// Whether workers run as another user than this process. A root that can become nobody else stays what it is.
    private static let haveOtherWorkers = geteuid() == 0 && !UserNamespace.rootIsOrdinary

    private struct Table {
        /// `/proc/self/mountinfo`, which tells by poll(2) that something was mounted or unmounted since; negative before it is
        /// opened.
        var descriptor: CInt = -1
        var volumes: Set<UInt64> = []
    }
    private let table = Mutex(Table())

    private init() {}

    /// Whether workers are refused what lies on a file system. May read a file of the system's memory, never from a disk.
    /// - Parameter volume: its number, as `Entry.volume` has it.
    func areClosedToWorkers(_ volume: UInt64) -> Bool {
        Self.haveOtherWorkers
            && table.withLock { table in
                if table.descriptor < 0 {
                    table.descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
                    guard table.descriptor >= 0 else { return false }
                } else {
                    var poll = pollfd(fd: table.descriptor, events: Int16(POLLPRI), revents: 0)
                    guard Glibc.poll(&poll, 1, 0) > 0 else { return table.volumes.contains(volume) }
                }
                // Thousands of mounts are a few hundred kilobytes.
                let mountInfo = FileBytes.readToEnd(limit: 16 << 20, from: table.descriptor, at: 0).bytes
                table.volumes = Self.volumes(in: mountInfo)
                return table.volumes.contains(volume)
            }
    }

    /// The numbers of those in a table.
    /// - Parameter mountInfo: the content of `/proc/PID/mountinfo`; proc_pid_mountinfo(5).
    static func volumes(in mountInfo: [UInt8]) -> Set<UInt64> {
        Set(MountLine.all(in: mountInfo).filter(\.isClosedToOthers).compactMap(\.device))
    }
}

extension MountLine {
    /// Whether a program serves it to its own user alone.
    fileprivate var isClosedToOthers: Bool {
        guard type == "fuse" || type == "fuseblk" || type.hasPrefix("fuse.") || type.hasPrefix("fuseblk.") else {
            return false
        }
        // Those of virtual machines (virtiofs) have no user of their own, and name none.
        guard let options, options.contains(where: { $0.starts(with: "user_id=".utf8) }) else { return false }
        return !options.contains { $0.elementsEqual("allow_other".utf8) }
    }
}
