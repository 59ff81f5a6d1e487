import Foundation
import Testing

/// `vitrine cache`, and the quota while previews are made.
@Suite struct CacheCommandTests {
    private struct Collection: Decodable {
        var dryRun: Bool
        var removed: [String: Tally]
        var total: Tally
        var kept: Tally
        var foreign: Tally
    }
    private struct Tally: Decodable {
        var count: Int
        var bytes: Int
        var occupied: Int
    }

    private func decode<T: Decodable>(_ run: FinishedRun) throws -> T {
        try JSONDecoder().decode(T.self, from: Data(run.output))
    }

    @Test func whatIsGoneIsCollected() async throws {
        let home = try UserHome()
        for name in ["a.png", "b.png", "c.png"] { try home.copy("image/rgb-8.png", as: name) }
        #expect(try await home.run("prebuild", "--size", "large,300", home.files).exitCode == 0)
        let cached = home.cached
        try FileManager.default.removeItem(atPath: home.file("a.png"))
        utimes(home.file("b.png"), [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)])
        let plan: Collection = try decode(try await home.run("cache", "gc", "--dry-run", "--json"))
        #expect(plan.dryRun && plan.total.count == 4 && home.cached == cached)
        let run = try await home.run("cache", "gc", "--json")
        let report: Collection = try decode(run)
        #expect(run.exitCode == 0 && run.errors.isEmpty)
        #expect(report.removed["orphaned"]?.count == 2 && report.removed["stale"]?.count == 2)
        #expect(report.kept.count == 2)
        let again = try await home.run("cache", "gc")
        #expect(again.exitCode == 0 && again.text.hasPrefix("Deleted 0 entries"))
        let left = try await home.run("prebuild", "--progress", "json", "--size", "large,300", home.files)
        #expect(try left.items().compactMap(\.outcome) == ["made"])
        #expect(try left.summary().valid == 1)
    }

    @Test func whatIsOutOfReachIsNotCollected() async throws {
        let home = try UserHome()
        try home.copy("image/rgb-8.png", as: "disk/a.png")
        try home.copy("image/rgb-8.png", as: "b.png")
        #expect(try await home.run("prebuild", home.file("disk")).exitCode == 0)
        try FileManager.default.moveItem(atPath: home.file("disk"), toPath: home.file("elsewhere"))
        #expect(try await home.run("index", home.file("disk")).exitCode != 0)
        let report: Collection = try decode(try await home.run("cache", "gc", "--json"))
        #expect(report.removed.isEmpty && report.kept.count == 1)
    }

    @Test func damagedEntriesAreFoundAndMadeAgain() async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/plain.pdf", as: "plain.pdf")
        let path = try await home.run("get", file).text.trimmingCharacters(in: .newlines)
        #expect(try await home.run("cache", "verify").exitCode == 0)
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: path))
        let plan = try await home.run("cache", "verify", "--dry-run")
        #expect(plan.exitCode == 1 && plan.text.contains(path))
        #expect(try await home.run("get", file).text == path + "\n")
        let run = try await home.run("cache", "verify")
        #expect(run.exitCode == 0 && run.text.contains("1 deleted"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: [["verify"], ["gc", "--dry-run"], ["gc"], ["clear", "--all", "--yes"]])
    func whereNothingIsIndexedNoCatalogIsMissed(_ words: [String]) async throws {
        let home = try UserHome()
        let run = try await home.run(program: [home.program, "cache"] + words)
        #expect(run.exitCode == 0 && run.errors.isEmpty && !run.text.isEmpty, "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: home.cache + "/vitrine/catalog.sqlite"))
    }

    @Test func clearingAsksOrIsTold() async throws {
        let home = try UserHome()
        for name in ["x/a.png", "y/b.png"] { try home.copy("image/rgb-8.png", as: name) }
        _ = try await home.run("prebuild", home.files)
        for words in [
            ["clear"], ["clear", "--all"], ["clear", "--yes"], ["clear", "--all", "--yes", "x"], ["gc", "--all"], [],
        ] {
            let run = try await home.run(bytes: (["cache"] + words).map { Array($0.utf8) })
            #expect(run.exitCode == 2 && !run.errors.isEmpty, "\(words)")
        }
        #expect(home.cached.count == 2)
        let one = try await home.run("cache", "clear", "--yes", home.file("x"))
        #expect(one.exitCode == 0 && one.text.contains("1 entry and freed"))
        #expect(home.cached.count == 1)
        #expect(try await home.run("cache", "clear", "--all", "--yes", "--own").text.contains("0 entries"))
        #expect(try await home.run("cache", "clear", "--all", "--yes").exitCode == 0)
        #expect(home.cached.isEmpty)
    }

    @Test func whatWasUnpackedIsClearedWithItsPlace() async throws {
        let home = try UserHome()
        for name in ["x/a.tar.gz", "y/b.tar.gz"] {
            let archive = try home.copy("archive/project.tar.gz", as: name)
            #expect(try await home.run("prebuild", "archive:\(archive)").exitCode == 0)
        }
        func kept(_ words: String...) async throws -> Int {
            let arguments = ["cache", "clear", "--json"] + words
            let run = try await home.run(bytes: arguments.map { Array($0.utf8) })
            let report = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
            return try #require(report?["content"] as? Int, "\(run.errors)")
        }
        let all = try await kept("--all", "--dry-run")
        let one = try await kept("archive:\(home.file("x/a.tar.gz"))", "--dry-run")
        #expect(0 < one && one < all)
        #expect(try await kept("archive:\(home.file("x/a.tar.gz"))", "--yes") == one)
        #expect(try await kept("--all", "--dry-run") == all - one)
        let rest = try await home.run("cache", "clear", "archive:\(home.file("y/b.tar.gz"))", "--yes")
        #expect(rest.text.contains("read from servers or unpacked"), "\(rest.text)\(rest.errors)")
        #expect(try await kept("--all", "--dry-run") == 0)
    }

    /// The archive itself, or a folder that holds it.
    @Test(arguments: ["x!/b.tar.gz", "x!", "."])
    func whatLiesInAnArchiveIsClearedWithTheFile(_ place: String) async throws {
        let home = try UserHome()
        for name in ["x!/b.tar.gz", "y/b.tar.gz.tar.gz"] {
            let archive = try home.copy("archive/project.tar.gz", as: name)
            let address = "archive:file://" + archive.replacing("!", with: "%21")
            #expect(try await home.run("prebuild", address).exitCode == 0)
        }
        func cleared(_ words: String...) async throws -> (previews: Int, content: Int) {
            let run = try await home.run(bytes: (["cache", "clear", "--json"] + words).map { Array($0.utf8) })
            let report = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
            let total = try #require(report?["total"] as? [String: Any], "\(run.errors)")
            return (try #require(total["count"] as? Int), try #require(report?["content"] as? Int))
        }
        let all = try await cleared("--all", "--dry-run")
        let some = try await cleared(home.file(place), "--yes")
        #expect(0 < some.previews && 0 < some.content)
        let rest = try await cleared("--all", "--dry-run")
        #expect((rest.previews == 0) == (place == ".") && (rest.content == 0) == (place == "."))
        #expect(rest.previews == all.previews - some.previews)
        // The folder of what was read from one server goes with the last of it.
        #expect(place == "." || rest.content == all.content - some.content)
    }

    @Test func statisticsAreText() async throws {
        let home = try UserHome()
        try home.copy("image/rgb-8.png", as: "a.png")
        try home.write("broken.pdf", Array("%PDF-1.4\nbroken".utf8))
        _ = try await home.run("prebuild", "--size", "large,300", home.files)
        try home.configure("[cache]\nsize = 100MiB\nage = 7d\n")
        let run = try await home.run("cache", "stats")
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
        for word in ["large", "own store", "failures", "Vitrine", "of 100 MiB", "7 days", "Free"] {
            #expect(run.text.contains(word), "\(word)")
        }
        // On a narrow terminal no word is torn apart, but paths are left whole.
        let narrow = try await home.run(program: [
            "/usr/bin/script", "-qec", "stty cols 44; '\(home.program)' cache stats", "/dev/null",
        ])
        let lines = narrow.text.split(whereSeparator: \.isNewline)
        #expect(lines.contains("Content     0 bytes of 512 MiB, read from"), "\(narrow.text)")
        #expect(lines.allSatisfy { $0.count <= 44 || $0.contains("/") }, "\(narrow.text)")
        try home.configure("[cache]\nsize = 100MiB\nage = 1d\n")
        #expect(try await home.run("cache", "stats").text.contains("1 day unused"))
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(try await home.run("cache", "stats", "--json").output))
                as? [String: Any])
        #expect((report["vitrine"] as? [String: Any])?["count"] as? Int == 3)
        #expect((report["quota"] as? [String: Any])?["bytes"] as? Int == 100 << 20)
    }

    @Test func whatSomebodyElseOwnsAndNobodyUsedIsCollected() async throws {
        guard geteuid() == 0 else { return }
        let home = try UserHome(prefix: ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
        let donor = try UserHome()
        let made = try await donor.run("get", try donor.copy("image/rgb-8.png", as: "a.png"))
        let path = made.text.trimmingCharacters(in: .newlines)
        let folder = home.cache + "/thumbnails/large"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let copied = folder + "/" + (path as NSString).lastPathComponent
        try FileManager.default.copyItem(atPath: path, toPath: copied)
        home.handOver()
        // By reading it, this user leaves a trace in its access time.
        try #require(chown(copied, 0, 0) == 0 && chmod(copied, 0o644) == 0)
        let monthAgo = timeval(tv_sec: time(nil) - 30 * 86_400, tv_usec: 0)
        for (age, count) in [("40d", 0), ("20d", 1)] {
            utimes(copied, [monthAgo, monthAgo])
            try home.configure("[cache]\nage = \(age)\n")
            // Neither does what a look before it left there count as use.
            let plan: Collection = try decode(try await home.run("cache", "gc", "--dry-run", "--json"))
            #expect(plan.removed["unused"]?.count ?? 0 == count, "\(age)")
            let report: Collection = try decode(try await home.run("cache", "gc", "--json"))
            #expect(report.removed["unused"]?.count ?? 0 == count, "\(age)")
        }
        #expect(access(copied, F_OK) != 0)
    }

    @Test func aCacheThatCannotBeWrittenIsSaidSo() async throws {
        guard geteuid() == 0 else { return }
        let home = try UserHome(prefix: ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
        let entry = home.cache + "/thumbnails/large/"
        try FileManager.default.createDirectory(atPath: entry, withIntermediateDirectories: true)
        let donor = try UserHome()
        let made = try await donor.run("get", try donor.copy("image/rgb-8.png", as: "gone.png"))
        let path = made.text.trimmingCharacters(in: .newlines)
        let copied = entry + (path as NSString).lastPathComponent
        try FileManager.default.copyItem(atPath: path, toPath: copied)
        chmod(copied, 0o644)
        // Reading what another user owns leaves a trace in its access time, which is no use of it.
        let hourAgo = timeval(tv_sec: time(nil) - 3600, tv_usec: 0)
        utimes(copied, [hourAgo, hourAgo])
        unlink(donor.file("gone.png"))
        try donor.write("other", [1])
        chmod(home.cache + "/thumbnails", 0o755)
        for file in [donor.path, donor.files] { chmod(file, 0o755) }
        let run = try await home.run("cache", "gc")
        #expect(run.exitCode == 1 && run.errors.contains("could not be deleted"), "\(run.text)\(run.errors)")
        #expect(try await home.run("cache", "verify").exitCode == 0)
        #expect(try await home.run("cache", "stats").exitCode == 0)
    }
}
