import Foundation
import TestServers
import VitrineTesting

/// A real server of files that counts what it was asked for and what it sent: in nginx's own log.
struct CountingServer {
    /// What it speaks.
    enum Kind: String, CaseIterable {
        /// nginx over a folder.
        case webdav
        /// rclone over a folder, which logs no bytes, behind nginx, which hands everything on.
        case s3
    }

    /// What was asked for, and the bytes of the bodies that were sent.
    struct Cost: CustomStringConvertible {
        var requests = 0
        var bytes = 0
        var description: String { "\(bytes) bytes in \(requests) requests" }
    }

    private let nginx: NginxServer
    private let store: RcloneServer?
    /// Where its files lie.
    let folder: String

    /// Whether its programs are installed.
    static func isInstalled(_ kind: Kind) -> Bool {
        NginxServer.isInstalled && (kind == .webdav || RcloneServer.program != nil)
    }

    /// Starts it.
    /// - Parameter home: who will ask; gets what is needed to log in.
    init(_ kind: Kind, for home: UserHome) throws {
        guard kind == .s3 else {
            nginx = try NginxServer()
            (store, folder) = (nil, nginx.root)
            return
        }
        // MD5, which it takes by itself, would be computed of gigabytes of zeros.
        let store = try RcloneServer(.s3, options: ["--etag-hash", "xxh3", "--dir-cache-time", "1h"])
        self.store = store
        folder = store.root + "/bucket"
        try TestFile.makeFolder(folder)
        nginx = try NginxServer(
            location: "proxy_pass http://127.0.0.1:\(store.port); proxy_set_header Host $http_host; "
                + "proxy_http_version 1.1; proxy_buffering off;")
        let secrets = home.path + "/home/.aws"
        try TestFile.makeFolder(secrets)
        try TestFile.write(
            secrets + "/credentials", "[default]\naws_access_key_id = key\naws_secret_access_key = secret\n")
    }

    /// A file's address.
    func uri(of name: String) -> String {
        store == nil
            ? "dav://127.0.0.1:\(nginx.port)/\(name)" : "s3://bucket/\(name)?endpoint=http://127.0.0.1:\(nginx.port)"
    }

    /// All that was asked of it since it was started, for whatever reason.
    func cost() throws -> Cost {
        let log = try String(contentsOfFile: nginx.process.folder.path + "/access.log", encoding: .utf8)
        return log.split(separator: "\n").reduce(into: Cost()) { cost, line in
            cost.requests += 1
            cost.bytes += line.firstMatch(of: /HTTP\/[0-9.]+" [0-9]+ ([0-9]+)/).flatMap { Int($0.1) } ?? 0
        }
    }
}
