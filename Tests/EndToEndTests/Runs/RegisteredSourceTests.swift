import Foundation
import TestSupport
import Testing

/// `prebuild` and `index` over registered sources, and what `source list` and `source remove` make of them.
@Suite struct RegisteredSourceTests {
    private struct Line: Decodable {
        var name: String
        var state: String?
        var reason: String?
        var since: String?
        var files: Int?
        var withPreviews: Int?
        var failed: Int?
        var indexed: String?
    }

    private func list(_ home: UserHome) async throws -> [String: Line] {
        let lines = try await home.run("source", "list", "--json").text.split(separator: "\n")
            .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        return Dictionary(lines.map { ($0.name, $0) }) { $1 }
    }

    /// Two sources, `docs` and `pictures`, with a file each.
    private func fill(_ home: UserHome) async throws {
        try home.copy("pdf/plain.pdf", as: "docs/plain.pdf")
        try home.copy("image/plain.jpg", as: "pictures/plain.jpg")
        for name in ["docs", "pictures"] {
            #expect(try await home.run("source", "add", home.file(name)).exitCode == 0)
        }
    }

    @Test func withoutOperandsEverySourceIsDone() async throws {
        let home = try UserHome()
        for command in ["prebuild", "index"] {
            let none = try await home.run(command)
            #expect(none.exitCode == 2 && none.errors.contains("vitrine source add"), "\(none.errors)")
        }
        try await fill(home)
        let new = try await list(home)
        #expect(new["docs"]?.state == "new" && new["docs"]?.files == 0 && new["docs"]?.indexed == nil)
        #expect(
            !FileManager.default.fileExists(atPath: home.cache + "/vitrine/catalog.sqlite"), "listing makes no catalog")

        let look = try await home.run("index")
        #expect(look.exitCode == 0 && look.text.hasPrefix("2 new in 2 folders"), "\(look.text)")
        let indexed = try await list(home)
        #expect(indexed["docs"]?.state == "complete" && indexed["docs"]?.files == 1)
        #expect(indexed["docs"]?.withPreviews == 0 && indexed["docs"]?.indexed != nil)

