import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import MailRenderer

/// Mails of Outlook that others get as `winmail.dat`.
@Suite(.serialized) struct TransportMessageTests {
    private static func attribute(_ kind: Int, _ content: [UInt8], level: UInt8 = 1) -> [UInt8] {
        [level] + little(kind, 4) + little(content.count, 4) + content + [0, 0]
    }

    private static func file(_ attributes: [UInt8]...) -> [UInt8] {
        [0x78, 0x9F, 0x3E, 0x22, 1, 0] + attributes.flatMap(\.self)
    }

    /// A property with one value of a length that is told.
    private static func property(_ name: Int, _ type: Int, _ value: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
        return little(type, 2) + little(name, 2) + little(1, 4) + little(value.count, 4) + value + padding
    }

    private static func properties(_ list: [UInt8]...) -> [UInt8] {
        attribute(0x0006_9003, little(list.count, 4) + list.flatMap(\.self))
    }

    private static func unicode(_ text: String) -> [UInt8] { (text.utf16 + [0]).flatMap { little(Int($0), 2) } }

    private func facts(_ bytes: [UInt8]) throws -> Facts {
        let renderer = try MailRenderer(RendererEnvironment(pluginFolder: "/"))
        var request = RenderRequest(box: 256, mimeType: "application/vnd.ms-tnef")
        request.wantsText = true
        return try renderer.render(BytesInput(bytes), request).facts
    }

    /// A mail with a value of every kind before those that are read.
    private static let mail: [UInt8] = {
        let guid = [UInt8](repeating: 7, count: 16)
        let named = little(0x1E, 2) + little(0x8001, 2) + guid + little(1, 4) + little(6, 4) + unicode("ab") + [0, 0]
        let list = little(0x101F, 2) + little(0x6001, 2) + little(2, 4) + little(2, 4) + [0x61, 0, 0, 0] + little(0, 4)
        let flag = little(0x0B, 2) + little(0x0E1B, 2) + little(1, 4)
        let sent = little(0x40, 2) + little(0x0039, 2) + little((1_700_000_000 + 11_644_473_600) * 10_000_000, 8)
        return file(
            attribute(0x0006_9007, little(1251, 4) + little(0, 4)), attribute(0x0001_8004, Array("Older\0".utf8)),
            properties(
                named + little(1, 4) + little(2, 4) + [0x78, 0, 0, 0], list, flag, sent,
                property(0x0037, 0x1F, unicode("Größe")), property(0x0C1A, 0x1E, [0xCC, 0xE8, 0xF0, 0]),
                property(0x1000, 0x1E, Array("The text.\0".utf8))),
            attribute(0x0006_9002, [UInt8](repeating: 0, count: 14), level: 2),
            attribute(0x0001_8010, Array("a.pdf\0".utf8), level: 2))
    }()

    @Test("It keeps the renderer's contract for mails of Outlook in the form that others get")
    func conformance() {
        let sample = RendererSample("a mail", mimeType: "application/vnd.ms-tnef", bytes: Self.mail)
        let suite = RendererConformance(samples: [sample], enlarges: true) { environment throws(PluginError) in
            try MailRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("Properties are read, whatever stands between them, before the attributes of older programs")
    func properties() throws {
        let facts = try facts(Self.mail)
        #expect(facts.title == "Größe" && facts.text == "Мир\nThe text.")
        #expect(facts.details[.author] == .text("Мир") && facts.details[.created] == .text("2023-11-14T22:13:00"))
        let older = Self.file(
            Self.attribute(0x0001_8004, Array("Older\0".utf8)), Self.attribute(0x0002_800C, Array("Words\0".utf8)))
        #expect(try self.facts(older).title == "Older" && self.facts(older).text == "Words")
    }

    @Test("Of a mail without a text the names of what is attached are shown")
    func attached() throws {
        let part = Self.attribute(0x0006_9002, [UInt8](repeating: 0, count: 14), level: 2)
        let bytes = Self.file(part, Self.attribute(0x0001_8010, Array("plan.pdf\0".utf8), level: 2), part)
        #expect(try facts(bytes).text == "plan.pdf")
        #expect(RendererFixtures.failure { try facts(Self.file()) } == .empty)
        #expect(RendererFixtures.failure { try facts(Array(bytes.prefix(3))) } == .corrupt)
    }

    @Test("A text in Rich Text Format is read, packed or not")
    func richText() throws {
        // The example of [MS-OXRTFCP] 3.1.1.
        let packed: [UInt8] = [
            0x2D, 0, 0, 0, 0x2B, 0, 0, 0, 0x4C, 0x5A, 0x46, 0x75, 0xF1, 0xC5, 0xC7, 0xA7, 3, 0, 0x0A, 0, 0x72, 0x63,
            0x70, 0x67, 0x31, 0x32, 0x35, 0x42, 0x32, 0x0A, 0xF3, 0x20, 0x68, 0x65, 0x6C, 9, 0, 0x20, 0x62, 0x77, 5,
            0xB0,
            0x6C, 0x64, 0x7D, 0x0A, 0x80, 0x0F, 0xA0,
        ]
        #expect(
            CompressedRichText.unpacked(packed) == Array("{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n".utf8))
        func text(_ rich: [UInt8]) throws -> String? {
            try facts(Self.file(Self.properties(Self.property(0x1009, 0x102, rich)))).text
        }
        #expect(try text(packed) == "hello world")
        let page =
            #"{\rtf1\ansi\ansicpg1251\fromhtml1{\fonttbl{\f0 Arial;}}{\*\htmltag64 <p>}\htmlrtf {\b \htmlrtf0 One "#
            + #"\'cc\'e8\'f0\par \u8364?\u252u {\uc0\u246}}"#
        #expect(RichText.words(Array(page.utf8)) == "One Мир\n€ü ö")
        // A letter and the end of a line, which pages of the web have in marks, stand beside these.
        let marked =
            #"{\rtf1\ansi\ansicpg1252\fromhtml1 {\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 J{\*\htmltag84 &ouml;}\htmlrtf \'f6"#
            + #"\htmlrtf0 rg,\htmlrtf\par}\htmlrtf0 {\*\htmltag72 </p>}see you\u-10179?\u-8704?}"#
        #expect(RichText.words(Array(marked.utf8)) == "Jörg,\nsee you😀")
        let fonts = #"{\rtf1\ansicpg1252{\fonttbl{\f0 A;}{\f1\fcharset204 B;}}{\f1 \'cc\'e8\'f0} \'e9"#
        #expect(RichText.words(Array(fonts.utf8)) == "Мир é")
        #expect(RichText.words(Array(("{\\rtf1 deep" + String(repeating: "{", count: 2000)).utf8)) == "deep")
        let plain = [0, 0, 0, 0, 0, 0, 0, 0] + Array("MELA".utf8) + [0, 0, 0, 0] + Array(page.utf8)
        #expect(try text(plain) == "One Мир\n€ü ö")
        for count in packed.indices { _ = CompressedRichText.unpacked(Array(packed.prefix(count))) }
    }

    @Test("Damage never ends in anything but a picture or a reason", arguments: 0..<40)
    func damage(seed: Int) throws {
        let bytes = damaged(Self.mail, seed: seed, changes: 8, from: 4)
        let code = RendererFixtures.failure { try facts(bytes) }
        #expect([nil, .corrupt, .empty].contains(code))
    }
}
