import Foundation
import TestSupport
import Testing

/// `vitrine watch` beside other runs, sources that come later, and a disk that is full for a while.
@Suite struct WatchSharingTests {
    private func has(_ program: RunningProgram, _ event: String, _ name: String = "") throws -> Bool {
        try program.progress.contains { $0.event == event && $0.uri.hasSuffix(name) }
    }

    private func begun(_ program: RunningProgram) async throws {
        try await Condition.met("the watch has begun") { try has(program, "watching") || program.hasEnded }
        try #require(!program.hasEnded, "\(program.errors)")
    }

    private func made(_ name: String, by program: RunningProgram) async throws {
        try await Condition.met("'\(name)' is made") {
            try program.progress.contains { $0.outcome == "made" && $0.uri.hasSuffix("/" + name) }
        }
    }

    private func stop(_ program: RunningProgram) async throws {
        program.send(SIGTERM)
        #expect(try await program.finish().exitCode == 0)
    }

    @Test func itWaitsForAnotherRunAndOthersForIt() async throws {
        let plugin = try HostilePlugin(seconds: 60)
        let home = try UserHome(plugins: [plugin.folder])
        let held = try HeldFiles(["held"], in: home)
        let first = try home.start("prebuild", "--jobs=1", "--progress=json", home.files)
        try await held.areOpen(1, in: first)
        let watch = try home.start("watch", "--jobs=1", "--progress=json", home.files)
        try await Condition.met("the watch waits, and says for whom") {
            try has(watch, "waiting") && has(watch, "notice") && watch.output.contains("process \(first.pid)")
        }
        #expect(try !has(watch, "item") && !watch.hasEnded)
        try held.letGo()
        #expect(try await first.finish().exitCode == 0)
        try await begun(watch)
        // While it rests, others have the source at once; while it works, they wait.
        #expect(try await home.run("index", "--if-busy=fail", home.files).exitCode == 0)
        let again = try HeldFiles(["again"], in: home)
        try await again.areOpen(1, in: watch)
        let refused = try await home.run("prebuild", "--if-busy=fail", home.files)
        #expect(refused.exitCode == 1 && refused.errors.contains("(process \(watch.pid))"), "\(refused.errors)")
        let waiting = try home.start("prebuild", "--progress=json", home.files)
        try await Condition.met("the run waits for the watch") { try has(waiting, "waiting") }
        try again.letGo()
        #expect(try await waiting.finish().exitCode == 0)
        try await stop(watch)
    }

    @Test func sourcesThatComeAndGoAreFollowed() async throws {
        let home = try UserHome()
        try home.copy("image/rgb-8.png", as: "one/a.png")
        try home.copy("image/rgb-8.png", as: "two/b.png")
        _ = try await home.run("source", "add", home.file("one"))
        let watch = try home.start("watch", "--progress=json")
        try await begun(watch)
        _ = try await home.run("source", "add", home.file("two"))
        try await made("b.png", by: watch)
        try home.copy("image/grey.png", as: "two/c.png")
        try await made("c.png", by: watch)
        let removal = try await home.run("source", "remove", "two", "--keep-previews")
        #expect(removal.exitCode == 0, "\(removal.errors)")
        try await Condition.met("one source is left") {
            try watch.progress.last { $0.event == "watching" }?.fields.isEmpty == false
                && watch.progress.count { $0.event == "watching" } >= 3
        }
        // The first one is watched all the time.
        try home.copy("image/grey.png", as: "one/d.png")
        try await made("d.png", by: watch)
        #expect(try watch.progress.count { $0.event == "started" } == 1)
        try await stop(watch)
    }

    @Test(.enabled(if: Ability.mounts, "mounting a small file system needs root's rights"))
    func aFullDiskUnderTheCatalogIsWaitedFor() async throws {
        let home = try UserHome()
        try home.copy("image/rgb-8.png", as: "a.png")
        // Enough names that the catalog does not fit.
        for number in 0..<4000 { try home.write("many/a rather long name that takes some room \(number)", []) }
        let small = home.path + "/small"
        try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: false)
        try FileManager.default.createDirectory(atPath: home.cache + "/vitrine", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: home.cache + "/vitrine/catalog.sqlite", withDestinationPath: small + "/catalog.sqlite")
        let script = """
            mount -t tmpfs -o size=8m,mode=700 none "\(small)" || exit 99
            head -c 7900000 /dev/zero > "\(small)/filler"
            exec "$0" watch --progress=json "$1"
            """
        let watch = try home.start(
            program: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, home.program, home.files])
        try await Condition.met("the watch says what it waits for") {
            watch.output.contains("when there is room again") || watch.hasEnded
        }
        #expect(!watch.hasEnded, "\(watch.errors)")
        try #require(unlink("/proc/\(watch.pid)/root\(small)/filler") == 0)
        try await begun(watch)
        #expect(home.previews.count == 1)
        try home.copy("image/grey.png", as: "b.png")
        try await made("b.png", by: watch)
        try await stop(watch)
    }
}
