import Foundation
import TestSupport
import Testing
import VitrineTesting

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

    @Test func statisticsAreText() async throws {
        let home = try UserHome()
        try home.copy("image/rgb-8.png", as: "a.png")
        try home.write("broken.pdf", Array("%PDF-1.4\nbroken".utf8))
        _ = try await home.run("prebuild", "--size", "large,300", home.files)
        try home.configure("[cache]\nsize = 100MiB\nage = 7d\n")
        let run = try await home.run("cache", "stats")
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
        for word in ["large", "own store", "failures", "Vitrine", "of 105 MB", "7 days", "Free"] {
            #expect(run.text.contains(word), "\(word)")
        }
        try home.configure("[cache]\nsize = 100MiB\nage = 1d\n")
        #expect(try await home.run("cache", "stats").text.contains("1 day unused"))
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(try await home.run("cache", "stats", "--json").output))
                as? [String: Any])
        #expect((report["vitrine"] as? [String: Any])?["count"] as? Int == 3)
        #expect((report["quota"] as? [String: Any])?["bytes"] as? Int == 100 << 20)
    }

    @Test func aCacheThatCannotBeWrittenIsSaidSo() async throws {
        guard geteuid() == 0 else { return }
        let home = try UserHome(prefix: ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
        let entry = home.cache + "/thumbnails/large/"
        try FileManager.default.createDirectory(atPath: entry, withIntermediateDirectories: true)
        let donor = try UserHome()
        let made = try await donor.run("get", try donor.copy("image/rgb-8.png", as: "gone.png"))
        let path = made.text.trimmingCharacters(in: .newlines)
        try FileManager.default.copyItem(atPath: path, toPath: entry + (path as NSString).lastPathComponent)
        chmod(entry + (path as NSString).lastPathComponent, 0o644)
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
