import Glibc
import SFTPBackend
import TestServers
import Testing
import VitrineKit
import VitrineTesting

@Suite(.serialized, .enabled(if: SSHServer.isInstalled, "openssh-server is not installed: 'make test' installs it"))
struct WritingTests {
    @Test func conformsToWriting() async throws {
        let server = try SSHServer()
        let suite = WritableConformance { try await connect(server) }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test(.enabled(if: SmallDisk.isAllowed, "only root can mount a small disk"))
    func conformsOnSmallDisks() async throws {
        let server = try SSHServer()
        for name in ["closed", "small"] { try TestFile.makeFolder("\(server.root)/\(name)") }
        let closed = try SmallDisk(on: server.root + "/closed", mebibytes: 1, isReadOnly: true)
        let small = try SmallDisk(on: server.root + "/small", mebibytes: 2)
        let suite = WritableConformance(
            large: 300_000, forbidden: try ItemPath("closed"),
            small: { .init(try await connect(server, path: "/small"), tooMany: 3 << 20) }
        ) { try await connect(server) }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
        withExtendedLifetime((closed, small)) {}
    }

    @Test func aLinkWithAHiddenNameIsNotWrittenThrough() async throws {
        let server = try SSHServer()
        try TestFile.write(server.process.folder.path + "/outside", "keep")
        let hidden = String(decoding: UnfinishedName.of("trap"), as: UTF8.self)
        symlink(server.process.folder.path + "/outside", "\(server.root)/\(hidden)")
        let backend = try await connect(server)
        let error = await #expect(throws: PluginError.self) {
            try await backend.write(try ItemPath("file"), FileDraft(size: 9, token: "trap"))
        }
        #expect(error?.code == .exists)
        #expect(TestFile.text(server.process.folder.path + "/outside") == "keep")
    }

    @Test func aFileThatIsReplacedHasANameWheneverCopyingIsStopped() async throws {
        let server = try SSHServer()
        let backend = try await connect(server)
        let path = try ItemPath("file")
        for number in 0..<10 {
            try TestFile.write(server.root + "/file", "old")
            let transaction = try await backend.write(path, FileDraft(size: 3, token: "stopped\(number)"))
            try await transaction.append(Array("new".utf8), at: 0)
            let work = Task { try? await transaction.commit(.replacing, content: []) }
            for _ in 0..<(number * 50) { await Task.yield() }
            work.cancel()
            await transaction.suspend()
            let done = await work.value != nil
            await transaction.suspend()
            #expect(TestFile.text(server.root + "/file") == (done ? "new" : "old"))
            var names: [[UInt8]] = []
            for try await page in backend.list(.root) { names += page.map(\.name) }
            #expect(!names.contains { $0.starts(with: ".vitrine-old-".utf8) })
        }
    }
}
