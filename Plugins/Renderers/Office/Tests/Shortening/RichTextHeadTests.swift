import Testing
import VitrineKit

@testable import OfficeRenderer

/// Where long texts in Rich Text Format are cut.
@Suite struct RichTextHeadTests {
    private static let start = #"{\rtf1\ansi{\info{\nofpages77}}{\fonttbl{\f0 Arial;}}"#

    private static func head(_ text: String) -> String? {
        RichTextHead(of: Array(text.utf8)).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private static func lines(_ count: Int) -> String { String(repeating: "A line.\\par\n", count: count) }

    @Test("What follows some hundred paragraphs is cut off, and what is open is closed") func paragraphs() throws {
        let text = Self.start + #"{\pard "# + Self.lines(1000) + "}}"
        let head = try #require(RichTextHead(of: Array(text.utf8)))
        #expect(head.statedPages == 77)
        let expected = Self.start + #"{\pard "# + Self.lines(400).dropLast() + "}}"
        #expect(String(decoding: head.bytes, as: UTF8.self) == expected)
        // As TextEdit ends its lines.
        let cocoa = Self.start + String(repeating: "A line.\\\n", count: 1000) + "}"
        #expect(Self.head(cocoa) == Self.start + String(repeating: "A line.\\\n", count: 400) + "}")
    }

    @Test("Rows, footnotes, fields and pictures are not cut in two") func groups() throws {
        let row = #"\trowd a\par b\cell c\row "#
        let table = Self.start + String(repeating: row, count: 1000) + "}"
        #expect(Self.head(table) == Self.start + String(repeating: row, count: 200) + "}")
        for group in [#"{\field{\*\fldinst TOC}{\fldrslt "#, #"{\footnote "#, #"{\*\shppict "#] {
            let text = Self.start + group + Self.lines(500) + "}" + (group.contains("field") ? "}" : "")
            #expect(Self.head(text + #"Behind\par "# + Self.lines(500)) == text + #"Behind\par }"#, "\(group)")
        }
        let late = Self.start + #"{Words \object "# + Self.lines(1000)
        #expect(Self.head(late) == Self.start + #"{Words \object "# + Self.lines(400).dropLast() + "}}")
        let binary = Self.start + #"{\pict\bin4 }}}}}"#
        #expect(Self.head(binary + Self.lines(1000)) == binary + Self.lines(400).dropLast() + "}")
    }

    @Test("Large pictures count as many paragraphs") func pictures() throws {
        let picture = #"{\pict "# + String(repeating: "00", count: 1 << 20) + #"}\par "#
        let head = try #require(Self.head(Self.start + String(repeating: picture, count: 30) + "}"))
        #expect(head.utf8.count / picture.utf8.count == 13)
    }

    @Test("What refers to the rest, ends before or is damaged is read as a whole") func whole() {
        for name in ["numpages", "sectionpages", "NOTEREF a", "REF a", "PAGEREF a"] {
            let pages = Self.start + #"{\footer{\field{\*\fldinst \#(name)}}}"#
            #expect(Self.head(pages + Self.lines(1000) + "}") == nil, "\(name)")
        }
        let contents = Self.start + #"{\field{\*\fldinst  TOC }{\fldrslt {\field{\*\fldinst PAGEREF a}}}}"#
        #expect(Self.head(contents + Self.lines(1000) + "}") != nil)
        #expect(Self.head(Self.start + Self.lines(300) + "}") == nil)
        #expect(Self.head(Self.start + "}}" + Self.lines(1000)) == nil)
        #expect(Self.head("A line.\\par\n" + Self.lines(1000)) == nil)
        #expect(Self.head(Self.start + #"\bin99999999999 "# + Self.lines(1000)) == nil)
        #expect(Self.head(Self.start + String(repeating: "{", count: 2000) + Self.lines(1000)) == nil)
        #expect(Self.head(Self.start + "\\") == nil && Self.head("{\\rtf") == nil)
    }

    @Test("Fields that count pages keep what they say where the document states it, and words do not change")
    func statedPageCounts() throws {
        let field = #"{\footer{\field{\*\fldinst {\b  NUMPAGES }}{\fldrslt NUM 77}}}"#
        let head = try #require(Self.head(Self.start + field + Self.lines(1000) + "}"))
        #expect(head.hasPrefix(Self.start + field.replacing("NUMPAGES", with: "NUMPAGEX")))
        #expect(Self.head(#"{\rtf1"# + field + Self.lines(1000) + "}") == nil)
        // What it says is not its code.
        let said = #"{\field{\*\fldinst A}{\fldrslt NUMPAGES}}"#
        #expect(Self.head(Self.start + said + Self.lines(1000) + "}") == nil)
    }

    @Test("Only long ones are shortened, and how many pages there are is what can be right") func pages() throws {
        let format = DocumentFormat(packing: .richText, family: .text, suffix: "rtf")
        func short(_ start: String, _ lines: Int) -> ShortRichText? {
            ShortRichText(of: BytesInput(Array((start + Self.lines(lines) + "}").utf8)), format)
        }
        let long = 200_000
        #expect(short(Self.start, 1000) == nil && short(Self.start, long) != nil)
        let stated = try #require(short(Self.start, long))
        #expect(stated.allPages(whenShown: 9) == 77 && stated.allPages(whenShown: 78) ?? 0 > 30_000)
        #expect(stated.allPages(whenShown: TextHead.leastPages - 1) == nil)
        // 400 of the lines on nine pages.
        let unstated = try #require(short(#"{\rtf1 "#, long)?.allPages(whenShown: 9))
        #expect(abs(Double(unstated) / (9 * Double(long) / 400) - 1) < 0.01)
        // More than half of it is its beginning.
        let picture = #"{\pict "# + String(repeating: "00", count: 1 << 20) + "}"
        #expect(short(Self.start + picture, 9000) == nil)
    }
}
