import Testing
import VitrineKit

@testable import MailBackend

@Suite(.serialized) struct HostilePOP3Tests {
    /// A server with one message, whose answer to one command has lines without an end.
    private func server(endless: String) throws -> ScriptedServer {
        try ScriptedServer { client in
            client.say("+OK ready\r\n")
            var isIn = false
            while let words = client.words() {
                let command = words.first ?? ""
                if isIn, command == endless {
                    client.say("+OK\r\n")
                    let lines = "X-Line: " + String(repeating: "x", count: 30_000) + "\r\n"
                    // Until the client has had enough: saying anything to it fails then.
                    while client.say(lines + lines) {}
                    return
                }
                switch command {
                case "CAPA": client.say("+OK\r\nUSER\r\nTOP\r\nUIDL\r\n.\r\n")
                case "LIST": client.say("+OK\r\n1 100\r\n.\r\n")
                case "UIDL": client.say("+OK\r\n1 one\r\n.\r\n")
                case "TOP": client.say("+OK\r\nSubject: one\r\n\r\n.\r\n")
                default:
                    client.say("+OK\r\n")
                    isIn = isIn || command == "PASS"
                }
            }
        }
    }

    @Test(arguments: ["CAPA", "TOP", "RETR"])
    func `an answer without an end is left`(command: String) async throws {
        let server = try server(endless: command)
        let settings = BackendSettings(values: ["user": "bob", "password": "x", "stall-timeout": "300"])
        await #expect {
            let uri = try SourceURI("pop3://127.0.0.1:\(server.port)")
            let backend = try await MailBackend(source: uri, settings: settings)
            let names = try await Tree.of(backend)
            _ = try await backend.open(ItemPath(try #require(names.first)))
        } throws: {
            ($0 as? PluginError)?.code == .limitExceeded
        }
    }
}
