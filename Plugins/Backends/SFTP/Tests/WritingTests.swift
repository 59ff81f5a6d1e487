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
}
