import Glibc
public import VitrineKit
import VitrineTesting

/// Dovecot, run by the user of the tests, with one user `bob` whose Maildir it serves by IMAP and POP3.
public struct DovecotServer: Sendable {
    /// The running server.
    public let process: ServerProcess
    /// Where it listens for IMAP.
    public let imap: UInt16
    /// Where it listens for IMAP that begins with TLS.
    public let imaps: UInt16
    /// Where it listens for POP3.
    public let pop3: UInt16
    /// Where it listens for POP3 that begins with TLS.
    public let pop3s: UInt16
    /// The Maildir, as a path without a trailing slash.
    public var maildir: String { process.folder.path + "/mail" }
    /// The certificate that signed its own.
    public var authority: String { process.folder.path + "/certificate.pem" }
    /// What the one user proves that he is himself with.
    public static let password = "open sesame"

    /// Whether the packages are installed, and the user may run it: it insists on being root.
    public static var isInstalled: Bool {
        program != nil && geteuid() == 0 && access("/usr/lib/dovecot/imap", X_OK) == 0
            && access("/usr/lib/dovecot/pop3", X_OK) == 0
    }
    /// Who reads the mail: it is never root.
    private static let nobody: uid_t = 65534
    private static let program = TestFile.program("/usr/sbin/dovecot")

    /// Starts it.
    /// - Parameter options: further lines of its configuration.
    public init(options: String = "") throws(PluginError) {
        guard let program = Self.program else { throw PluginError(.notFound, "dovecot is not installed") }
        let folder = try ScratchFolder("dovecot")
        let root = folder.path
        // The processes that let users in are nobody's, and must get there.
        guard chmod(root, 0o755) == 0 else { throw PluginError(errno: errno, "cannot open the folder") }
        for name in ["run", "state"] { try TestFile.makeFolder(root + "/" + name) }
        for name in ["", "/cur", "/new", "/tmp"] { try Self.makeFolder(root + "/mail" + name) }
        try ServerProcess.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", root + "/key.pem", "-out",
                root + "/certificate.pem",
            ], in: folder)
        (imap, imaps) = (try Loopback.freePort(), try Loopback.freePort())
        (pop3, pop3s) = (try Loopback.freePort(), try Loopback.freePort())
        try TestFile.write(root + "/users", "bob:{PLAIN}\(Self.password)::::\n")
        try TestFile.write(
            root + "/dovecot.conf", Self.configuration(root, [imap, imaps, pop3, pop3s]) + options + "\n")
        process = try ServerProcess(program, ["-F", "-c", root + "/dovecot.conf"], port: imap, folder: folder)
    }

    private static func configuration(_ root: String, _ ports: [UInt16]) -> String {
        """
        base_dir = \(root)/run
        state_dir = \(root)/state
        log_path = \(root)/dovecot.log
        protocols = imap pop3
        listen = 127.0.0.1
        ssl = yes
        ssl_cert = <\(root)/certificate.pem
        ssl_key = <\(root)/key.pem
        disable_plaintext_auth = no
        auth_mechanisms = plain login
        mail_location = maildir:\(root)/mail
        mail_max_userip_connections = 50
        passdb {
          driver = passwd-file
          args = \(root)/users
        }
        userdb {
          driver = static
          args = uid=\(nobody) gid=\(nobody) home=\(root)
        }
        namespace inbox {
          inbox = yes
        }
        service imap-login {
          inet_listener imap {
            port = \(ports[0])
          }
          inet_listener imaps {
            port = \(ports[1])
            ssl = yes
          }
        }
        service pop3-login {
          inet_listener pop3 {
            port = \(ports[2])
          }
          inet_listener pop3s {
            port = \(ports[3])
            ssl = yes
          }
        }
        service anvil {
          chroot =
        }
        service stats {
          chroot =
        }

        """
    }

    /// Puts a message into a mailbox, as a program that delivers mail does.
    /// - Parameters:
    ///   - folder: below the Maildir, such as `.Work`; empty for the inbox.
    ///   - name: its unique name.
    public func deliver(_ message: [UInt8], in folder: String = "", name: String) throws(PluginError) {
        let place = folder.isEmpty ? maildir : maildir + "/" + folder
        for part in ["", "/cur", "/new", "/tmp"] { try Self.makeFolder(place + part) }
        try TestFile.write(Array("\(place)/tmp/\(name)".utf8), message)
        guard rename("\(place)/tmp/\(name)", "\(place)/new/\(name)") == 0 else {
            throw PluginError(errno: errno, "cannot deliver '\(name)'")
        }
    }

    private static func makeFolder(_ path: String) throws(PluginError) {
        try TestFile.makeFolder(path)
        guard chown(path, nobody, nobody) == 0 else { throw PluginError(errno: errno, "cannot give '\(path)' away") }
    }
}
