import Foundation
import TestSupport
import Testing

/// Files that attack every renderer, in one run with files that are well: each costs itself only.
@Suite struct HostileCorpusTests {
    /// Deadlines, which count what is computed: several times what files need that must end by themselves. Those that do not
    /// end, such as programs in PostScript, tables in tables and a terabyte of zeros, use up all of it in every run.
    private static let settings =
        "[foreign-thumbnailers]\nenabled = false\n[plugin office]\nseconds = 10s\n"
        + ["archive", "pdf", "pdfium", "svg"].map { "[plugin \($0)]\nseconds = 5s\n" }.joined()
        + "[plugin postscript]\nseconds = 3s\n"

    /// Files that are well, which a run meets before and after the hostile ones.
    private static let good = [
        "image/rgb-8.png", "image/plain.heic", "pdf/plain.pdf", "video/vp9.webm", "office/vitrine.odt",
    ]

    /// What may become of a file: a row of `fixtures/hostile/expected.txt`.
    private struct Row {
        var name: String
        var results: Set<String>

        init?(_ line: Substring) {
            let words = line.split(separator: " ")
            guard words.count == 2, !line.hasPrefix("#") else { return nil }
            name = String(words[0])
            results = Set(words[1].split(separator: "|").map(String.init))
        }

        func isAbout(_ file: String) -> Bool {
            name.hasSuffix("*") ? file.hasPrefix(name.dropLast()) : file == name
        }
    }

    private static func table() throws -> [Row] {
        let url = Products.fixtures.appending(path: "hostile/expected.txt")
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").compactMap(Row.init)
    }

    @Test(arguments: Surroundings.possible)
    func everyFileCostsItselfOnly(_ surroundings: Surroundings) async throws {
        let tree = surroundings == .asNobody ? try await InstalledTree.shared() : nil
        let home = try UserHome(tree: tree, prefix: surroundings.prefix())
        let canary = try Canary(in: home)
        for name in Self.good {
            try home.copy(name, as: "a-good/\(name)")
            try home.copy(name, as: "z-good/\(name)")
        }
        let hostile = home.file("hostile")
        let script = Products.fixtures.appending(path: "hostile/make-hostile.py").path
        let made = try await home.run(program: ["/usr/bin/python3", script, hostile, canary.folder, "\(canary.port)"])
        try #require(made.exitCode == 0, "\(made.errors)")
        try home.configure(Self.settings)
        if surroundings == .asNobody { home.handOver() }
        let kept = UserHome.inodes(below: canary.folder)
        try canary.startWatching()

        let program = try home.start("prebuild", "--progress=json", home.files)
        let (run, watch) = try await RunWatch.follow(program)

        // Nothing of the canary was touched or called, and nothing but workers was started.
        #expect(canary.touched() == [])
        #expect(canary.calls() == 0)
        #expect(UserHome.inodes(below: canary.folder) == kept)
        #expect(watch.strangers == [])
        // The program lives, and has nothing of what was unpacked.
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(watch.samples.count > 20 && watch.peakMemory > 0, "the run was not looked at")
        #expect(watch.peakMemory < 100 << 20, "\(watch.peakMemory >> 20) MiB")
        #expect(home.leftovers(of: run.pid) == [])
        try expectTheTable(of: run, in: home)
        try expectNothingShown(by: home, canary)
        try canary.touchAndCall()
        #expect(canary.touched().contains("secret.txt") && canary.calls() == 2, "the canary does not watch")
    }

    /// Each file ended as its row says, each row has a file, and what is well was made.
    private func expectTheTable(of run: FinishedRun, in home: UserHome) throws {
        var rows = try Self.table()
        try #require(rows.count > 100)
        var good = 0
        for item in try run.items() {
            let name = String(item.uri.dropFirst("file://\(home.files)/".count))
            if name.hasPrefix("a-good/") || name.hasPrefix("z-good/") {
                #expect(item.result == "made", "\(name): \(item.reason ?? "")")
                good += 1
                continue
            }
            let file = String(name.dropFirst("hostile/".count))
            guard let row = rows.firstIndex(where: { $0.isAbout(file) }) else {
                Issue.record("expected.txt has no row for \(file): \(item.result)")
                continue
            }
            #expect(rows[row].results.contains(item.result), "\(file): \(item.result), \(item.reason ?? "")")
            if !rows[row].name.hasSuffix("*") { rows.remove(at: row) }
        }
        #expect(good == 2 * Self.good.count)
        #expect(rows.filter { !$0.name.hasSuffix("*") }.map(\.name) == [], "nothing was said of these")
        #expect(try run.summary().failedSources.isEmpty)
    }

    /// No preview shows the canary's picture.
    private func expectNothingShown(by home: UserHome, _ canary: Canary) throws {
        var previews = 0
        for name in home.previews {
            let picture = try PNGFile("\(home.cache)/\(name)").picture()
            #expect(!Canary.isShown(in: picture), "\(name)")
            previews += 1
        }
        #expect(previews > 50)
        let secret = try [UInt8](Data(contentsOf: URL(filePath: canary.folder + "/secret.png")))
        let shown = Canary.isShown(in: try PNGFile(secret).picture())
        #expect(shown, "the picture cannot be told from others")
        _ = canary.touched()
    }
}
