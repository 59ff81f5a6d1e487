import Glibc
public import VitrineKit
import VitrineTesting

/// vsftpd, run by the user of the tests, over a folder that anybody may read.
public struct VSFTPServer: Sendable {
    /// The running server.
    public let process: ServerProcess
    /// What it serves, as a path without a trailing slash.
    public var root: String { process.folder.path + "/root" }
    /// Where it listens.
    public var port: UInt16 { process.port }

    /// Whether the package is installed, and the user may run it: it insists on being root.
    public static var isInstalled: Bool { program != nil && geteuid() == 0 }
    private static let program = TestFile.program("/usr/sbin/vsftpd")

    /// Starts it.
    /// - Parameter options: further lines of its configuration.
    public init(options: String = "") throws(PluginError) {
        guard let program = Self.program else { throw PluginError(.notFound, "vsftpd is not installed") }
        let folder = try ScratchFolder("ftp")
        let port = try Loopback.freePort()
        try TestFile.makeFolder(folder.path + "/root")
        try TestFile.makeFolder(folder.path + "/empty")
        // Whoever is anonymous has to get there.
        guard chmod(folder.path, 0o755) == 0 else { throw PluginError(errno: errno, "cannot open the folder") }
        try TestFile.write(
            folder.path + "/vsftpd.conf",
            """
            listen=YES
            listen_address=127.0.0.1
            listen_port=\(port)
            background=NO
            anonymous_enable=YES
            no_anon_password=YES
            local_enable=NO
            anon_root=\(folder.path)/root
            anon_world_readable_only=NO
            allow_writeable_chroot=YES
            secure_chroot_dir=\(folder.path)/empty
            seccomp_sandbox=NO
            one_process_model=NO
            xferlog_enable=NO
            max_clients=50
            \(options)

            """)
        process = try ServerProcess(program, [folder.path + "/vsftpd.conf"], port: port, folder: folder)
    }
}
