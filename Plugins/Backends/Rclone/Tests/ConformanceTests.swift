import RcloneBackend
import TestServers
import Testing
import VitrineKit
import VitrineTesting

@Suite(.serialized, .enabled(if: RcloneServer.program != nil, "rclone is not installed: 'make test' installs it"))
struct ConformanceTests {
    @Test(arguments: ["disk", "other", "joined"]) func conforms(remote: String) async throws {
        let site = try Site()
        let root = site.folder.path + "/root"
        let path = remote == "disk" ? root : remote == "joined" ? "part" : ""
        let suite = BackendConformance(names: .text, many: 2500, put: { try $0.write(below: root) }) { sample in
            try sample.write(below: root)
            return try await site.connect("\(remote):\(path)")
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }
}

/// A configuration of rclone with remotes of this machine.
struct Site {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder("remotes")
        let path = folder.path
        for name in ["/root", "/vault"] { try TestFile.makeFolder(path + name) }
        try TestFile.write(
            path + "/rclone.conf",
            """
            [disk]
            type = local
            [other]
            type = alias
            remote = \(path)/root
            [joined]
            type = combine
            upstreams = part=\(path)/root vault=secret:
            [secret]
            type = crypt
            remote = \(path)/vault
            password = \(try Self.obscured("a long password", folder))
            [volatile]
            type = memory

            """)
    }

    func connect(_ remote: String, _ values: [String: String] = [:]) async throws(PluginError) -> RcloneBackend {
        let usual = ["program": RcloneServer.program ?? "", "config": folder.path + "/rclone.conf"]
        return try await RcloneBackend(
            source: SourceURI("rclone:" + remote), settings: BackendSettings(values: usual.merging(values) { $1 }))
    }

    /// Runs rclone with its configuration.
    func run(_ arguments: String...) throws {
        try ServerProcess.run(
            RcloneServer.program ?? "", arguments + ["--config", folder.path + "/rclone.conf"], in: folder)
    }

    private static func obscured(_ password: String, _ folder: ScratchFolder) throws -> String {
        try ServerProcess.run(RcloneServer.program ?? "", ["obscure", password], in: folder)
        return String(TestFile.text(folder.path + "/run.log").split(whereSeparator: \.isNewline).last ?? "")
    }
}
