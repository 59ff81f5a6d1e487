import Glibc
public import VitrineKit
import VitrineTesting

/// A stub of a service that cannot be had on this machine: Box, or a server that logs people in with OAuth 2. Follows
/// public documentation, and is not the service. See `fixtures/servers`.
public struct ServiceStub: Sendable {
    /// The running stub.
    public let process: ServerProcess
    /// The port at which it hands out files.
    public let downloadPort: UInt16
    /// Where it listens.
    public var port: UInt16 { process.port }
    /// What it serves, as a path without a trailing slash.
    public var root: String { process.folder.path + "/root" }
    /// The beginning of its addresses.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Whether the program is there that it is written for.
    public static var isInstalled: Bool { access("/usr/bin/python3", X_OK) == 0 }

    /// A stub of Box that serves a folder, and logs people in.
    /// - Parameter isOneHost: whether files are handed out at the host that a request names, so that a proxy is in between.
    public static func box(isOneHost: Bool = false) throws(PluginError) -> ServiceStub {
        try ServiceStub("box_stub.py", isOneHost ? ["--same-host"] : [])
    }

    /// A stub that logs people in, and no more.
    public static func oauth() throws(PluginError) -> ServiceStub { try ServiceStub("oauth_stub.py", []) }

    private init(_ script: String, _ options: [String]) throws(PluginError) {
        let folder = try ScratchFolder("stub")
        try TestFile.makeFolder(folder.path + "/root")
        downloadPort = try Loopback.freePort()
        let port = try Loopback.freePort()
        let checkout = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        process = try ServerProcess(
            "/usr/bin/python3",
            [
                "-B", "\(checkout)/fixtures/servers/\(script)", "\(port)", folder.path + "/config.json",
                "\(downloadPort)",
                folder.path + "/root",
            ] + options, port: port, folder: folder)
    }

    /// Changes what it does from the next request on.
    /// - Parameter json: the members of `Authority.DEFAULTS` that are to be others.
    public func configure(_ json: String) throws(PluginError) {
        let path = process.folder.path + "/config.json"
        try TestFile.write(path + ".new", json)
        guard rename(path + ".new", path) == 0 else { throw PluginError(errno: errno, "cannot configure a stub") }
    }

    /// What it was asked by those who log in, a line of JSON each.
    public var seen: [String] {
        TestFile.text(process.folder.path + "/config.json.seen").split(separator: "\n").map(String.init)
    }
}
