import CCurl
import Glibc

extension RcloneDaemon {
    /// What the names of folders for sockets begin with.
    static let folderPrefix = "vitrine-rcd-"
    /// One that is younger may not be locked yet, in seconds.
    private static let grace = 60

    /// Removes the folders of daemons whose host was killed while they started: those of this user whose output nobody holds any
    /// more.
    static func sweep(_ base: String) {
        guard let stream = opendir(base) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let length = MemoryLayout.size(ofValue: entry.pointee.d_name)
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: length) { String(cString: $0) }
            }
            if name.hasPrefix(folderPrefix) { removeIfLeft("\(base)/\(name)") }
        }
    }

    private static func removeIfLeft(_ folder: String) {
        let log = open(folder + "/log", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard log >= 0 else { return }
        defer { close(log) }
        var status = stat()
        guard fstat(log, &status) == 0, status.st_uid == geteuid(), time(nil) - status.st_mtim.tv_sec > grace,
            flock(log, LOCK_EX | LOCK_NB) == 0
        else { return }
        removeFolder(folder)
    }

    /// Removes the folder of a daemon, whether it runs or not.
    static func removeFolder(_ folder: String) {
        // One that is told to end while it starts may make its socket meanwhile.
        for _ in 0..<2 {
            for name in ["/socket", "/log"] { unlink(folder + name) }
            if rmdir(folder) == 0 || errno != ENOTEMPTY { return }
        }
    }
}
