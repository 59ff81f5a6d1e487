import Foundation
import Testing

/// What the options of `vitrine prebuild` change, and what it answers to wrong ones.
@Suite struct PrebuildOptionTests {
    private func homeWithFiles() throws -> UserHome {
        let home = try UserHome()
        try home.copy("pdf/plain.pdf", as: "a/plain.pdf")
        try home.copy("image/rgb-8.png", as: "b/rgb-8.png")
        try home.copy("pdf/user-password.pdf", as: "b/locked.pdf")
        try home.write("unknown.xyz", [1, 2, 3, 0, 255])
        return home
    }

    @Test func aDryRunWritesNothing() async throws {
        let home = try homeWithFiles()
        let run = try await home.run("prebuild", "--dry-run", "--progress=json", home.files)
        #expect(run.exitCode == 0)
        let summary = try run.summary()
        #expect(summary.planned == 3 && summary.made == 0 && summary.failed == 0 && summary.skipped == 1)
        #expect(home.cached.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.cache) == [])
        let text = try await home.run("prebuild", "-n", home.files)
        #expect(text.text.contains("3 to make"))
    }

    @Test func strictExitsWith3WhenAnItemFailed() async throws {
        let home = try homeWithFiles()
        let all = try await home.run("prebuild", "--strict", home.files)
        #expect(all.exitCode == 3)
        #expect(all.errors.contains("locked.pdf") && all.errors.contains("password"))
        // Also when the failure is known from before.
        #expect(try await home.run("prebuild", "--strict", home.files).exitCode == 3)
        #expect(try await home.run("prebuild", "--strict", home.file("a")).exitCode == 0)
        #expect(try await home.run("prebuild", home.files).exitCode == 0)
    }

    @Test func filesAreCountedAsWhatTheyAreWhoeverLooksThemUp() async throws {
        let home = try UserHome()
        try home.copy("pdf/plain.pdf", as: "report.docx")
        try home.copy("video/no-picture.mp4", as: "song.mp4")
        func row(_ title: String, _ run: FinishedRun) -> String? {
            run.text.split(separator: "\n").first { $0.hasPrefix(title) }.map {
                // Made, valid and failed; the time, which follows, may be a number, too.
                $0.split(separator: " ").filter { Int($0) != nil }.prefix(3).joined(separator: " ")
            }
        }
        let made = try await home.run("prebuild", home.files)
        #expect(row("PDF documents", made) == "1 0 0" && row("Sound", made) == "1 0 0", "\(made.text)")
        // Of another size all is looked up anew, and then once more.
        _ = try await home.run("prebuild", "--size", "normal", home.files)
        let found = try await home.run("prebuild", home.files)
        #expect(row("PDF documents", found) == "0 1 0" && row("Sound", found) == "0 1 0", "\(found.text)")
        let unchanged = try await home.run("prebuild", home.files)
        #expect(row("PDF documents", unchanged) == "0 1 0" && row("Sound", unchanged) == "0 1 0", "\(unchanged.text)")
        // Of a catalog that is new nobody but the previews knows it.
        for name in ["catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: home.cache + "/vitrine/" + name)
        }
        let again = try await home.run("prebuild", home.files)
        #expect(row("PDF documents", again) == "0 1 0", "\(again.text)")
        let pdf = try await home.run("find", "--type", "pdf")
        #expect(pdf.text.contains("report.docx"), "\(pdf.text) \(pdf.errors)")
    }

