public import VitrineKit
import VitrineTesting

/// A current rclone that serves a folder.
public struct RcloneServer: Sendable {
    /// What it speaks.
    public enum Kind: String, Sendable {
        /// WebDAV; the user is `bob`, the password `secret`.
        case webdav
        /// S3; the key is `key`, the secret `secret`. Folders below the root are buckets.
        case s3
        /// SFTP and FTP; the user is `bob`, the password `secret`.
        case sftp, ftp
    }

    /// The running server.
    public let process: ServerProcess
    /// What it serves, as a path without a trailing slash.
    public var root: String { process.folder.path + "/root" }
    /// Where it listens.
    public var port: UInt16 { process.port }

    /// Where the program is; `nil` when it was not installed.
    public static var program: String? { TestFile.pythonProgram("rclone") }

    /// Starts it.
    /// - Parameter options: further words of its command line.
    public init(_ kind: Kind, options: [String] = []) throws(PluginError) {
        guard let program = Self.program else { throw PluginError(.notFound, "rclone is not installed") }
        let folder = try ScratchFolder("rclone")
        let port = try Loopback.freePort()
        try TestFile.makeFolder(folder.path + "/root")
        let login =
            switch kind {
            case .webdav, .sftp, .ftp: ["--user", "bob", "--pass", "secret"]
            case .s3: ["--auth-key", "key,secret"]
            }
        // Not "0s": rclone then cleans its folders up without a pause, and on a busy machine does nothing else.
        process = try ServerProcess(
            program,
            ["serve", kind.rawValue, folder.path + "/root", "--addr", "127.0.0.1:\(port)", "--dir-cache-time", "1ms"]
                + login + options,
            environment: [
                "RCLONE_CONFIG": folder.path + "/rclone.conf", "HOME": folder.path,
                "XDG_CACHE_HOME": folder.path + "/.cache",
            ], port: port,
            folder: folder)
    }

    /// A file that names the key of its SSH server.
    public func knownHosts() throws(PluginError) -> String {
        let folder = process.folder.path
        let key = TestFile.text(folder + "/.cache/rclone/serve-sftp/id_ed25519.pub")
        try TestFile.write(folder + "/known_hosts", SSHServer.line(port, key))
        return folder + "/known_hosts"
    }
}
