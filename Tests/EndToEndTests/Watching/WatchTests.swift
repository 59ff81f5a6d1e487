import Foundation
import TestSupport
import Testing

/// `vitrine watch` over real folders, looked at from outside.
@Suite struct WatchTests {
    /// A watch that runs, and what it said so far.
    private struct Watched {
        let program: RunningProgram
        let home: UserHome

        init(_ home: UserHome, _ words: [String] = [], operands: [String]? = nil) async throws {
            self.home = home
            let all = ["watch", "--progress=json"] + words + (operands ?? [home.files])
            program = try home.start(bytes: all.map { Array($0.utf8) })
            let program = program
            try await Condition.met("the watch has begun") {
                try program.progress.contains { $0.event == "watching" } || program.hasEnded
            }
            try #require(!program.hasEnded, "\(program.errors)")
        }

        /// How often something was told of a file.
        func count(_ name: String, _ outcome: String) throws -> Int {
            try program.progress.count { $0.uri.hasSuffix("/files/" + name) && Self.word($0) == outcome }
        }

        func told(_ outcome: String, _ name: String) async throws {
            try await Condition.met("'\(name)' is \(outcome)") { try count(name, outcome) > 0 }
        }

        private static func word(_ line: ProgressLine) -> String { line.event == "item" ? line.outcome : line.event }

        /// Ends it politely.
        func stop() async throws -> FinishedRun {
            program.send(SIGTERM)
            let run = try await program.finish()
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(home.leftovers(of: run.pid) == [])
            return run
        }
    }

    private func move(_ old: String, _ new: String, _ home: UserHome) throws {
        try #require(rename(home.file(old), home.file(new)) == 0)
    }

    @Test func itKeepsPreviewsCurrent() async throws {
        let home = try UserHome()
        try home.copy("image/rgb-8.png", as: "before/a.png")
        let watched = try await Watched(home)
        #expect(try watched.count("before/a.png", "made") == 1)
        // A new file, and a changed one.
        try home.copy("image/rgb-8.png", as: "before/b.png")
        try await watched.told("made", "before/b.png")
        try home.copy("image/grey.png", as: "before/b.png")
        try await Condition.met("the new content is rendered") { try watched.count("before/b.png", "made") == 2 }
        #expect(home.previews.count == 2)
        // A new name, another folder that was not there, and the folder's own new name: nothing is rendered for it.
        try move("before/b.png", "before/c.png", home)
        try await watched.told("moved", "before/c.png")
        try FileManager.default.createDirectory(atPath: home.file("after"), withIntermediateDirectories: false)
        try move("before/c.png", "after/c.png", home)
        try await watched.told("moved", "after/c.png")
        try move("after", "behind", home)
        try await watched.told("moved", "behind/c.png")
        // What happens in the folder that moved is told under its new name.
        try home.copy("image/rgb-8.png", as: "behind/d.png")
        try await watched.told("made", "behind/d.png")
        #expect(try watched.program.progress.count { $0.outcome == "made" } == 4)
        try await Condition.met("three previews are left") { home.previews.count == 3 }
        // What is deleted loses its preview, without any grace.
        try FileManager.default.removeItem(atPath: home.file("behind"))
        try await watched.told("removed", "behind/d.png")
        try await Condition.met("one preview is left") { home.previews.count == 1 }
        try move("before/a.png", "before/e.png", home)
        try await watched.told("moved", "before/e.png")
        let run = try await watched.stop()
        #expect(try run.summary().interrupted)
        // The next run has nothing to do, not even for what was moved.
        let next = try await home.run("prebuild", "--progress=json", home.files)
        #expect(try next.items().isEmpty)
        #expect(try next.summary().valid == 1)
    }

    @Test func aFolderThatTakesThePlaceOfAnotherIsLookedAtWithAllThatIsInIt() async throws {
        let home = try UserHome()
        for folder in ["site", "new"] {
            for (name, fixture) in [("a", "rgb-8"), ("deep/b", "grey")] {
                // A few bytes after the end of a PNG make it another file.
                let picture = try UserHome.fixture("image/\(fixture).png") + Array(folder.utf8)
                try home.write("\(folder)/\(name).png", picture)
            }
        }
        let watched = try await Watched(home)
        try #require(rename(home.file("site"), home.output + "/site") == 0)
        try move("new", "site", home)
        for name in ["site/a.png", "site/deep/b.png"] {
            try await Condition.met("the new '\(name)' is rendered") { try watched.count(name, "made") == 2 }
        }
        try await watched.told("removed", "new/deep/b.png")
        // What happens in it is told from then on.
        try home.copy("image/rgb-8.png", as: "site/deep/c.png")
        try await watched.told("made", "site/deep/c.png")
        _ = try await watched.stop()
        let next = try await home.run("prebuild", "--progress=json", home.files)
        #expect(try next.items().isEmpty && next.summary().valid == 3)
    }

