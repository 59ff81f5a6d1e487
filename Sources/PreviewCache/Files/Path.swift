import Glibc

/// Small operations on absolute paths.
enum Path {
    /// The folder that holds a path.
    static func parent(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// The path with links resolved as far as it exists; what does not exist yet stays as it is.
    static func resolved(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        let parent = parent(path)
        guard parent != path else { return path }
        let name = path.dropFirst(parent == "/" ? 0 : parent.count)
        let base = resolved(parent)
        return base == "/" ? String(name) : base + name
    }
}
