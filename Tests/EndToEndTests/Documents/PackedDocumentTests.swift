import Foundation
import Testing
import VitrineTesting

/// Documents that are packed by themselves, such as report.pdf.gz.
@Suite(.timeLimit(.minutes(10))) struct PackedDocumentTests {
    let home: UserHome

    init() throws { home = try UserHome() }

    /// Packs a file as people do: the packed one takes the place of the other.
    private func pack(_ path: String, _ program: String...) async throws {
        let packed = try await home.run(program: ["/usr/bin/env"] + program + [path])
        #expect(packed.exitCode == 0, "\(packed.errors)")
    }

    private func facts(_ path: String, _ arguments: String...) async throws -> [String: Any] {
        let run = try await home.run(program: [home.program, "get", "--json", path] + arguments)
        #expect(run.exitCode == 0, "\(run.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
    }

    @Test(arguments: [
        ("gzip", "gz"), ("bzip2", "bz2"), ("xz", "xz"), ("lzma", "lzma"), ("zstd", "zst"), ("lzip", "lz"),
        ("lz4", "lz4"),
        ("compress", "Z"),
    ])
    func `a packed document is drawn as the document, each page of it`(way: String, ending: String) async throws {
        try home.copy("pdf/three-pages.pdf", as: "a report.pdf")
        let packed = home.file("a report.pdf.\(ending)")
        let program = try await home.run(program: [
            "/usr/bin/bsdtar", "-c", "--format=raw", "--\(way)", "-f", packed, "-C", home.files, "a report.pdf",
        ])
        #expect(program.exitCode == 0, "\(program.errors)")
        let picture = home.file("2.png")
        let facts = try await facts(packed, "--page", "2", "-o", picture)
        #expect(facts["pages"] as? Int == 3)
        // The second page is upside down, and an archive has no second one.
        #expect(QuadrantCheck(try PNGFile(picture).picture()).arrangement == .upsideDown)
        let explained = try await home.run("explain", packed)
        #expect(
            explained.text.contains("application/pdf, drawn as if it were not packed"), "\(explained.text)")
        #expect(try await home.run("text", packed).text.contains("Vitrine"))
        let made = try await home.run("prebuild", "--progress=json", packed).summary()
        #expect(made.made == 1 && made.failed == 0)
        let again = try await home.run("prebuild", "--progress=json", packed)
        #expect(try again.summary().valid == 1)
        #expect(try again.items().map(\.renderer) == ["pdfium"])
    }

    @Test(arguments: [
        ("office/vitrine.docx", "gzip", "gz"), ("comic/pages.cbz", "xz", "xz"),
        ("ebook/cover-meta.epub", "zstd", "zst"),
    ])
    func `a packed document that is an archive itself is drawn as the document`(
        document: String, way: String, ending: String
    ) async throws {
        let name = String(document.split(separator: "/").last ?? "")
        try home.copy(document, as: name)
        let packed = home.file("\(name).\(ending)")
        let program = try await home.run(program: [
            "/usr/bin/bsdtar", "-c", "--format=raw", "--\(way)", "-f", packed, "-C", home.files, name,
        ])
        #expect(program.exitCode == 0, "\(program.errors)")
        let explained = try await home.run("explain", packed)
        #expect(explained.text.contains("drawn as if it were not packed"), "\(explained.text)")
        let (plain, other) = (home.file("plain.png"), home.file("other.png"))
        _ = try await facts(home.file(name), "-o", plain)
        _ = try await facts(packed, "-o", other)
        #expect(try PNGFile(plain).picture().pixels == PNGFile(other).picture().pixels)
    }

    /// Programs that pack what they write give it names of their own.
    @Test(arguments: [("office/vitrine.emf", "emz"), ("office/vitrine.wmf", "wmz"), ("office/vitrine.abw", "zabw")])
    func `a document that its program packs is drawn as the document`(document: String, ending: String) async throws {
        let path = try home.copy(document, as: "a document")
        try await pack(path, "gzip")
        let packed = home.file("a document.\(ending)")
        try FileManager.default.moveItem(atPath: "\(path).gz", toPath: packed)
        let explained = try await home.run("explain", packed)
        #expect(explained.text.contains("drawn as if it were not packed"), "\(explained.text)")
        #expect(explained.text.contains("rendered by office"), "\(explained.text)")
    }

    @Test func `what nobody draws, and what holds several files, is shown as an archive as before`() async throws {
        let noise = (0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 131) }
        for (name, bytes) in [("noise.bin", noise), ("empty.pdf", [])] {
            try await pack(try home.write("items/\(name)", bytes), "gzip")
        }
        // A tar file whose name does not say so.
        try home.copy("archive/project.tar.gz", as: "items/project.gz")
        let run = try await home.run("prebuild", "--progress=json", home.file("items"))
        let summary = try run.summary()
        #expect(summary.made == 2 && summary.failed == 1, "\(run.text)")
        let explained = try await home.run("explain", home.file("items/project.gz"))
        #expect(explained.text.contains("rendered by archive") && !explained.text.contains("were not packed"))
    }

    @Test func `a bomb that calls itself a document is shown as a packed file`() async throws {
        let script = """
            import gzip, sys
            with gzip.open(sys.argv[1], 'wb', 1) as bomb:
                bomb.write(b'%!PS-Adobe-3.0\\n')
                for _ in range(300): bomb.write(bytes(1 << 20))
            """
        let path = home.file("bomb.ps.gz")
        #expect(try await home.run(program: ["/usr/bin/env", "python3", "-c", script, path]).exitCode == 0)
        let explained = try await home.run("explain", path)
        #expect(explained.text.contains("rendered by archive"), "\(explained.text)")
    }

    @Test func `what is wrong with a packed document is said, and remembered`() async throws {
        let path = try home.copy("pdf/user-password.pdf", as: "items/locked.pdf")
        try await pack(path, "gzip")
        try await pack(try home.write("items/bad.pdf", Array("%PDF-1.4 nothing".utf8)), "gzip")
        let items = try await home.run("prebuild", "--progress=json", home.file("items"))
        let codes = try items.items().compactMap(\.code)
        #expect(codes.sorted() == ["corrupt", "encrypted"], "\(items.text)")
        let again = try await home.run("prebuild", "--progress=json", home.file("items"))
        #expect(try again.items().filter(\.remembered).count == 2, "\(again.text)")
    }

    @Test func `in an archive it stays packed`() async throws {
        try await pack(try home.write("items/notes.txt", Array("Some notes.\n".utf8)), "gzip")
        try await pack(try home.copy("pdf/plain.pdf", as: "items/report.pdf"), "gzip")
        let zip = home.file("all.zip")
        let packed = try await home.run(program: ["/usr/bin/bsdtar", "-a", "-cf", zip, "-C", home.file("items"), "."])
        #expect(packed.exitCode == 0, "\(packed.errors)")
        let run = try await home.run("prebuild", "--progress=json", "archive:\(zip)")
        #expect(try run.summary().made == 2 && run.summary().failed == 0, "\(run.text)")
        #expect(try run.items().map(\.renderer) == ["archive", "archive"])
    }

    @Test func `what is written in its name decides, also where the bytes are known`() async throws {
        let path = try home.copy("image/plain.jpg", as: "items/photo.jpg")
        try await pack(path, "gzip", "-n")
        try FileManager.default.moveItem(atPath: path + ".gz", toPath: home.file("items/data"))
        func renderers() async throws -> [String: String] {
            let run = try await home.run("prebuild", "--progress=json", home.file("items"))
            #expect(try run.summary().failed == 0, "\(run.text)")
            let ways = try run.items().map { (String($0.uri.split(separator: "/").last ?? ""), $0.renderer ?? "") }
            return Dictionary(ways) { $1 }
        }
        func isList(_ name: String) async throws -> Bool {
            let picture = home.file("\(name).png")
            let got = try await home.run("get", home.file("items/\(name)"), "-o", picture)
            #expect(got.exitCode == 0, "\(got.errors)")
            return QuadrantCheck(try PNGFile(picture).picture()).arrangement != .upright
        }
        #expect(try await renderers() == ["data": "archive"])
        for name in ["a.jpg.gz", "b.jpg.gz"] {
            try FileManager.default.copyItem(atPath: home.file("items/data"), toPath: home.file("items/\(name)"))
            #expect(try await renderers() == [name: "jpeg"])
        }
        #expect(try await isList("data"))
        #expect(try await !isList("a.jpg.gz"))
        #expect(try await !isList("b.jpg.gz"))
        // A new name is a new document.
        try FileManager.default.moveItem(atPath: home.file("items/data"), toPath: home.file("items/c.jpg.gz"))
        #expect(try await renderers() == ["c.jpg.gz": "jpeg"])
        #expect(try await !isList("c.jpg.gz"))
    }

    @Test func `a packed text without a word is left out as the text itself is`() async throws {
        let path = try home.write("items/old.log", [10])
        #expect(try await home.run("prebuild", "--progress=json", home.file("items")).summary().failed == 0)
        try await pack(path, "gzip")
        let run = try await home.run("prebuild", "--progress=json", home.file("items"))
        #expect(try run.summary().failed == 0 && run.summary().made == 0, "\(run.text)")
    }
}
