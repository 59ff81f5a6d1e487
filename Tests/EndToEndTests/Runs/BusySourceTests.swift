import Foundation
import TestSupport
import Testing

/// Two runs over one source, in two processes.
@Suite struct BusySourceTests {
    /// A user's home with a run at work, which goes on when its file is let go.
    private struct BusyHome {
        private let plugin: HostilePlugin
        let home: UserHome
        let held: HeldFiles
        let first: RunningProgram

        /// - Parameter fixtures: copied beforehand, by where they are put.
        init(with fixtures: [String: String] = [:]) async throws {
            plugin = try HostilePlugin(seconds: 60)
            home = try UserHome(plugins: [plugin.folder])
            held = try HeldFiles(["held"], in: home)
            for (name, fixture) in fixtures { try home.copy(fixture, as: name) }
            first = try home.start("prebuild", "--jobs=1", "--progress=json", home.files)
            try await held.areOpen(1, in: first)
        }
    }

    @Test func oneRunsAndTheOthersWaitJoinOrFail() async throws {
        let busy = try await BusyHome(with: ["sub/plain.pdf": "pdf/plain.pdf"])
        let (home, held, first) = (busy.home, busy.held, busy.first)

        let refused = try await home.run("prebuild", "--if-busy=fail", home.files)
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("another run (process \(first.pid)) is at work"), "\(refused.errors)")
        let told = try await home.run("prebuild", "--if-busy=fail", "--progress=json", home.files)
        #expect(told.exitCode == 1 && told.text.contains(#""code":"busy""#), "\(told.text)")
        // A part of the source is the source's, too.
        #expect(try await home.run("index", "--if-busy=fail", home.file("sub")).exitCode == 1)
        // A file is nobody's but its own.
        #expect(try await home.run("prebuild", "--if-busy=fail", home.file("sub/plain.pdf")).exitCode == 0)

        let joining = try home.start("prebuild", "--if-busy=join", "--progress=json", home.files)
        let waiting = try home.start("prebuild", "--progress=json", home.files)
        let stopped = try home.start("prebuild", "--progress=json", home.files)
        let joiningIndex = try home.start("index", "--if-busy=join", home.files)
        for other in [joining, waiting, stopped] {
            try await Condition.met("the other run waits, and tells how far the first one is") {
                let lines = try other.progress
                return lines.contains { $0.event == "waiting" && $0.fields.contains("process") }
                    && lines.contains { $0.event == "progress" }
            }
        }
        let ending = stopped.ending(after: SIGINT)
        #expect(ending.idle < .seconds(2) && ending.computed < .seconds(3), "\(ending)")
        #expect(try await stopped.finish().exitCode == 130)
        try await Condition.met("the index waits") { joiningIndex.errors.contains("waiting for process \(first.pid)") }
        #expect(!joining.hasEnded && !waiting.hasEnded && !joiningIndex.hasEnded)

        try held.letGo()
        #expect(try await first.finish().exitCode == 0)
        let joined = try await joining.finish()
        #expect(joined.exitCode == 0)
        #expect(try joined.items().isEmpty)
        #expect(try joined.summary().fields.contains("joined"))
        let joinedIndex = try await joiningIndex.finish()
        #expect(joinedIndex.exitCode == 0)
        #expect(joinedIndex.text == "Joined the run of process \(first.pid), which has ended.\n")
        let second = try await waiting.finish()
        #expect(second.exitCode == 0)
        // What was held has changed since, so that the first run kept no preview of it.
        #expect(try second.summary().made == 1)
        #expect(home.previews.count == 2)
        #expect(home.leftovers(of: second.pid) == [])
    }

    @Test func whatASourceIsIsAskedOnceMoreAfterAnotherRun() async throws {
        let busy = try await BusyHome(with: ["sub/plain.pdf": "pdf/plain.pdf"])
        let (home, held, first) = (busy.home, busy.held, busy.first)
        let second = try home.start("prebuild", "--progress=json", home.file("sub"))
        try await Condition.met("the other run waits") { try second.progress.contains { $0.event == "waiting" } }
        try FileManager.default.removeItem(atPath: home.file("sub"))
        try home.copy("pdf/plain.pdf", as: "sub")
        try held.letGo()
        _ = try await first.finish()
        let late = try await second.finish()
        #expect(late.exitCode == 0, "\(late.errors)")
        #expect(try late.summary().found == 1)
    }

    @Test func aKilledRunKeepsNobodyOut() async throws {
        let busy = try await BusyHome()
        let (home, first) = (busy.home, busy.first)
        let waiting = try home.start("index", home.files)
        try await Condition.met("the other run says that it waits") {
            waiting.errors.contains("waiting for process \(first.pid), which is at work on \(home.files)\n")
        }
        waiting.send(SIGKILL)
        _ = try await waiting.finish()
        first.send(SIGKILL)
        _ = try await first.finish()
        #expect(try await home.run("index", "--if-busy=fail", home.files).exitCode == 0)
    }
}
