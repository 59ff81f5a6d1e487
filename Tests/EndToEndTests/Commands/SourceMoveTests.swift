import Catalog
import Foundation
import TestSupport
import Testing

/// `vitrine source move`
@Suite struct SourceMoveTests {
    private struct Line: Decodable {
        var name: String
        var uri: String
        var state: String?
        var files: Int?
        var withPreviews: Int?
    }

    private struct Change: Decodable {
        var event: String
        var uri: String?
        var from: String?
    }

    private func list(_ home: UserHome) async throws -> [String: Line] {
        let lines = try await home.run("source", "list", "--json").text.split(separator: "\n")
            .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        return Dictionary(lines.map { ($0.name, $0) }) { $1 }
    }

    private func fill(_ home: UserHome, _ folder: String, _ count: Int) throws {
        let picture = try UserHome.fixture("image/rgb-8.png")
        // A few bytes after the end of a PNG make it another file.
        for number in 0..<count {
            try home.write("\(folder)/\(number % 3)/\(number).png", picture + Array("\(number)".utf8))
        }
    }

    private func rename(_ home: UserHome, _ old: String, _ new: String) throws {
        try FileManager.default.moveItem(atPath: home.file(old), toPath: home.file(new))
    }

    private func presentVersion(_ home: UserHome) async throws -> String {
        try await home.run("changes").text.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
    }

