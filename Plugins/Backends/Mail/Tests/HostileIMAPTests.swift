import Dispatch
import Glibc
import Testing
import VitrineKit

@testable import MailBackend

/// A server that lets everybody in and says what it is told: no real one says such things.
final class ScriptedServer: Sendable {
    let port: UInt16
    private let listener: CInt

    /// - Parameter serve: talks to one client.
    init(_ serve: @escaping @Sendable (ScriptedClient) -> Void) throws {
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(isBound)
        port = UInt16(bigEndian: address.sin_port)
        DispatchQueue(label: "scripted").async {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                serve(ScriptedClient(connection: connection))
                close(connection)
            }
        }
    }

    deinit {
        shutdown(listener, CInt(SHUT_RDWR))
        close(listener)
    }

    /// A server of IMAP that answers the first LIST with what it is told.
    convenience init(_ answer: String) throws {
        try self.init { client in
            client.say("* PREAUTH ready\r\n")
            while let words = client.words() {
                let tag = words.first ?? ""
                if words.count > 1, words[1] == "LIST" {
                    client.say(answer.replacing("TAG", with: tag))
                    // Lets what was said arrive before the end.
                    shutdown(client.connection, CInt(SHUT_WR))
                    return
                }
                client.say("* CAPABILITY IMAP4rev1\r\n\(tag) OK done\r\n")
            }
        }
    }
}

/// Who talks to a ``ScriptedServer``.
struct ScriptedClient {
    let connection: CInt

    /// - Returns: whether it is still there.
    @discardableResult func say(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) } >= 0
    }

    /// The words of a command; `nil` when it is gone.
    func words() -> [String]? {
        var room = [UInt8](repeating: 0, count: 4096)
        let count = room.withUnsafeMutableBytes { recv(connection, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return nil }
        return String(decoding: room.prefix(count), as: UTF8.self).split { $0.isWhitespace }.map(String.init)
    }
}

/// Who would wait for more would be ended by the time limit.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HostileIMAPTests {
    @Test(
        "What no honest server says is an error in bounds",
        arguments: [
            ("", PluginError.Code.io), ("* LIST " + String(repeating: "(", count: 5000) + "\r\nTAG OK x\r\n", .io),
            ("* LIST () \".\" {99999999999999999999}\r\n", .io), ("* LIST () \".\" {3000000}\r\nabc", .io),
            ("* LIST () {1}\r\na {9223372036854775807}\r\n", .io),
            ("* LIST () \".\" {100}\r\nshort", .io), ("* LIST () \"no end\r\nTAG OK x\r\n", .io),
            ("* LIST (((\r\nTAG OK x\r\n", .io), ("TAG NO [THROTTLED] x\r\n", .throttled),
            ("* BYE too many connections\r\n", .throttled), ("TAG NO [UNAVAILABLE] x\r\n", .offline),
            ("\u{0}\u{1}\u{FFFD}\r\n{}\r\n)))\r\n", .io), ("+ go on\r\nTAG BAD what\r\n", .io),
        ])
    func hostile(answer: String, code: PluginError.Code) async throws {
        let server = try ScriptedServer(answer)
        // More than what is said takes on a busy machine: nothing of it is waited for.
        let settings = BackendSettings(values: ["user": "bob", "password": "x", "stall-timeout": "3600"])
        await #expect("\(answer.prefix(60))") {
            _ = try await MailBackend(source: SourceURI("imap://127.0.0.1:\(server.port)"), settings: settings)
        } throws: {
            ($0 as? PluginError)?.code == code
        }
    }

    @Test("Names that climb stay inside, and a literal is no word of the server")
    func names() async throws {
        let server = try ScriptedServer(
            "* LIST () \"/\" \"../../etc\"\r\n* LIST () \"/\" {12}\r\na\r\nV1 OK x\r\n\r\n* LIST () \"/\" \"b\"\r\nTAG OK done\r\n"
        )
        let settings = BackendSettings(values: ["user": "bob", "password": "x", "stall-timeout": "300"])
        let backend = try await MailBackend(
            source: SourceURI("imap://127.0.0.1:\(server.port)"), settings: settings)
        let root = try await backend.place(.root)
        guard case .mailbox(let mailbox) = root else {
            Issue.record("the root is a mailbox")
            return
        }
        #expect(!mailbox.holdsMessages)
        await #expect { _ = try await backend.stat(try ItemPath("etc")) } throws: {
            ($0 as? PluginError)?.code == .notFound
        }
        for inside in ["_./_./etc", "b"] { #expect(try await backend.stat(try ItemPath(inside)).kind == .folder) }
    }
}
