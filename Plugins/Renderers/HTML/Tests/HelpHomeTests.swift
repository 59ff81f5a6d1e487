import RendererFixtures
import Testing
import VitrineKit

@testable import HTMLRenderer

@Suite struct HelpHomeTests {
    private func render(_ file: WrittenHelpFile) throws -> Facts {
        try draw(file.bytes) {
            $0.mimeType = HelpFile.type
            $0.wantsText = true
        }.facts
    }

    private func failure(_ file: WrittenHelpFile) throws -> PluginError {
        try #require(#expect(throws: PluginError.self) { try render(file) })
    }

    @Test(
        "The page that it begins with may be written in many ways",
        arguments: [
            "sub/my page.htm", "/sub/my page.htm", "//sub/my page.htm", "sub\\my page.htm", "\\sub\\my page.htm",
            "sub/my page.htm#top", "sub/my page.htm?a=b", "sub/my%20page.htm", "./sub/My Page.HTM",
            "ms-its:x.chm::/sub/my page.htm", "mk:@MSITStore:C:\\x.chm::\\sub\\my page.htm", "x.chm::/sub/my page.htm",
        ])
    func spellings(topic: String) throws {
        let file = WrittenHelpFile([("/a.htm", "<p>wrong"), ("/sub/my page.htm", "<p>right")], topic: topic)
        #expect(try render(file).text == "right", "\(topic)")
    }

    @Test(
        "The page that it begins with, and its title, are in the encoding of its language, or in UTF-8",
        arguments: [
            (0x419, "Мир.htm", [0xCC, 0xE8, 0xF0]), (0x804, "目录.htm", [0xC4, 0xBF, 0xC2, 0xBC]),
            (0x407, "Größe.htm", [0x47, 0x72, 0xF6, 0xDF, 0x65]), (0x407, "Größe.htm", Array("Größe".utf8)),
            // Both letters are one in UTF-8, too.
            (0x419, "В©.htm", [0xC2, 0xA9]),
        ] as [(Int, String, [UInt8])])
    func encodings(language: Int, name: String, bytes: [UInt8]) throws {
        var file = WrittenHelpFile([("/a.htm", "<p>wrong"), ("/" + name, "<p>right")], language: language)
        (file.topic, file.title) = (bytes + Array(".htm".utf8), bytes + Array(".htm".utf8))
        let facts = try render(file)
        #expect(facts.text == "right", "\(name)")
        #expect(facts.title == (bytes == [0xC2, 0xA9] ? "©.htm" : name), "\(name)")
    }

    @Test(
        "The encoding of a language's pages is that of Windows",
        arguments: [
            (0x0C1A, "1251"), (0x1C1A, "1251"), (0x201A, "1251"), (0x041A, "1250"), (0x081A, "1250"), (0x141A, "1250"),
            (0x042C, "1254"), (0x082C, "1251"), (0x0443, "1254"), (0x0843, "1251"), (0x043F, "1251"), (0x0440, "1251"),
            (0x0444, "1251"), (0x0450, "1251"), (0x0419, "1251"), (0x041F, "1254"), (0x0409, "1252"),
        ])
    func languages(language: Int, page: String) {
        #expect(HelpFile.charset(little(language, 4)[...]) == "WINDOWS-" + page)
    }

    @Test("A page in Cyrillic or Thai letters is read by the language of the file")
    func cyrillic() throws {
        var file = WrittenHelpFile([], topic: "a.htm", language: 0x0C1A)
        file.files = [("/a.htm", Array("<p>".utf8) + [0xCF, 0xEE, 0xEC, 0xEE, 0xFB])]
        #expect(try render(file).text == "Помоы")
        (file.language, file.files) = (0x041E, [("/a.htm", Array("<p>".utf8) + [0xE4, 0xB7, 0xC2])])
        #expect(try render(file).text == "ไทย")
    }

    @Test(
        "Where nothing says which page is the first one, its name does, and how few folders it lies in",
        arguments: [
            (["/indexing.htm", "/z.htm", "/default.htm"], "/default.htm"),
            (["/a/index.htm", "/home.HTML"], "/home.HTML"),
            (["/a.htm", "/b/main.htm", "/b/index.htm"], "/b/index.htm"),
            (["/a.htm", "/c/index2.htm", "/introduction_x.htm"], "/introduction_x.htm"),
            (["/b.htm", "/a.htm"], "/b.htm"),
        ])
    func firstPage(pages: [String], first: String) {
        #expect(HelpFile.firstPage(of: pages).map { pages[$0] } == first)
    }

    @Test("No page is what it begins with that is a picture, or a list of contents")
    func pictures() throws {
        let files = [("/a.png", "\u{89}PNG"), ("/b.htm", "<p>right"), ("/c.hhc", "<HTML>x"), ("/d.asp", "<HTML>other")]
        for topic in ["a.png", "c.hhc", "", "gone.htm"] {
            #expect(try render(WrittenHelpFile(files, topic: topic)).text == "right", "\(topic)")
        }
        // One that has another name is one by what is in it.
        #expect(try render(WrittenHelpFile(files, topic: "d.asp")).text == "other")
        #expect(try failure(WrittenHelpFile([files[0]], topic: "a.png")).code == .empty)
    }