    @Test func whatIsKnownToFailDoesNotHideWhatIsNew() async throws {
        let home = try homeWithFiles()
        for number in 1...3 { try home.copy("bad/truncated.pdf", as: "broken\(number).pdf") }
        let first = try await home.run("prebuild", home.files)
        #expect(first.errors.split(separator: "\n").count == 4, "\(first.errors)")
        #expect(
            first.errors.contains(
                "locked.pdf: the PDF document needs a password; --password-command with --cache-encrypted opens it"))
        try home.write("new.pdf", [])
        let second = try await home.run("prebuild", home.files)
        #expect(
            second.errors == """
                \(home.file("new.pdf")): the file is empty
                4 failures are known from earlier runs; 'vitrine failures' names them, --force tries again

                """)
        // A few are named, for whom it may concern.
        let few = try await home.run("prebuild", home.file("b"))
        #expect(few.errors.contains("locked.pdf") && few.errors.contains("known from an earlier run"), "\(few.errors)")
    }

    @Test func whoNamesAFileThatGetsNoPreviewIsToldWhy() async throws {
        let home = try homeWithFiles()
        let named = try await home.run("prebuild", home.file("unknown.xyz"), home.file("a"))
        #expect(named.exitCode == 0 && named.text.contains("1 made, 0 valid, 0 failed, 1 skipped"), "\(named.text)")
        #expect(
            named.errors == "\(home.file("unknown.xyz")): no plugin renders files of type application/octet-stream\n")
        // What lies in a folder is only counted.
        #expect(try await !home.run("prebuild", home.files).errors.contains("unknown.xyz"))
    }

    @Test func aMissingSourceExitsWith1AndTheRestIsMade() async throws {
        let home = try homeWithFiles()
        let run = try await home.run("prebuild", "--progress=json", home.file("missing"), home.file("a"))
        #expect(run.exitCode == 1)
        let summary = try run.summary()
        #expect(summary.made == 1)
        #expect(summary.failedSources.map(\.code) == ["not-found"])
        #expect(summary.failedSources.map(\.uri) == ["file://" + home.file("missing")])
        // However quiet the run is.
        for options in [[], ["--progress=none"]] {
            let text = try await home.run(
                bytes: (["prebuild", home.file("missing")] + options).map { Array($0.utf8) })
            #expect(text.exitCode == 1)
            #expect(text.errors.contains(home.file("missing")))
        }
    }

    @Test func theTableSaysWhatWasMadeOfEachKind() async throws {
        let home = try homeWithFiles()
        let run = try await home.run("prebuild", home.files)
        let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first?.split(separator: " ") == ["made", "valid", "failed", "time"])
        #expect(lines.contains { $0.hasPrefix("PDF documents") && $0.split(separator: " ")[2...4] == ["1", "0", "1"] })
        #expect(lines.contains { $0.hasPrefix("2 made, 0 valid, 1 failed, 1 skipped in ") }, "\(run.text)")
        #expect(try await home.run("prebuild", "--progress=none", home.files).text == "")
    }

    @Test func aFileIsASourceToo() async throws {
        let home = try homeWithFiles()
        let run = try await home.run(
            "prebuild", "--progress=json", home.file("a/plain.pdf"), "file://" + home.file("b/rgb-8.png"))
        #expect(try run.summary().made == 2)
    }

    @Test func hiddenFilesAndLinksWaitForTheirOptions() async throws {
        let home = try homeWithFiles()
        try home.copy("pdf/plain.pdf", as: ".hidden/plain.pdf")
        try FileManager.default.createSymbolicLink(atPath: home.file("link.pdf"), withDestinationPath: "a/plain.pdf")
        let usual = try await home.run("prebuild", "-n", "--progress=json", home.files)
        #expect(try usual.items().filter { $0.uri.hasSuffix("/.hidden") }.map(\.outcome) == ["skipped"])
        #expect(try usual.items().filter { $0.uri.hasSuffix("/link.pdf") }.map(\.result) == ["not-a-file"])
        let more = try await home.run("prebuild", "-n", "--progress=json", "--hidden", "--follow-links", home.files)
        #expect(try more.summary().planned == 5)
    }

    static let wrong: [[String]] = [
        [], ["nonsense"], ["prebuild"], ["prebuild", "--nonsense", "."], ["prebuild", ".", "--size=huge"],
        ["prebuild", ".", "--size=0"], ["prebuild", ".", "--size=normal,"], ["prebuild", ".", "--jobs=0"],
        ["prebuild", ".", "--jobs"], ["prebuild", ".", "--progress=loud"], ["prebuild", ".", "--force=yes"],
        ["prebuild", ""], ["prebuild", "file:///%zz"], ["get"], ["get", "a", "b"], ["get", "a", "--page=0"],
        ["get", "a", "--at=soon"], ["get", "a", "--at=nan"], ["get", "a", "--size=normal,large"], ["explain"],
        ["plugins", "remove"], ["version", "--long"], ["version", "x"], ["--version", "x"], ["help", "nonsense"],
    ]

    @Test(arguments: wrong)
    func wrongUseExitsWith2(_ words: [String]) async throws {
        let home = try UserHome()
        let run = try await home.run(bytes: words.map { Array($0.utf8) })
        #expect(run.exitCode == 2, "\(run.errors)")
        #expect(run.output.isEmpty)
        #expect(run.errors.split(separator: " ").count > 3, "no sentence: \(run.errors)")
        #expect(home.cached.isEmpty)
    }
}
