import Catalog
import SQLite
import Testing
import VitrineKit

@Suite("Finding by text")
struct FindTextTests {
    let fixture: CatalogFixture
    let plan: PlanID

    init() throws {
        fixture = try CatalogFixture()
        plan = try fixture.catalog.plan(FolderDigest(low: 1, high: 1))
    }

    private func write(_ texts: KeyValuePairs<String, (title: String?, text: String?)>) throws {
        let files = texts.enumerated().map { CatalogFixture.file($1.key, seconds: Int64($0)) }
        let merged = try fixture.merge(files)
        for ((item, file), (_, said)) in zip(zip(merged.items, files), texts) { try settle(item, file, said) }
        try fixture.catalog.completeIndex()
    }

    private func settle(_ item: MergedItem, _ file: Entry, _ said: (title: String?, text: String?)) throws {
        var settlement = Settlement(
            item: item.id, size: file.size, modified: file.modified, state: .made, plan: plan)
        settlement.facts.title = said.title
        settlement.facts.text = said.text
        settlement.isNews = true
        try fixture.catalog.settle([settlement])
    }

    private func find(_ query: String) throws -> [FoundItem] { try fixture.catalog.find(FindQuery(query.utf8)) }

    @Test("names come before titles, and these before texts")
    func order() throws {
        try write([
            "invoice.pdf": (nil, nil), "b.pdf": ("An invoice", "of money"), "c.pdf": ("None", "the Invoice\n\tis here"),
            "d.pdf": (nil, "nothing"),
        ])
        let found = try find("invoice")
        #expect(found.map(\.match) == [.name, .title, .text])
        #expect(found.map { "\($0.path)" } == ["invoice.pdf", "b.pdf", "c.pdf"])
        #expect(found[2].snippet == "the Invoice is here")
        #expect(found[1].title == "An invoice")
    }

