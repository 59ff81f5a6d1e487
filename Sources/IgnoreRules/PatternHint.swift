/// What can be told of a pattern at a glance: most patterns do not match most names, and nearly all of those that do
/// not differ in the first or last byte. Free of references, so that going through many costs little.
struct PatternHint: Hashable, Sendable {
    /// The pattern is matched against the last name only, not against the path from its folder on.
    let isName: Bool
    let isForFolders: Bool
    /// The byte that the name or path must begin with, and the one that it must end with.
    let first: UInt8?
    let last: UInt8?

    /// Whether a look at the pattern itself is worth it.
    /// - Parameters:
    ///   - path: not empty.
    ///   - start: where the part begins that lies below the pattern's folder.
    ///   - nameStart: where its last name begins.
    ///   - isFolder: whether it is a folder.
    func mayMatch(_ path: [UInt8], from start: Int, nameAt nameStart: Int, isFolder: Bool) -> Bool {
        if isForFolders, !isFolder { return false }
        if let last, path[path.count - 1] != last { return false }
        if let first, path[isName ? nameStart : start] != first { return false }
        return true
    }
}
