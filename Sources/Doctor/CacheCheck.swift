import Glibc
import PreviewCache
import VitrineKit

/// Whether previews can be kept, and for how long they will be.
struct CacheCheck {
    /// How far the clock of the cache's file system is ahead of this machine's, in seconds; `nil` when nothing could
    /// be written.
    let clockAhead: Int?
    /// Entries of the shared store whose time lies in the future.
    private(set) var entriesInFuture = 0
    private(set) var findings: [Finding] = []

    init(folders: CacheFolders) {
        var ahead: Int?
        var findings: [Finding] = []
        for (name, path) in [("thumbnails", folders.thumbnails), ("previews", folders.previews)] {
            let (finding, seconds) = Self.place(name, path)
            findings.append(finding)
            ahead = ahead ?? seconds
        }
        clockAhead = ahead
        self.findings = findings
        var bytes: Int64 = 0
        var inFuture = 0
        let limit = time(nil) + 3600
        let walk = FileTree.walk(folders.thumbnails, limit: 1_000_000) { _, status in
            guard status.st_mode & S_IFMT == S_IFREG else { return }
            bytes += Int64(status.st_size)
            if status.st_mtim.tv_sec > limit { inFuture += 1 }
        }
        entriesInFuture = inFuture
        // GSettings keeps a file in the cache too, and complains on standard error where it cannot.
        guard !findings.contains(where: { $0.state == .problem }), let purge = PurgePolicy.ofGNOME else { return }
        self.findings.append(purge.finding(bytes: bytes, isCut: walk.isCut))
    }

    /// Looks at one of the folders, by writing into it.
    private static func place(_ name: String, _ path: String) -> (Finding, clockAhead: Int?) {
        let shown = DisplayText.of(path)
        func finding(_ state: Finding.State, _ text: String, _ advice: String? = nil) -> Finding {
            Finding(.cache, name, state, "\(shown): \(text)", advice: advice)
        }
        let elsewhere = "make it yours and writable, or move the cache with XDG_CACHE_HOME"
        guard let existing = nearest(path) else { return (finding(.problem, "there is no such place", elsewhere), nil) }
        let space = FreeSpace(at: existing)
        if existing != path {
            guard access(existing, W_OK | X_OK) == 0 else {
                let reason = PluginError(errno: errno, "it cannot be made in '\(DisplayText.of(existing))'").message
                return (finding(.problem, reason, elsewhere), nil)
            }
            return (finding(.ok, "made when it is needed, \(space?.description ?? "of unknown size")"), nil)
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return (finding(.problem, "it is not a folder", elsewhere), nil)
        }
        guard let ahead = probe(path) else {
            let reason = PluginError(errno: errno, "it cannot be written to").message
            return (finding(.problem, reason, elsewhere), nil)
        }
        if let space, space.bytes < 64 << 20 {
            return (finding(.problem, "only \(space)", "free some space: new previews will not fit"), ahead)
        }
        if status.st_uid != geteuid() {
            return (
                finding(.warning, "it belongs to user \(status.st_uid)", "programs of that user can exchange previews"),
                ahead
            )
        }
        if status.st_mode & 0o077 != 0 {
            return (
                finding(.warning, "others can look into it", "chmod 700 '\(shown)', as the thumbnail standard wants"),
                ahead
            )
        }
        if let space, space.bytes < 1 << 30 { return (finding(.warning, "only \(space)", "free some space"), ahead) }
        return (finding(.ok, "writable, \(space?.description ?? "of unknown size")"), ahead)
    }

    /// Makes a file and removes it.
    /// - Returns: by how many seconds its time is ahead of the clock; `nil`, with `errno`, when it could not be made.
    private static func probe(_ folder: String) -> Int? {
        // Named as unfinished previews are, which the next run sweeps away should this process end here.
        let path = "\(folder)/vitrine-\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 16)).tmp"
        let fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard fd >= 0 else { return nil }
        defer { close(fd) }
        var status = stat()
        let written = write(fd, "x", 1) == 1 && fstat(fd, &status) == 0
        let reason = errno
        unlink(path)
        errno = reason
        return written ? status.st_mtim.tv_sec - time(nil) : nil
    }

    /// The folder itself, or the nearest one above it that is there.
    private static func nearest(_ path: String) -> String? {
        var path = path
        while access(path, F_OK) != 0 {
            guard let slash = path.lastIndex(of: "/"), path.count > 1 else { return nil }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
        return path.isEmpty ? nil : path
    }
}
