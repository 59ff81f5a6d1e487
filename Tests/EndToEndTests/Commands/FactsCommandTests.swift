import Foundation
import RendererFixtures
import Testing

/// What files say of themselves: `vitrine get --json` and `vitrine text`.
@Suite struct FactsCommandTests {
    private func object(_ home: UserHome, _ arguments: String...) async throws -> [String: Any] {
        let run = try await home.run(program: [home.program, "get", "--json"] + arguments)
        #expect(run.exitCode == 0, "\(run.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
    }

    private func photograph(in home: UserHome) throws -> String {
        let plain = [UInt8](try Data(contentsOf: URL(filePath: try home.copy("image/plain.jpg", as: "plain.jpg"))))
        return try home.write("photograph.jpg", CameraBlock.insert(CameraBlock.sample, into: plain))
    }

    @Test func factsAreTheSameWhetherThePictureIsNewOrFound() async throws {
        let home = try UserHome()
        let file = try photograph(in: home)
        let size = try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
        for _ in 1...2 {
            let facts = try await object(home, file)
            #expect(facts["bytes"] as? Int == size)
            #expect(facts["camera"] as? String == "Example Works E-1" && facts["author"] as? String == "Alice")
            #expect(facts["created"] as? String == "2024-05-03T14:02:11+02:00")
            #expect(facts["place"] == nil)
        }
        let document = try await object(home, try home.copy("pdf/portrait.pdf", as: "a.pdf"))
        #expect(document["pageWidth"] as? Double != nil && document["pages"] as? Int == 1)
        let book = try await object(home, try home.copy("ebook/no-cover.epub", as: "a.epub"))
        #expect(book["author"] as? String == "Ada Beispiel" && book["title"] as? String != nil)
    }

    @Test func entriesThatSayLessAreCompletedByARenderer() async throws {
        let home = try UserHome()
        let file = try photograph(in: home)
        let entry = try #require(try await object(home, file)["path"] as? String)
        // As another program, or an earlier version, would have written it.
        var bytes = try Data(contentsOf: URL(filePath: entry))
        let key = try #require(bytes.range(of: Data("X-Vitrine::Facts".utf8)))
        let chunk = (key.lowerBound - 8)..<(key.upperBound + 2 + 4)
        bytes.removeSubrange(chunk)
        try bytes.write(to: URL(filePath: entry))
        let camera = try #require(bytes.range(of: Data("X-Vitrine::Text::camera".utf8)))
        #expect(!camera.isEmpty)
        #expect(try await object(home, file)["camera"] as? String == "Example Works E-1")
    }

