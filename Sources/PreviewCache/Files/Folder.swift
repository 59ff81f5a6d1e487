import Glibc
import VitrineKit

/// Folders of the cache.
enum Folder {
    /// Makes a folder and those above it, readable by the user only. One that is there already is left as it is.
    static func make(_ path: String) throws(PluginError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let parent = Path.parent(path)
        guard errno == ENOENT, parent != path else {
            throw PluginError(cacheErrno: errno, "cannot make the folder '\(DisplayText.of(path))' of the cache")
        }
        // Another process may be faster, and housekeeping may delete the parent again while it is still empty.
        for _ in 0..<attempts {
            try make(parent)
            if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
            guard errno == ENOENT else { break }
        }
        throw PluginError(cacheErrno: errno, "cannot make the folder '\(DisplayText.of(path))' of the cache")
    }

    /// Why nothing can be made in a folder, as far as rights tell: its own, or those of the nearest one above that is there.
    /// A few looks; nothing is made.
    static func refusal(of path: String) -> PluginError? {
        var place = path
        while true {
            var status = stat()
            var reason: CInt = 0
            if stat(place, &status) == 0 {
                if status.st_mode & S_IFMT != S_IFDIR {
                    reason = ENOTDIR
                } else {
                    if access(place, W_OK | X_OK) == 0 { return nil }
                    reason = errno
                }
            } else {
                reason = errno
                if reason == ENOENT, place != "/" {
                    place = Path.parent(place)
                    continue
                }
            }
            let name = DisplayText.of(place)
            return PluginError(
                cacheErrno: reason,
                place == path
                    ? "nothing can be written to the cache's folder '\(name)'"
                    : "the cache's folder '\(DisplayText.of(path))' cannot be made: nothing can be written to '\(name)'"
            )
        }
    }

    /// How often something is tried that an empty folder's deletion may thwart.
    static let attempts = 16

    /// Calls `body` with each name in a folder; one that cannot be read has none.
    static func forEachName(in path: String, _ body: (String) -> Void) {
        guard let stream = opendir(path) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { body(String(cString: $0)) }
            }
        }
    }
}
