import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

@Suite("Texts in Rich Text Format say who wrote them")
struct RichTextInfoTests {
    private static func title(_ text: String) -> String? { RichTextInfo(of: Array(text.utf8)).title }

    @Test func titleAuthorAndCreation() {
        let text = #"""
            {\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title The {\b Plan}}{\subject no}{\author Anne}
            {\creatim\yr2024\mo5\dy3\hr14\min2}{\revtim\yr2025\mo1\dy1}{\nofpages7}}{\title Late}\pard Words\par}
            """#
        let format = DocumentFormat(packing: .richText, family: .text, suffix: "rtf")
        let facts = DocumentProperties(of: BytesInput(Array(text.utf8)), format).facts
        #expect(facts.title == "The Plan" && facts.text(.author) == "Anne")
        #expect(facts.text(.created) == "2024-05-03T14:02:00")
    }

    @Test(
        "Letters are written in many ways",
        arguments: [
            (#"Gr\'f6\'dfe \'96 \'80"#, "Größe – €"), (#"\u1055?\u1083?an"#, "Плan"), (#"\uc0\u1055 lan"#, "Пlan"),
            (#"\uc2\u1055\'50\'6c!"#, "П!"), (#"\u-10179?\u-8704?"#, "😀"), (#"a\~b\{c\}\\d"#, "a b{c}\\d"),
            (#"a\emdash b{\*\x hidden}c"#, "a—bc"), ("a\r\nb", "ab"), (#"\bin3 }}}x"#, "x"), (#"\'zz"#, nil), ("", nil),
        ] as [(String, String?)])
    func letters(written: String, expected: String?) {
        #expect(Self.title(#"{\rtf1{\info{\title "# + written + "}}}") == expected)
    }

    @Test func unicodeIsTakenOfTwoTitles() {
        let both = #"{\upr{\title Plan ??}{\*\ud{\title Plan \u1055?\u1055?}}}"#
        #expect(Self.title(#"{\rtf1{\info"# + both + "}}") == "Plan ПП")
    }

    @Test func lettersOfOtherCodePagesAreNotGuessed() {
        #expect(Self.title(#"{\rtf1\ansicpg1251{\info{\title \'cf}}}"#) == nil)
        #expect(Self.title(#"{\rtf1\ansicpg1251{\info{\title \u1055\'cf}}}"#) == "П")
        #expect(Self.title(#"{\rtf1\mac{\info{\title Plan}}}"#) == "Plan")
    }

    @Test func anyTextIsHarmless() {
        let text = Array(#"{\rtf1{\info{\title \u12?\'e4}{\creatim\yr99999\mo-1\bin99999999999 }}{\author x}}"#.utf8)
        for count in 0...text.count { _ = RichTextInfo(of: Array(text[..<count])) }
        for index in text.indices {
            for byte in [0, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\\"), 0xFF] {
                var damaged = text
                damaged[index] = byte
                _ = RichTextInfo(of: damaged).title
            }
        }
        #expect(RichTextInfo(of: Array(String(repeating: "{", count: 5000).utf8)).title == nil)
        let long = #"{\rtf1{\info{\title "# + String(repeating: "a", count: 100_000) + "}}}"
        #expect((Self.title(long)?.utf8.count ?? 0) <= FactValue.textLimit)
    }
}
