import Glibc
public import VitrineKit
import VitrineTesting

/// OpenSSH, run by the user of the tests, with keys of its own.
public struct SSHServer: Sendable {
    /// The running server.
    public let process: ServerProcess
    /// Where it listens.
    public var port: UInt16 { process.port }
    /// A folder for what it serves, as a path without a trailing slash.
    public var root: String { process.folder.path + "/root" }
    /// A private key that it lets in.
    public var userKey: String { process.folder.path + "/user" }
    /// A file that names its key.
    public var knownHosts: String { process.folder.path + "/known_hosts" }
    /// Who may log in.
    public let user: String

    /// Whether the packages are installed.
    public static var isInstalled: Bool { program != nil && keygen != nil }
    private static let program = TestFile.program("/usr/sbin/sshd")
    private static let keygen = TestFile.program("/usr/bin/ssh-keygen")

    /// Starts it.
    /// - Parameters:
    ///   - subsystem: what answers for files, instead of OpenSSH's own: a command.
    ///   - keyType: of the user's key, such as `rsa`.
    ///   - options: further lines of its configuration.
    public init(subsystem: String = "internal-sftp", keyType: String = "ed25519", options: String = "")
        throws(PluginError)
    {
        guard let program = Self.program, let keygen = Self.keygen, let account = getpwuid(geteuid()),
            let name = account.pointee.pw_name
        else { throw PluginError(.notFound, "OpenSSH is not installed") }
        user = String(cString: name)
        let folder = try ScratchFolder("ssh")
        let path = folder.path
        let port = try Loopback.freePort()
        try TestFile.makeFolder(path + "/root")
        // Where it insists on a folder for its unprivileged part, before it listens.
        if geteuid() == 0 { try TestFile.makeFolder("/run/sshd") }
        for (file, type) in [("host", "ed25519"), ("user", keyType)] {
            try ServerProcess.run(keygen, ["-q", "-N", "", "-t", type, "-f", "\(path)/\(file)"], in: folder)
        }
        try TestFile.write("\(path)/known_hosts", Self.line(port, TestFile.text("\(path)/host.pub")))
        try TestFile.write(
            "\(path)/sshd_config",
            """
            ListenAddress 127.0.0.1
            Port \(port)
            HostKey \(path)/host
            PidFile none
            AuthorizedKeysFile \(path)/user.pub
            StrictModes no
            PermitRootLogin yes
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            MaxStartups 100
            Subsystem sftp \(subsystem)
            \(options)

            """)
        process = try ServerProcess(
            program, ["-D", "-e", "-f", "\(path)/sshd_config"], port: port, folder: folder)
    }

    /// A line of a file of known hosts.
    /// - Parameter key: as it stands in a file of a public key.
    public static func line(_ port: UInt16, _ key: String) -> String { "[127.0.0.1]:\(port) \(key)" }

    /// The settings that connect to it through another port, such as that of a proxy.
    public func settings(at port: UInt16) throws(PluginError) -> [String: String] {
        let folder = process.folder.path
        let known = "\(folder)/known_hosts-\(port)"
        try TestFile.write(known, Self.line(port, TestFile.text("\(folder)/host.pub")))
        return settings.merging(["known-hosts": known]) { $1 }
    }

    /// The settings that connect to it.
    public var settings: [String: String] { ["key-file": userKey, "known-hosts": knownHosts, "agent": ""] }
}
