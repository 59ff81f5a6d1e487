import Foundation
import TestSupport
import Testing

/// Ctrl-C, a polite kill, and one that leaves no time to tidy up.
@Suite struct InterruptionTests {
    /// A deadline that no test waits for.
    private static let patience = 600
    private static let count = 200

    /// Starts a run over pictures that are made at once and over many files that hold it up, and waits until it is
    /// in the middle: the pictures are made, and workers render.
    private func startedRun(_ home: UserHome, _ plugin: HostilePlugin, _ words: String...) async throws
        -> RunningProgram
    {
        // Each another file: the same content is rendered once, and copied.
        let picture = try UserHome.fixture("image/rgb-8.png")
        for number in 0..<5 { try home.write("a/\(number).png", picture + Array("\(number)".utf8)) }
        for number in 0..<Self.count { try home.writeHostile("b/\(number)", "hold 1000") }
        let running = try home.start(
            bytes: (["prebuild", "--jobs=2"] + words + [home.file("a"), home.file("b")]).map { Array($0.utf8) })
        try await Condition.met("five pictures are made and two workers render") {
            home.previews.count == 5
                && ProcessTable.openFiles(of: running.pid).count { $0.hasPrefix(home.file("b/")) } >= 2
        }
        return running
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignalStopsTheRunAtOnce(_ signal: CInt) async throws {
        let plugin = try HostilePlugin(seconds: Self.patience)
        let home = try UserHome(plugins: [plugin.folder])
        let running = try await startedRun(home, plugin)
        // A second is what people are promised.
        let ending = running.ending(after: signal)
        #expect(ending.idle < .seconds(1) && ending.computed < .seconds(3), "\(ending)")
        let run = try await running.finish()
        #expect(run.exitCode == 128 + signal)
        #expect(run.text.contains("Stopped after 5 of \(Self.count + 5) files: 5 made"), "\(run.text)")
        #expect(home.leftovers(of: run.pid) == [])
        #expect(home.cached.count == 5)
    }

    @Test func theLastLineSaysThatTheRunWasInterrupted() async throws {
        let plugin = try HostilePlugin(seconds: Self.patience)
        let home = try UserHome(plugins: [plugin.folder])
        let running = try await startedRun(home, plugin, "--progress=json")
        running.send(SIGINT)
        let run = try await running.finish()
        #expect(run.exitCode == 130)
        let summary = try run.summary()
        #expect(summary.interrupted && summary.made == 5 && summary.failed == 0)
        #expect(summary.found == Self.count + 5)
    }

    @Test func whoReadsTheLinesAndGoesEndsTheRun() async throws {
        let plugin = try HostilePlugin(seconds: Self.patience)
        let home = try UserHome(plugins: [plugin.folder])
        for number in 0..<Self.count { try home.copy("image/one-pixel.png", as: "\(number).png") }
        try home.writeHostile("held", "hold 1000")
        let script = "\"$0\" prebuild --progress=json \"$1\" | head -n 1; test \"${PIPESTATUS[0]}\" -eq 141"
        let run = try await home.run(program: ["/bin/bash", "-c", script, home.program, home.files])
        #expect(run.exitCode == 0)
        #expect(try run.progress().map(\.event) == ["started"])
        #expect(home.leftovers(of: run.pid) == [])
    }

    @Test func nothingOutlivesAProgramThatIsKilled() async throws {
        let plugin = try HostilePlugin(seconds: Self.patience)
        let home = try UserHome(plugins: [plugin.folder])
        let running = try await startedRun(home, plugin)
        running.send(SIGKILL)
        let run = try await running.finish()
        #expect(run.exitCode == nil)
        // Also those that render: none waits for its deadline.
        try await Condition.met("all workers end") {
            ProcessTable.processes(inSession: run.pid).isEmpty
        }
        for number in 0..<Self.count { try FileManager.default.removeItem(atPath: home.file("b/\(number)")) }
        try home.copy("image/rgb-8.png", as: "b/last.png")
        let next = try await home.run("prebuild", "--progress=json", home.files)
        let summary = try next.summary()
        #expect(summary.valid == 5 && summary.made == 1 && summary.failed == 0)
        #expect(home.leftovers(of: next.pid) == [])
    }
}
