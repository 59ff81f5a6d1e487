import Catalog
import Testing
import VitrineKit

@Suite("Finding")
struct FindTests {
    let fixture: CatalogFixture

    init() throws { fixture = try CatalogFixture() }

    private func add(_ names: String...) throws {
        let files = names.sorted().enumerated().map { CatalogFixture.file($1, seconds: Int64($0)) }
        try fixture.merge(files)
        try fixture.catalog.completeIndex()
    }

    private func names(_ query: String) throws -> Set<String> { try fixture.names(FindQuery(query.utf8)) }

    @Test(
        "finds names by any part, whatever their case, accents and width",
        arguments: [
            ("MULLER", "Müller.pdf"), ("müll", "Müller.pdf"), ("ller.p", "Müller.pdf"), ("mu\u{308}ller", "Müller.pdf"),
            ("москва", "Отчёт Москва.doc"), ("отчет", "Отчёт Москва.doc"), ("報告", "年度報告書.docx"),
            ("報", "年度報告書.docx"), ("書.d", "年度報告書.docx"), ("한글", "한글 문서.hwp"), ("글", "한글 문서.hwp"),
            ("abc", "ＡＢＣ.txt"), ("🎉", "party🎉.jpg"), ("y🎉.", "party🎉.jpg"), ("שלום", "שלום עולם.txt"),
            ("ם", "שלום עולם.txt"), ("x", "party🎉.jpx"), ("file fi", "ﬁle.ps"),
            ("strasse", "Straße.gif"), ("'q' q", "it's \"q\" 'q'.bin"),
        ])
    func parts(query: String, name: String) throws {
        try add(
            "Müller.pdf", "Отчёт Москва.doc", "年度報告書.docx", "한글 문서.hwp", "ＡＢＣ.txt", "party🎉.jpg", "שלום עולם.txt",
            "party🎉.jpx", "ﬁle.ps", "Straße.gif", "it's \"q\" 'q'.bin")
        #expect(try names(query).contains(name))
    }

    @Test("a letter with a mark of its own is not another letter", arguments: [("й", "и.txt"), ("が", "か.txt")])
    func letters(query: String, other: String) throws {
        try add(other, "\(query).md")
        #expect(try names(query) == ["\(query).md"])
    }

    @Test("all words must be there, and quotes keep them together")
    func all() throws {
        try add("tax report 2024.pdf", "report tax 2024.pdf", "report 2023.pdf")
        #expect(try names("tax 2024").count == 2)
        #expect(try names("\"tax report\"") == ["tax report 2024.pdf"])
        #expect(try names("\"report 20").count == 2)
        #expect(try names("\"report 2023") == ["report 2023.pdf"])
        #expect(try names("tax 2023").isEmpty)
    }

    @Test(
        "nothing in a query means anything but itself",
        arguments: [
            "*", "a*", "NEAR(a b)", "a AND", "OR", "NOT a", "name:a", "^a", "(", ")", "{a b}:c", "a-b", "-", "+", "\"",
            "\"\"\"",
            "'; DROP TABLE item; --", "a\0b", "%", "_", "\\", "\u{E000}", "\u{E000}\u{E000}", "\u{10FFFF}", "\u{301}",
            "\u{200D}", "\u{FEFF}", String(repeating: "a ", count: 500), String(repeating: "長", count: 5000),
        ])
    func hostile(query: String) throws {
        try add("plain", "*", "a^b", "100%", "a_b", "x\\y", "NEAR(a b)", "name:a", "a-b", "(c)")
        let found = try names(query)
        #expect(!found.contains("plain") || query.allSatisfy { "plain \"\0".contains($0) || !$0.isASCII })
        let words = query.split { $0 == " " || $0 == "\0" || $0 == "\"" }
        // Each name that has all words as they stand is found.
        for name in ["*", "a^b", "100%", "a_b", "x\\y", "NEAR(a b)", "name:a", "a-b", "(c)"]
        where !words.isEmpty && words.allSatisfy({ name.contains($0) }) {
            #expect(found.contains(name), "\(query)")
        }
    }