    @Test func whatMovesToAnotherSourceIsNotToldToBeGone() async throws {
        let home = try UserHome()
        let picture = try UserHome.fixture("image/rgb-8.png")
        // A few bytes after the end of a PNG make it another file.
        for (index, name) in ["a/d/1", "a/d/2", "a/3", "a/last", "b/4", "b/last"].enumerated() {
            try home.write(name + ".png", picture + Array("\(index)".utf8))
        }
        let watched = try await Watched(home, operands: [home.file("a"), home.file("b")])
        // In both directions, since one of the sources has its turn first.
        for (old, new) in [("a", "b"), ("b", "a")] {
            try move("\(old)/d", "\(new)/d", home)
            for name in ["1", "2"] { try await watched.told("moved", "\(new)/d/\(name).png") }
            try move("\(old)/3.png", "\(new)/3.png", home)
            try await watched.told("moved", "\(new)/3.png")
        }
        // What is gone is told in its order.
        for name in ["a/last.png", "b/last.png"] {
            try FileManager.default.removeItem(atPath: home.file(name))
            try await watched.told("removed", name)
        }
        #expect(try watched.program.progress.count { $0.event == "removed" } == 2)
        let run = try await watched.stop()
        #expect(try run.progress().count { $0.outcome == "made" } == 6)
    }

    @Test func whatChangesIsFoundByItsWords() async throws {
        let home = try UserHome()
        try FileManager.default.createDirectory(atPath: home.files, withIntermediateDirectories: true)
        let watched = try await Watched(home)
        try Data("a zebrafish".utf8).write(to: URL(filePath: home.file("a.txt")))
        try await watched.told("made", "a.txt")
        _ = try await watched.stop()
        #expect(try await home.run("find", "zebrafish").text.contains("a.txt"))
    }

    @Test func whatIsLeftOutLosesItsPreviews() async throws {
        let home = try UserHome()
        try home.copy("image/rgb-8.png", as: "a/a.png")
        let watched = try await Watched(home)
        #expect(home.previews.count == 1)
        try Data().write(to: URL(filePath: home.file("a/.nomedia")))
        try await watched.told("removed", "a/a.png")
        try await Condition.met("the preview is gone") { home.previews.isEmpty }
        _ = try await watched.stop()
    }

    @Test func nothingIsLostInADeepTreeThatIsMadeAtOnce() async throws {
        let home = try UserHome()
        let watched = try await Watched(home)
        let source = home.path + "/picture.png"
        try Data(try UserHome.fixture("image/one-pixel.png")).write(to: URL(filePath: source))
        let script = """
            for i in 1 2 3 4 5 6 7 8; do
                d="$1/t$i/a/b/c/d/e/f/g"; mkdir -p "$d"
                cp "$0" "$d/x.png"; cp "$0" "$1/t$i/a/b/y.png"; cp "$0" "$1/t$i/z.png"
            done
            """
        let made = try await home.run(program: ["/bin/bash", "-c", script, source, home.files])
        #expect(made.exitCode == 0)
        try await Condition.met("24 previews are made") { home.previews.count == 24 }
        // Each of the new folders is watched.
        try home.copy("image/one-pixel.png", as: "t5/a/b/c/d/e/f/g/later.png")
        try await watched.told("made", "t5/a/b/c/d/e/f/g/later.png")
        _ = try await watched.stop()
    }

    @Test func thousandsOfFilesInOneGoAreAllMade() async throws {
        let home = try UserHome()
        let watched = try await Watched(home)
        let picture = try UserHome.fixture("image/one-pixel.png")
        for number in 0..<2000 { try Data(picture).write(to: URL(filePath: home.file("\(number).png"))) }
        try await Condition.met("all are made") { home.previews.count == 2000 }
        let run = try await watched.stop()
        // None was rendered twice.
        #expect(try run.items().count { $0.outcome == "made" } == 2000)
        #expect(try run.summary().failed == 0)
    }

