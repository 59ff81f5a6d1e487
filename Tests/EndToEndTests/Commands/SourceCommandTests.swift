import Foundation
import Testing

/// `vitrine source`
@Suite struct SourceCommandTests {
    private struct Line: Decodable {
        var name: String
        var uri: String
        var hidden: Bool?
        var followLinks: Bool?
    }

    private func list(_ home: UserHome) async throws -> [Line] {
        try await home.run("source", "list", "--json").text.split(separator: "\n")
            .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test func addressesWithPasswordsAreRefusedEverywhere() async throws {
        let home = try UserHome()
        let address = "davs://anna:pw@cloud.example/x"
        for words in [
            ["source", "add"], ["favorite", "add"], ["note", "add", "--title", "x"], ["prebuild"], ["index"],
        ] {
            let run = try await home.run(program: [home.program] + words + [address])
            #expect(run.exitCode == 2 && run.errors.contains("holds no password"), "\(words): \(run.errors)")
            #expect(!(run.text + run.errors).contains("pw@"))
        }
        let feed = try await home.run("source", "add", "feed:https://anna:pw@news.example/f.xml")
        #expect(feed.exitCode == 2 && feed.errors.contains("holds no password"), "\(feed.errors)")
        let list = try home.write("list.txt", Array("\(address)\n".utf8))
        let run = try await home.run("prebuild", "--progress=json", "--files-from", list)
        #expect(run.text.contains("holds no password") && !(run.text + run.errors).contains("anna:pw"), "\(run.text)")
    }

    @Test func sourcesAreAddedListedRenamedAndRemoved() async throws {
        let home = try UserHome()
        let empty = try await home.run("source")
        #expect(empty.exitCode == 0 && empty.text.isEmpty && empty.errors.contains("vitrine source add"))
        #expect(try await home.run("source", "add", home.files + "/../files/", "--hidden").exitCode == 0)
        #expect(try await home.run("source", "add", "s3://bucket/prefix", "--name", "Cloud").exitCode == 0)
        let lines = try await list(home)
        #expect(lines.map(\.name) == ["Cloud", "files"])
        #expect(lines.map(\.uri) == ["s3://bucket/prefix", "file://" + home.files])
        #expect(lines[1].hidden == true && lines[1].followLinks == nil)
        let table = try await home.run("source", "list").text.split(separator: "\n")
        #expect(table.count == 3 && table[2].hasPrefix("files  \(home.files)") && table[2].hasSuffix("hidden"))
        // Numbers lie below their last digits, and a column with nothing in it is not shown.
        let end = try #require(table[0].firstRange(of: "  files  ")).upperBound
        let width = table[0].distance(from: table[0].startIndex, to: end)
        #expect(table.dropFirst().allSatisfy { $0.prefix(width).hasSuffix("0  ") }, "\(table)")

        #expect(try await home.run("source", "rename", "Cloud", "Wolke").exitCode == 0)
        #expect(try await home.run("source", "remove", home.files).exitCode == 0)
        #expect(try await list(home).map(\.name) == ["Wolke"])
        #expect(FileManager.default.fileExists(atPath: home.files))
        #expect(try await home.run("source", "remove", "Cloud").exitCode == 1)
    }

    @Test func settingsOfASourceThatIsRenamedAreNamed() async throws {
        let home = try UserHome()
        #expect(try await home.run("source", "add", home.files, "--name", "Old").exitCode == 0)
        try home.configure("[source Old]\nexclude = private/\n")
        #expect(try await home.run("config", "check").exitCode == 0)
        let renamed = try await home.run("source", "rename", "Old", "New")
        #expect(renamed.exitCode == 0 && renamed.errors.contains("[source Old]"), "\(renamed.errors)")
        let check = try await home.run("config", "check")
        #expect(check.exitCode == 1 && check.errors.contains("[source Old]"), "\(check.errors)")
    }

    @Test func filesAreNoSourcesOfWhatTakesFolders() async throws {
        let home = try UserHome()
        let file = try home.write("a.txt", [65])
        for words in [["index"], ["watch"]] {
            let run = try await home.run(program: [home.program] + words + [file])
            #expect(run.exitCode == 2 && run.errors.contains("is a file"), "\(words): \(run.errors)")
        }
        #expect(try await home.run("index").exitCode == 2)
        let find = try await home.run("find", "a", "--source", "nosuch")
        #expect(find.exitCode == 1, "\(find.errors)")
        // The disk of a source may be away.
        #expect(try await home.run("source", "add", home.files + "/away").exitCode == 0)
        let away = try await home.run("find", "a", "--source", "away")
        #expect(away.exitCode == 0 && away.errors.contains("nothing of this source"), "\(away.errors)")
    }

    @Test func aLibraryThatIsGoneBesideItsBackupIsNotEmpty() async throws {
        let home = try UserHome()
        #expect(try await home.run("source", "add", home.files).exitCode == 0)
        #expect(try await home.run("library", "backup").exitCode == 0)
        try FileManager.default.removeItem(atPath: home.path + "/data/vitrine/library.sqlite")
        for words in [["index"], ["prebuild"]] {
            let run = try await home.run(program: [home.program] + words)
            #expect(run.exitCode == 1 && run.errors.contains("library restore"), "\(words): \(run.errors)")
        }
    }

    @Test func whatIsNotThereIsAddedAndSaid() async throws {
        let home = try UserHome()
        let gone = try await home.run("source", "add", "/elsewhere/disk")
        #expect(gone.exitCode == 0 && gone.errors.contains("nothing is there now"), "\(gone.errors)")
        for here in [home.files, "s3://bucket/prefix"] {
            let added = try await home.run("source", "add", here)
            #expect(added.exitCode == 0 && added.errors.isEmpty, "\(added.errors)")
        }
        let heading = try await home.run("source", "list").text.prefix { $0 != "\n" }
        #expect(heading.hasSuffix("  state") && !heading.contains("options"), "\(heading)")
        for words in [["source", "add", "httq://x"], ["account", "add", "x", "httq://x"]] {
            let run = try await home.run(program: [home.program] + words)
            #expect(run.exitCode == 2 && run.errors.contains("no plugin serves the scheme 'httq'"), "\(run.errors)")
        }
    }

    @Test func aClashSaysSoAndSuggestsAName() async throws {
        let home = try UserHome()
        let folder = home.file("my ü files")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        _ = try await home.run("source", "add", folder, "--name", "files")
        // As other commands that find a name taken, with 1: what was typed is no wrong usage. What is there is told by its path.
        let name = try await home.run("source", "add", "/elsewhere/files")
        #expect(name.exitCode == 1 && name.errors.contains("'files'") && name.errors.contains("--name"))
        #expect(name.errors.contains(" \(folder);"), "\(name.errors)")
        let uri = try await home.run("source", "add", folder, "--name", "Other")
        #expect(
            uri.exitCode == 1 && uri.errors.contains("'\(folder)' is registered already, as 'files'"), "\(uri.errors)")
        let root = try await home.run("source", "add", "/")
        #expect(root.exitCode == 2 && root.errors.contains("--name"))
        #expect(try await list(home).count == 1)
    }