    @Test("names and queries that are no UTF-8 meet at U+FFFD")
    func bytes() throws {
        var entry = CatalogFixture.file("")
        entry.name = [UInt8]("caf".utf8) + [0xE9] + [UInt8](".txt".utf8)
        try fixture.merge([entry])
        try fixture.catalog.completeIndex()
        for query in [[UInt8]("CAF".utf8), [0x66, 0xE9], [0xFF], [UInt8]("\u{FFFD}.t".utf8)] {
            #expect(try fixture.catalog.find(FindQuery(query)).map(\.path.name) == [entry.name])
        }
        #expect(try fixture.catalog.find(FindQuery([0x78, 0xE9])).isEmpty)
    }

    @Test("the newest come first, and no more than wanted", arguments: [1, 7, 50, 5000])
    func order(limit: Int) throws {
        // More than are compared one by one, so that both ways of looking are gone.
        let files = (0..<4000).map { CatalogFixture.file("IMG_\($0).jpg", seconds: Int64($0 * 7919 % 4001)) }
        try fixture.merge(files)
        try fixture.catalog.completeIndex()
        let newest = files.sorted { ($0.modified?.seconds ?? 0) > ($1.modified?.seconds ?? 0) }
        for query in ["jpg", "j", "img jpg", ".jpg"] {
            var wanted = FindQuery(query.utf8)
            wanted.limit = limit
            let found = try fixture.catalog.find(wanted)
            #expect(found.map(\.path.name) == newest.prefix(limit).map(\.name), "\(query)")
        }
        var few = FindQuery("399".utf8)
        few.limit = limit
        let found = try fixture.catalog.find(few)
        let all = newest.filter { String(decoding: $0.name, as: UTF8.self).contains("399") }
        #expect(found.map(\.path.name) == all.prefix(limit).map(\.name))
    }

    @Test("size, date, type, place and a set of items narrow it down")
    func filters() throws {
        try fixture.merge(
            [
                CatalogFixture.file("a.pdf", size: 10, seconds: 100),
                CatalogFixture.file("b.png", size: 2000, seconds: 200),
                CatalogFixture.file("c.pdf", size: 3000, seconds: 300),
            ], folders: ["sub"])
        try fixture.merge([CatalogFixture.file("d.pdf", size: 50, seconds: 400)], at: "sub")
        try fixture.catalog.completeIndex()
        func found(_ words: String = "", _ change: (inout FindQuery) -> Void) throws -> Set<String> {
            var query = FindQuery(words.utf8)
            query.typeOfName = { $0.suffix(3).elementsEqual("pdf".utf8) ? "application/pdf" : "image/png" }
            change(&query)
            return try fixture.names(query)
        }
        #expect(try found { $0.types = ["application/pdf"] } == ["a.pdf", "c.pdf", "sub/d.pdf"])
        #expect(try found { $0.types = ["image/"] } == ["b.png"])
        #expect(try found { $0.minimumSize = 2000 } == ["b.png", "c.pdf"])
        #expect(try found("pdf") { $0.maximumSize = 50 } == ["a.pdf", "sub/d.pdf"])
        #expect(
            try found {
                $0.from = 200; $0.until = 400
            } == ["b.png", "c.pdf"])
        let sub = try ItemPath("sub")
        #expect(try found { $0.place = (fixture.source.id, sub) } == ["sub/d.pdf"])
        let item = try #require(try fixture.catalog.item(ItemPath("c.pdf"), in: fixture.source))
        #expect(try found("c") { $0.items = [item] } == ["c.pdf"])
        #expect(try found("a") { $0.items = [item] } == [])
    }
}

extension CatalogFixture {
    /// The paths that a query finds.
    func names(_ query: FindQuery) throws -> Set<String> {
        Set(try catalog.find(query).map { "\($0.path)" })
    }
}
