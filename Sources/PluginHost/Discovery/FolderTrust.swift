import Containment
import Glibc
import VitrineKit

/// Decides whether what lies on disk may bring code into this process or its workers.
enum FolderTrust {
    /// What can be trusted.
    enum Role {
        /// A folder in which plugins are looked for. Others may write in it when it is sticky, as /tmp is: they can
        /// add to it, but not exchange what belongs to the user.
        case searchFolder
        /// A plugin's folder, its manifest or its library: nobody else may write.
        case plugin
    }

    /// What speaks against a file or folder.
    /// - Returns: a clause such as `everybody may write to it`, or `nil` when it may be used.
    static func objection(to status: stat, as role: Role) -> String? {
        let others = status.st_mode & S_IWOTH != 0
        if others, role == .plugin || status.st_mode & S_ISVTX == 0 {
            return "everybody may write to it; take that away with chmod o-w"
        }
        let owner = status.st_uid
        if role == .plugin, owner != 0, owner != geteuid(), owner != rootElsewhere {
            return "it belongs to user \(owner), who is neither you nor root; take it over with chown"
        }
        return nil
    }

    /// The user whom root's files seem to belong to in a user namespace that root is not in, as in the sandbox in which GNOME
    /// runs thumbnailers; `nil` where root is root.
    ///
    /// It is the overflow user, so that root's files cannot be told there from those of others who are not in the namespace
    /// either. Who makes such a sandbox says what is in it. Where somebody in the namespace has that id, nobody is believed
    /// to be root.
    private static let rootElsewhere: uid_t? = {
        // Always root's, whatever the namespace that /proc was mounted in.
        var status = stat()
        guard stat("/proc/sys/kernel/overflowuid", &status) == 0, status.st_uid != 0,
            UserNamespace.current?.knows(status.st_uid) == false
        else { return nil }
        return status.st_uid
    }()
}
