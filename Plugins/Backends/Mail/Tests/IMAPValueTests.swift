import MIME
import Testing
import VitrineKit

@testable import MailBackend

@Suite struct IMAPValueTests {
    @Test(
        "Names of mailboxes are letters",
        arguments: [
            ("INBOX", "INBOX"), ("&AOQ-rger", "ärger"), ("a&-b", "a&b"), ("&ZeVnLIqe-", "日本語"), ("&2D3eAA-", "😀"),
            ("broken&", "broken&"), ("&!!-", "&!!-"), ("schön", "schön"), ("", ""),
        ])
    func names(raw: String, name: String) { #expect(MailboxName.decode(Array(raw.utf8)) == name) }

    @Test("Structures of messages become their parts")
    func structure() {
        func text(_ text: String) -> IMAPValue { .string(Array(text.utf8)) }
        func number(_ number: Int) -> IMAPValue { .atom(Array(String(number).utf8)) }
        let plain: IMAPValue = .list([
            text("TEXT"), text("PLAIN"), .list([text("CHARSET"), text("utf-8")]), .nothing, .nothing, text("7BIT"),
            number(12),
            number(1), .nothing, .nothing, .nothing,
        ])
        let file: IMAPValue = .list([
            text("APPLICATION"), text("PDF"), .nothing, .nothing, .nothing, text("BASE64"), number(100), .nothing,
            .list([text("attachment"), .list([text("filename"), text("=?utf-8?q?=C3=BC?=.pdf")])]), .nothing,
        ])
        let mixed: IMAPValue = .list([plain, file, text("MIXED")])
        let message: IMAPValue = .list([
            text("MESSAGE"), text("RFC822"), .nothing, .nothing, .nothing, text("7BIT"), number(500), .list([]), mixed,
            number(9), .nothing, .nothing,
        ])
        let parts = BodyStructure.parts(.list([plain, message, text("MIXED")]))
        #expect(parts.map(\.section) == ["1", "2", "2.1", "2.2"])
        #expect(parts.map(\.isAttachment) == [false, true, false, true] && parts[3].fileName == "ü.pdf")
        #expect(parts[3].coding == .base64 && parts[3].encodedSize == 100)
        #expect(BodyStructure.parts(plain).map(\.section) == ["1"] && BodyStructure.parts(.nothing).isEmpty)
        #expect(BodyStructure.parts(.list([])).isEmpty && BodyStructure.parts(.list([text("TEXT")])).isEmpty)
        let deep = (0..<40).reduce(plain) { inner, _ in .list([inner, text("MIXED")]) }
        #expect(BodyStructure.parts(deep).isEmpty)
    }

    @Test(
        "What a server refuses for is known",
        arguments: [
            ("NO [THROTTLED] slow down", PluginError.Code.throttled), ("NO [LIMIT] x", .throttled),
            ("BYE Too many simultaneous connections", .throttled), ("NO [UNAVAILABLE] x", .offline),
            ("NO [NONEXISTENT] x", .notFound), ("NO [NOPERM] x", .forbidden), ("-ERR [AUTH] no", .unauthorized),
            ("-ERR [IN-USE] locked", .throttled), ("-ERR [LOGIN-DELAY] wait", .throttled),
            ("-ERR [SYS/TEMP] x", .offline),
            ("NO what", .io),
        ])
    func answers(text: String, code: PluginError.Code) { #expect(ServerAnswer.meaning(text).code == code) }
}
