import Foundation
import Testing

/// `vitrine note` and `vitrine library`
@Suite struct NoteCommandTests {
    /// Runs `vitrine` with a terminal and an editor.
    private func edit(_ home: UserHome, _ arguments: String, with editor: String) async throws -> FinishedRun {
        let script = home.file("editor")
        try Data("\(editor)\n".utf8).write(to: URL(filePath: script))
        return try await home.run(program: [
            "/usr/bin/env", "EDITOR=/bin/sh \(script)", "/usr/bin/script", "-qec", "\(home.program) note \(arguments)",
            "/dev/null",
        ])
    }

    @Test func notesAreWrittenFoundAndDeleted() async throws {
        let home = try UserHome()
        let file = try home.write("a.doc", [1])
        let added = try await home.run("note", "add", file, "--title", "Café 報告書", "--text", "one\ntwo")
        #expect(added.exitCode == 0 && added.text == "note 1\n", "\(added.errors)")
        let shown = try await home.run("note", "show", "1").text
        #expect(shown.hasPrefix("Café 報告書\nabout \(file)\n") && shown.hasSuffix("\n\none\ntwo\n"))
        for query in ["cafe", "報告", "書", "TWO one"] {
            #expect(try await home.run("note", "search", query).text.contains("Café"), "\(query)")
        }
        let none = try await home.run("note", "search", "three")
        #expect(none.exitCode == 0 && none.text.isEmpty && !none.errors.isEmpty)
        #expect(try await home.run("note", "edit", "1", "--text", "three").exitCode == 0)
        #expect(try await home.run("note", "search", "three", "--json").text.contains(#""text":"three""#))
        #expect(try await home.run("note", "list", file).text.contains("Café"))
        #expect(try await home.run("note", "delete", "1").exitCode == 0)
        #expect(try await home.run("note", "delete", "1").exitCode == 1)
        // What can be deleted is, whatever stands before it.
        for _ in 0..<2 { #expect(try await home.run("note", "add", file, "--title", "T").exitCode == 0) }
        let some = try await home.run("note", "delete", "2", "99", "3")
        #expect(some.exitCode == 1 && some.errors.contains("99"), "\(some.errors)")
        #expect(try await home.run("note", "list", "--json").text.isEmpty)
    }

    @Test func aFileThatNeverWasIsRefused() async throws {
        let home = try UserHome()
        let (disk, file) = (home.file("disk"), try home.write("disk/a.doc", [1]))
        let folder = disk + "/folder"
        try home.write("disk/folder/c.doc", [1])
        try home.write("disk/other.doc", [1])
        let add = [["note", "add", "--title", "T"], ["favorite", "add"]]
        func codes(_ name: String) async throws -> [CInt?] {
            var codes: [CInt?] = []
            for words in add {
                let run = try await home.run(bytes: (words + [name]).map { Array($0.utf8) })
                #expect(run.exitCode == 0 || run.errors.contains("there is no file '\(name)'"), "\(run.errors)")
                codes.append(run.exitCode)
            }
            return codes
        }
        #expect(try await codes(home.file("typo.doc")) == [1, 1])
        #expect(try await codes(disk + "/typo.doc") == [1, 1])
        #expect(try await home.run("note").text.isEmpty)
        #expect(try await home.run("favorite").text.isEmpty)
        // Nobody is asked over the network.
        #expect(try await codes("davs://cloud.example.org/a.doc") == [0, 0])
        // Nor is a catalog made of that.
        #expect(!FileManager.default.fileExists(atPath: home.cache + "/vitrine/catalog.sqlite"))
        // What was seen may be gone, whether that was noticed or not.
        #expect(try await home.run("index", disk).exitCode == 0)
        for path in [file, folder] { try FileManager.default.removeItem(atPath: path) }
        #expect(try await codes(file) == [0, 0])
        #expect(try await home.run("index", disk).exitCode == 0)
        #expect(try await codes(folder + "/c.doc") == [0, 0])
        #expect(try await codes(folder) == [0, 0])
        #expect(try await codes(disk + "/typo.doc") == [1, 1])
        // What the library knows is known without a catalog.
        try FileManager.default.removeItem(atPath: home.cache + "/vitrine/catalog.sqlite")
        #expect(try await codes(file) == [0, 0])
        #expect(try await codes(disk + "/typo.doc") == [1, 1])
    }

    /// On a disk that is not plugged in there may be what was never seen: where it is mounted, and behind a link to it.
    @Test(arguments: [false, true])
    func aDiskMayBeAway(isIndexed: Bool) async throws {
        let home = try UserHome()
        let files = FileManager.default
        let (disk, link) = (home.file("disk"), home.file("link"))
        try home.write("disk/a.doc", [1])
        try files.createSymbolicLink(atPath: link, withDestinationPath: disk)
        for folder in [disk, link] {
            let words = isIndexed ? ["index", folder] : ["source", "add", folder]
            #expect(try await home.run(bytes: words.map { Array($0.utf8) }).exitCode == 0)
            #expect(try await home.run("favorite", "add", folder + "/b.doc").exitCode == 1)
        }
        try files.removeItem(atPath: disk + "/a.doc")
        for folder in [disk, link] { #expect(try await home.run("favorite", "add", folder + "/b.doc").exitCode == 0) }
        try files.removeItem(atPath: disk)
        for folder in [disk, link] { #expect(try await home.run("favorite", "add", folder + "/c.doc").exitCode == 0) }
        #expect(try await home.run("favorite", "add", home.file("c.doc")).exitCode == 1)
    }

    @Test func aCatalogThatIsDamagedIsNoReasonToKeepNothing() async throws {
        let home = try UserHome()
        let file = try home.write("a.doc", [1])
        #expect(try await home.run("index", home.files).exitCode == 0)
        let catalog = home.cache + "/vitrine/catalog.sqlite"
        let damaged = Data(repeating: 7, count: 10_000)
        try damaged.write(to: URL(filePath: catalog))
        #expect(try await home.run("source", "add", home.file("away"), "--name", "away").exitCode == 0)
        #expect(try await home.run("favorite", "add", home.file("away/a.doc")).exitCode == 0)
        #expect(try await home.run("favorite", "add", file + "x").exitCode == 1)
        #expect(try Data(contentsOf: URL(filePath: catalog)) == damaged)
    }

    @Test func inJSONCharactersThatSteerATerminalAreNumbers() async throws {
        let home = try UserHome()
        let file = try home.write("a", [])
        let text = "a\u{9B}2J \u{202E}b\u{7F} ü"
        #expect(try await home.run("note", "add", file, "--title", "T", "--text", text).exitCode == 0)
        let line = try await home.run("note", "list", "--json").text
        #expect(line.contains(#""text":"a\u009b2J \u202eb\u007f ü""#), "\(line)")
        struct Note: Decodable { var text: String }
        #expect(try JSONDecoder().decode(Note.self, from: Data(line.utf8)).text == text)
    }

    @Test func textComesFromStandardInput() async throws {
        let home = try UserHome()
        let file = try home.write("a", [])
        let words = "printf 'one\\ntwo\\n' | \(home.program) note add \(file) --title T --text -"
        let run = try await home.run(program: ["/bin/sh", "-c", words])
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(try await home.run("note", "list", "--json").text.contains(#""text":"one\ntwo""#))
        let binary = "printf 'a\\377b' | \(home.program) note add \(file) --title T --text -"
        #expect(try await home.run(program: ["/bin/sh", "-c", binary]).exitCode == 2)
        let long = "head -c 2000000 /dev/zero | \(home.program) note add \(file) --title T --text -"
        let refused = try await home.run(program: ["/bin/sh", "-c", long])
        #expect(refused.exitCode == 2 && refused.errors.contains("1048576"))
    }

    @Test func anEditorWritesThemWhereAPersonSits() async throws {
        let home = try UserHome()
        let file = try home.write("a", [])
        let added = try await edit(home, "add \(file)", with: #"printf 'Title\n\nfirst\n\nlast\n\n' > "$1""#)
        #expect(added.exitCode == 0 && added.text.contains("note 1"), "\(added.text)")
        let unchanged = try await edit(home, "edit 1", with: "true")
        #expect(unchanged.exitCode == 0 && unchanged.text.contains("nothing was changed"))
        #expect(try await edit(home, "edit 1", with: #"sed -i s/last/end/ "$1""#).exitCode == 0)
        let json = try await home.run("note", "show", "1", "--json").text
        #expect(json.contains(#""title":"Title""#) && json.contains(#""text":"first\n\nend""#), "\(json)")
        let left = try FileManager.default.contentsOfDirectory(atPath: home.temporary)
        #expect(!left.contains { $0.hasPrefix("vitrine-note") })
    }

    @Test func whoLeavesNothingInTheEditorChangesNothing() async throws {
        let home = try UserHome()
        let file = try home.write("a", [])
        _ = try await home.run("note", "add", file, "--title", "Title", "--text", "kept")
        for empty in [#": > "$1""#, #"printf ' \n\n' > "$1""#] {
            let edited = try await edit(home, "edit 1", with: empty)
            #expect(edited.exitCode == 0 && edited.text.contains("stays as it was"), "\(edited.text)")
            let added = try await edit(home, "add \(file)", with: empty)
            #expect(added.exitCode == 0 && added.text.contains("no note was added"), "\(added.text)")
        }
        let notes = try await home.run("note", "list", "--json").text
        #expect(notes.contains(#""text":"kept""#) && notes.split(separator: "\n").count == 1, "\(notes)")
        let left = try FileManager.default.contentsOfDirectory(atPath: home.temporary)
        #expect(!left.contains { $0.hasPrefix("vitrine-note") })
    }

    @Test func whatCannotBeKeptStaysInTheEditorsFile() async throws {
        let home = try UserHome()
        let file = try home.write("a", [])
        _ = try await home.run("note", "add", file, "--title", "Title")
        let run = try await edit(home, "edit 1", with: #"printf '\n\nlong work\n' > "$1""#)
        #expect(
            run.exitCode == 1 && run.text.contains("needs a title") && run.text.contains("what you wrote is in"),
            "\(run.text)")
        let left = try FileManager.default.contentsOfDirectory(atPath: home.temporary)
        let name = try #require(left.first { $0.hasPrefix("vitrine-note") })
        #expect(try String(contentsOfFile: "\(home.temporary)/\(name)", encoding: .utf8).contains("long work"))
        let failed = try await edit(home, "edit 1", with: "exit 3")
        #expect(failed.exitCode == 1 && failed.text.contains("nothing was changed"))
    }

    @Test func withoutATerminalNothingIsAsked() async throws {
        let home = try UserHome()
        let file = try home.write("a", [])
        let add = try await home.run("note", "add", file)
        #expect(add.exitCode == 2 && add.errors.contains("--title"))
        _ = try await home.run("note", "add", file, "--title", "T")
        let edit = try await home.run("note", "edit", "1")
        #expect(edit.exitCode == 2 && edit.errors.contains("--text"))
    }

    @Test func controlCharactersReachNoTerminal() async throws {
        let home = try UserHome()
        let file = try home.write("a\u{1B}b", [])
        _ = try await home.run("note", "add", file, "--title", "T", "--text", "\u{1B}[2Jx\u{202E}y")
        for run in [try await home.run("note", "show", "1"), try await home.run("note")] {
            #expect(!run.text.contains("\u{1B}") && !run.text.contains("\u{202E}") && run.text.contains("T"))
        }
    }

    @Test func aDamagedLibraryIsRestoredWhenTheUserSaysSo() async throws {
        let home = try UserHome()
        let file = try home.write("a", [])
        _ = try await home.run("note", "add", file, "--title", "Kept")
        #expect(try await home.run("library", "check").exitCode == 0)
        let sound = try await home.run("library", "restore")
        #expect(sound.exitCode == 1 && sound.errors.contains("sound"))
        let path = try await home.run("library", "path").text.trimmingCharacters(in: .newlines)
        try Data(repeating: 1, count: 10_000).write(to: URL(filePath: path))
        let refused = try await home.run("note")
        #expect(refused.exitCode == 1 && refused.errors.contains("vitrine library restore"), "\(refused.errors)")
        #expect(try await home.run("library", "check").exitCode == 1)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(repeating: 1, count: 10_000))
        #expect(try await home.run("library", "restore").exitCode == 0)
        #expect(try await home.run("note").text.contains("Kept"))
    }

    @Test func severalProgramsWriteAtOnceAndNothingIsLost() async throws {
        let home = try UserHome()
        let file = try home.write("a", [])
        let programs = try (0..<8).map { try home.start("note", "add", file, "--title", "Note \($0)") }
        for program in programs {
            let run = try await program.finish()
            #expect(run.exitCode == 0, "\(run.errors)")
        }
        #expect(try await home.run("note", "list", "--json").text.split(separator: "\n").count == 8)
        #expect(try await home.run("library", "check").exitCode == 0)
    }
}
