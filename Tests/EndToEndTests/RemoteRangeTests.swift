import Foundation
import TestServers
import TestSupport
import Testing

/// What the first picture of a very large file costs: less than 3 MB and 20 requests, all that the program asks for
/// counted, looks at the file included.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct RemoteRangeTests {
    private static let servers = CountingServer.Kind.allCases.filter(CountingServer.isInstalled)

    private static let notInstalled: Comment = "nginx or rclone is not installed: 'make test' installs them"

    @Test(.enabled(if: !servers.isEmpty, notInstalled), arguments: servers)
    func `of a film of two gigabytes little is read, wherever its index is`(kind: CountingServer.Kind) async throws {
        let home = try UserHome()
        let server = try CountingServer(kind, for: home)
        // The index of this one is its last box, and begins after 8,945 bytes.
        try SparseFile.film(UserHome.fixture("video/dark-start.mp4"), index: 8945).write(
            to: server.folder + "/end.mp4")
        let made = try await home.run(program: [
            "/usr/bin/ffmpeg", "-v", "error", "-i", Products.fixtures.appending(path: "video/dark-start.mp4").path,
            "-c", "copy", "-movflags", "+faststart", home.file("front.mp4"),
        ])
        #expect(made.exitCode == 0, "\(made.errors)")
        let front = [UInt8](try Data(contentsOf: URL(filePath: home.file("front.mp4"))))
        try SparseFile.film(front, index: nil).write(to: server.folder + "/front.mp4")
        for name in ["end.mp4", "front.mp4"] { try await draws(name, of: server, in: home) }
    }

    @Test(.enabled(if: !servers.isEmpty, notInstalled), arguments: servers)
    func `of a scanned document of half a gigabyte one page is read`(kind: CountingServer.Kind) async throws {
        let home = try UserHome()
        let server = try CountingServer(kind, for: home)
        try SparseFile.document(UserHome.fixture("image/plain.jpg")).write(to: server.folder + "/scan.pdf")
        try await draws("scan.pdf", of: server, in: home)
    }

    @Test(.enabled(if: !servers.isEmpty, notInstalled), arguments: servers)
    func `of an archive of a gigabyte its list and one picture are read`(kind: CountingServer.Kind) async throws {
        let home = try UserHome()
        let server = try CountingServer(kind, for: home)
        // Under two names: what was read of one is kept, and would be read no more.
        for name in ["photos.zip", "members.zip"] {
            try SparseFile.archive(UserHome.fixture("image/plain.jpg")).write(to: "\(server.folder)/\(name)")
        }
        try await draws("photos.zip", of: server, in: home)
        // As a source, its members are reached for no more.
        let address = server.uri(of: "members.zip").split(separator: "?", maxSplits: 1)
        let member = "archive:\(address[0])!/photo.jpg" + (address.count > 1 ? "?\(address[1])" : "")
        try await draws(member, at: member, of: server, in: home)
    }

    private func draws(_ name: String, of server: CountingServer, in home: UserHome) async throws {
        try await draws(name, at: server.uri(of: name), of: server, in: home)
    }

    /// Makes a preview, and holds what it cost against the limits.
    private func draws(_ name: String, at uri: String, of server: CountingServer, in home: UserHome) async throws {
        let before = try server.cost()
        let run = try await home.run("get", uri, "-o", home.file("picture.png"))
        #expect(run.exitCode == 0, "\(name): \(run.errors)")
        #expect(try PNGFile(home.file("picture.png")).longerSide > 0)
        let after = try server.cost()
        let cost = CountingServer.Cost(
            requests: after.requests - before.requests, bytes: after.bytes - before.bytes)
        print("first picture of \(name): \(cost)")
        #expect(cost.requests < 20 && cost.bytes < 3_000_000, "\(name): \(cost)")
    }
}
