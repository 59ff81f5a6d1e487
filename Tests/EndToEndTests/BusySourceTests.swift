import Foundation
import TestSupport
import Testing

/// Two runs over one source, in two processes.
@Suite struct BusySourceTests {
    @Test func oneRunsAndTheOthersWaitJoinOrFail() async throws {
        let plugin = try HostilePlugin(seconds: 60)
        let home = try UserHome(plugins: [plugin.folder])
        let held = try HeldFiles(["held"], in: home)
        try home.copy("pdf/plain.pdf", as: "sub/plain.pdf")
        let first = try home.start("prebuild", "--jobs=1", "--progress=json", home.files)
        try await held.areOpen(1, in: first)

        let refused = try await home.run("prebuild", "--if-busy=fail", home.files)
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("another run (process \(first.pid)) is at work"), "\(refused.errors)")
        // A part of the source is the source's, too.
        #expect(try await home.run("index", "--if-busy=fail", home.file("sub")).exitCode == 1)
        // A file is nobody's but its own.
        #expect(try await home.run("prebuild", "--if-busy=fail", home.file("sub/plain.pdf")).exitCode == 0)

        let joining = try home.start("prebuild", "--if-busy=join", "--progress=json", home.files)
        let waiting = try home.start("prebuild", "--progress=json", home.files)
        let stopped = try home.start("prebuild", "--progress=json", home.files)
        for other in [joining, waiting, stopped] {
            try await Condition.met("the other run waits, and tells how far the first one is") {
                let lines = try other.progress
                return lines.contains { $0.event == "waiting" && $0.fields.contains("process") }
                    && lines.contains { $0.event == "progress" }
            }
        }
        #expect(stopped.timeToEnd(after: SIGINT, atMost: .seconds(10)) < .seconds(2))
        #expect(try await stopped.finish().exitCode == 130)
        #expect(!joining.hasEnded && !waiting.hasEnded)

        try held.letGo()
        #expect(try await first.finish().exitCode == 0)
        let joined = try await joining.finish()
        #expect(joined.exitCode == 0)
        #expect(try joined.items().isEmpty)
        let second = try await waiting.finish()
        #expect(second.exitCode == 0)
        // What was held has changed since, so that the first run kept no preview of it.
        #expect(try second.summary().made == 1)
        #expect(home.previews.count == 2)
        #expect(home.leftovers(of: second.pid) == [])
    }

    @Test func whatASourceIsIsAskedOnceMoreAfterAnotherRun() async throws {
        let plugin = try HostilePlugin(seconds: 60)
        let home = try UserHome(plugins: [plugin.folder])
        let held = try HeldFiles(["held"], in: home)
        try home.copy("pdf/plain.pdf", as: "sub/plain.pdf")
        let first = try home.start("prebuild", "--jobs=1", "--progress=json", home.files)
        try await held.areOpen(1, in: first)
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
        let plugin = try HostilePlugin(seconds: 60)
        let home = try UserHome(plugins: [plugin.folder])
        let held = try HeldFiles(["held"], in: home)
        let first = try home.start("prebuild", "--jobs=1", "--progress=json", home.files)
        try await held.areOpen(1, in: first)
        first.send(SIGKILL)
        _ = try await first.finish()
        #expect(try await home.run("index", "--if-busy=fail", home.files).exitCode == 0)
    }
}