    @Test func aFolderThatWasRenamedKeepsAllThatIsKnownOfIt() async throws {
        let home = try UserHome()
        try fill(home, "old", 6)
        try home.write("old/letter.doc", [1])
        #expect(try await home.run("source", "add", home.file("old"), "--name", "S").exitCode == 0)
        #expect(try await home.run("prebuild", "--size=large,300").exitCode == 0)
        #expect(home.previews.count == 12)
        let kept = home.file("old/1/1.png")
        #expect(try await home.run("note", "add", kept, "--title", "of a picture").exitCode == 0)
        #expect(try await home.run("note", "add", home.file("old/1"), "--title", "of a folder").exitCode == 0)
        #expect(try await home.run("favorite", "add", kept).exitCode == 0)
        #expect(try await home.run("collection", "create", "C").exitCode == 0)
        #expect(try await home.run("collection", "add", "C", kept).exitCode == 0)
        let version = try await presentVersion(home)
        try rename(home, "old", "new")
        for words in [["index"], ["prebuild"], ["source", "list"]] {
            let run = try await home.run(program: [home.program] + words)
            #expect(run.errors.contains("vitrine source move"), "\(words): \(run.errors)")
        }

        let move = try await home.run("source", "move", "S", home.file("new"))
        #expect(move.exitCode == 0 && move.errors.isEmpty, "\(move.errors)")
        #expect(move.text == "'S' is now \(home.file("new")); 7 files and 12 previews came along.\n")
        #expect(home.previews.count == 12)
        let line = try #require(try await list(home)["S"])
        #expect(line.uri == "file://" + home.file("new") && line.files == 7 && line.withPreviews == 6)
        #expect(line.state == "moved")
        let now = home.file("new/1/1.png")
        #expect(try await home.run("note", "list", now).text.contains("of a picture"))
        #expect(try await home.run("note", "list", home.file("new/1")).text.contains("of a folder"))
        #expect(try await home.run("favorite").text.contains(now))
        #expect(try await home.run("collection", "show", "C").text.contains(now))
        let changes = try await home.run("changes", "--json", "--since", version).text.split(separator: "\n")
            .map { try JSONDecoder().decode(Change.self, from: Data($0.utf8)) }
        let moved = changes.filter { $0.event == "moved" }
        #expect(moved.count == 7 && changes.count == 8, "\(changes)")
        #expect(moved.contains { $0.uri == "file://" + now && $0.from == "file://" + kept })

        let run = try await home.run("prebuild", "--size=large,300", "--progress=json")
        #expect(try run.exitCode == 0 && run.summary().made == 0 && run.summary().valid == 6, "\(run.text)")
        #expect(try await list(home)["S"]?.state == "complete")
        #expect(try Catalog.open(at: home.cache + "/vitrine/catalog.sqlite").catalog.check().isEmpty)
        let again = try await home.run("source", "move", "S", home.file("new"))
        #expect(
            again.exitCode == 2 && again.errors.contains("'\(home.file("new"))' is where the source is already"),
            "\(again.errors)")
    }

    @Test func whatFailedIsNotTriedAgainAtItsNewPlace() async throws {
        let home = try UserHome()
        for name in ["huge-claim.png", "random.png"] { try home.copy("bad/huge-claim.png", as: "old/\(name)") }
        try home.copy("image/rgb-8.png", as: "old/good.png")
        #expect(try await home.run("source", "add", home.file("old"), "--name", "S").exitCode == 0)
        let first = try await home.run("prebuild", "--progress=json")
        #expect(try first.summary().failed == 2 && first.summary().made == 1, "\(first.text)")
        try rename(home, "old", "new")
        // By another name it may be something else.
        try rename(home, "new/random.png", "new/other.png")
        #expect(try await home.run("source", "move", "S", home.file("new")).exitCode == 0)
        let run = try await home.run("prebuild", "--progress=json")
        #expect(try run.summary().failed == 2 && run.summary().made == 0, "\(run.text)")
        let failed = try run.progress().filter { $0.event == "item" && $0.outcome == "failed" }
        let remembered = Dictionary(failed.map { ($0.uri, $0.remembered) }) { $1 }
        #expect(remembered.first { $0.key.hasSuffix("/new/huge-claim.png") }?.value == true, "\(remembered)")
        #expect(remembered.first { $0.key.hasSuffix("/new/other.png") }?.value == false, "\(remembered)")
        let known = try await home.run("failures").text
        #expect(!known.contains("/old/") && known.contains(home.file("new/huge-claim.png")), "\(known)")
    }

    /// Many storages keep less of a time than a disk does; others none, and nothing tells whether a file is what it was.
    @Test(arguments: [true, false]) func aCopyKeepsItsPreviewsWhereItsTimesAreThoseOfTheFiles(_ keepsTimes: Bool)
        async throws
    {
        let home = try UserHome()
        try fill(home, "old", 6)
        try home.write("old/0/words.txt", Array("some words".utf8))
        func date(_ folder: String, _ seconds: Double) throws {
            let date = Date(timeIntervalSince1970: seconds)
            for path in try FileManager.default.subpathsOfDirectory(atPath: home.file(folder)) {
                try FileManager.default.setAttributes(
                    [.modificationDate: date], ofItemAtPath: home.file("\(folder)/\(path)"))
            }
        }
        try date("old", 1_700_000_001.75)
        #expect(try await home.run("source", "add", home.file("old"), "--name", "S").exitCode == 0)
        #expect(try await home.run("prebuild").exitCode == 0)
        try FileManager.default.copyItem(atPath: home.file("old"), toPath: home.file("new"))
        try date("new", keepsTimes ? 1_700_000_001 : 1_700_000_009)
        try FileManager.default.removeItem(atPath: home.file("old"))
        #expect(try await home.run("source", "move", "S", home.file("new")).exitCode == 0)
        let index = try await home.run("index")
        #expect(index.text.hasPrefix(keepsTimes ? "nothing changed" : "7 changed"), "\(index.text)")
        let run = try await home.run("prebuild", "--progress=json").summary()
        #expect(run.made == (keepsTimes ? 0 : 7) && run.valid == (keepsTimes ? 7 : 0))
        #expect(try await home.run("find", "words").text.contains(home.file("new/0/words.txt")))
    }

    @Test func aFolderInALargerSourceIsMovedInIt() async throws {
        let home = try UserHome()
        try fill(home, "all/old", 3)
        try fill(home, "all/other", 3)
        #expect(try await home.run("source", "add", home.file("all")).exitCode == 0)
        #expect(try await home.run("source", "add", home.file("all/old"), "--name", "S").exitCode == 0)
        #expect(try await home.run("prebuild").exitCode == 0)
        try rename(home, "all/old", "all/new")
        #expect(try await home.run("source", "move", "S", home.file("all/new")).exitCode == 0)
        let lines = try await list(home)
        #expect(lines["S"]?.files == 3 && lines["S"]?.withPreviews == 3 && lines["all"]?.files == 3)
        let run = try await home.run("prebuild", "--progress=json")
        #expect(try run.exitCode == 0 && run.summary().made == 0 && run.summary().valid == 6, "\(run.text)")
    }

    @Test func aPlaceWithoutTheFilesIsRefusedUnlessItIsForced() async throws {
        let home = try UserHome()
        try fill(home, "old", 6)
        try fill(home, "taken", 1)
        try home.write("other/0/0.txt", [1])
        try home.write("file", [1])
        #expect(try await home.run("source", "add", home.file("old"), "--name", "S").exitCode == 0)
        #expect(try await home.run("source", "add", home.file("taken")).exitCode == 0)
        #expect(try await home.run("prebuild").exitCode == 0)
        let known = home.cached
        let refused: [(String, CInt, String)] = [
            (home.file("other"), 1, "none of 6 known files of 'S'"), (home.file("nowhere"), 1, "nowhere"),
            (home.file("file"), 2, "is a file"), (home.file("taken"), 1, "as 'taken'"), (home.files, 2, "around it"),
            (home.file("old/1"), 2, "lies in"), (home.file("old"), 2, "already"), ("nosuch://x/y", 2, "nosuch"),
        ]
        for (place, code, words) in refused {
            for name in ["S", home.file("old")] {
                let run = try await home.run("source", "move", name, place)
                #expect(run.exitCode == code && run.errors.contains(words), "\(place): \(run.errors)")
            }
        }
        #expect(try await home.run("source", "move", "nobody", home.file("other")).exitCode == 1)
        #expect(home.cached == known)
        #expect(try await list(home)["S"]?.uri == "file://" + home.file("old"))
        #expect(try await home.run("source", "move", "S", home.file("other"), "--force").exitCode == 0)
        #expect(try await list(home)["S"]?.uri == "file://" + home.file("other"))
        // What is not there is gone now, as if it had been deleted.
        let index = try await home.run("index", "S")
        #expect(index.exitCode == 0 && index.text.hasPrefix("1 new, 6 gone"), "\(index.text)")
    }

    /// What a move that was killed had left may be what is not at the new place.
    @Test func aMoveThatWasBegunIsGoneOnWithWhateverIsLeft() async throws {
        let home = try UserHome()
        try fill(home, "old", 3)
        try home.write("new/other.txt", [1])
        #expect(try await home.run("source", "add", home.file("old"), "--name", "S").exitCode == 0)
        #expect(try await home.run("index").exitCode == 0)
        let (old, new) = ("file://" + home.file("old"), "file://" + home.file("new"))
        let catalog = try Catalog.open(at: home.cache + "/vitrine/catalog.sqlite").catalog
        try catalog.beginMove(from: old, to: "file://" + home.file("elsewhere"))
        #expect(try await home.run("source", "move", "S", home.file("new")).exitCode == 1)
        try catalog.beginMove(from: old, to: new)
        #expect(try await home.run("source", "move", "S", home.file("new")).exitCode == 0)
        #expect(try await list(home)["S"]?.uri == new)
        #expect(try catalog.begunMove(from: old) == nil)
    }

    @Test(.enabled(if: Ability.mounts, "mounting a small file system needs root's rights"))
    func aDiskThatIsUnpluggedBeforeTheNextRunIsAbsent() async throws {
        let home = try UserHome()
        let fixture = Products.fixtures.appending(path: "image/plain.jpg").path
        for name in ["disk", "other"] {
            try FileManager.default.createDirectory(atPath: home.file(name), withIntermediateDirectories: true)
        }
        let script = """
            mount -t tmpfs none "$2/disk" && mkdir "$2/disk/inner" && mount -t tmpfs none "$2/disk/inner" || exit 99
            cp "$1" "$2/disk/1.jpg"; cp "$1" "$2/disk/inner/2.jpg"
            "$0" source add "$2/disk" --name D --cross-file-systems && "$0" prebuild --progress none || exit 98
            mount --rbind "$2/disk" "$2/other" && umount "$2/disk/inner" && umount "$2/disk" || exit 97
            "$0" source move D "$2/other" && umount "$2/other/inner" || exit 96
            "$0" index --json; "$0" source list --json
            umount "$2/other" || exit 95
            "$0" index; "$0" source list --json
            """
        let run = try await home.run(
            program: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, home.program, fixture, home.files])
        #expect(run.exitCode == 0, "\(run.text) \(run.errors)")
        let lines = run.text.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        #expect(lines.map(\.state) == ["partial", "absent"], "\(run.text) \(run.errors)")
        #expect(lines.map(\.files) == [2, 2] && lines.map(\.withPreviews) == [2, 2])
    }

    @Test func aSourceInsideStaysAndIsNamed() async throws {
        let home = try UserHome()
        try fill(home, "old", 3)
        try fill(home, "old/deep/inner", 3)
        #expect(try await home.run("source", "add", home.file("old"), "--name", "S").exitCode == 0)
        #expect(try await home.run("source", "add", home.file("old/deep/inner"), "--name", "I").exitCode == 0)
        #expect(try await home.run("prebuild").exitCode == 0)
        try home.configure("[source file://\(home.file("old"))]\nhidden = true\n")
        try rename(home, "old", "new")
        let outer = try await home.run("source", "move", "S", home.file("new"))
        #expect(outer.exitCode == 0 && outer.errors.contains(home.file("new/deep/inner")), "\(outer.errors)")
        #expect(outer.errors.contains("[source file://\(home.file("new"))]"), "\(outer.errors)")
        #expect(try await list(home)["I"]?.files == 3)
        #expect(try await home.run("source", "move", "I", home.file("new/deep/inner")).exitCode == 0)
        let lines = try await list(home)
        #expect(lines["S"]?.files == 3 && lines["I"]?.files == 3)
        let run = try await home.run("prebuild", "--progress=json")
        #expect(try run.exitCode == 0 && run.summary().made == 0 && run.summary().valid == 6, "\(run.text)")
        let catalog = try Catalog.open(at: home.cache + "/vitrine/catalog.sqlite").catalog
        #expect(try catalog.sources().map(\.uri) == ["file://" + home.file("new")])
        #expect(try catalog.check().isEmpty)
    }

    @Test func aMoveThatIsKilledAtAnyMomentIsGoneOnWith() async throws {
        let home = try UserHome()
        try fill(home, "0", 60)
        #expect(try await home.run("source", "add", home.file("0"), "--name", "S").exitCode == 0)
        #expect(try await home.run("prebuild").exitCode == 0)
        for number in 0..<60 {
            let file = home.file("0/\(number % 3)/\(number).png")
            #expect(try await home.run("favorite", "add", file).exitCode == 0)
        }
        let seed =
            ProcessInfo.processInfo.environment["VITRINE_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        var state = seed
        var killed = 0
        // Microseconds, about as long as a move takes here: so that some are killed, and some are not.
        var window: Int64 = 200_000
        for round in 1...12 {
            let comment: Comment = "round \(round), seed \(seed)"
            try rename(home, "\(round - 1)", "\(round)")
            var (isDone, attempts) = (false, 0)
            while !isDone, attempts < 100 {
                attempts += 1
                let program = try home.start("source", "move", "S", home.file("\(round)"))
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let moment = Int64(state >> 33) % window
                if program.send(SIGKILL, after: .microseconds(moment)) {
                    killed += 1
                    window = window * 5 / 4
                } else {
                    window = max(moment, 20_000)
                }
                let end = try await program.finish()
                // Killed behind its last step, it has nothing more to do.
                isDone = end.exitCode == 0 || end.errors.contains("is where the source is already")
            }
            #expect(isDone, comment)
            let dry = try await home.run("prebuild", "--dry-run", "--progress=json")
            #expect(try dry.summary().valid == 60 && dry.summary().planned == 0, comment)
        }
        #expect(killed > 3, "the program was hardly ever killed, seed \(seed)")
        let favorites = try await home.run("favorite").text.split(separator: "\n")
        #expect(favorites.filter { $0.contains(home.file("12/")) }.count == 60, "seed \(seed)")
        #expect(try await home.run("prebuild", "--progress=json").summary().made == 0, "seed \(seed)")
        let catalog = try Catalog.open(at: home.cache + "/vitrine/catalog.sqlite").catalog
        #expect(try catalog.sources().map(\.uri) == ["file://" + home.file("12")], "seed \(seed)")
        #expect(try catalog.check().isEmpty)
    }
}
