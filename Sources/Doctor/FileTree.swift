import Glibc

/// Walks a folder and all below it, following no link.
enum FileTree {
    /// What a walk met.
    struct Walk {
        /// Files, folders and all else.
        var count = 0
        /// Whether there was more than the limit.
        var isCut = false
        /// Folders that could not be listed.
        var unreadable = 0
    }

    private static let depth = 64

    /// - Parameters:
    ///   - folder: where to begin.
    ///   - limit: how many entries are visited at most.
    ///   - each: called with the name and status of each entry.
    @discardableResult
    static func walk(_ folder: String, limit: Int, _ each: (_ name: String, _ status: stat) -> Void) -> Walk {
        var walk = Walk()
        visit(folder, level: 0, limit, &walk, each)
        return walk
    }

    private static func visit(
        _ folder: String, level: Int, _ limit: Int, _ walk: inout Walk, _ each: (String, stat) -> Void
    ) {
        guard level < depth, let stream = opendir(folder) else {
            walk.unreadable += 1
            return
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name != [46], name != [46, 46] else { continue }
            guard walk.count < limit else {
                walk.isCut = true
                return
            }
            walk.count += 1
            var status = stat()
            let text = name.map { CChar(bitPattern: $0) } + [0]
            guard fstatat(dirfd(stream), text, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            // What is no text cannot be walked by its path; its own line counts all the same.
            each(String(decoding: name, as: UTF8.self), status)
            if status.st_mode & S_IFMT == S_IFDIR, let name = String(validating: name, as: UTF8.self) {
                visit("\(folder)/\(name)", level: level + 1, limit, &walk, each)
            }
        }
    }
}
