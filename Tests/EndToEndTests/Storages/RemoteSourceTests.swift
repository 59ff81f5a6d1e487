import Foundation
import TestServers
import TestSupport
import Testing
import VitrineTesting

/// Sources on a real server, from the command line to the picture; what was asked of it is counted in its own log.
@Suite(
    .timeLimit(.minutes(10)), .enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
struct RemoteSourceTests {
    let server: NginxServer
    let home: UserHome

    init() throws {
        server = try NginxServer()
        home = try UserHome()
    }

    private var source: String { "dav://127.0.0.1:\(server.port)/" }

    private func serve(_ fixture: String, as name: String) throws {
        try FileManager.default.copyItem(
            atPath: Products.fixtures.appending(path: fixture).path, toPath: "\(server.root)/\(name)")
    }

    /// What the server says it was asked to read of a file.
    private func reads(of name: String) throws -> (requests: Int, bytes: Int) {
        let log = try String(contentsOfFile: server.process.folder.path + "/access.log", encoding: .utf8)
        let answers = log.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /"(GET|HEAD) \/(\S+) HTTP\/[0-9.]+" [0-9]+ ([0-9]+)/)
        }.filter { $0.2 == name }
        return (answers.count, answers.reduce(0) { $0 + (Int($1.3) ?? 0) })
    }

    @Test func `a source on a server is like any other, and costs a request for each file`() async throws {
        try serve("pdf/plain.pdf", as: "a.pdf")
        try serve("image/plain.jpg", as: "b.jpg")
        try serve("video/h264.mp4", as: "c.mp4")
        let first = try await home.run("prebuild", "--progress=json", source)
        let summary = try first.summary()
        #expect(summary.made == 3 && summary.failed == 0, "\(first.errors)")
        for name in ["a.pdf", "b.jpg", "c.mp4"] { #expect(try reads(of: name).requests == 1, "\(name)") }
        let second = try await home.run("prebuild", "--progress=json", source).summary()
        #expect(second.made == 0 && second.valid == 3)
        for name in ["a.pdf", "b.jpg", "c.mp4"] { #expect(try reads(of: name).requests == 1, "\(name)") }
        // Another size is drawn from what was kept of it.
        let other = try await home.run("get", source + "b.jpg", "--size", "normal")
        #expect(other.exitCode == 0, "\(other.errors)")
        #expect(try reads(of: "b.jpg").requests == 1)
        let gone = try await home.run("get", source + "missing.jpg")
        #expect(gone.exitCode == 1)
    }

    @Test func `a folder on a server has a picture, and what is encrypted there is opened`() async throws {
        try FileManager.default.createDirectory(
            atPath: server.root + "/album", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        for name in ["plain.jpg", "rgb-8.png", "plain.bmp"] { try serve("image/\(name)", as: "album/\(name)") }
        let folder = try await home.run("get", source + "album", "-o", home.path + "/album.png")
        #expect(folder.exitCode == 0, "\(folder.errors)")
        let picture = try PNGFile(home.path + "/album.png").picture()
        #expect(picture.width == 256 && picture.height == 256 && picture.pixel(x: 127, y: 128).alpha == 0)
        try serve("pdf/user-password.pdf", as: "locked.pdf")
        let locked = try await home.run(
            "get", source + "locked.pdf", "--password-command", "grep -q '^\(source)locked.pdf$' && echo vitrine", "-o",
            home.path + "/locked.png")
        #expect(locked.exitCode == 0, "\(locked.errors)")
        #expect(try PNGFile(home.path + "/locked.png").longerSide == 256)
    }

    @Test func `what a source is asked for is told, of files and of folders`() async throws {
        try serve("image/plain.jpg", as: "b.jpg")
        try FileManager.default.createDirectory(
            atPath: server.root + "/album", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        for name in ["plain.jpg", "plain.bmp"] { try serve("image/\(name)", as: "album/\(name)") }
        for (uri, then, holds) in [
            (source + "b.jpg", "asked then", nil), (source, "listed for", "1 file, 1 folder"),
            (source + "album", "listed for", "2 files"), (source + "album/", "listed for", "2 files"),
        ] {
            let before = try requests()
            let run = try await home.run("explain", uri)
            #expect(run.exitCode == 0, "\(run.errors)")
            let counts = run.text.matches(of: /(?:found|connected|asked|listed) (?:for|then) ([0-9]+) requests?, [0-9]/)
            #expect(counts.count == 2 && run.text.contains(then), "\(run.text)")
            let told = counts.reduce(0) { $0 + (Int($1.1) ?? 0) }
            #expect(run.text.contains(/storage +webdav [0-9]/) && told > 1, "\(run.text)")
            // What may be a file is asked about first, in the folder above.
            let asked = try requests() - before
            #expect(asked - told == (uri.hasPrefix(source + "album") ? 2 : 0), "\(asked): \(run.text)")
            if let holds { #expect(run.text.contains(/holds +/) && run.text.contains(holds), "\(run.text)") }
        }
        let missing = try await home.run("explain", source + "missing.jpg")
        #expect(missing.exitCode == 1 && missing.output.isEmpty)
    }

    /// How many requests the server has answered.
    private func requests() throws -> Int {
        try String(contentsOfFile: server.process.folder.path + "/access.log", encoding: .utf8)
            .split(separator: "\n").count
    }
}