    @Test func aFileThatGoesOnChangingIsNotRenderedEachTime() async throws {
        let home = try UserHome()
        let watched = try await Watched(home)
        // Appended to, opened and closed 300 times in some seconds, and in a minute by a busy machine.
        // It says where more than half a second may lie between two writes, microseconds before one and after the next.
        let script = """
            last=${EPOCHREALTIME//[!0-9]/}
            for i in {1..300}; do
                before=${EPOCHREALTIME//[!0-9]/}
                echo "line $i" >> "$0"
                (( ${EPOCHREALTIME//[!0-9]/} - last < 500000 )) || echo pause
                last=$before
                read -t 0.01 <> <(:)
            done
            exit 0
            """
        let run = try await home.run(program: ["/bin/bash", "-c", script, home.file("log.txt")])
        #expect(run.exitCode == 0)
        try await watched.told("made", "log.txt")
        // The last state is the one that is shown in the end.
        try await Condition.met("the preview is that of the whole file") {
            try watched.program.progress.last { $0.uri.hasSuffix("log.txt") && $0.outcome == "made" }?.bytes
                == Int64(try Data(contentsOf: URL(filePath: home.file("log.txt"))).count)
        }
        // Only when it was left alone for half a second was it rendered, or tried to: in a pause, and in the end.
        let pauses = run.text.split(separator: "\n").count
        let tried = try watched.program.progress.count { $0.event == "item" && $0.uri.hasSuffix("log.txt") }
        #expect(tried <= pauses + 1)
        _ = try await watched.stop()
    }

    @Test func whatIsSavedGoesBeforeWhatWasThere() async throws {
        let plugin = try HostilePlugin(seconds: 60)
        let home = try UserHome(plugins: [plugin.folder])
        // Each holds a worker until it is let go, which is never.
        for number in 0..<50 {
            let path = try home.writeHostile("old/\(number)", "hold 1000")
            let times = [timespec(tv_sec: 1_600_000_000, tv_nsec: 0), timespec(tv_sec: 1_600_000_000, tv_nsec: 0)]
            try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
        }
        let program = try home.start("watch", "--progress=json", "--jobs=1", home.files)
        try await Condition.met("the first one is held") { !program.workers.isEmpty }
        try home.copy("image/rgb-8.png", as: "new.png")
        // With one job it has to wait for the one that is rendered, but not for the forty-nine others.
        try await Condition.met("it waits for its turn") {
            ProcessTable.openFiles(of: program.pid).contains(home.file("new.png"))
        }
        program.send(SIGTERM)
        #expect(try await program.finish().exitCode == 0)
    }

    @Test func foldersBeyondTheLimitOfWatchesAreLookedAtFromTimeToTime() async throws {
        let script = "echo 3 > /proc/sys/user/max_inotify_watches && exec \"$0\" \"$@\""
        let home = try UserHome(prefix: ["/usr/bin/unshare", "-U", "-r", "/bin/bash", "-c", script])
        for name in ["a", "b", "c", "d", "e"] { try home.copy("image/one-pixel.png", as: "\(name)/1.png") }
        let watched = try await Watched(home, ["--poll=1"])
        let notices = watched.program.output.split(separator: "\n").filter { $0.contains("\"event\":\"notice\"") }
        #expect(notices.count == 1 && notices.first?.contains("fs.inotify.max_user_watches") == true, "\(notices)")
        for name in ["a", "b", "c", "d", "e"] {
            try home.copy("image/one-pixel.png", as: "\(name)/2.png")
            try await watched.told("made", "\(name)/2.png")
        }
        _ = try await watched.stop()
    }

    @Test func aSourceThatGoesAwayIsWaitedForAndKeepsItsPreviews() async throws {
        let home = try UserHome()
        try home.copy("image/one-pixel.png", as: "source/1.png")
        let watched = try await Watched(home, operands: [home.file("source")])
        try move("source", "elsewhere", home)
        try await Condition.met("it is said to be away") { watched.program.output.contains("is waited for") }
        #expect(home.previews.count == 1)
        try home.copy("image/one-pixel.png", as: "elsewhere/2.png")
        try move("elsewhere", "source", home)
        try await watched.told("made", "source/2.png")
        #expect(watched.program.output.contains("is there again"))
        #expect(try watched.count("source/1.png", "removed") == 0)
        _ = try await watched.stop()
    }

    @Test(arguments: ["", "/vitrine", "/vitrine/catalog.sqlite"])
    func aCacheThatSomebodyDeletesIsMadeAnew(_ part: String) async throws {
        let home = try UserHome()
        let other = home.path + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        try home.copy("image/rgb-8.png", as: "a.png")
        let watched = try await Watched(home, operands: [home.files, other])
        var count = 1
        for round in 1...3 {
            try FileManager.default.removeItem(atPath: home.cache + part)
            try home.copy("image/grey.png", as: "b\(round).png")
            try await watched.told("made", "b\(round).png")
            count += 1
            try await Condition.met("all have previews") { home.previews.count == count }
            // The other source is watched, too, and what is found is in the catalog that others open.
            try FileManager.default.copyItem(atPath: home.file("a.png"), toPath: other + "/c\(round).png")
            count += 1
            try await Condition.met("the other source is watched") { home.previews.count == count }
        }
        let run = try await watched.stop()
        #expect(try run.summary().failedSources.isEmpty)
        let found = try await home.run("find", "png")
        #expect(found.text.split(separator: "\n").count == count, "\(found.text) \(found.errors)")
    }

