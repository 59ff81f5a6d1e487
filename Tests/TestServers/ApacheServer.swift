import Glibc
public import VitrineKit
import VitrineTesting

/// Apache with mod_dav over a folder.
public struct ApacheServer: Sendable {
    /// The running server.
    public let process: ServerProcess
    /// What it serves, as a path without a trailing slash.
    public var root: String { process.folder.path + "/root" }
    /// Where it listens.
    public var port: UInt16 { process.port }

    /// Where the program is; `nil` when the package is not installed.
    public static let program = TestFile.program("/usr/sbin/apache2")
    private static let modules = "/usr/lib/apache2/modules"

    /// Whether the packages are installed.
    public static var isInstalled: Bool { program != nil && access(modules + "/mod_dav_fs.so", R_OK) == 0 }

    /// Who may come in. The user is `bob ü`, the password `se:cret`.
    public enum Login: String, Sendable {
        /// Everybody.
        case none
        /// Whoever sends the password.
        case basic
        /// Whoever knows it.
        case digest
    }

    /// Starts it.
    public init(_ login: Login = .none) throws(PluginError) {
        guard let program = Self.program else { throw PluginError(.notFound, "apache2 is not installed") }
        let folder = try ScratchFolder("apache")
        let port = try Loopback.freePort()
        let root = folder.path
        // The server leaves root's rights behind and must find its way.
        chmod(root, 0o755)
        for name in ["root", "lock"] { try TestFile.makeFolder("\(root)/\(name)") }
        if getuid() == 0, let user = getpwnam("www-data") {
            for name in ["root", "lock"] { chown("\(root)/\(name)", user.pointee.pw_uid, user.pointee.pw_gid) }
        }
        let modules = [
            "mpm_event", "authn_core", "authz_core", "authn_file", "auth_basic", "auth_digest", "authz_user", "mime",
            "dav",
            "dav_fs",
        ].map { "LoadModule \($0)_module \(Self.modules)/mod_\($0).so" }.joined(separator: "\n")
        let access: String
        switch login {
        case .none: access = "Require all granted"
        case .basic:
            try ServerProcess.run("/usr/bin/htpasswd", ["-cbm", root + "/users", "bob ü", "se:cret"], in: folder)
            access = "AuthType Basic\nAuthName here\nAuthUserFile \(root)/users\nRequire valid-user"
        case .digest:
            // What htdigest writes, which asks for the password at a terminal.
            try ServerProcess.run(
                "/bin/sh",
                [
                    "-c",
                    "printf '%s:%s:%s\\n' \"$1\" here \"$(printf '%s' \"$1:here:$2\" | md5sum | cut -d' ' -f1)\" > \"$3\"",
                    "sh", "bob ü", "se:cret", root + "/users",
                ], in: folder)
            access =
                "AuthType Digest\nAuthName here\nAuthDigestProvider file\nAuthUserFile \(root)/users\nRequire valid-user"
        }
        try TestFile.write(
            root + "/apache.conf",
            """
            ServerRoot \(root)
            ServerName localhost
            Listen 127.0.0.1:\(port)
            PidFile \(root)/apache.pid
            ErrorLog \(root)/error.log
            \(modules)
            \(getuid() == 0 ? "User www-data\nGroup www-data" : "")
            StartServers 1
            TypesConfig /dev/null
            AddType text/plain .txt
            DocumentRoot \(root)/root
            DavLockDB \(root)/lock/db
            <Directory \(root)/root>
                Dav On
                \(access)
            </Directory>
            """)
        process = try ServerProcess(
            program, ["-D", "FOREGROUND", "-d", root, "-f", root + "/apache.conf"], port: port, folder: folder)
    }
}
