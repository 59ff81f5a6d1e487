import Glibc

/// How much inotify(7) lets this user watch. `nil` where the system does not say.
struct WatchLimits {
    /// Watches, of which each folder needs one.
    var folders: Int?
    /// Instances, of which each source needs one.
    var sources: Int?

    static var ofSystem: WatchLimits {
        // In a user namespace both its own limit and that of the system count.
        WatchLimits(
            folders: least(["/proc/sys/fs/inotify/max_user_watches", "/proc/sys/user/max_inotify_watches"]),
            sources: least(["/proc/sys/fs/inotify/max_user_instances", "/proc/sys/user/max_inotify_instances"]))
    }

    private static func least(_ files: [String]) -> Int? { files.compactMap(number).min() }

    private static func number(_ file: String) -> Int? {
        guard let stream = fopen(file, "re") else { return nil }
        defer { fclose(stream) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, CInt(line.count), stream) != nil else { return nil }
        return Int(String(decoding: line.prefix { 48...57 ~= $0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
}
