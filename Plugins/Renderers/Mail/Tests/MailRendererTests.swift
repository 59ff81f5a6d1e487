import MIME
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import MailRenderer

@Suite(.serialized) struct MailRendererTests {
    private static let subject = "Treffen am Montag – Überblick"

    private static func draw(
        _ bytes: [UInt8], type: String = "message/rfc822", box: Int = 256
    ) throws -> Rendering {
        let renderer = try MailRenderer(RendererEnvironment(pluginFolder: "/"))
        var request = RenderRequest(box: box, mimeType: type)
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

    @Test("Of a mail that passes others on the first text with words is shown")
    func forwarded() throws {
        func mail(_ own: String, _ kind: String = "plain") -> [UInt8] {
            Array(
                """
                From: Jo <a@example.org>
                Subject: Fwd
                Content-Type: multipart/mixed; boundary=b

                --b
                Content-Type: text/\(kind)

                \(own)
                --b
                Content-Type: message/rfc822

                From: b@example.org
                Subject: One

                Words of another.
                --b
                Content-Type: text/plain

                Below.
                --b--

                """.utf8)
        }
        #expect(try Self.draw(mail("")).facts.text == "Jo\nWords of another.")
        #expect(try Self.draw(mail("-- \nJo")).facts.text == "Jo\nWords of another.")
        #expect(try Self.draw(mail("Own.")).facts.text == "Jo\nOwn.")
        #expect(try Self.draw(mail("<p>Own.</p>", "html")).facts.text == "Jo\nOwn.")
    }

    @Test("Of a mail that is a calendar it is told what it invites to, and of a picture that it is one")
    func otherThanText() throws {
        let calendar = """
            BEGIN:VCALENDAR
            BEGIN:VTIMEZONE
            DTSTART:16010101T000000
            END:VTIMEZONE
            BEGIN:VEVENT
            DTSTART;TZID=Europe/Berlin:20261201T090000
            SUMMARY:Stand-up
            BEGIN:VALARM
            DESCRIPTION:Bell
            END:VALARM
            LOCATION:Room 5\\, left
            DESCRIPTION:Bring\\nnumbers.
            END:VEVENT
            BEGIN:VEVENT
            SUMMARY:Later
            END:VEVENT
            END:VCALENDAR
            """
        let words = "Stand-up\n2026-12-01 09:00\nRoom 5, left\nBring\nnumbers."
        let head = "From: Jo <a@example.org>\nContent-Type: "
        let sole = head + "text/calendar; method=REQUEST; charset=utf-8\n\n" + calendar + "\n"
        #expect(try Self.draw(Array(sole.utf8)).facts.text == "Jo\n" + words)
        let both =
            head + "multipart/alternative; boundary=b\n\n--b\nContent-Type: text/calendar\n\n" + calendar
            + "\n--b\nContent-Type: text/plain\n\nCome.\n--b--\n"
        #expect(try Self.draw(Array(both.utf8)).facts.text == "Jo\nCome.")
        let picture = Array((head + "image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n").utf8)
        #expect(try Self.draw(picture).facts.text == "Jo")
        #expect(try MIMEMessage.letter(BytesInput(picture)).shownText == "This mail has a picture and no text.")
    }

    @Test("Letters of other scripts are read in their own encoding")
    func japanese() throws {
        let facts = try Self.draw(try Fixtures.bytes("mail/japanese.eml")).facts
        #expect(facts.title == "報告" && facts.text == "山田\n報告です。")
    }

    @Test(
        "Texts whose encoding is wrong or not told are read in a likely one",
        arguments: [
            ("; charset=us-ascii", Array("Grüße".utf8)), ("; charset=x-foo", Array("Grüße".utf8)),
            ("", Array("Grüße".utf8)),
            ("", [0x47, 0x72, 0xFC, 0xDF, 0x65]), ("; charset=utf-8", [0x47, 0x72, 0xFC, 0xDF, 0x65]),
            ("; charset=iso-8859-1", [0x47, 0x72, 0xFC, 0xDF, 0x65]), ("; charset=utf-7", Array("Gr+APwA3w-e".utf8)),
        ] as [(String, [UInt8])])
    func encodings(charset: String, letters: [UInt8]) throws {
        for kind in ["plain", "html"] {
            let head = "From: a\r\nContent-Type: text/\(kind)\(charset)\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
            let mail = Array(head.utf8) + letters
            #expect(try Self.draw(mail).facts.text == "a\nGrüße", "\(kind)\(charset)")
            let line = "From a Tue Nov 24 05:00:00 2026\r\n"
            #expect(try Self.draw(Array(line.utf8) + mail).facts.text == "a\nGrüße", "\(kind)\(charset)")
        }
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
        "What Outlook saved in bytes is read in the encoding whose number it has",
        arguments: [
            (1251, [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"), (932, [0x93, 0xFA, 0x96, 0x7B], "日本"),
            (28_595, [0xB0], "А"), (1252, [0xFC], "ü"), (0, [0xFC], "ü"), (65_001, [0xC3, 0xBC], "ü"),
        ] as [(Int, [UInt8], String)])
    func codePages(page: Int, bytes: [UInt8], text: String) throws {
        func property(_ id: Int) -> [UInt8] {
            [3, 0, UInt8(id & 255), UInt8(id >> 8), 0, 0, 0, 0, UInt8(page & 255), UInt8(page >> 8)]
                + [UInt8](repeating: 0, count: 6)
        }
        let properties = [UInt8](repeating: 0, count: 32) + property(0x3FFD) + property(0x3FDE)
        let html = Array("<p>".utf8) + bytes
        for (name, body) in [("__substg1.0_1000001E", bytes), ("__substg1.0_10130102", html)] {
            let file = compoundFile([
                ("__properties_version1.0", properties), ("__substg1.0_0037001E", bytes), (name, body),
            ])
            let letter = try OutlookMessage.letter(BytesInput(file))
            #expect(letter.subject == text && letter.text == text)
        }
    }

    @Test(
        "Where the number of the encoding is missing, that of the HTML counts, else the language",
        arguments: [
            ([0x3FDE: 950, 0x3FF1: 1033], [0xA4, 0xA4], "中"), ([0x3FF1: 1028], [0xA4, 0xA4], "中"),
            ([0x3FF1: 2052], [0xD6, 0xD0], "中"), ([0x3FDE: 20_127, 0x3FF1: 1049], [0xCF, 0xF0], "Пр"),
            ([0x3FFD: 1252, 0x3FDE: 950, 0x3FF1: 1028], [0xFC, 0x2E], "ü."), ([0x3FF1: 1031], [0xFC, 0x2E], "ü."),
            ([0x3FF1: 1041], [0x93, 0xFA], "日"), ([0x3FDE: 65_001, 0x3FF1: 1028], [0xC3, 0xBC], "ü"),
        ] as [([Int: Int], [UInt8], String)])
    func otherCodePages(numbers: [Int: Int], bytes: [UInt8], text: String) throws {
        var properties = [UInt8](repeating: 0, count: 32)
        for (id, number) in numbers {
            properties += [3, 0, UInt8(id & 255), UInt8(id >> 8), 0, 0, 0, 0, UInt8(number & 255), UInt8(number >> 8)]
            properties += [UInt8](repeating: 0, count: 6)
        }
        let file = compoundFile([("__properties_version1.0", properties), ("__substg1.0_0037001E", bytes)])
        #expect(try OutlookMessage.letter(BytesInput(file)).subject == text)
    }

    @Test(
        "The fact of when it was sent names the zone where the mail does",
        arguments: [
            ("Mon, 06 Jan 2025 10:00:07 +0100", "2025-01-06T10:00:07+01:00"),
            ("Mon, 06 Jan 2025 10:00:07 -0530 (here)", "2025-01-06T10:00:07-05:30"),
            ("Mon, 06 Jan 2025 10:00:07 GMT", "2025-01-06T10:00:07+00:00"),
            ("Mon, 06 Jan 2025 10:00:07 -0000", "2025-01-06T10:00:07"),
            ("Mon, 06 Jan 2025 10:00:07", "2025-01-06T10:00:07"),
        ])
    func zones(date: String, fact: String) throws {
        let mail = Array("From: a\nDate: \(date)\n\nb\n".utf8)
        #expect(try Self.draw(mail).facts.text(.created) == fact)
        #expect(try MIMEMessage.letter(BytesInput(mail)).date == "2025-01-06 10:00")
    }

    @Test(
        "HTML is read for its words",
        arguments: [
            ("<p>a<br>b</p>", "\na\nb\n".dropLast() + "\n"), ("a &amp; b &#x41;&#66; &nope; &", "a & b AB &nope; &"),
            ("<style>x</style>y<!-- <p> -->z", "yz"), ("a<", "a"), ("<script>a", ""), ("<!-- a", ""),
            ("&#xD800;&#0;", "&#xD800;\0"), ("a&shy;b&nbsp;c&yuml;&Agrave;&zwnj;", "a\u{AD}b cÿÀ\u{200C}"),
            ("<tr><td>a</td><td class=x>b</td></tr>", "\n a  b \n"),
            ("<div style='color:red; Display : none !important'>a<div>b</div>c</div>d", "d"),
            ("<span hidden>a</span>b<span style=display:none>c</span>d", "bd"),
            ("<p style=\"visibility:hidden\">a<p>b", "\nb"), ("<p style='opacity:0'>a<br>b</p>c", "c"),
            ("<div style='max-height:0px;overflow:hidden'>a</div>b<div style='max-height:0'>c</div>", "b\nc\n"),
            ("<br style='display:none'>a<img hidden>b<i hidden/>c", "\nabc"),
            ("<i title='display:none' hidden2>a</i>", "a"),
            ("<div style='display:none'>a", "\na"), ("<td hidden>a<td>b</td></td>c", " b  c"),
            ("<td><span style='display:none'>a</td><td>b</td><p>c", " \u{20}b \nc"),
            ("<tr><td hidden>a<table><td>b</table>c</td><td>d", "\n d"), ("<li hidden>a<li>b", "\nb"),
            ("<a = style='x' hidden>a</a>b", "b"),
            ("<head><title>a</title><p>b", "\nb"), ("<script>a<script>b</script>c", "c"),
        ])
    func html(source: String, words: String) { #expect(HTMLText.words(source) == words) }

    @Test("Of a mailbox lines are read without the marks that tell them from those between mails")
    func marked() throws {
        for end in ["\n", "\r\n"] {
            let mail = "From: a\n\n>From here on\n>>From there\n>Fromage\n > From a\nb >From c\n>".replacing(
                "\n", with: end)
            let box = Array(("From a Tue Nov 24 05:00:00 2026" + end + mail).utf8)
            // What is left with a mark is quoted.
            #expect(try Self.draw(box).facts.text == "a\nFrom here on\n> From a\nb >From c")
            #expect(try Self.draw(Array(mail.utf8)).facts.text == "a\n> From a\nb >From c")
        }
        let marks = String(repeating: ">", count: 1_000_000)
        let box = Array("From a Tue Nov 24 05:00:00 2026\nFrom: a\n\n\(marks)\n\(marks)From a\n".utf8)
        let time = ProcessorTime.measure { #expect((try? Self.draw(box).facts.text) == "a") }
        #expect(time < .seconds(8))
    }

    @Test("Lines that steer terminals or directions do not")
    func controls() {
        #expect(Letter.line("a\u{1B}[31m\u{202E}b\r\nc\u{0}") == "a [31mb c" && Letter.line(" \n") == nil)
        #expect(Letter.body("\n\na\n\n\n> quoted\nb\n-- \nme\n") == "a\n\nb")
    }

    @Test("Of what is called a compound file it is no news that it is no mail")
    func otherPrograms() throws {
        func code(_ text: String, _ type: String) -> PluginError.Code? {
            RendererFixtures.failure { try Self.draw(Array(text.utf8), type: type) }
        }
        #expect(code("words and words\n", "application/x-ole-storage") == .unsupported)
        // Programs save mails as they came under the ending of Outlook's.
        #expect(code("words and words\n", "application/vnd.ms-outlook") == .corrupt)
        #expect(code("From: a\n", "application/vnd.ms-outlook") == nil)
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
