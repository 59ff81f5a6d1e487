import Foundation
import TestServers
import TestSupport
import Testing

/// The program's end, while threads of its libraries are still at work.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: RcloneServer.program != nil, "rclone is not installed: 'make test' installs it"))
struct EndingTests {
    @Test func `a connection that is still being closed costs nothing`() async throws {
        let home = try UserHome()
        let server = try RcloneServer(.sftp)
        let source = "sftp://bob@127.0.0.1:\(server.port)/"
        for number in 0..<3 {
            try FileManager.default.copyItem(
                atPath: Products.fixtures.appending(path: "image/rgb-8.png").path,
                toPath: "\(server.root)/\(number).png")
        }
        let known = try server.knownHosts()
        let added = try await home.run(program: [
            "/bin/sh", "-c",
            "echo secret | \"$0\" account add box \(source) --secret password --set known-hosts=\(known)",
            home.program,
        ])
        try #require(added.exitCode == 0, "\(added.errors)")
        let late = ["/usr/bin/env", "LD_PRELOAD=" + Products.library("LateClosing"), home.program]
        for words in [
            ["get", source + "0.png"], ["explain", source + "1.png"], ["copy", source + "2.png", home.file("copies")],
            ["prebuild", source],
        ] {
            let run = try await home.run(program: late + words)
            // Without the library, which is what the system says then, nothing would be tested.
            #expect(run.exitCode == 0 && !run.errors.contains("LateClosing"), "\(words): \(run.errors)")
        }
        #expect(home.previews.count == 3)
    }

    /// An account for a folder below the home's files, and the URI of that folder; or for all that rclone serves.
    private func account(_ home: UserHome, forAll: Bool) async throws -> String {
        try home.copy("image/rgb-8.png", as: "a.png")
        try home.write("rclone.conf", Array("[disk]\ntype = local\n".utf8))
        let program = try #require(RcloneServer.program)
        let uri = "rclone:disk:\(home.files)"
        let added = try await home.run(
            "account", "add", "drive", forAll ? "rclone:" : uri, "--set", "program=\(program)", "--set",
            "config=\(home.file("rclone.conf"))")
        try #require(added.exitCode == 0, "\(added.errors)")
        return uri
    }

    @Test func `nothing is left of the rclone that a source was reached by`() async throws {
        let home = try UserHome()
        let uri = try await account(home, forAll: true)
        for words in [["get", uri + "/a.png"], ["prebuild", uri], ["get", uri + "/missing.png"]] {
            let run = try await home.run(bytes: words.map { Array($0.utf8) })
            #expect((run.exitCode == 0) == !words[1].hasSuffix("missing.png"), "\(words): \(run.errors)")
            let left = try FileManager.default.contentsOfDirectory(atPath: home.temporary)
            #expect(!left.contains { $0.hasPrefix("vitrine-rcd-") }, "\(words): \(left)")
        }
    }

    /// The folder above it, in which it is looked for first, has no account that names the program.
    @Test func `a folder that is an account's root needs no rclone but its own`() async throws {
        let home = try UserHome()
        let uri = try await account(home, forAll: false)
        let run = try await home.run(bytes: [Array("prebuild".utf8), Array(uri.utf8)])
        // The picture, and the configuration that lies beside it.
        #expect(run.exitCode == 0 && home.previews.count == 2, "\(run.text)\(run.errors)")
    }
}