    @Test func whatIsMistypedIsSaid() async throws {
        let home = try UserHome()
        #expect(try await home.run("source", "add", home.files, "--name", "Photos").exitCode == 0)
        let removal = try await home.run("source", "remove", "Photso")
        #expect(removal.exitCode == 1 && removal.errors.contains("did you mean 'Photos'?"), "\(removal.errors)")
        let index = try await home.run("index", "Photso")
        #expect(index.exitCode == 1 && index.errors.contains("did you mean 'Photos'?"), "\(index.errors)")
        #expect(index.errors.ranges(of: "there is no").count == 1, "\(index.errors)")
        let scheme = "no plugin serves the scheme 'nosuch'"
        for words in [["source", "add", "nosuch://a/b"], ["get", "nosuch://x"]] {
            let run = try await home.run(bytes: words.map { Array($0.utf8) })
            #expect(run.exitCode == 2 && run.errors.contains(scheme), "\(run.errors)")
        }
        // As a browser and a file manager show addresses.
        for (address, guess) in [("https://cloud.example/dav", "davs:"), ("ssh://host.example/", "sftp:")] {
            let run = try await home.run("prebuild", address)
            #expect(run.errors.contains("(did you mean '\(guess)'?)"), "\(run.errors)")
        }
        for add in [nil, ["account", "add", "store", "s3://bucket", "--set", "region=eu"]] {
            if let add { #expect(try await home.run(bytes: add.map { Array($0.utf8) }).exitCode == 0) }
            let run = try await home.run("prebuild", "s3://bucket")
            #expect(run.exitCode == 1 && run.errors.contains("no credentials"), "\(run.errors)")
            #expect(run.errors.contains("'vitrine account add NAME URI") == (add == nil), "\(run.errors)")
        }
        let share = try await home.run("source", "add", "smb://nas.example/photos")
        #expect(
            share.exitCode == 2 && share.errors.contains("(mount the share, and name its folder)"), "\(share.errors)")
        #expect(try await list(home).map(\.name) == ["Photos"])
        // As rsync, mount and Windows write them.
        for address in ["nas:/photos", "anna@nas.example:photos", #"\\nas\photos"#, "//nas.example/photos"] {
            let run = try await home.run("prebuild", address)
            #expect(run.exitCode == 1 && run.errors.contains("such as sftp://nas"), "\(run.errors)")
        }
        for path in ["chapter: one.pdf", "//tmp/none", "a/b:/c", "C:/photos"] {
            let run = try await home.run("index", path)
            #expect(run.exitCode == 1 && !run.errors.contains("sftp:"), "\(run.errors)")
        }
        let added = try await home.run("source", "add", "nas:/films")
        #expect(added.exitCode == 0 && added.errors.contains("such as sftp://nas/"), "\(added.errors)")
    }

