import Catalog
import Foundation
import Testing

/// `vitrine find`
@Suite struct FindCommandTests {
    private struct Line: Decodable {
        var uri: String
        var size: Int?
        var modified: String?
        var match: String
        var title: String?
        var snippet: String?
        var type: String?
        var preview: String?
    }

    private func find(_ home: UserHome, _ arguments: String...) async throws -> [Line] {
        let run = try await home.run(program: [home.program, "find", "--json"] + arguments)
        #expect(run.exitCode == 0, "\(run.errors)")
        return try run.text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test func namesAreFoundAfterIndex() async throws {
        let home = try UserHome()
        for name in ["Rechnung Müller.pdf", "年度報告書.docx", "-rf *.txt", "a\u{1B}[31mb.txt"] {
            _ = try home.write(name, Array(repeating: 1, count: 2000))
        }
        #expect(try await home.run("index", home.files).exitCode == 0)
        #expect(try await find(home, "muller").map(\.match) == ["name"])
        #expect(try await find(home, "報").count == 1)
        #expect(try await find(home, "--", "-rf").count == 1)
        #expect(try await find(home, "--type", "office").count == 1)
        #expect(try await find(home, "--larger", "2kB").count == 4)
        #expect(try await find(home, "--larger", "2001").isEmpty)
        #expect(try await find(home, "txt", "--after", "2d", "--source", home.files).count == 2)
        #expect(try await find(home, "txt", "--before", "2001-02-03").isEmpty)
        // What names hold does not reach the terminal.
        let shown = try await home.run("find", "31mb")
        #expect(shown.exitCode == 0 && shown.text.contains("31mb.txt") && !shown.text.contains("\u{1B}"))
        // A file that goes is not found any more.
        try FileManager.default.removeItem(atPath: home.file("年度報告書.docx"))
        #expect(try await home.run("index", home.files).exitCode == 0)
        #expect(try await find(home, "報").isEmpty)
    }

    @Test func momentsAreTakenAsTheyArePrinted() async throws {
        let home = try UserHome()
        let file = try home.write("a.txt", [1])
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
        #expect(try await home.run("index", home.files).exitCode == 0)
        let printed = try #require(try await find(home, "a").first?.modified)
        #expect(printed == "2023-11-14T22:13:20Z")
        let same = [
            printed, "2023-11-14t22:13:20.999999999z", "2023-11-14T23:13:20,5+01:00", "2023-11-14 17:13:20-0500",
            "2023-11-15T03:43:20+05:30", "2023-11-14T22:13:20+00",
        ]
        for text in same {
            #expect(try await find(home, "--after", text).count == 1, "\(text)")
            #expect(try await find(home, "--before", text).isEmpty, "\(text)")
        }
        #expect(try await find(home, "--after", "2023-11-14T22:13:21Z").isEmpty)
        #expect(try await find(home, "--before", "2023-11-14T22:14Z").count == 1)
        let wrong = [
            "2023-11-14Z", "2023-11-14T22:13:20+1", "2023-11-14T22:13:20+24:00", "2023-11-14T22:13.5Z",
            "2023-11-14T22:13:20.Z", "2023-02-30T22:13:20Z", "2023-11-14T22:13:20ZZ", "2023-11-14T22:13:20 CET",
        ]
        for text in wrong { #expect(try await home.run("find", "--after", text).exitCode == 2, "\(text)") }
    }

    @Test func whatIsNotIndexedIsNotCalledAbsent() async throws {
        let home = try UserHome()
        let before = try await home.run("find", "invoice")
        #expect(
            before.exitCode == 0 && before.errors.contains("nothing is indexed yet; 'vitrine index PATH' does that"))
        #expect(try await home.run("index", home.files).exitCode == 0)
        #expect(try await home.run("find", "invoice").errors.contains("nothing was found"))
    }

    @Test func textsAreFoundAfterPrebuild() async throws {
        let home = try UserHome()
        _ = try home.write("notes.md", Array("# Travel plans\n\nWe go to Ljubljana and 東京都.\n".utf8))
        _ = try home.write("other.txt", Array("Nothing of interest\u{1B}[31m".utf8))
        let run = try await home.run("prebuild", home.files)
        #expect(run.exitCode == 0, "\(run.errors)")
        let found = try await find(home, "ljublj")
        #expect(found.map(\.match) == ["text"])
        #expect(found.first?.snippet?.contains("Ljubljana") == true)
        #expect(found.first?.preview.map { FileManager.default.fileExists(atPath: $0) } == true)
        #expect(try await find(home, "travel").map(\.match) == ["title"])
        #expect(try await find(home, "notes 東京").map(\.match) == ["text"])
        #expect(try await find(home, "--type", "text", "plans").count == 1)
        #expect(try await find(home, "elsewhere").isEmpty)
        let shown = try await home.run("find", "interest").text
        #expect(shown.contains("text: Nothing of interest") && !shown.contains("\u{1B}"))
    }

    @Test func textsOfDocumentsThatHadPreviewsBeforeAreFound() async throws {
        let home = try UserHome()
        let file = try home.write("notes.md", Array("# Travel plans\n\nWe go to Ljubljana.\n".utf8))
        func prebuild() async throws {
            let run = try await home.run("prebuild", "--progress=json", home.files)
            #expect(try run.exitCode == 0 && run.summary().made == 0 && run.summary().valid == 1, "\(run.text)")
        }
        #expect(try await home.run("get", "--size=large", file).exitCode == 0)
        try await prebuild()
        #expect(try await find(home, "ljublj").map(\.match) == ["text"])
        #expect(try await find(home, "travel").map(\.match) == ["title"])
        // Also when it is changed, and drawn by somebody else again.
        try home.write("notes.md", Array("# Other plans\n\nWe stay at home.\n".utf8))
        #expect(try await home.run("get", "--size=large", file).exitCode == 0)
        try await prebuild()
        #expect(try await find(home, "ljublj").isEmpty)
        #expect(try await find(home, "stay").map(\.match) == ["text"])
        // And when the catalog is lost.
        for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: home.cache + "/vitrine/catalog.sqlite" + end)
        }
        try await prebuild()
        #expect(try await find(home, "stay").map(\.match) == ["text"])
    }

    /// Words for types, and which of the files they find.
    @Test func typesAreCalledAsPeopleCallThem() async throws {
        let home = try UserHome()
        for name in [
            "a.pdf", "b.jpg", "c.docx", "d.doc", "e.xlsx", "f.odp", "g.mp4", "h.flac", "i.txt", "j.eml", "k.sqlite3",
            "l.crt", "m.torrent",
        ] {
            try home.write(name, [])
        }
        #expect(try await home.run("index", home.files).exitCode == 0)
        let words = [
            "jpg": "b", "JPEG": "b", ".jpg": "b", "*.jpg": "b", "picture": "b", "photos": "b", "image/jpeg": "b",
            "image/*": "b", "docx": "c", "doc": "d", "document": "acd", "spreadsheets": "e", "presentation": "f",
            "office": "cdef", "pdf": "a", "movie": "g", "music": "h", "text": "i", "txt": "i", "mail": "j",
            "pdf,jpg": "ab", "database": "k", "certificates": "l", "torrent": "m",
        ]
        for (word, wanted) in words {
            let found = try await find(home, "--type", word).compactMap { $0.uri.split(separator: "/").last?.first }
            #expect(found.sorted() == Array(wanted), "\(word)")
        }
        let wrong = try await home.run("find", "--type", "nonsense")
        #expect(wrong.exitCode == 2 && wrong.errors.contains("'nonsense' is no type; write pdf, image, "))
        #expect(wrong.errors.contains("'vitrine find .nonsense' finds what has it in its name"))
    }

    /// Damages a leaf of the list of what is to be indexed again, of which nothing is left.
    private func damageWhatWaits(_ home: UserHome) async throws {
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute("INSERT INTO stale(item) WITH RECURSIVE n(i) AS "
                "(VALUES(1000) UNION ALL SELECT i + 1 FROM n WHERE i < 9000) SELECT i FROM n")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            page = database.execute(
                "SELECT max(pageno) FROM dbstat WHERE name = 'stale' AND pagetype = 'leaf'").fetchone()[0]
            size = database.execute("PRAGMA page_size").fetchone()[0]
            database.close()
            with open(sys.argv[1], "r+b") as file:
                file.seek((page - 1) * size + 3)
                file.write(bytes(2))
            """
        let damage = try await home.run(program: ["/usr/bin/python3", "-c", script, catalog(home)])
        try #require(damage.exitCode == 0, "\(damage.errors)")
    }

    private func catalog(_ home: UserHome) -> String { home.cache + "/vitrine/catalog.sqlite" }

    @Test func whatWaitsForTheIndexMayBeDamaged() async throws {
        let home = try UserHome()
        _ = try home.write("one.txt", [65])
        #expect(try await home.run("index", home.files).exitCode == 0)
        try await damageWhatWaits(home)
        #expect(try await find(home, "one").count == 1)
        #expect(try await home.run("find", "one").errors.isEmpty)
    }

    @Test func whatWaitsForTheIndexAndIsDamagedIsMadeAnewByARun() async throws {
        let home = try UserHome()
        _ = try home.write("one.txt", [65])
        #expect(try await home.run("index", home.files).exitCode == 0)
        try await damageWhatWaits(home)
        #expect(try Catalog.open(at: catalog(home)).catalog.unindexedCount() == nil)
        #expect(try await home.run("prebuild", "--progress=none", home.files).errors.isEmpty)
        let mended = try Catalog.open(at: catalog(home)).catalog
        #expect(try mended.unindexedCount() == 0 && mended.check().isEmpty)
    }

    @Test func itemsOfACollectionAreFound() async throws {
        let home = try UserHome()
        let first = try home.write("one.txt", [65])
        _ = try home.write("two.txt", [66])
        #expect(try await home.run("index", home.files).exitCode == 0)
        #expect(try await home.run("collection", "create", "Best").exitCode == 0)
        #expect(try await home.run("collection", "add", "Best", first).exitCode == 0)
        #expect(try await find(home, "txt").count == 2)
        #expect(try await find(home, "txt", "--collection", "Best").map { $0.uri.hasSuffix("one.txt") } == [true])
        let none = try await home.run("find", "txt", "--collection", "Worst")
        #expect(none.exitCode == 1 && none.errors.contains("Worst"))
        // What no run has seen is not passed over in silence.
        let other = try home.write("elsewhere.txt", [67])
        #expect(try await home.run("collection", "add", "Best", "--copy", other).exitCode == 0)
        let half = try await home.run("find", "txt", "--collection", "Best")
        #expect(half.text.contains("one.txt"), "\(half.text)")
        #expect(half.errors.hasPrefix("1 of 2 files in 'Best' cannot be found"), "\(half.errors)")
        let folder = try #require(half.errors.split(separator: "'").dropLast().last.map(String.init))
        #expect(folder.hasSuffix("/collections/Best"), "\(half.errors)")
        #expect(try await home.run("prebuild", folder).exitCode == 0)
        let whole = try await home.run("find", "txt", "--collection", "Best")
        #expect(whole.text.contains("elsewhere.txt") && whole.text.contains("one.txt"), "\(whole.text)")
        #expect(whole.errors.isEmpty, "\(whole.errors)")
    }

    @Test(arguments: [
        [], ["--type", "nonsense"], ["a", "--larger", "10X"], ["a", "--larger", "99999999999T"],
        ["a", "--after", "2025-02-31"],
        ["a", "--before", "soon"], ["a", "--limit", "0"], ["a", "--pictures", "ascii"],
    ])
    func wrongUsageIsSaid(arguments: [String]) async throws {
        let home = try UserHome()
        let run = try await home.run(program: [home.program, "find"] + arguments)
        #expect(run.exitCode == 2 && run.text.isEmpty && !run.errors.isEmpty)
    }

    @Test func picturesGoToTerminalsOnly() async throws {
        let home = try UserHome()
        _ = try home.write("notes.md", Array("# Travel plans\n".utf8))
        #expect(try await home.run("prebuild", home.files).exitCode == 0)
        #expect(try await !home.run("find", "notes", "--pictures", "kitty").text.contains("\u{1B}"))
        for (kind, mark) in [("kitty", "\u{1B}_Ga=T"), ("iterm", "\u{1B}]1337;File="), ("sixel", "\u{1B}P0;1;0q")] {
            let shown = try await home.run(program: [
                "/usr/bin/env", "TERM=xterm", "/usr/bin/script", "-qec",
                "\(home.program) find notes --pictures \(kind)", "/dev/null",
            ])
            #expect(shown.text.contains(mark) && shown.text.contains("notes.md"), "\(kind)")
        }
        // A terminal that answers nothing costs a moment, and gets no picture.
        let silent = try await home.run(program: [
            "/usr/bin/env", "-u", "TERM_PROGRAM", "TERM=xterm", "/usr/bin/script", "-qec", "\(home.program) find notes",
            "/dev/null",
        ])
        #expect(silent.text.contains("notes.md") && !silent.text.contains("\u{1B}P0;1;0q"))
    }
}
