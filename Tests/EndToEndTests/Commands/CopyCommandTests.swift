import Foundation
import TestServers
import Testing

/// `vitrine copy` from the command line to the files.
@Suite(.timeLimit(.minutes(10))) struct CopyCommandTests {
    let home: UserHome

    init() throws { home = try UserHome() }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: home.file(folder))) ?? []).sorted()
    }

    /// A file whose content differs everywhere, without having to be made byte by byte.
    private func writeLarge(_ name: String, mebibytes: Int) throws {
        let random = try FileHandle(forReadingFrom: URL(filePath: "/dev/urandom"))
        let block = try #require(try random.read(upToCount: 1 << 20))
        _ = FileManager.default.createFile(atPath: home.file(name), contents: nil)
        let file = try FileHandle(forWritingTo: URL(filePath: home.file(name)))
        for number in 0..<mebibytes {
            var part = block
            part[0] = UInt8(number % 251)
            try file.write(contentsOf: part)
        }
        try file.close()
    }

    /// Waits until so many bytes of the one file in `to` are there, without a pause, on this thread: a copy takes a fraction
    /// of a second.
    /// - Returns: what it is called.
    private func watch(_ program: RunningProgram, until count: Int) -> String? {
        var name: String?
        let end = ContinuousClock.now + .seconds(180)
        while !program.hasEnded, .now < end {
            name = name ?? names("to").first
            var status = stat()
            if let name, stat(home.file("to/\(name)"), &status) == 0, status.st_size >= count { break }
        }
        return name
    }

    private func isSame(_ one: String, _ other: String) -> Bool {
        FileManager.default.contentsEqual(atPath: home.file(one), andPath: home.file(other))
    }

    @Test func `says exactly what was copied and what was not`() async throws {
        try home.write("from/a.txt", Array("alpha".utf8))
        try home.write("from/inner/b.txt", Array("beta".utf8))
        symlink("/etc/passwd", home.file("from/link"))
        let run = try await home.run("copy", home.file("from"), home.file("missing"), home.file("to"))
        #expect(run.exitCode == 1)
        #expect(run.text.hasPrefix("2 files copied, 9 bytes; 2 folders made; 1 left out; 1 failed; in "), "\(run.text)")
        #expect(run.errors.contains("left out: \(home.file("from/link")): it is a symbolic link"))
        #expect(run.errors.contains("not copied: there is no '\(home.file("missing"))'"), "\(run.errors)")
        #expect(isSame("from/inner/b.txt", "to/from/inner/b.txt"))
        let again = try await home.run("copy", home.file("from"), home.file("to"))
        #expect(again.exitCode == 0)
        #expect(again.text.hasPrefix("0 files copied, 0 bytes; 2 there already; 1 left out; in "), "\(again.text)")
    }

    @Test func `tells programs line by line`() async throws {
        try home.write("a.txt", Array("alpha".utf8))
        try home.write("to/a.txt", Array("another".utf8))
        let run = try await home.run("copy", "--json", home.file("a.txt"), home.file("to"))
        #expect(run.exitCode == 0)
        let lines = try run.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.first?["event"] as? String == "started")
        let item = try #require(lines.first { $0["event"] as? String == "item" })
        #expect(item["state"] as? String == "copied" && item["size"] as? Int == 5)
        #expect(item["uri"] as? String == "file://" + home.file("to/a(1).txt"))
        let last = try #require(lines.last)
        #expect(last["event"] as? String == "finished" && last["copied"] as? Int == 1)
        #expect(last["complete"] as? Bool == true && last["left"] as? Int == 0)
    }

    @Test func `wrong usage and places that are only read are told apart`() async throws {
        let file = try home.write("a.txt", [1])
        #expect(try await home.run("copy", file).exitCode == 2)
        #expect(try await home.run("copy", "--replace", "--skip", file, home.file("to")).exitCode == 2)
        let feed = try await home.run("copy", file, "ftp://127.0.0.1:1/")
        #expect(feed.exitCode == 1 && feed.errors.contains("vitrine copy: "))
    }

    @Test func `is gone on with after it was killed, and nothing half-written is seen meanwhile`() async throws {
        try writeLarge("large.bin", mebibytes: 192)
        try FileManager.default.createDirectory(atPath: home.file("to"), withIntermediateDirectories: false)
        let program = try home.start("copy", home.file("large.bin"), home.file("to"))
        let part = watch(program, until: 24 << 20)
        #expect(part?.hasPrefix(".vitrine-part-") == true)
        program.send(SIGKILL)
        let killed = try await program.finish()
        #expect(killed.exitCode == nil, "it ended by itself: \(killed.text)")
        #expect(names("to").count == 1 && names("to").first == part)
        let run = try await home.run("copy", "--json", home.file("large.bin"), home.file("to"))
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(names("to") == ["large.bin"])
        #expect(isSame("large.bin", "to/large.bin"))
        let last = try #require(run.text.split(separator: "\n").last)
        let summary = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
        #expect(summary["reused"] as? Int ?? 0 >= 24 << 20, "\(last)")
    }

    @Test func `Ctrl-C leaves nothing that is seen, and says so`() async throws {
        try writeLarge("large.bin", mebibytes: 192)
        let program = try home.start("copy", home.file("large.bin"), home.file("to"))
        _ = watch(program, until: 24 << 20)
        program.send(SIGINT)
        let run = try await program.finish()
        #expect(run.exitCode == 130)
        #expect(run.text.contains("0 files copied, 0 bytes; 1 of those found not copied"), "\(run.text)\(run.errors)")
        #expect(names("to").allSatisfy { $0.hasPrefix(".vitrine-part-") })
        #expect(try await home.run("copy", "--verify", home.file("large.bin"), home.file("to")).exitCode == 0)
        #expect(names("to") == ["large.bin"] && isSame("large.bin", "to/large.bin"))
    }

    @Test(.enabled(if: SmallDisk.isAllowed, "only root can mount a small disk"))
    func `a full disk ends it, with what was copied in place`() async throws {
        try home.write("from/1-small", Array("fits".utf8))
        try writeLarge("from/2-large", mebibytes: 12)
        try FileManager.default.createDirectory(atPath: home.file("to"), withIntermediateDirectories: false)
        let disk = try SmallDisk(on: home.file("to"), mebibytes: 8)
        let run = try await home.run("copy", home.file("from"), home.file("to"), "--jobs", "1")
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("not copied: \(home.file("from/2-large")): "), "\(run.errors)")
        #expect(run.text.contains("stopped before everything was tried: "))
        #expect(names("to/from").filter { $0 != "1-small" } == [])
        withExtendedLifetime(disk) {}
    }
}
