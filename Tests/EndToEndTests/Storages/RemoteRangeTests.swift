import Foundation
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
        try await isClearedWithAll(in: home)
    }

    /// What was read is kept, is shown, and goes with everything else.
    private func isClearedWithAll(in home: UserHome) async throws {
        let folder = home.cache + "/vitrine/blocks"
        func bytes() async throws -> Int {
            let output = try await home.run("cache", "stats", "--json").output
            let report = try #require(try JSONSerialization.jsonObject(with: Data(output)) as? [String: Any])
            let content = try #require(report["content"] as? [String: Any])
            #expect(content["path"] as? String == folder && content["limit"] as? Int == 512 << 20)
            return try #require(content["bytes"] as? Int)
        }
        let kept = try await bytes()
        #expect(kept > 0)
        #expect(try await home.run("cache", "stats").text.contains("read from servers"))
        // Of one file, and only looking, leave it.
        #expect(try await home.run("cache", "clear", "--yes", home.files).exitCode == 0)
        let plan = try await home.run("cache", "clear", "--all", "--dry-run")
        #expect(plan.text.contains("Would delete") && plan.text.contains("read from servers"), "\(plan.text)")
        #expect(try await bytes() == kept)
        let run = try await home.run("cache", "clear", "--all", "--yes", "--own", "--json")
        #expect(run.exitCode == 0 && run.text.contains("\"content\":\(kept)"), "\(run.text) \(run.errors)")
        #expect(try await bytes() == 0 && !FileManager.default.fileExists(atPath: folder))
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