    @Test("copies are found by the text of what they are copies of, whichever end is written first")
    func copies() throws {
        let files = ["a.pdf", "b.pdf", "c.pdf"].map { CatalogFixture.file($0) }
        let items = try fixture.merge(files).items
        func end(_ index: Int, of twin: ItemID?) -> Settlement {
            var end = Settlement(
                item: items[index].id, size: files[index].size, modified: files[index].modified, state: .made,
                plan: plan)
            if twin == nil { end.facts.text = "zebrafish" }
            (end.twin, end.isNews) = (twin, true)
            return end
        }
        // The copy's end is known before that of the other; then both at once, in the wrong order.
        let early = try fixture.catalog.settle([end(1, of: items[0].id)], waitingForTwins: true)
        #expect(early.map(\.item) == [items[1].id])
        #expect(
            try fixture.catalog.settle(early + [end(2, of: items[0].id), end(0, of: nil)], waitingForTwins: true)
                .isEmpty)
        try fixture.catalog.completeIndex()
        #expect(try Set(find("zebrafish").map { "\($0.path)" }) == ["a.pdf", "b.pdf", "c.pdf"])
        // Who waits no longer does without.
        let file = CatalogFixture.file("d.pdf")
        let other = try fixture.merge(files + [file, CatalogFixture.file("e.pdf")], digest: 3).items
        var last = Settlement(item: other[3].id, size: file.size, modified: file.modified, state: .made, plan: plan)
        last.twin = other[4].id
        #expect(try fixture.catalog.settle([last]).isEmpty)
        #expect(try fixture.catalog.items(in: fixture.catalog.folder(.root, in: fixture.source).id)[3].state == .made)
    }

    @Test("signs count in names, and are passed over in texts")
    func signs() throws {
        try write([
            "a - report.pdf": (nil, nil), "report.pdf": (nil, "The annual report"), "c.pdf": ("Annual", "a report"),
            "d.pdf": (nil, "other - things"),
        ])
        func names(_ query: String) throws -> Set<String> { Set(try find(query).map { "\($0.path)" }) }
        #expect(try names("report - annual") == ["report.pdf", "c.pdf"])
        #expect(try names("- report") == ["a - report.pdf", "report.pdf", "c.pdf"])
        #expect(try find("- report").map(\.match) == [.name, .text, .text])
        #expect(try find("(annual) &").map(\.match) == [.title, .text])
        #expect(try find("(annual) &").last?.snippet == "The annual report")
        #expect(try names("-") == ["a - report.pdf"])
        #expect(try names("*") == [])
        #expect(try find("- other").first?.snippet == "other - things")
    }

    @Test("words may be in different places, and the last may be a beginning")
    func mixed() throws {
        try write([
            "report 2024.pdf": ("Annual numbers", "Budget and forecasts"), "other 2024.pdf": (nil, "Budget"),
            "report 2023.pdf": (nil, "budgets"),
        ])
        #expect(try find("report budget").map { "\($0.path)" } == ["report 2023.pdf", "report 2024.pdf"])
        #expect(try find("budget report").map { "\($0.path)" } == ["report 2024.pdf"])
        #expect(try find("2024 annual").map(\.match) == [.title])
        #expect(try find("2024 annual forec").map(\.match) == [.text])
        #expect(try find("forec 2024").isEmpty)
        #expect(try find("\"budget and\"").count == 1)
        #expect(try find("\"and budget\"").isEmpty)
        #expect(try find("\"budget an\"").isEmpty)
    }

    @Test(
        "texts of all scripts are found",
        arguments: [
            "東京", "京", "都の天", "Привет", "привет", "cafe", "CAFÉ", "한국어", "국", "שלום", "ไทย", "abc", "東京 abc", "abc東京",
        ])
    func scripts(query: String) throws {
        try write([
            "1": ("", "東京都の天気。Привет, мир! Café 한국어를 שלום ภาษาไทย ＡＢＣ abc東京"), "2": ("", "something else"),
        ])
        #expect(try find(query).map { "\($0.path)" } == ["1"])
    }

    @Test("a text that is replaced or gone is not found any more, one that was moved is")
    func changes() throws {
        try write(["a": ("Old title", "first words 東京都"), "b": (nil, "second words")])
        let file = CatalogFixture.file("a", size: 11, seconds: 9, inode: 5)
        var merged = try fixture.merge([file, CatalogFixture.file("b", seconds: 1)])
        try settle(merged.items[0], file, ("New title", "third words"))
        try fixture.catalog.completeIndex()
        for query in ["old", "first", "東京都", "東"] { #expect(try find(query).isEmpty) }
        #expect(try find("third").count == 1)
        #expect(try find("words").count == 2)
        // It vanishes, and appears in a folder.
        try fixture.merge([CatalogFixture.file("b", seconds: 1)], folders: ["sub"], digest: 2)
        #expect(try find("third").isEmpty)
        var moved = file
        moved.name = Array("c".utf8)
        merged = try fixture.merge([moved], at: "sub")
        try fixture.catalog.completeIndex()
        #expect(try find("third").map { "\($0.path)" } == ["sub/c"])
        #expect(try find("new").map(\.match) == [.title])
        // And is gone for good.
        try fixture.merge([], at: "sub", digest: 3)
        _ = try fixture.catalog.takeVanished(before: 10_000) { _, _ in }
        try fixture.catalog.completeIndex()
        #expect(try find("third").isEmpty)
        #expect(try fixture.count("document") == 1)
    }

    @Test("a text longer than its bound is kept up to it, and says so to nobody")
    func long() throws {
        let text = String(repeating: "é ", count: 40_000) + "end"
        try write(["a": (String(repeating: "t", count: 100_000), text)])
        #expect(try find("end").isEmpty)
        #expect(try find("é").count == 1)
        #expect(try fixture.catalog.check().isEmpty)
    }

    @Test("a failure forgets the text")
    func failure() throws {
        try write(["a": (nil, "words")])
        let item = try #require(try fixture.catalog.item(ItemPath("a"), in: fixture.source))
        let file = CatalogFixture.file("a", seconds: 0)
        var settlement = Settlement(item: item, size: file.size, modified: file.modified, state: .failed, plan: plan)
        settlement.failure = PluginError(.corrupt, "broken")
        try fixture.catalog.settle([settlement])
        #expect(try find("words").isEmpty)
        #expect(try fixture.count("document") == 0)
    }
}

extension CatalogFixture {
    /// Rows of a table, read past the catalog.
    func count(_ table: String) throws -> Int {
        try Database(catalog.path).first("SELECT count(*) FROM \(table)") { Int($0.integer(0)) } ?? -1
    }
}
