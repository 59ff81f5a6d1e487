import Glibc

/// A folder of the cache that is held open, so that what is done in it happens in this folder and nowhere else,
/// whatever links are put in its path meanwhile.
final class OpenFolder: Sendable {
    let descriptor: CInt

    /// Opens a store's root. Links on the way to it are followed: they are the user's own choice.
    init?(root path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    /// Opens a folder in another one; a link in its place is not followed.
    init?(_ name: String, in parent: OpenFolder) {
        let descriptor = openat(parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Calls `body` with each name, without `.` and `..`, until it returns false. What is added or deleted meanwhile
    /// may be missed.
    func forEachName(_ body: (String) -> Bool) {
        // A second descriptor, for reading moves a position that the first one would share.
        let second = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard second >= 0 else { return }
        guard let stream = fdopendir(second) else {
            close(second)
            return
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let goesOn = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { text in
                    let name = String(cString: text)
                    return name == "." || name == ".." || body(name)
                }
            }
            if !goesOn { return }
        }
    }

    /// What a name is, links not followed; `nil` when it is gone.
    func status(_ name: String) -> stat? {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// Deletes a file.
    /// - Returns: 0 when it is gone, also when somebody else was faster; else `errno`.
    func remove(_ name: String) -> CInt { unlinkat(descriptor, name, 0) == 0 || errno == ENOENT ? 0 : errno }

    /// Deletes a folder that is empty; leaves any other.
    func removeEmpty(_ name: String) { unlinkat(descriptor, name, AT_REMOVEDIR) }
}