    @Test func thatADamagedCatalogWasReplacedIsSaidAtOnce() async throws {
        let home = try UserHome()
        try home.copy("image/one-pixel.png", as: "a.png")
        let catalog = URL(filePath: home.cache + "/vitrine/catalog.sqlite")
        try FileManager.default.createDirectory(
            at: catalog.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("it was a text all the time\n".utf8).write(to: catalog)
        let watched = try await Watched(home)
        #expect(watched.program.output.contains("the catalog was damaged"))
        #expect(try await watched.stop().summary().failedSources.isEmpty)
    }

    @Test func rulesThatChangeCountAtOnce() async throws {
        let home = try UserHome()
        try home.copy("image/one-pixel.png", as: "a/b/1.png")
        let watched = try await Watched(home)
        try home.write(".vitrineignore", Array("b/\n".utf8))
        try await watched.told("removed", "a/b/1.png")
        try home.copy("image/one-pixel.png", as: "a/b/2.png")
        try home.copy("image/one-pixel.png", as: "a/3.png")
        try await watched.told("made", "a/3.png")
        #expect(try watched.count("a/b/2.png", "made") == 0)
        try FileManager.default.removeItem(atPath: home.file(".vitrineignore"))
        try await watched.told("made", "a/b/2.png")
        _ = try await watched.stop()
    }

    @Test func aWordMeansWhatItMeansToPrebuild() async throws {
        let home = try UserHome()
        try home.copy("image/rgb-8.png", as: "elsewhere/a.png")
        try home.copy("image/rgb-8.png", as: "here/Photos/b.png")
        #expect(try await home.run("source", "add", home.file("elsewhere"), "--name", "Photos").exitCode == 0)
        for (folder, file) in [("here", "b.png"), ("elsewhere", "a.png")] {
            let program = try home.start(program: [
                "/usr/bin/env", "-C", home.file(folder), home.program, "watch", "--progress=json", "Photos",
            ])
            try await Condition.met("it watches") { try program.progress.contains { $0.event == "watching" } }
            program.send(SIGTERM)
            let run = try await program.finish()
            #expect(try run.items().map { ($0.uri as NSString).lastPathComponent } == [file], "\(run.errors)")
            #expect(run.errors.contains("is taken for what is in the working folder") == (folder == "here"))
        }
    }

    @Test func registeredSourcesAreWatchedWithoutOperands() async throws {
        let home = try UserHome()
        let none = try await home.run("watch")
        #expect(none.exitCode == 1 && none.errors.contains("vitrine source add"), "\(none.errors)")
        for name in ["one", "two"] {
            try home.copy("image/one-pixel.png", as: "\(name)/.hidden/1.png")
            let flags = name == "two" ? ["--hidden"] : []
            let words = ["source", "add", home.file(name)] + flags
            #expect(try await home.run(bytes: words.map { Array($0.utf8) }).exitCode == 0)
        }
        let watched = try await Watched(home, operands: [])
        #expect(home.previews.count == 1)
        try home.copy("image/one-pixel.png", as: "one/2.png")
        try home.copy("image/one-pixel.png", as: "two/.hidden/2.png")
        try await watched.told("made", "one/2.png")
        try await watched.told("made", "two/.hidden/2.png")
        _ = try await watched.stop()
    }

    @Test func linesForPeopleSayWhatHappensAndCtrlCEndsIt() async throws {
        let home = try UserHome()
        try home.copy("image/one-pixel.png", as: "a.png")
        let program = try home.start("watch", home.files)
        try await Condition.met("it watches") { program.output.contains("watching 1 folder of 1 source") }
        try home.write("bad.png", Array("no picture".utf8))
        try await Condition.met("the failure is said") { program.output.contains("failed   \(home.file("bad.png")): ") }
        try move("a.png", "b.png", home)
        try await Condition.met("the move is said") {
            program.output.contains("moved    \(home.file("a.png")) to \(home.file("b.png"))")
        }
        program.send(SIGINT)
        #expect(try await program.finish().exitCode == 130)
    }
}
