import Foundation
import TestSupport
import Testing

/// Files that a list names: `vitrine prebuild --files-from`.
@Suite(.timeLimit(.minutes(10))) struct FilesFromTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    /// Runs a script of the shell that gets the program and the folder of the files.
    private func shell(_ script: String) async throws -> FinishedRun {
        try await home.run(program: ["/bin/bash", "-c", script, home.program, home.files])
    }

    /// What became of each file, by its path in the folder of the files.
    private func results(_ run: FinishedRun) throws -> [String: String] {
        let results = try run.items().map { ($0.uri.replacing("file://\(home.files)", with: ""), $0.result) }
        return Dictionary(results) { first, _ in first }
    }

    @Test func findNamesThemAndAnyByteMayBeInAName() async throws {
        try home.copy("image/plain.jpg", as: "a b.jpg")
        try home.copy("pdf/plain.pdf", as: "deep/plain.pdf")
        let run = try await shell(
            """
            cd "$1"; cp "a b.jpg" $'line\\nfeed.jpg'; cp "a b.jpg" $'no-text-\\xFF.jpg'
            mkdir file:; cp "a b.jpg" file:/plain.jpg
            find * -print0 | "$0" prebuild -0 --files-from - --progress=json
            """)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(
            try results(run) == [
                "/a%20b.jpg": "made", "/line%0Afeed.jpg": "made", "/no-text-%FF.jpg": "made", "/deep/plain.pdf": "made",
                "/file:/plain.jpg": "made", "/deep": "not-a-file", "/file:": "not-a-file",
            ])
        let summary = try run.summary()
        #expect(summary.made == 5 && summary.skipped == 2 && summary.failed == 0 && summary.found == 7)
        // Once, however many there are.
        #expect(
            run.errors.split(separator: "\n").count == 1 && run.errors.contains("folders of the list were passed over"))
        let again = try await shell(
            """
            find "$1" -type f -print0 | "$0" prebuild -0 --files-from=-
            """)
        #expect(
            again.exitCode == 0 && again.errors.isEmpty && again.text.contains("0 made, 5 valid, 0 failed, 0 skipped"))
    }

    @Test func aLineNamesAPathFromTheWorkingFolderOrAURI() async throws {
        for name in ["1.jpg", "2.jpg", "3.jpg", "4.jpg"] { try home.copy("image/plain.jpg", as: name) }
        let list = try home.write(
            "list",
            Array(
                "1.jpg\r\n\n\(home.file("2.jpg"))\nfile://\(home.file("3.jpg"))\nmissing.jpg\nfile:///%zz\n./4.jpg".utf8
            ))
        let run = try await shell("cd \"$1\"; \"$0\" prebuild --files-from \(list) --progress=json")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(
            try results(run) == [
                "/1.jpg": "made", "/2.jpg": "made", "/3.jpg": "made", "/4.jpg": "made", "/missing.jpg": "not-found",
                "file:///%zz": "invalid-argument",
            ])
        let people = try await shell("cd \"$1\"; \"$0\" prebuild --strict --files-from \(list)")
        #expect(people.exitCode == 3 && people.text.contains("0 made, 4 valid, 2 failed"), "\(people.text)")
        #expect(people.errors.contains(home.file("missing.jpg")) && people.errors.contains("%zz"), "\(people.errors)")
        #expect(people.errors.split(separator: "\n").count == 2)
    }

    /// Opens a pipe for a list, and a run that reads it.
    private func runOfPipe(_ words: String...) throws -> (RunningProgram, FileHandle) {
        let pipe = home.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        // Whoever opens it for both waits for nobody. The run must not keep this end open.
        let end = open(pipe, O_RDWR | O_CLOEXEC)
        try #require(end >= 0)
        let list = FileHandle(fileDescriptor: end, closeOnDealloc: true)
        return (try home.start(bytes: (["prebuild", "--files-from", pipe] + words).map { Array($0.utf8) }), list)
    }

    @Test func workBeginsBeforeTheListEnds() async throws {
        for name in ["1.jpg", "2.pdf"] {
            try home.copy(name == "1.jpg" ? "image/plain.jpg" : "pdf/plain.pdf", as: name)
        }
        let (running, list) = try runOfPipe("--progress=json")
        try list.write(contentsOf: Data("\(home.file("1.jpg"))\n".utf8))
        try await Condition.met("the first is made") { home.previews.count == 1 }
        #expect(!running.hasEnded)
        try list.write(contentsOf: Data(home.file("2.pdf").utf8))
        try list.close()
        let run = try await running.finish()
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(try run.summary().made == 2 && home.previews.count == 2)
    }

    @Test func aListThatNobodyWritesHoldsUpNoInterruption() async throws {
        try home.copy("image/plain.jpg", as: "1.jpg")
        let (running, list) = try runOfPipe()
        try list.write(contentsOf: Data("\(home.file("1.jpg"))\n".utf8))
        try await Condition.met("the first is made") { home.previews.count == 1 }
        running.send(SIGINT)
        let run = try await running.finish()
        #expect(run.exitCode == 130 && run.text.contains("Stopped after 1 of 1 files"), "\(run.text)")
        #expect(home.leftovers(of: run.pid) == [])
        try list.close()
    }

    @Test func whatIsNoListEndsTheRunWithASentence() async throws {
        try home.copy("image/plain.jpg", as: "1.jpg")
        let missing = try await home.run("prebuild", "--files-from", home.path + "/none")
        #expect(missing.exitCode == 1 && missing.errors.contains("/none' cannot be opened"), "\(missing.errors)")
        let folder = try await home.run("prebuild", "--files-from", home.files)
        #expect(folder.exitCode == 1 && folder.errors.contains("Is a directory"), "\(folder.errors)")
        let unsaid = try await shell("find \"$1\" -print0 | \"$0\" prebuild --files-from -")
        #expect(unsaid.exitCode == 1 && unsaid.errors.contains("give --null"), "\(unsaid.errors)")
        // Nothing to do is no failure.
        let empty = try await shell("\"$0\" prebuild --files-from - < /dev/null")
        #expect(empty.exitCode == 0 && empty.errors.isEmpty && empty.text.contains("0 made"), "\(empty.text)")
        #expect(home.previews.isEmpty)
    }

    @Test(arguments: [
        ["--null", "."], ["--files-from"], ["--files-from=-", "."], ["--files-from=-", "--hidden"],
        ["--files-from=-", "--sheet=a.html"], ["--files-from=-", "--exclude=*.png"],
    ])
    func wrongUseExitsWith2(_ words: [String]) async throws {
        let run = try await home.run(bytes: (["prebuild"] + words).map { Array($0.utf8) })
        #expect(run.exitCode == 2 && run.output.isEmpty && run.errors.contains("--"), "\(run.errors)")
    }
}
