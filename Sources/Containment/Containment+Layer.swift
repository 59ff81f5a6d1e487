extension Containment {
    /// One layer of the containment, in the order in which they are put up.
    public enum Layer: String, Codable, CaseIterable, Hashable, Sendable {
        /// No descriptor but standard input, output, error and the socket to the host is open.
        case descriptors
        /// The process is an ordinary user without capabilities; root became nobody.
        case identity
        /// Set-user-id programs gain nothing (`no_new_privs`).
        case privileges = "no-new-privileges"
        /// The memory cannot be dumped to a file or read by other processes of the user.
        case dumps = "no-dumps"
        /// Network and IPC namespaces of its own, with nothing in them.
        case namespaces
        /// Landlock: no file but those of the profile can be opened.
        case files = "landlock-files"
        /// Landlock: no TCP connection, no listening. Linux 6.7.
        case tcp = "landlock-tcp"
        /// Landlock: no signals and no abstract sockets to processes outside. Linux 6.12.
        case signals = "landlock-signals"
        /// Limits of address space, file size, open files and processor time.
        case limits
        /// Seccomp: only the system calls of the profile are left.
        case calls = "seccomp"
    }
}
