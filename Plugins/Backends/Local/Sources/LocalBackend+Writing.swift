import Glibc
public import VitrineKit

extension LocalBackend: WritableBackend {
    /// Files are resumed, keep their times, and are put in place by the kernel in one step.
    public var writing: WritingAbilities {
        var abilities = WritingAbilities()
        abilities.resumes = true
        abilities.keepsTimes = true
        return abilities
    }

    /// Makes a folder with the permissions that are usual for this user.
    public func makeFolder(_ path: ItemPath) async throws(PluginError) {
        let root = root
        try await Blocking.run { () throws(PluginError) in
            guard let parent = path.parent else {
                throw PluginError(.exists, "the folder '\(root.text(path))' is there already")
            }
            let folder = try root.folder(parent)
            guard mkdirat(folder.number, path.name.terminated, 0o777) == 0 else {
                throw PluginError(errno: errno, "cannot make the folder '\(root.text(path))'")
            }
        }
    }

    /// Begins a file: without any name up to 8 MiB, where the file system can; else under a hidden one in its folder, by
    /// which it is found again.
    public func write(_ path: ItemPath, _ draft: FileDraft) async throws(PluginError) -> any WriteTransaction {
        let root = root
        return try await Blocking.run { () throws(PluginError) in try LocalDraft(root, path, draft) }
    }
}
