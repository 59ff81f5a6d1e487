import MailBackend
import TestServers
import Testing
import VitrineKit
import VitrineTesting

@Suite(
    .serialized,
    .enabled(if: DovecotServer.isInstalled, "dovecot is not installed, or this is not root: 'make test' installs it"))
struct FaultTests {
    private static func connect(
        _ port: UInt16, _ settings: [String: String] = FaultConformance.settings
    ) async throws(PluginError) -> MailBackend {
        var values = settings
        values["user"] = "bob"
        values["password"] = DovecotServer.password
        return try await MailBackend(
            source: SourceURI("imap://127.0.0.1:\(port)/INBOX"), settings: BackendSettings(values: values))
    }

    @Test func survivesFaults() async throws {
        let server = try DovecotServer()
        let suite = StreamFaultConformance(
            server: server.imap,
            prepare: { sample in
                for (number, message) in AttachmentTree.messages(sample).enumerated() {
                    try server.deliver(message, name: "\(number).host")
                }
            }, connect: { port, settings, sample in try await AttachmentTree(Self.connect(port, settings), sample) })
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test func errorsCostLittle() async throws {
        let server = try DovecotServer()
        let files = (0..<300).map { MailSample.File(Array("\($0).txt".utf8), Array("content of \($0).txt".utf8)) }
        try server.deliver(MailSample.message(subject: "many", files: files), name: "1.host")
        let direct = try await Self.connect(server.imap)
        var messages: [Entry] = []
        for try await page in direct.list(.root) { messages += page }
        let message = try ItemPath(try #require(messages.first { $0.kind == .folder }).name)
        let cost = try await NetworkCost(
            server: server.imap, folder: message,
            content: { Array("content of \(String(decoding: $0, as: UTF8.self))".utf8) }
        ) { port in try await Self.connect(port) }
        print(
            "300 items over IMAP: \(cost.clean.duration) clean, \(cost.faulty.duration) with errors, \(cost.ratio), \(cost.cleanTurns) and \(cost.faultyTurns) turns"
        )
        #expect(cost.clean.isWhole(300) && cost.faulty.isWhole(300), "\(cost)")
        // What failed is asked for again, after a log-in.
        #expect(cost.faultyTurns <= cost.cleanTurns * 3 / 2, "\(cost)")
    }
}
