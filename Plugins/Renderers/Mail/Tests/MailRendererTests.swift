import MIME
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import MailRenderer

@Suite(.serialized) struct MailRendererTests {
    private static let subject = "Treffen am Montag – Überblick"

    private static func draw(_ bytes: [UInt8], box: Int = 256) throws -> Rendering {
        let renderer = try MailRenderer(RendererEnvironment(pluginFolder: "/"))
        var request = RenderRequest(box: box, mimeType: "message/rfc822")
        request.wantsText = true
        return try renderer.render(BytesInput(bytes), request)
    }

    private static func failure(_ bytes: [UInt8]) -> PluginError.Code? {
        RendererFixtures.failure { try draw(bytes) }
    }

    @Test("It keeps the renderer's contract", arguments: ["plain.eml", "both.eml", "html.eml", "outlook.msg"])
    func conformance(name: String) throws {
        let sample = RendererSample(name, mimeType: "message/rfc822", bytes: try Fixtures.bytes("mail/\(name)"))
        let suite = RendererConformance(samples: [sample], enlarges: true) { environment throws(PluginError) in
            try MailRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("Of a mailbox the first mail is shown", arguments: ["\n", "\r\n"])
    func mailbox(end: String) throws {
        let mail = "From a Tue Nov 24 05:00:00 2026\nFrom: Jo <a@example.org>\nSubject: One\n\nFrom here on words.\n\n"
        let box = (mail + mail.replacing("One", with: "Two")).replacing("\n", with: end)
        let facts = try Self.draw(Array(box.utf8)).facts
        #expect(facts.title == "One" && facts.text?.contains("From here on words.") == true)
        #expect(facts.text?.contains("Two") == false)
        // A sentence with a time is none of the lines between mails.
        let hours = box.replacing("From here on words.", with: "From 9:00 to 17:00 we are open.")
        #expect(try Self.draw(Array(hours.utf8)).facts.text?.contains("we are open") == true)
        for date in ["2026-11-24 05:00:00", "Tue, 24 Nov 2026 05:00", "24-Nov-2026 05:00:00 +0000"] {
            let box = box.replacing("Tue Nov 24 05:00:00 2026", with: date)
            #expect(try Self.draw(Array(box.utf8)).facts.text?.contains("Two") == false, "\(date)")
        }
        // What programs keep there, and messages with nothing in them, are passed over.
        let own = mail.replacing("One", with: "DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA")
        let empty = "From a Tue Nov 24 05:00:00 2026\n\n"
        for before in [own, empty, own + empty] {
            let box = before.replacing("\n", with: end) + box
            #expect(try Self.draw(Array(box.utf8)).facts.title == "One")
        }
        for (box, code) in [(String(repeating: empty, count: 20), PluginError.Code.corrupt), (own, .empty)] {
            do {
                _ = try Self.draw(Array(box.utf8))
                Issue.record("'\(code.rawValue)' was expected")
            } catch let error as PluginError { #expect(error.code == code) }
        }
    }

    @Test(
        "Subject, sender and text are read, however they are written",
        arguments: [
            "plain.eml", "both.eml", "html.eml", "outlook.msg",
        ])
    func contents(name: String) throws {
        let facts = try Self.draw(try Fixtures.bytes("mail/\(name)")).facts
        #expect(facts.title == Self.subject)
        #expect(facts.text(.author) == "Jörg Beispiel" && facts.text(.created)?.hasPrefix("2024-01-01T") == true)
        let text = try #require(facts.text)
        #expect(text.hasPrefix("Jörg Beispiel\nHallo zusammen,\n\nam Montag um zehn Uhr"), "\(text)")
        #expect(text.contains("bringt Beispiele mit, vor allem solche") && text.contains("Viele Grüße"), "\(text)")
        #expect(!text.contains("no") || text.contains("noch"), "scripts and styles are no text")
        #expect(!text.contains("write") && !text.contains("color"))
    }

    @Test("Letters of other scripts are read in their own encoding")
    func japanese() throws {
        let facts = try Self.draw(try Fixtures.bytes("mail/japanese.eml")).facts
        #expect(facts.title == "報告" && facts.text == "山田\n報告です。")
    }

    @Test("What is enciphered is a letter all the same, and attachments are counted")
    func locked() throws {
        let facts = try Self.draw(try Fixtures.bytes("mail/encrypted.eml")).facts
        #expect(facts.title == Self.subject && facts.text == "Jörg Beispiel")
        let letter = try MIMEMessage.letter(BytesInput(try Fixtures.bytes("mail/encrypted.eml")))
        #expect(letter.isEncrypted && letter.text.isEmpty)
        let both = try MIMEMessage.letter(BytesInput(try Fixtures.bytes("mail/both.eml")))
        #expect(both.attachments == 1 && both.date == "2024-01-01 09:30" && !both.isEncrypted)
        let saved = try OutlookMessage.letter(BytesInput(try Fixtures.bytes("mail/outlook.msg")))
        #expect(saved.date == "2024-01-01 00:00" && saved.attachments == 0)
    }

    @Test(
        "HTML is read for its words",
        arguments: [
            ("<p>a<br>b</p>", "\na\nb\n".dropLast() + "\n"), ("a &amp; b &#x41;&#66; &nope; &", "a & b AB &nope; &"),
            ("<style>x</style>y<!-- <p> -->z", "yz"), ("a<", "a"), ("<script>a", ""), ("<!-- a", ""),
            ("&#xD800;&#0;", "&#xD800;\0"),
        ])
    func html(source: String, words: String) { #expect(HTMLText.words(source) == words) }

    @Test("Lines that steer terminals or directions do not")
    func controls() {
        #expect(Letter.line("a\u{1B}[31m\u{202E}b\r\nc\u{0}") == "a [31mb c" && Letter.line(" \n") == nil)
        #expect(Letter.body("\n\na\n\n\n> quoted\nb\n-- \nme\n") == "a\n\nb")
    }

    @Test("Days are counted right")
    func days() {
        #expect(CivilDate.text(secondsSince1970: 0) == "1970-01-01 00:00")
        #expect(CivilDate.text(secondsSince1970: 951_782_399) == "2000-02-28 23:59")
        #expect(CivilDate.text(secondsSince1970: 951_782_400) == "2000-02-29 00:00")
        #expect(CivilDate.text(secondsSince1970: 253_402_300_799) == "9999-12-31 23:59")
    }

    @Test("What is no mail says so, and mails that are made to be hard end in no time")
    func bad() throws {
        #expect(Self.failure([]) == .empty && Self.failure(Array("words and words\n".utf8)) == .corrupt)
        #expect(Self.failure(try Fixtures.bytes("office/vitrine.doc")) == .unsupported)
        #expect(Self.failure(Array("From: a\n".utf8)) == nil)
        let deep = (0..<20_000).map { "Content-Type: multipart/mixed; boundary=b\($0)\n\n--b\($0)\n" }.joined()
        let many = "Content-Type: multipart/mixed; boundary=b\n\n" + String(repeating: "--b\n\na\n", count: 100_000)
        let nested = String(repeating: "Content-Type: message/rfc822\n\n", count: 50_000)
        let hard = [
            deep, many, nested, String(repeating: "Subject: a\n", count: 100_000),
            "Subject: " + String(repeating: "=?utf-8?q?a?= ", count: 50_000) + "\n\n",
            "Subject: " + String(repeating: "a", count: 1_000_000) + "\n\n",
            "Content-Type: text/html\n\n" + String(repeating: "<", count: 300_000),
            "Content-Type: text/html\n\n" + String(repeating: "&", count: 300_000),
            "Content-Type: text/html\n\n" + String(repeating: "<!--", count: 100_000),
            "Content-Type: text/plain; charset=nothing\n\n\u{FF}\u{FE}",
            "Content-Transfer-Encoding: base64\n\n" + String(repeating: "====", count: 100_000),
        ]
        for text in hard {
            let time = ProcessorTime.measure { #expect(Self.failure(Array(("From: a\n" + text).utf8)) == nil) }
            #expect(time < .seconds(8), "\(text.prefix(40)) took \(time)")
        }
    }
}
