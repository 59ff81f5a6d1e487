import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

@Suite struct TextHeadTests {
    private static let word = DocumentFormat(packing: .openXML, family: .text, suffix: "docx")
    private static let portrait = WordDocument.section(width: 11_906, height: 16_838)
    private static let landscape = WordDocument.section(width: 16_838, height: 11_906)

    private func head(_ first: String, last: String = portrait) -> String? {
        TextHead(of: WordDocument.long(first: first, last: last)).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private func field(_ code: String, ends: Bool = true) -> String {
        "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> \(code) </w:instrText></w:r><w:r>"
            + (ends ? "<w:fldChar w:fldCharType=\"end\"/>" : "") + "</w:r></w:p>"
    }

    @Test func endsWithTheSectionThatItIsIn() throws {
        let one = try #require(head(WordDocument.paragraph("One")))
        #expect(one.contains("<w:t>One</w:t>") && one.utf8.count < 300 << 10)
        #expect(one.hasSuffix("</w:p>\(Self.portrait)</w:body></w:document>"))
        // The properties of a section stand in its last paragraph; those behind it are of the next one.
        let last = WordDocument.paragraph("Two", properties: Self.landscape) + Self.portrait
        let two = try #require(head(WordDocument.paragraph("One"), last: last))
        #expect(two.hasSuffix("</w:p>\(Self.landscape)</w:body></w:document>"))
        #expect(try #require(head("", last: "<w:sectPr/>")).hasSuffix("</w:p><w:sectPr/></w:body></w:document>"))
    }

    @Test func isLeftAloneWhereItShowsSomethingOfTheRest() {
        for code in ["NUMPAGES", "SECTIONPAGES", "REF _Ref1 \\h", "NOTEREF _Ref1", "PAGEREF _Ref1"] {
            #expect(head(field(code)) == nil, "\(code)")
        }
        // LibreOffice takes the numbers of pages in a table of contents as they are.
        #expect(head(field("TOC \\o") + field("PAGEREF _Toc1")) != nil)
        #expect(head(field("TOC \\o", ends: false)) == nil)
        // A field's code may be in pieces.
        func piece(_ code: String) -> String { "<w:r><w:instrText>\(code)</w:instrText></w:r>" }
        #expect(head(WordDocument.paragraph("") + "<w:p>\(piece("REF"))\(piece(" _Ref1"))</w:p>") == nil)
        // Or begin without a blank.
        #expect(head("<w:p>\(piece("REF _Ref1 \\h"))</w:p>") == nil)
        #expect(head("<w:p><w:fldSimple w:instr=\"REF _Ref1\"/></w:p>") == nil)
        for word in ["REFERENCE", "STYLEREF 1", "_Ref1"] {
            #expect(head("<w:p>\(piece(word))</w:p>") != nil, "\(word)")
        }
        #expect(head("<w:p>\(piece("TOC"))\(piece("PAGEREF"))</w:p>") != nil)
    }

    @Test func isLeftAloneWhereItIsNotUnderstood() {
        #expect(TextHead(of: []) == nil)
        #expect(TextHead(of: (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7919) }) == nil)
        #expect(head("<!-- a comment -->") == nil)
        #expect(head("</w:body>") == nil)
        #expect(head("", last: "") == nil)
        #expect(head("", last: "<w:sectPr><w:pgSz/>") == nil)
        let whole = WordDocument.long(first: "", last: Self.portrait)
        #expect(TextHead(of: Array(whole.prefix(whole.count / 2))) == nil)
    }

    @Test func endsBehindARowOfATableThatIsMostOfTheText() throws {
        func head(_ row: String, rows: Int = 3000) -> String? {
            let table = "<w:tbl><w:tblGrid/>\(String(repeating: row, count: rows))</w:tbl>"
            let text = TextHead(of: WordDocument.part(table + WordDocument.paragraph("") + Self.portrait))
            return text.map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        let cell = "<w:tc>\(WordDocument.paragraph(WordDocument.words))</w:tc>"
        let cut = try #require(head("<w:tr>\(cell)</w:tr>"))
        #expect(cut.utf8.count < 300 << 10)
        #expect(cut.hasSuffix("</w:tc></w:tr></w:tbl><w:p/>\(Self.portrait)</w:body></w:document>"))
        // Not behind one of a table in a cell, nor in the midst of the only row.
        let nested = "<w:tbl>\(String(repeating: "<w:tr>\(cell)</w:tr>", count: 1500))</w:tbl>"
        #expect(head("<w:tr><w:tc>\(nested)<w:p/></w:tc></w:tr>", rows: 1) == nil)
        let outer = try #require(head("<w:tr><w:tc>\(nested)<w:p/></w:tc></w:tr>", rows: 4))
        #expect(outer.hasSuffix("</w:tbl><w:p/></w:tc></w:tr></w:tbl><w:p/>\(Self.portrait)</w:body></w:document>"))
    }

    @Test func refersToOthersWhereAFieldDoes() {
        for code in ["NUMPAGES", "REF a", "NOTEREF a", "PAGEREF a"] {
            #expect(TextHead.refersToOthers(Array(field(code).utf8)), "\(code)")
        }
        #expect(!TextHead.refersToOthers(Array(field("PAGE").utf8)))
        #expect(!TextHead.refersToOthers([]))
        // Other encodings are not looked into.
        let plain = field("PAGE")
        #expect(TextHead.refersToOthers(plain.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }))
        #expect(TextHead.refersToOthers(Array(plain.utf8) + [0xFC]))
    }

    @Test("Fields that count pages keep what they say where the properties state it, and words do not change")
    func keepsStatedPageCounts() throws {
        let attribute = "<w:p><w:fldSimple w:instr=\" SECTIONPAGES \"/></w:p>"
        let part = WordDocument.long(
            first: field("NUMPAGES") + attribute + WordDocument.paragraph("NUMPAGES"), last: Self.portrait)
        let footer = Array(field("NUMPAGES \\* Arabic").utf8)
        func short(_ pages: Int, _ part: [UInt8], _ footer: [UInt8]) throws -> ShortText? {
            let stated = Array("<Properties><Pages>\(pages)</Pages></Properties>".utf8)
            let files = [("word/document.xml", part), ("word/footer1.xml", footer), ("docProps/app.xml", stated)]
            return ShortText(of: BytesInput(zipPackage(files)), Self.word)
        }
        let plain = WordDocument.long(first: "", last: Self.portrait)
        #expect(try short(120, plain, footer) != nil && short(2, plain, footer) == nil)
        // A word in the text is not told from a name in pieces.
        #expect(TextHead(of: part, isCounted: true) == nil)
        let fields = WordDocument.long(first: field("NUMPAGES") + attribute, last: Self.portrait)
        #expect(TextHead(of: fields) == nil)
        let head = try #require(TextHead(of: fields, isCounted: true)).bytes
        let text = String(decoding: head, as: UTF8.self)
        #expect(text.contains("<w:instrText> NUMPAGEX <") && text.contains("w:instr=\" SECTIONPAGEX \""))
        var words = Array((WordDocument.paragraph("NUMPAGES") + "\"NUMPAGES NUMPAGES").utf8)
        let before = words
        StatedPageCounts.keep(in: &words)
        #expect(words == before)
        let folder = try ScratchFolder("stated-pages")
        let copy = try #require(try short(120, fields, footer)).copy(in: folder.path, suffix: "docx")
        let input = try FileInput(path: folder.path + "/doc.docx")
        let written = try ZipDirectory(input).unpacked("word/footer1.xml", limit: 9999, in: input)
        #expect(String(decoding: try #require(written), as: UTF8.self).contains(" NUMPAGEX \\* Arabic "))
        withExtendedLifetime(copy) {}
    }

    @Test func isTakenOfLongTextsOnly() {
        let short = WordDocument.package(WordDocument.part(WordDocument.paragraph("One") + Self.portrait))
        #expect(ShortText(of: BytesInput(short), Self.word) == nil)
        let part = WordDocument.long(first: "", last: Self.portrait)
        let long = ShortText(of: BytesInput(WordDocument.package(part, pages: 120)), Self.word)
        #expect([2, 3, 120].map { long?.allPages(whenShown: $0) } == [nil, 120, 120])
        #expect(ShortText(of: BytesInput(Array(part.prefix(2000))), Self.word) == nil)
    }

    /// Where the properties say nothing, or less than the beginning has.
    @Test(arguments: [nil, 1]) func countsPagesByTheirLength(stated: Int?) throws {
        let part = WordDocument.long(first: "", last: Self.portrait)
        let text = try #require(ShortText(of: BytesInput(WordDocument.package(part, pages: stated)), Self.word))
        let head = try #require(TextHead(of: part))
        let pages = try #require(text.allPages(whenShown: 20))
        // All of its paragraphs are alike.
        #expect(abs(Double(pages) / 20 - Double(part.count) / Double(head.bytes.count)) < 0.2, "\(pages)")
        #expect(TextHead.letters(in: Array("<a b=\"c\">12<d/>3</a>4".utf8)) == 4)
        #expect(text.allPages(whenShown: 2) == nil)
    }

    /// What is left out counts for nothing; all other parts are read.
    @Test func isNotTakenWhereOtherPartsAreTooLong() throws {
        var bytes = zipPackage([
            ("word/document.xml", WordDocument.long(first: "", last: Self.portrait)), ("word/styles.xml", [1]),
        ])
        #expect(ShortText(of: BytesInput(bytes), Self.word) != nil)
        // The list names the part last, 22 bytes behind its size.
        let name = Array("word/styles.xml".utf8)
        let named = try #require(bytes.indices.last { bytes[$0...].starts(with: name) })
        bytes[named - 22 + 3] = 0x20
        #expect(ShortText(of: BytesInput(bytes), Self.word) == nil)
    }

    @Test func looksIntoSomeHeaders() {
        let part = WordDocument.long(first: "", last: Self.portrait)
        func isTaken(_ headers: [[UInt8]]) -> Bool {
            let files = headers.enumerated().map { ("word/footer\($0.offset).xml", $0.element) }
            let bytes = zipPackage([("word/document.xml", part)] + files)
            return ShortText(of: BytesInput(bytes), Self.word) != nil
        }
        let plain = Array(field("PAGE").utf8)
        #expect(isTaken([]))
        #expect(isTaken([[UInt8]](repeating: plain, count: 64)))
        #expect(!isTaken([plain, Array(field("NUMPAGES").utf8)]))
        // More than are looked into, and larger ones.
        #expect(!isTaken([[UInt8]](repeating: plain, count: 65)))
        #expect(!isTaken([[UInt8]](repeating: [UInt8](repeating: 0x20, count: 600 << 10), count: 2)))
    }

    @Test(arguments: [true, false]) func replacesAPart(isPacked: Bool) throws {
        let files: [(name: String, bytes: [UInt8])] = [("a", [1, 2]), ("b/ü", [3, 4, 5]), ("c", [6])]
        let input = BytesInput(zipPackage(files, isPacked: isPacked))
        var written: [UInt8] = []
        try ZipDirectory(input).replace(["b/ü": [7, 8, 9, 10]], of: input) { written += $0 }
        let replaced = BytesInput(written)
        let directory = try ZipDirectory(replaced)
        #expect(directory.entries.map(\.name) == ["a", "b/ü", "c"])
        #expect(try directory.unpacked("a", limit: 99, in: replaced) == [1, 2])
        #expect(try directory.unpacked("b/ü", limit: 99, in: replaced) == [7, 8, 9, 10])
        #expect(try directory.unpacked("c", limit: 99, in: replaced) == [6])
        // As it was, when the same is put in its place.
        if !isPacked {
            var same: [UInt8] = []
            try ZipDirectory(input).replace(["c": [6]], of: input) { same += $0 }
            #expect(
                try ZipDirectory(BytesInput(same)).entries.map(\.checksum)
                    == ZipDirectory(input).entries.map(\.checksum))
        }
    }

    @Test func replacesNothingInArchivesThatLie() throws {
        func fails(_ bytes: [UInt8], _ name: String) -> Bool {
            let input = BytesInput(bytes)
            do throws(PluginError) {
                try ZipDirectory(input).replace([name: [1]], of: input) { (_) throws(PluginError) in }
                return false
            } catch { return true }
        }
        let sound: [(name: String, bytes: [UInt8])] = [("a", [1, 2]), ("b", [3])]
        #expect(!fails(zipPackage(sound), "a"))
        #expect(fails(zipPackage(sound), "c"))
        #expect(fails(zipPackage([("a", [1]), ("a", [2])]), "a"))
        // Several files at the same place, which would be written as often.
        let two: [(name: String, bytes: [UInt8])] = ["a", "b", "c"].map { ($0, [UInt8](repeating: 7, count: 4000)) }
        var shared = zipPackage(two)
        #expect(!fails(shared, "a"))
        let (file, entry) = (31 + 4000, 47)
        for number in 0..<3 {
            shared.replaceSubrange(
                (3 * file + number * entry + 42)..<(3 * file + number * entry + 46), with: [0, 0, 0, 0])
        }
        shared.removeSubrange(file..<(3 * file))
        shared.replaceSubrange(
            (shared.count - 6)..<(shared.count - 2), with: [UInt8(file & 0xFF), UInt8(file >> 8), 0, 0])
        #expect(fails(shared, "a"))
        // A size beyond the end.
        #expect(fails(zipPackage(sound, claimedSize: 1 << 20), "a"))
    }
}