    @Test func aFileIsNoSource() async throws {
        let home = try UserHome()
        let file = try home.copy("image/rgb-8.png", as: "a picture.png")
        let run = try await home.run("source", "add", file)
        #expect(run.exitCode == 2 && run.errors.contains(file) && run.errors.contains("folder"), "\(run.errors)")
        #expect(try await list(home).isEmpty)
    }

    @Test func aFileThatIsNoMailboxIsNoSource() async throws {
        let home = try UserHome()
        let picture = try home.copy("image/rgb-8.png", as: "a picture.png")
        for scheme in ["mbox", "maildir"] {
            let run = try await home.run("source", "add", "\(scheme):\(picture.replacing(" ", with: "%20"))")
            #expect(run.exitCode == 1 && run.errors.contains("'\(picture)'"), "\(scheme): \(run.errors)")
        }
        #expect(try await list(home).isEmpty)
        let box = try home.write("box", Array("From alice@example.org Mon Jan  1 00:00:00 2024\n\nHello\n".utf8))
        for (name, place) in [("box", box), ("empty", try home.write("empty", [])), ("later", home.file("later"))] {
            let run = try await home.run("source", "add", "mbox:\(place)")
            #expect(run.exitCode == 0, "\(name): \(run.errors)")
        }
        #expect(try await list(home).map(\.name) == ["box", "empty", "later"])
    }

    @Test(arguments: [
        ["add"], ["add", "a", "b"], ["remove"], ["rename", "a"], ["frob"], ["list", "x"], ["list", "--hidden"],
        ["add", "x", "--json"], ["add", "x", "--name", "a/b"], ["add", "x", "--name", "a\u{1B}b"],
    ])
    func wrongWordsAreRefused(_ words: [String]) async throws {
        let home = try UserHome()
        let run = try await home.run(bytes: (["source"] + words).map { Array($0.utf8) })
        #expect(run.exitCode == 2 && !run.errors.isEmpty && !run.errors.contains("\u{1B}"), "\(run.errors)")
    }

    @Test func pathsThatAreNoTextAreKeptAsTheyAre() async throws {
        let home = try UserHome()
        let run = try await home.run(bytes: [Array("source".utf8), Array("add".utf8), [0x2F, 0xFF]])
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(try await list(home).map(\.uri) == ["file:///%FF"])
    }
}