        let all = try await home.run("prebuild", "--progress=json")
        #expect(all.exitCode == 0, "\(all.errors)")
        #expect(try all.summary().made == 2)
        #expect(try await list(home)["pictures"]?.withPreviews == 1)
        let table = try await home.run("source").text.split(separator: "\n")
        #expect(table.count == 3 && table[0].hasPrefix("name") && table[1].contains("complete"), "\(table)")
    }

    /// How an inner source is walked stands in the library.
    @Test func withADamagedLibraryNothingOfASourceInsideIsForgotten() async throws {
        let home = try UserHome()
        for name in ["a.jpg", ".inner/b.jpg", ".inner/.c.jpg"] { try home.copy("image/plain.jpg", as: name) }
        _ = try await home.run("source", "add", home.file(".inner"), "--hidden", "--name", "inner")
        let first = try await home.run("prebuild", home.files, "--progress=json").summary()
        #expect(first.made == 3)
        let cached = Set(home.cached.keys)
        let library = home.path + "/data/vitrine/library.sqlite"
        for suffix in ["", "-wal", "-shm", ".backup"] { try? FileManager.default.removeItem(atPath: library + suffix) }
        try Data("damaged".utf8).write(to: URL(filePath: library))
        try home.copy("image/plain.jpg", as: ".inner/d.jpg")
        let version = try await home.run("changes").text
        let again = try await home.run("prebuild", home.files, "--progress=json")
        #expect(
            again.errors.contains("\(home.file(".inner")) stays as it is until they are known again"), "\(again.errors)"
        )
        #expect(cached.isSubset(of: home.cached.keys))
        // It is looked at all the same.
        #expect(home.cached.count == cached.count + 1)
        #expect(try await home.run("changes").text == version)
    }

    @Test func aNameIsASourceUnlessTheWorkingFolderHasIt() async throws {
        let home = try UserHome()
        try await fill(home)
        let work = home.path + "/work"
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: false)
        func prebuild(_ words: String...) async throws -> FinishedRun {
            try await home.run(
                program: [
                    "/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", work, home.program, "prebuild", "--progress=json",
                ]
                    + words)
        }
        let named = try await prebuild("docs", home.file("docs"))
        #expect(named.exitCode == 0, "\(named.errors)")
        #expect(try named.items().map(\.uri) == ["file://" + home.file("docs/plain.pdf")])
        let path = try await prebuild("./docs")
        #expect(path.exitCode == 1, "a path is no name")
        try FileManager.default.createDirectory(atPath: work + "/docs", withIntermediateDirectories: false)
        let folder = try await prebuild("docs")
        #expect(folder.exitCode == 0 && folder.errors.contains("the source of that name"), "\(folder.errors)")
        #expect(try folder.summary().valid == 0)
    }

    @Test func optionsAndSettingsOfASourceCount() async throws {
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "all/.a.jpg")
        try home.copy("image/plain.jpg", as: "all/inner/.b.jpg")
        try home.copy("image/plain.jpg", as: "all/inner/c.jpg")
        _ = try await home.run("source", "add", home.file("all"))
        _ = try await home.run("source", "add", home.file("all/inner"), "--hidden", "--name", "in here")
        try home.configure("[source in here]\nexclude=c.jpg\n")
        func made(_ words: String...) async throws -> [String] {
            let run = try await home.run(bytes: (["prebuild", "--progress=json"] + words).map { Array($0.utf8) })
            #expect(run.exitCode == 0, "\(run.errors)")
            return try run.items().filter { $0.outcome == "made" }
                .map { $0.uri.replacing("file://\(home.files)/", with: "") }.sorted()
        }
        #expect(try await made("--force") == ["all/inner/.b.jpg"])
        #expect(try await made("--force", "in here") == ["all/inner/.b.jpg"])
        #expect(try await made("--force", home.file("all/inner")) == ["all/inner/.b.jpg"])
        #expect(try await made("--force", home.files) == ["all/inner/.b.jpg"])
        #expect(try await made("--force", "--hidden", "all") == ["all/.a.jpg", "all/inner/.b.jpg"])
        let lines = try await list(home)
        #expect(lines["all"]?.files == 1 && lines["in here"]?.files == 1)
        #expect(lines["in here"]?.state == "complete")
    }

    @Test func removingASourceTakesItsPreviewsAlong() async throws {
        let home = try UserHome()
        try await fill(home)
        try home.copy("pdf/zero-pages.pdf", as: "docs/bad.pdf")
        _ = try await home.run("source", "add", home.files)
        #expect(try await home.run("prebuild", "--size=large,300").exitCode == 0)
        #expect(home.previews.count == 4)
        #expect(try await list(home)["docs"]?.failed == 1)
        let version = try await home.run("changes").text

        let covered = try await home.run("source", "remove", "docs")
        #expect(covered.exitCode == 0 && covered.text.contains("another source"), "\(covered.text)")
        #expect(home.previews.count == 4)
        _ = try await home.run("source", "add", home.file("docs"))
        let outer = try await home.run("source", "remove", "files")
        #expect(outer.exitCode == 0 && outer.text.contains("0 previews were deleted"), "\(outer.text) \(outer.errors)")
        #expect(home.previews.count == 4)
        #expect(try await list(home)["docs"]?.files == 2)

        let removed = try await home.run("source", "remove", "docs")
        #expect(removed.exitCode == 0 && removed.text.contains("2 previews were deleted"), "\(removed.text)")
        #expect(home.previews.count == 2 && home.cached.keys.allSatisfy { !$0.contains("/fail/") })
        let since = String(version.filter(\.isNumber))
        let changes = try await home.run("changes", "--since", since).text
        for name in ["plain.pdf", "bad.pdf"] {
            #expect(changes.contains("removed") && changes.contains(home.file("docs/" + name)), "\(changes)")
        }
        let kept = try await home.run("source", "remove", "pictures", "--keep-previews")
        #expect(kept.exitCode == 0 && home.previews.count == 2)
        #expect(FileManager.default.fileExists(atPath: home.file("docs/plain.pdf")))
    }

    @Test func aSourceThatIsAwayIsNoEmptyOne() async throws {
        let home = try UserHome()
        try await fill(home)
        #expect(try await home.run("prebuild").exitCode == 0)
        try FileManager.default.moveItem(atPath: home.file("docs"), toPath: home.path + "/away")
        for command in ["prebuild", "index"] {
            let run = try await home.run(command)
            #expect(run.exitCode == 1 && run.errors.contains(home.file("docs")), "\(run.errors)")
        }
        let lines = try await list(home)
        #expect(lines["docs"]?.state == "absent" && lines["docs"]?.files == 1 && lines["docs"]?.withPreviews == 1)
        #expect(lines["docs"]?.since != nil && lines["docs"]?.indexed != nil)
        #expect(lines["pictures"]?.state == "complete")
        #expect(try await home.run("source").text.contains("absent since "))
        #expect(home.previews.count == 2)
        try FileManager.default.moveItem(atPath: home.path + "/away", toPath: home.file("docs"))
        let back = try await home.run("prebuild", "--progress=json")
        #expect(try back.exitCode == 0 && back.summary().made == 0 && back.summary().valid == 2)
        #expect(try await list(home)["docs"]?.state == "complete")
    }

    @Test(.enabled(if: Ability.mounts, "mounting a small file system needs root's rights"))
    func anUnmountedDiskIsNoEmptySource() async throws {
        let home = try UserHome()
        let fixture = Products.fixtures.appending(path: "image/plain.jpg").path
        try home.copy("image/plain.jpg", as: "all/plain.jpg")
        for name in ["disk", "all/inner"] {
            try FileManager.default.createDirectory(atPath: home.file(name), withIntermediateDirectories: true)
        }
        // All in one namespace: its mounts go with the shell.
        let script = """
            mount -t tmpfs none "$2/disk" && mount -t tmpfs none "$2/all/inner" || exit 99
            cp "$1" "$2/disk/1.jpg"; cp "$1" "$2/all/inner/2.jpg"
            "$0" source add "$2/disk" && "$0" source add "$2/all" --cross-file-systems || exit 98
            "$0" prebuild --progress none || exit 97
            umount "$2/disk" && umount "$2/all/inner" || exit 96
            "$0" prebuild --progress none; echo "code $?"
            # What people put beneath a disk, so that they see when it is not there.
            echo no > "$2/disk/.not-mounted"; touch "$2/disk/NOT MOUNTED" "$2/all/inner/.not-mounted"
            "$0" prebuild --progress none; echo "code $?"
            """
        let run = try await home.run(
            program: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, home.program, fixture, home.files])
        #expect(run.exitCode == 0 && run.text.hasSuffix("code 1\ncode 1\n"), "\(run.text) \(run.errors)")
        let lines = try await list(home)
        #expect(lines["disk"]?.state == "absent" && lines["disk"]?.files == 1)
        #expect(lines["all"]?.state == "partial" && lines["all"]?.files == 2 && lines["all"]?.withPreviews == 2)
        #expect(lines["all"]?.reason?.contains("inner") == true)
        #expect(home.previews.count == 3)
    }

    @Test func aSourceThatBecameAFileIsAbsent() async throws {
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "one/1.jpg")
        try home.copy("image/plain.jpg", as: "two/2.jpg")
        for name in ["one", "two"] { _ = try await home.run("source", "add", home.file(name)) }
        #expect(try await home.run("prebuild").exitCode == 0)
        try FileManager.default.removeItem(atPath: home.file("one"))
        try home.copy("image/plain.jpg", as: "one")
        try home.copy("image/grey.png", as: "two/3.png")
        for command in ["index", "prebuild"] {
            let run = try await home.run(command)
            #expect(
                run.exitCode == 1 && run.errors.contains("it is a file, where a folder was registered"), "\(run.errors)"
            )
        }
        let lines = try await list(home)
        #expect(lines["one"]?.state == "absent" && lines["one"]?.files == 1)
        #expect(lines["two"]?.state == "complete" && lines["two"]?.withPreviews == 2)
    }

    @Test func aLockThatCannotBeHadCostsItsSourceOnly() async throws {
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "one/1.jpg")
        try home.copy("image/plain.jpg", as: "two/2.jpg")
        _ = try await home.run("source", "add", home.file("one"))
        #expect(try await home.run("prebuild").exitCode == 0)
        _ = try await home.run("source", "add", home.file("two"))
        let locks = home.cache + "/vitrine/catalog.sqlite.locks"
        let lock = try #require(
            try FileManager.default.contentsOfDirectory(atPath: locks).first { $0 != "opening" })
        // A folder of the lock's name, which nobody can open for writing.
        try FileManager.default.removeItem(atPath: "\(locks)/\(lock)")
        try FileManager.default.createDirectory(atPath: "\(locks)/\(lock)", withIntermediateDirectories: false)
        let run = try await home.run("prebuild", "--progress=json")
        #expect(run.exitCode == 1)
        #expect(try run.summary().made == 1)
        #expect(try run.summary().failedSources.map(\.uri).map { $0.hasSuffix("/one") } == [true])
    }

    @Test func aSourceThatMayNotBeReadKeepsWhatIsKnown() async throws {
        let isRoot = geteuid() == 0
        let home = try UserHome(
            tree: try await InstalledTree.shared(), prefix: isRoot ? Surroundings.asNobody.prefix() : [])
        try home.copy("image/plain.jpg", as: "closed/plain.jpg")
        try home.copy("image/plain.jpg", as: "open/plain.jpg")
        if isRoot { home.handOver() }
        for name in ["closed", "open"] { _ = try await home.run("source", "add", home.file(name)) }
        #expect(try await home.run("prebuild").exitCode == 0)
        chmod(home.file("closed"), 0o000)
        defer { chmod(home.file("closed"), 0o700) }
        let run = try await home.run("prebuild", "--progress=json")
        #expect(run.exitCode == 1)
        #expect(try run.summary().failedSources.map(\.code) == ["forbidden"])
        let lines = try await list(home)
        #expect(lines["closed"]?.state == "absent" && lines["closed"]?.files == 1)
        #expect(lines["closed"]?.reason?.isEmpty == false && lines["open"]?.state == "complete")
        #expect(home.previews.count == 2)
    }

    @Test func namesThatAreNoTextAreNoSource() async throws {
        let home = try UserHome()
        try await fill(home)
        let run = try await home.run(bytes: [Array("prebuild".utf8), [0xFF, 0xFE]])
        #expect(run.exitCode == 1 && run.errors.contains("\\xFF") || run.errors.contains("�"), "\(run.errors)")
    }
}
