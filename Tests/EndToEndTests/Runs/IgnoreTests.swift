import Foundation
import Testing

/// What is left out of a run: by files in folders, by settings and by options.
@Suite struct IgnoreTests {
    private func homeWithFiles() throws -> UserHome {
        let home = try UserHome()
        for name in ["a.pdf", "in/a.pdf", "in/deep/a.pdf", "in/deep/b.pdf", "drafts/a.pdf", "camera/a.pdf"] {
            try home.copy("pdf/plain.pdf", as: name)
        }
        try home.write("camera/.nomedia", [])
        try home.write("in/.vitrineignore", Array("# not ready\n/deep/*\n!b.pdf\n".utf8))
        return home
    }

    /// Outcome and reason by path below the home's files.
    private func outcomes(_ run: FinishedRun, in home: UserHome) throws -> [String: String] {
        let top = "file://" + home.files + "/"
        return Dictionary(
            uniqueKeysWithValues: try run.items().filter { !$0.uri.hasSuffix("/.vitrineignore") }.map { item in
                (String(item.uri.dropFirst(top.count)), item.result)
            })
    }

    @Test func whatIsExcludedGetsNoPreview() async throws {
        let home = try homeWithFiles()
        let first = try await home.run("prebuild", "--progress=json", "--exclude", "/drafts/", home.files)
        #expect(first.exitCode == 0)
        #expect(
            try outcomes(first, in: home) == [
                "a.pdf": "made", "in/a.pdf": "made", "in/deep/a.pdf": "unsupported", "in/deep/b.pdf": "made",
                "drafts": "unsupported", "camera": "unsupported",
            ])
        #expect(home.previews.count == 3)
        for sentence in [
            "it is excluded by the pattern '/drafts/' in --exclude",
            "it is excluded by the pattern '/deep/*' in 'in/.vitrineignore', line 2", "it holds a file .nomedia",
        ] { #expect(first.text.contains(sentence), "\(first.text)") }

        let included = try await home.run(
            "prebuild", "-n", "--progress=json", "--include=b.*", "--include", "drafts", "--exclude=!in/deep/*",
            home.files)
        #expect(
            try outcomes(included, in: home) == [
                "a.pdf": "unsupported", "in/a.pdf": "unsupported", "in/deep/a.pdf": "unsupported",
                "in/deep/b.pdf": "valid", "drafts/a.pdf": "planned", "camera": "unsupported",
            ])
        for wrong in ["[a", "", "a\\"] {
            let run = try await home.run("prebuild", "--exclude", wrong, home.files)
            #expect(run.exitCode == 2 && run.errors.contains("can match nothing"), "\(run.errors)")
        }
    }

    @Test func settingsAreOfAllSourcesOrOfOne() async throws {
        let home = try homeWithFiles()
        try home.configure(
            "[index]\nexclude = in/; camera\nnomedia = false\n[source file://\(home.files)]\nexclude = !camera\n")
        let run = try await home.run("prebuild", "-n", "--progress=json", home.files)
        #expect(
            try outcomes(run, in: home) == [
                "a.pdf": "planned", "in": "unsupported", "drafts/a.pdf": "planned", "camera/a.pdf": "planned",
                "camera/.nomedia": "unsupported",
            ])
        let shown = try await home.run("config", "show").text.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        for row in [
            "index exclude in/; camera file", "index hidden false default", "index nomedia false file",
            "source file://\(home.files) exclude !camera file",
        ] { #expect(shown.contains(row), "\(shown)") }
        #expect(try await home.run("config", "check").exitCode == 0)

        try home.configure("[index]\nexclude = [a\n")
        let check = try await home.run("config", "check")
        #expect(check.exitCode == 1 && check.errors.contains("line 2: the pattern '[a'"), "\(check.errors)")
        let refused = try await home.run("prebuild", home.files)
        #expect(refused.exitCode == 1 && home.previews.isEmpty)

        // What is understood, and hardly meant, ends no run.
        try home.configure("[index]\nexclude = *.tmp, build\n")
        let doubted = try await home.run("config", "check")
        #expect(doubted.exitCode == 1 && doubted.errors.contains("'*.tmp, build': a comma"), "\(doubted.errors)")
        #expect(try await home.run("index", home.files).exitCode == 0)
    }

    @Test func whoChecksTheSettingsMakesNoLibrary() async throws {
        let home = try UserHome()
        try home.configure("[index]\nexclude = *.tmp\n[source A]\nhidden = true\n")
        let check = try await home.run("config", "check")
        #expect(check.exitCode == 1 && check.errors.contains("[source A]"), "\(check.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/data").isEmpty)
    }

    @Test func whatIsExcludedLaterIsForgotten() async throws {
        let home = try homeWithFiles()
        #expect(try await home.run("prebuild", home.files).exitCode == 0)
        #expect(home.previews.count == 4)
        try home.write(".vitrineignore", Array("/drafts/\n/a.pdf\n".utf8))
        #expect(try await home.run("index", home.files).exitCode == 0)
        #expect(home.previews.count == 2)
        try FileManager.default.removeItem(atPath: home.file(".vitrineignore"))
        #expect(try await home.run("prebuild", home.files).exitCode == 0)
        #expect(home.previews.count == 4)
    }

    @Test func rulesThatCannotBeReadLetNothingThrough() async throws {
        let home = try homeWithFiles()
        try home.write("in/.vitrineignore", [UInt8](repeating: UInt8(ascii: "a"), count: 70_000))
        let run = try await home.run("prebuild", "-n", "--progress=json", home.files)
        let outcomes = try outcomes(run, in: home)
        #expect(outcomes["in"] == "limit-exceeded")
        #expect(!outcomes.keys.contains { $0.hasPrefix("in/") })
        #expect(outcomes["drafts/a.pdf"] == "planned")
    }
}