    @Test(
        "Of frames the largest is shown",
        arguments: [
            "<frameset cols='30%,70%'><frame src=toc.htm><frame src=m.htm></frameset>",
            "<frameset cols='*,200'><frame src=p\\..\\m.htm><frame src=toc.htm></frameset>",
            "<frameset rows='60,*'><frame src=top.htm><frameset cols='1*,3*'><frame src=toc.htm><frame src='/m.htm#a'>",
            "<frameset cols='50%,50%'><frame src=toc.htm><frame src=m.htm></frameset>",
            "<frameset rows='40,*'><frameset cols='*,*'><frame src=top.htm><frame src=top.htm></frameset><frame src=m.htm>",
            "<frameset cols='9,*'><frame src=m.htm><frame src=gone.htm></frameset>",
            "<frameset cols='100'><frame src=m.htm><frame src=toc.htm></frameset>",
            "<!--<frameset><frame src=toc.htm></frameset>--><frameset><frame src='ms-its:x.chm::/m.htm'>",
            "<frameset cols='*,*'><frame src=toc.htm><frame src=inner.htm></frameset>",
        ])
    func frames(markup: String) throws {
        let file = WrittenHelpFile(
            [
                ("/start.htm", "<html>" + markup), ("/m.htm", "<p>right"), ("/toc.htm", "<p>contents"),
                ("/top.htm", "<p>top"), ("/inner.htm", "<frameset><frame src=m.htm>"),
            ], topic: "start.htm")
        #expect(try render(file).text == "right", "\(markup)")
    }

    @Test(
        "A page is followed that asks to be replaced by another one of the file",
        arguments: [
            ("0; url=m.htm", "right"), ("0;URL='p/../m.htm'", "right"), ("3,m.htm", "right"),
            ("1800; url=m.htm", "start"),
            ("0; url = \\m.htm", "right"),
            ("0; url=https://127.0.0.1:9/m.htm", "start"), ("5", "start"), ("0; url=start.htm", "start"),
            ("0; url=dot.png", "start"), ("0; url=inner.htm", "inner"),
        ])
    func replaced(content: String, text: String) throws {
        func asking(_ content: String) -> String { "<meta HTTP-EQUIV=Refresh content=\"\(content)\">" }
        let file = WrittenHelpFile(
            [
                ("/start.htm", asking(content) + "<p>start"), ("/m.htm", "<p>right"), ("/dot.png", "x"),
                ("/inner.htm", asking("0;url=start.htm") + "<p>inner"),
            ], topic: "start.htm")
        #expect(try render(file).text == text, "\(content)")
    }

    @Test("The page itself is shown where those that it leads to show nothing, and where it leads only without scripts")
    func backAgain() throws {
        func text(_ start: String) throws -> String? {
            let pages = [("/start.htm", start), ("/empty.htm", "<script>x</script>"), ("/toc.htm", "<p>contents")]
            return try render(WrittenHelpFile(pages, topic: "start.htm")).text
        }
        let refresh = "<meta http-equiv=refresh content='0;url=empty.htm'>"
        #expect(try text(refresh + "<p>right") == "right")
        #expect(try text("<frameset cols='30%,70%'><frame src=toc.htm><frame src=empty.htm>") == "contents")
        let elsewhere = "<noscript><meta http-equiv=refresh content='0;url=toc.htm'></noscript><p>right"
        #expect(try text(elsewhere) == "right")
    }

    @Test("Letters that mean something in addresses may be in paths")
    func letters() throws {
        for topic in ["C#/intro.htm", "what?/x.htm", "100%.htm", "//a.htm"] {
            let pages = [("/" + topic, "<p>right")]
            #expect(try render(WrittenHelpFile(pages, topic: topic)).text == "right", "\(topic)")
            #expect(try render(WrittenHelpFile(pages)).text == "right", "\(topic)")
        }
    }

    @Test("Of what a page leads to little is unpacked, however often and at whatever length it is named")
    func manyLeads() throws {
        let frames = (0..<255).map { "<frame src=big\($0).bin>" }.joined()
        let large = String(repeating: "x", count: 1 << 20)
        let pages = [("/a.htm", "<frameset cols='\(String(repeating: "1,", count: 100_000))'>\(frames)<p>right")]
        let file = WrittenHelpFile(pages + (0..<255).map { ("/big\($0).bin", $0 == 0 ? large : "") }, topic: "a.htm")
        #expect(try failure(file).code == .unsupported)
        let long = "<frame src='" + String(repeating: "a::", count: 100_000) + "'>"
        let refused = WrittenHelpFile([("/a.htm", "<frameset>" + String(repeating: long, count: 20))], topic: "a.htm")
        #expect(try failure(refused).code == .unsupported)
    }

    @Test("Pages that lead to each other without an end are followed for a while")
    func endless() throws {
        let pages = (0..<20).map { ("/\($0).htm", "<meta http-equiv=refresh content='0;url=\($0 + 1).htm'><p>\($0)") }
        #expect(try render(WrittenHelpFile(pages, topic: "0.htm")).text == "3")
    }

    @Test("A help file that shows nothing is not said to lack what lies elsewhere")
    func nothing() throws {
        for markup in ["<html>", "<script>document.write('x')</script>", "<frameset><frame src=gone.htm>"] {
            let error = try failure(WrittenHelpFile([("/start.htm", markup)], topic: "start.htm"))
            #expect(error.code == .unsupported && error.message.contains("/start.htm"), "\(error)")
            #expect(!error.message.contains("style sheets"), "\(error)")
        }
    }

    @Test("A list of very many files is looked through, and one without an end, or of very long paths, is refused")
    func manyFiles() throws {
        func listing(_ count: Int) throws -> WrittenHelpFile {
            WrittenHelpFile((0..<count).map { ("/\($0)", "") } + [("/a.htm", "<p>right")], topic: "a.htm")
        }
        #expect(try render(listing(20_000)).text == "right")
        #expect(try failure(listing(1 << 18)).code == .limitExceeded)
        let long = String(repeating: "é", count: 1900)
        let paths = WrittenHelpFile((0..<9000).map { ("/\($0)\(long)", "") }, topic: "a.htm")
        #expect(try failure(paths).code == .limitExceeded)
    }
}
