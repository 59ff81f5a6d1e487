import Glibc

/// Decides whether what lies on disk may bring code into this process or its workers.
enum FolderTrust {
    /// What can be trusted.
    enum Role {
        /// A folder in which plugins are looked for. Others may write in it when it is sticky, as /tmp is: they can
        /// add to it, but not exchange what belongs to the user.
        case searchFolder
        /// A plugin's folder, its manifest or its library: not everybody may write. Members of the group may: who has a group of
        /// his own often makes files that it may change.
        case plugin
    }

    /// What speaks against a file or folder.
    /// - Parameters:
    ///   - status: what it is.
    ///   - path: where it lies.
    ///   - namespace: that of this process, when root has no id in it.
    /// - Returns: a clause such as `everybody may write to it`, or `nil` when it may be used.
    static func objection(
        to status: stat, at path: String, as role: Role, in namespace: NamespaceWithoutRoot? = .current
    ) -> String? {
        let others = status.st_mode & S_IWOTH != 0
        if others, role == .plugin || status.st_mode & S_ISVTX == 0 {
            return "everybody may write to it; take that away with chmod o-w"
        }
        let owner = status.st_uid
        guard role == .plugin, owner != 0, owner != geteuid() else { return nil }
        guard let namespace, owner == namespace.owner else {
            return "it belongs to user \(owner), who is neither you nor root; take it over with chown"
        }
        if namespace.isRoots(path) { return nil }
        return
            "whether it is root's or a stranger's cannot be told in this sandbox; install it below /usr, or take it over with chown"
    }
}
