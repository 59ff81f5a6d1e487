import Glibc
import TestServers
import Testing
import VitrineKit
import VitrineTesting

@testable import RcloneBackend

@Suite(.serialized, .enabled(if: RcloneServer.program != nil, "rclone is not installed: 'make test' installs it"))
struct RemoteTests {
    private func names(_ backend: RcloneBackend, _ folder: String = "") async throws -> Set<String> {
        var names: Set<String> = []
        for try await page in backend.list(try ItemPath(folder)) {
            for entry in page { names.insert(DisplayText.of(entry.name)) }
        }
        return names
    }

    @Test func whatIsEncryptedIsReadByRange() async throws {
        let site = try Site()
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try TestFile.write(Array("\(site.folder.path)/root/data.bin".utf8), content)
        try site.run("copy", "disk:\(site.folder.path)/root", "secret:deep/[odd] folder")
        for remote in ["secret:deep", "joined:vault/deep"] {
            let backend = try await site.connect(remote)
            #expect(try await names(backend) == ["[odd] folder"])
            let path = try ItemPath("[odd] folder/data.bin")
            let entry = try await backend.stat(path)
            let before = backend.traffic
            let source = try await backend.open(path, listedAs: entry)
            #expect(backend.traffic == before)
            #expect(try await source.read(at: 123_456, count: 70_000) == Array(content[123_456..<193_456]))
            let traffic = backend.traffic.since(before)
            #expect(traffic.requests == 1 && 70_000..<71_000 ~= traffic.bytesReceived)
        }
        // The odd folder may be the root, too.
        let inside = try await site.connect("secret:deep/%5Bodd%5D%20folder")
        #expect(
            try await inside.open(try ItemPath("data.bin")).read(at: 299_990, count: 99) == Array(content.suffix(10)))
    }

    @Test func theMemoryOfOneDaemonIsSharedByItsSources() async throws {
        let site = try Site()
        let root = site.folder.path + "/root"
        try TestFile.write(root + "/a.txt", "content")
        let other = try await site.connect("other:")
        let socket = other.daemon.socket.replacing("/proc/self/", with: "/proc/\(getpid())/")
        try site.run(
            "rc", "--unix-socket", socket, "operations/copyfile", "srcFs=disk:" + root, "srcRemote=a.txt",
            "dstFs=volatile:bucket", "dstRemote=deep/b.txt")
        let backend = try await site.connect("volatile:bucket")
        #expect(try await names(backend) == ["deep"])
        let source = try await backend.open(try ItemPath("deep/b.txt"))
        #expect(try await source.read(at: 3, count: 99) == Array("tent".utf8))
        #expect(try await other.stat(.root).kind == .folder)
    }

    @Test func aRemoteThatCannotBeLookedAtIsCalledTheSource() async throws {
        let site = try Site()
        await #expect { _ = try await site.connect("nowhere:") } throws: {
            let message = ($0 as? PluginError)?.message ?? ""
            return message.contains("cannot look at the source") && !message.contains("''")
        }
    }

    @Test func itEndsWithTheLastSource() async throws {
        let site = try Site()
        let marker = site.folder.path + "/rclone.conf"
        var backend: RcloneBackend? = try await site.connect("other:")
        var other: RcloneBackend? = try await site.connect("disk:\(site.folder.path)")
        #expect(backend != nil && other != nil && Processes.all(with: marker).count == 1)
        backend = nil
        #expect(try await other?.stat(.root).kind == .folder)
        other = nil
        #expect(await Processes.gone(with: marker))
    }

    @Test func nothingOfItLiesInAFolderWhileItRuns() async throws {
        let site = try Site()
        try TestFile.write(site.folder.path + "/root/a.txt", "content")
        let backend = try await site.connect("other:")
        #expect(access(backend.daemon.folder, F_OK) != 0)
        #expect(try await names(backend) == ["a.txt"])
        let source = try await backend.open(try ItemPath("a.txt"))
        #expect(try await source.read(at: 3, count: 99) == Array("tent".utf8))
    }

    @Test func whatNeverListenedLeavesNoFolder() throws {
        // One that is told to end while it starts, and one that ends by itself.
        for program in [RcloneServer.program ?? "", "/usr/bin/true"] {
            var daemon: RcloneDaemon? = try .shared(RcloneDaemon.Key(program: program, config: "/dev/null"))
            let folder = try #require(daemon?.folder)
            #expect(access(folder + "/log", F_OK) == 0)
            daemon = nil
            #expect(access(folder, F_OK) != 0, "\(program)")
        }
    }

    @Test func itEndsWhenItIsKilledAndStartsAnew() async throws {
        let site = try Site()
        let marker = site.folder.path + "/rclone.conf"
        let backend = try await site.connect("other:")
        for process in Processes.all(with: marker) { kill(process, SIGKILL) }
        await #expect { _ = try await backend.stat(try ItemPath("x")) } throws: {
            ($0 as? PluginError)?.code == .offline
        }
        let again = try await site.connect("other:")
        #expect(try await names(again) == [])
    }

    /// A host that is killed cannot tidy up; the next one does, and leaves alone what is in use.
    @Test func whatKilledHostsLeftIsRemoved() async throws {
        let folder = try ScratchFolder("left")
        func make(_ name: String, age: Int) throws -> (folder: String, log: CInt) {
            let path = "\(folder.path)/vitrine-rcd-\(name)"
            try TestFile.makeFolder(path)
            try TestFile.write(path + "/log", "")
            let moment = timespec(tv_sec: time(nil) - age, tv_nsec: 0)
            try #require(utimensat(AT_FDCWD, path + "/log", [moment, moment], 0) == 0)
            return (path, open(path + "/log", O_RDONLY | O_CLOEXEC))
        }
        let (left, used, young) = (try make("left", age: 90), try make("used", age: 90), try make("young", age: 1))
        defer { for place in [left, used, young] { close(place.log) } }
        try #require(flock(used.log, LOCK_EX | LOCK_NB) == 0)
        RcloneDaemon.sweep(folder.path)
        #expect([left, used, young].map { access($0.folder, F_OK) == 0 } == [false, true, true])
    }

    @Test func whatIsMissingIsNamed() async throws {
        let site = try Site()
        try TestFile.write(site.folder.path + "/root/a.txt", "content")
        let cases: [(String, [String: String], PluginError.Code, String)] = [
            ("disk:\(site.folder.path)/root/a.txt", [:], .notAFile, "is a file"),
            ("nowhere:", [:], .io, "nowhere"), ("disk:\(site.folder.path)/missing", [:], .notFound, "not found"),
            ("disk", [:], .invalidArgument, "names no remote"), ("disk:a/../b", [:], .invalidArgument, ".."),
            ("disk:", ["program": "/nonexistent"], .pluginUnavailable, "program"),
            ("disk:", ["program": "/usr/bin/true"], .pluginUnavailable, "does not start"),
        ]
        for (remote, values, code, text) in cases {
            await #expect("\(remote)") { _ = try await site.connect(remote, values) } throws: {
                let error = $0 as? PluginError
                return error?.code == code && error?.message.contains(text) == true
            }
        }
    }
}

/// Processes whose arguments hold a text.
private enum Processes {
    static func all(with text: String) -> [pid_t] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var found: [pid_t] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let process = pid_t(name), TestFile.text("/proc/\(name)/cmdline").contains(text) else { continue }
            found.append(process)
        }
        return found
    }

    /// Waits until there is none, at most five minutes.
    static func gone(with text: String) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(300)
        while !all(with: text).isEmpty {
            guard .now < deadline else { return false }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return true
    }
}
