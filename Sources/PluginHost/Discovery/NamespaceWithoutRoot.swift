import Containment
import Glibc
import VitrineKit

/// A user namespace in which root has no id, as in the sandbox in which GNOME runs thumbnailers. Root's files seem to belong to
/// the overflow user there, and so do those of everybody else who has none.
///
/// So that user is taken for root only where nobody but root, or who installed this program, can have put a file: in the
/// system's own folder and in those of this installation, and never below a folder that others may write to.
struct NamespaceWithoutRoot {
    /// Whom root's files seem to belong to.
    let owner: uid_t
    /// The folder of the program, absolute, links resolved; `nil` when it is not known.
    var programFolder = PluginSearchPath.executableFolder

    /// That of this process; `nil` where root has an id, or somebody else has that of the overflow user.
    static let current: NamespaceWithoutRoot? = {
        guard let owner = UserNamespace.ownerOfRootsFiles, owner != 0, UserNamespace.current?.knows(owner) == false
        else { return nil }
        return NamespaceWithoutRoot(owner: owner)
    }()

    /// Whether a file or folder of the overflow user is taken for root's.
    /// - Parameter path: of it; what counts is where it really lies.
    func isRoots(_ path: String) -> Bool {
        guard let path = Self.resolved(path) else { return false }
        return places.contains { place in
            guard Self.isBelow(path, place.folder) else { return false }
            // Up from there to where the program or the system begins, nobody else can have added anything.
            var folder = Self.parent(path)
            while Self.isBelow(folder, place.top) {
                var status = stat()
                guard stat(folder, &status) == 0, status.st_mode & S_IWOTH == 0 else { return false }
                if folder == "/" { break }
                folder = Self.parent(folder)
            }
            return true
        }
    }

    /// Folders whose files are root's, and the folder above each from which on that depends on who may write.
    private var places: [(folder: String, top: String)] {
        var places = [(folder: "/usr", top: "/usr")]
        guard let programFolder else { return places }
        let prefix = Self.parent(programFolder)
        for (folder, top) in [
            ("\(programFolder)/plugins-\(VITRINE_PLUGIN_ABI)", programFolder), ("\(prefix)/lib/vitrine", prefix),
        ] where Self.resolved(folder) == folder {
            places.append((folder, top))
        }
        return places
    }

    private static func isBelow(_ path: String, _ folder: String) -> Bool {
        path == folder || path.hasPrefix(folder == "/" ? folder : folder + "/")
    }

    private static func parent(_ path: String) -> String {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(validatingCString: real)
    }
}
