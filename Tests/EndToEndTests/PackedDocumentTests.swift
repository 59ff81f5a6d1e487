import Foundation
import TestSupport
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
}
