import Glibc
import VitrineKit

/// How the file stands that an entry shows.
enum OriginalFile {
    /// It is there: its time in whole seconds, and its size.
    case present(modified: Int64, size: Int64)
    /// It was deleted.
    case gone
    /// It is no local file, or it cannot be told whether it was deleted or is out of reach.
    case unknown

    /// Looks at the file of a `file:` URI.
    ///
    /// It counts as deleted only when nothing speaks for a volume that is merely not mounted: the nearest folder above
    /// it that is there is not `/`, is readable, holds something (an unused mount point is empty), is not where
    /// volumes come and go with none mounted, and no link on the way leads nowhere. Files on network file systems
    /// are not looked at.
    static func look(at uri: String, _ volumes: VolumeTable) -> OriginalFile {
        guard uri.hasPrefix("file:///"), let path = PercentEncoding.decode(uri.dropFirst("file://".utf8.count)),
            !path.contains(0), !volumes.isRemote(path)
        else { return .unknown }
        // Each link on the way is looked at before it is followed: behind it may be a mount that never answers.
        guard let place = LinkedPath.resolved(path, while: { !volumes.isRemote($0) }) else { return .unknown }
        var status = stat()
        if stat(cString(place), &status) == 0 {
            return .present(modified: Int64(status.st_mtim.tv_sec), size: Int64(status.st_size))
        }
        guard isMissing(errno), lstat(cString(path), &status) != 0, isMissing(errno) else { return .unknown }
        var folder = path
        while true {
            guard let slash = folder.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return .unknown }
            folder.removeSubrange(slash...)
            if let stream = opendir(cString(folder)) {
                defer { closedir(stream) }
                guard hasEntries(stream), let real = realpath(cString(folder), nil) else { return .unknown }
                defer { free(real) }
                let ancestor = UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) }
                return volumes.isRemote(ancestor) || volumes.isAbsent(path, ancestor: ancestor) ? .unknown : .gone
            }
            guard isMissing(errno), lstat(cString(folder), &status) != 0 || status.st_mode & S_IFMT != S_IFLNK else {
                return .unknown
            }
        }
    }

    private static func isMissing(_ reason: CInt) -> Bool { reason == ENOENT || reason == ENOTDIR }

    private static func hasEntries(_ stream: OpaquePointer) -> Bool {
        for _ in 0..<3 where readdir(stream) == nil { return false }
        return true
    }

    private static func cString(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }
}
