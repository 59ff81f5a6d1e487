import Glibc
import SFTPBackend
import TestServers
import Testing
import VitrineKit

@Suite(.serialized, .enabled(if: SSHServer.isInstalled, "openssh-server is not installed: 'make test' installs it"))
struct FileTests {
    private func kinds(_ backend: SFTPBackend, _ folder: ItemPath = .root) async throws -> [String: Entry.Kind] {
        var found: [String: Entry.Kind] = [:]
        for try await page in backend.list(folder) {
            for entry in page { found[DisplayText.of(entry.name)] = entry.kind }
        }
        return found
    }

    @Test func linksAreLinksUnlessFollowed() async throws {
        let server = try SSHServer()
        try TestFile.makeFolder(server.root + "/folder")
        try TestFile.write(server.root + "/folder/file", "content")
        let links = [
            "up": "../..", "beside": "../folder", "file-link": "file", "gone": "nothing", "folder-link": "/usr",
        ]
        for (name, target) in links { try #require(symlink(target, "\(server.root)/folder/\(name)") == 0) }
        try #require(mkfifo(server.root + "/folder/pipe", 0o600) == 0)
        let folder = try ItemPath("folder")
        let strict = try await connect(server)
        var expected = links.mapValues { _ in Entry.Kind.link }
        expected["file"] = .file
        expected["pipe"] = .special
        #expect(try await kinds(strict, folder) == expected)
        #expect(try await strict.stat(try ItemPath("folder/file-link")).kind == .link)
        await #expect { _ = try await kinds(strict, try ItemPath("folder/folder-link")) } throws: {
            ($0 as? PluginError)?.code == .notAFile
        }
        for name in ["file-link", "pipe"] {
            await #expect { _ = try await strict.open(try ItemPath("folder/\(name)")) } throws: {
                ($0 as? PluginError)?.code == .notAFile
            }
        }
        let following = try await connect(server, followsLinks: true)
        expected["file-link"] = .file
        expected["folder-link"] = .folder
        // These lead back to where a walk comes from.
        #expect(try await kinds(following, folder) == expected)
        #expect(try await following.open(try ItemPath("folder/file-link")).read(at: 0, count: 99).count == 7)
        // Its root may be a link.
        #expect(try await kinds(try await connect(server, path: "/folder/beside"))["file"] == .file)
    }

    @Test func openingAsksNothingAndReadsAreFew() async throws {
        let server = try SSHServer()
        let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try TestFile.write(Array("\(server.root)/data".utf8), content)
        let backend = try await connect(server)
        let path = try ItemPath("data")
        let entry = try await backend.stat(path)
        let before = backend.traffic
        let source = try await backend.open(path, listedAs: entry)
        #expect(backend.traffic == before && !source.isPinned)
        #expect(
            try await source.read(at: 1_000_001, count: 1 << 20) == Array(content[1_000_001..<(1_000_001 + 1 << 20)]))
        #expect(try await source.read(at: 2_999_990, count: 1 << 20) == Array(content.suffix(10)))
        let traffic = backend.traffic.since(before)
        #expect(traffic.requests == 2 && traffic.bytesReceived == 1 << 20 + 10)
    }

    @Test func whatChangedSinceItWasListedIsNotRead() async throws {
        let server = try SSHServer()
        try TestFile.write(server.root + "/data", "before")
        let backend = try await connect(server)
        let path = try ItemPath("data")
        let entry = try await backend.stat(path)
        try TestFile.write(server.root + "/data", "afterwards")
        let source = try await backend.open(path, listedAs: entry)
        await #expect { _ = try await source.read(at: 0, count: 3) } throws: { ($0 as? PluginError)?.code == .changed }
        unlink(server.root + "/data")
        try #require(symlink("/etc/passwd", server.root + "/data") == 0)
        let swapped = try await backend.open(path, listedAs: entry)
        await #expect { _ = try await swapped.read(at: 0, count: 3) } throws: {
            ($0 as? PluginError)?.code == .notAFile
        }
    }

    @Test func theHomeIsAPlace() async throws {
        let server = try SSHServer()
        let backend = try await SFTPBackend(
            source: SourceURI("sftp://\(server.user)@127.0.0.1:\(server.port)/~"),
            settings: BackendSettings(values: server.settings))
        #expect(try await backend.stat(.root).kind == .folder)
    }
}
