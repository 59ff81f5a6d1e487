import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import EbookRenderer

@Suite(.serialized) struct EbookRendererTests {
    private static let epub = "application/epub+zip"
    private static let fb2 = "application/x-fictionbook+xml"
    private static let mobi = "application/x-mobipocket-ebook"
    private static let title = "Vitrine, ein Überblick"

    private static func draw(_ bytes: [UInt8], _ type: String, box: Int = 256) throws -> Rendering {
        let renderer = try EbookRenderer(RendererEnvironment(pluginFolder: "/"))
        var request = RenderRequest(box: box, mimeType: type)
        request.wantsText = true
        return try renderer.render(BytesInput(bytes), request)
    }

    private static func failure(_ bytes: [UInt8], _ type: String) -> PluginError.Code? {
        RendererFixtures.failure { try draw(bytes, type) }
    }

    @Test(
        "It keeps the renderer's contract",
        arguments: [
            ("cover-property.epub", epub), ("cover-guide.epub", epub), ("book.fb2", fb2),
            ("book.fb2.zip", "application/x-zip-compressed-fb2"), ("book.mobi", mobi),
        ])
    func conformance(name: String, type: String) throws {
        let sample = RendererSample(name, mimeType: type, bytes: try Fixtures.bytes("ebook/\(name)"))
        let suite = RendererConformance(samples: [sample], scales: false) { environment throws(PluginError) in
            try EbookRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test(
        "The cover is found, and not another picture",
        arguments: [
            ("cover-property.epub", epub), ("cover-meta.epub", epub), ("cover-guide.epub", epub),
            ("first-page.epub", epub), ("book.fb2", fb2), ("book.fb2.zip", "application/x-zip-compressed-fb2"),
            ("book.mobi", mobi),
        ])
    func covers(name: String, type: String) throws {
        let rendering = try Self.draw(try Fixtures.bytes("ebook/\(name)"), type)
        #expect(QuadrantCheck(RGBAPicture(rendering.bitmap)).arrangement == .upright)
        #expect(rendering.bitmap.width == 160 && rendering.facts.title == Self.title)
        #expect(rendering.facts.text?.hasPrefix(Self.title + "\nAda Beispiel") == true)
        #expect(rendering.facts.text(.author) == "Ada Beispiel")
    }

    @Test("A book without a cover gets a title page")
    func titlePage() throws {
        let rendering = try Self.draw(try Fixtures.bytes("ebook/no-cover.epub"), Self.epub)
        #expect(rendering.bitmap.height == 256 && rendering.bitmap.width == 181)
        #expect(rendering.facts.title == Self.title)
    }

    private static func package(_ text: String) -> [UInt8] {
        let container = "<container><rootfile full-path='a.opf'/></container>"
        return zipFile([
            (name: "META-INF/container.xml", bytes: Array(container.utf8)), (name: "a.opf", bytes: Array(text.utf8)),
            (name: "a.png", bytes: [1, 2, 3]),
        ])
    }

    @Test("The text of a book is that of its first parts, in the order of reading")
    func text() throws {
        let package = """
            <package><metadata><title>T</title><date>2019-03-04</date></metadata><manifest><item id='b' href='b.xhtml'/>\
            <item id='a' href='a.xhtml'/></manifest><spine><itemref idref='a'/><itemref idref='b'/></spine></package>
            """
        let pages = [
            (
                "a.xhtml",
                "<html><head><title>no</title></head><body><h1>One</h1><p>a <b>b</b>\n c</p><script>no</script></body></html>"
            ),
            ("b.xhtml", "<html><body><p>Two</p><p>" + String(repeating: "word ", count: 20_000) + "</p></body></html>"),
        ]
        let container = "<container><rootfile full-path='a.opf'/></container>"
        let files = [("META-INF/container.xml", container), ("a.opf", package)] + pages
        let facts = try Self.draw(zipFile(files.map { (name: $0.0, bytes: Array($0.1.utf8)) }), Self.epub).facts
        #expect(facts.text?.hasPrefix("T\nOne\na b c\nTwo\nword word") == true)
        #expect(facts.text?.utf8.count == Facts.textLimit && facts.text(.created) == "2019-03-04")
        let fiction = """
            <FictionBook><description><title-info><book-title>T</book-title></title-info></description>\
            <body><section><title><p>One</p></title><p>a <emphasis>b</emphasis></p></section></body></FictionBook>
            """
        #expect(try Self.draw(Array(fiction.utf8), Self.fb2).facts.text == "T\nOne\na b\n")
    }

    @Test(
        "Books of the time before UTF-8 are read",
        arguments: [
            ("windows-1251", [0xCC, 0xE8, 0xF0]), ("KOI8-R", [0xED, 0xC9, 0xD2]), ("Windows-1252", [0x80, 0xDF, 0xFF]),
            ("cp1251", [0xCC, 0xE8, 0xF0]),
        ] as [(String, [UInt8])])
    func letters(name: String, title: [UInt8]) throws {
        let book =
            Array("<?xml version='1.0' encoding='\(name)'?><FictionBook><description><title-info><book-title>".utf8)
            + title
            + Array("</book-title></title-info></description></FictionBook>".utf8)
        #expect(try Self.draw(book, Self.fb2).facts.title == (name.hasSuffix("1252") ? "€ßÿ" : "Мир"))
        let unknown = Array("<?xml version='1.0' encoding='x-none'?><FictionBook></FictionBook>".utf8)
        #expect(Self.failure(unknown, Self.fb2) == .corrupt)
    }

    @Test("Books that are broken say so, and those that lie show what they have")
    func bad() throws {
        for type in [Self.epub, Self.fb2, Self.mobi] { #expect(Self.failure([], type) == .empty) }
        #expect(Self.failure(Array("words".utf8), Self.epub) == .corrupt)
        #expect(Self.failure(Array("<a>words</a>".utf8), Self.fb2) == .corrupt)
        #expect(Self.failure(Array("words".utf8), Self.mobi) == .corrupt)
        #expect(Self.failure(zipFile([(name: "a", bytes: [])]), Self.epub) == .corrupt)
        // A list that says less of a description than there is.
        let shorter = zipFile([(name: "META-INF/container.xml", bytes: Array("<container/>".utf8))], claimedSize: 5)
        #expect(Self.failure(shorter, Self.epub) == .corrupt)
        // A description that is missing, or longer than what is read of one.
        let nowhere = zipFile([(name: "META-INF/container.xml", bytes: Array("<rootfile full-path='b'/>".utf8))])
        #expect(Self.failure(nowhere, Self.epub) == .corrupt)
        let long = String(repeating: " ", count: 4 << 20)
        #expect(Self.failure(Self.package("<package/>" + long), Self.epub) == .limitExceeded)
        let container = [(name: "META-INF/container.xml", bytes: Array(long.utf8) + [0x20])]
        #expect(Self.failure(zipFile(container), Self.epub) == .limitExceeded)
        // Covers that are none, that are named by nobody, and that lie outside.
        let damaged = "<package><item id='a' href='a.png' properties='cover-image'/></package>"
        #expect(Self.failure(Self.package(damaged), Self.epub) == nil)
        #expect(Self.failure(Self.package("<package/>"), Self.epub) == nil)
        let outside = "<package><item id='a' href='../../../etc/passwd' properties='cover-image'/></package>"
        #expect(Self.failure(Self.package(outside), Self.epub) == nil)
        #expect(Self.failure(Self.package("<package><item id="), Self.epub) == nil)
        // A title that is too long, in a description that does not end.
        let title = String(repeating: "a b ", count: 900)
        let endless =
            "<FictionBook><description><title-info><book-title>\(title)</book-title></title-info></FictionBook>"
        let facts = try? Self.draw(Array(endless.utf8), Self.fb2).facts
        #expect((facts?.title?.count ?? 0) <= 500)
    }

    @Test("References are names in the book, and climb no further")
    func references() {
        #expect(EPUBBook.resolved("../i/a%20b.png#x", beside: "t/c.xhtml") == "i/a b.png")
        #expect(EPUBBook.resolved("../../../../etc/passwd", beside: "t/c.xhtml") == "etc/passwd")
        #expect(
            EPUBBook.resolved("/x/./y?z", beside: "t/c") == "x/y" && EPUBBook.resolved("%zz%4", beside: "") == "%zz%4")
    }

    @Test("Entities are not expanded, and depth ends the walk")
    func bombs() throws {
        let laughs = (1...9).map { "<!ENTITY l\($0) '" + String(repeating: "&l\($0 - 1);", count: 10) + "'>" }.joined()
        let prologue = "<!DOCTYPE package [<!ENTITY l0 'ha'><!ENTITY f SYSTEM 'file:///etc/passwd'>\(laughs)]>"
        let text = prologue + "<package><title>&f;&l9;</title></package>"
        #expect(try Self.draw(Self.package(text), Self.epub).facts.title == nil)
        let deep = String(repeating: "<a>", count: 200_000)
        #expect(Self.failure(Self.package("<package><title>T</title>" + deep), Self.epub) == nil)
        #expect(try Self.draw(Self.package("<package><title>T</title>" + deep), Self.epub).facts.title == "T")
        let many = (0..<100_000).map { "<item id='\($0)' href='\($0)'/>" }.joined()
        #expect(Self.failure(Self.package("<package>" + many + "</package>"), Self.epub) == nil)
    }
}