    @Test func thePlaceIsToldOnRequestAndKeptNowhere() async throws {
        let home = try UserHome()
        let file = try photograph(in: home)
        #expect(try await home.run("prebuild", home.files).exitCode == 0)
        let place = try #require(try await object(home, "--place", file)["place"] as? [String: Double])
        #expect(place["latitude"] == -47.5 && place["altitude"] == -40.5)
        #expect(try await object(home, file)["place"] == nil)
        let usage = try await home.run("get", "--place", file)
        #expect(usage.exitCode == 2 && usage.errors.contains("--json"))
        // Everything that Vitrine wrote.
        let files = try #require(FileManager.default.enumerator(atPath: home.cache))
        for case let name as String in files {
            guard let bytes = FileManager.default.contents(atPath: home.cache + "/" + name) else { continue }
            for word in ["47.5", "latitude", "8.26"] { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(name)") }
        }
    }

    private struct Text: Decodable {
        struct Page: Decodable {
            var page: Int
            var text: String
            var isCut: Bool
        }
        var uri: String
        var type: String?
        var pages: Int?
        var text: [Page]
    }

    @Test func theTextOfDocumentsIsPrinted() async throws {
        let home = try UserHome()
        let notes = try home.write("notes.txt", Array("First\u{1B}[2J line\nsecond\n\n".utf8))
        let shown = try await home.run("text", notes)
        #expect(shown.exitCode == 0 && shown.text == "First line\nsecond\n", "\(shown.text) \(shown.errors)")
        let slides = try home.copy("office/vitrine.pptx", as: "slides.pptx")
        let both = try await home.run("text", notes, home.file("missing.txt"), slides)
        #expect(both.text == "First line\nsecond\n\u{C}\nVitrine\n", "\(both.text)")
        let run = try await home.run("text", "--json", "--pages", "5", slides, notes)
        #expect(run.exitCode == 0, "\(run.errors)")
        let found = try run.text.split(separator: "\n").map { try JSONDecoder().decode(Text.self, from: Data($0.utf8)) }
        #expect(found.count == 2 && found[1].type == "text/plain" && found[1].text.map(\.page) == [1])
        // Its second slide is a drawing.
        #expect(found[0].pages == 2 && found[0].text.map(\.page) == [1] && found[0].text.first?.text == "Vitrine\n")
        // Nothing of it is kept.
        #expect(home.cached.isEmpty)
    }

    /// How many pages a document has may be what it says of itself, until another page than the first is looked at.
    @Test(arguments: [(9, 1), (2, 4)]) func pagesAreTakenAsTheyTurnOut(stated: Int, real: Int) async throws {
        let home = try UserHome()
        let picture = try home.copy("image/plain.jpg", as: "plain.jpg")
        let file = home.file("a.docx")
        // Its thumbnail stands for the first page, so that nobody counts them.
        let script = """
            import sys, zipfile
            picture, path, stated, real = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
            types, base = "application/vnd.openxmlformats-", "http://schemas.openxmlformats.org/"
            pages = ["<w:p><w:r>%s<w:t>Page %d</w:t></w:r></w:p>" % (
                '<w:br w:type="page"/><w:lastRenderedPageBreak/>' if n else "", n + 1) for n in range(real)]
            # Without a date, as Office writes its parts: a dated part would make the thumbnail one of a template.
            with zipfile.ZipFile(path, "w") as file:
                def add(name, content): file.writestr(zipfile.ZipInfo(name), content)
                add("[Content_Types].xml", '<Types xmlns="%spackage/2006/content-types"><Default Extension="rels" '
                    'ContentType="%spackage.relationships+xml"/><Override PartName="/word/document.xml" '
                    'ContentType="%sofficedocument.wordprocessingml.document.main+xml"/></Types>' % (base, types, types))
                add("_rels/.rels", '<Relationships xmlns="%spackage/2006/relationships"><Relationship Id="a" '
                    'Type="%sofficeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
                    % (base, base))
                add("word/document.xml", '<w:document xmlns:w="%swordprocessingml/2006/main"><w:body>%s</w:body>'
                    '</w:document>' % (base, "".join(pages)))
                add("docProps/app.xml", "<Properties><Pages>%s</Pages></Properties>" % stated)
                add("docProps/thumbnail.jpeg", open(picture, "rb").read())
            """
        let made = try await home.run(
            program: ["/usr/bin/env", "python3", "-c", script, picture, file, "\(stated)", "\(real)"])
        try #require(made.exitCode == 0, "\(made.errors)")
        #expect(try await object(home, "--size", "normal", file)["pages"] as? Int == stated)
        let run = try await home.run("text", "--json", "--pages", "9", file)
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
        let text = try JSONDecoder().decode(Text.self, from: Data(run.text.utf8))
        #expect(text.pages == real && text.text.map(\.page) == Array(1...real), "\(run.text)")
    }

    @Test func whatHasNoTextSaysSo() async throws {
        let home = try UserHome()
        let picture = try home.copy("image/plain.jpg", as: "plain.jpg")
        let notes = try home.write("notes.txt", Array("words".utf8))
        let run = try await home.run("text", picture, notes, home.file("missing.pdf"))
        #expect(run.exitCode == 1 && run.text == "words\n")
        #expect(run.errors.contains("plain.jpg: there is no text"))
        #expect(run.errors.contains("missing.pdf"))
        #expect(try await home.run("text").exitCode == 2)
        #expect(try await home.run("text", "--pages", "0", notes).exitCode == 2)
    }

    @Test func documentsAndBooksAreFoundByTheirWords() async throws {
        let home = try UserHome()
        try home.copy("office/vitrine.docx", as: "a.docx")
        try home.copy("ebook/no-cover.epub", as: "b.epub")
        #expect(try await home.run("prebuild", home.files).exitCode == 0)
        let document = try await home.run("find", "--json", "second")
        #expect(document.text.contains("a.docx") && document.text.contains("\"match\":\"text\""), "\(document.text)")
        #expect(try await home.run("find", "--json", "Beispiel").text.contains("b.epub"))
    }
}
