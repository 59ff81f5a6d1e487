import Foundation
import TestSupport
import Testing

/// Clocks that are wrong or jump, and files from times that cannot be.
@Suite struct ClockTests {
    /// Seconds since 1970: before it, at it, and far off.
    private static let times = [-2_000_000_000, -1, 0, 1, 4_102_444_800, 8_000_000_000]

    @Test func filesOfAnyTimeGetPreviewsThatStayValid() async throws {
        let home = try UserHome()
        for (number, time) in Self.times.enumerated() {
            let file = try home.copy("image/rgb-8.png", as: "\(number).png")
            var both = [timespec(tv_sec: time, tv_nsec: 999_999_999), timespec(tv_sec: time, tv_nsec: 999_999_999)]
            try #require(utimensat(AT_FDCWD, file, &both, 0) == 0)
        }
        let first = try await home.run("prebuild", "--progress=json", home.files)
        #expect(try first.summary().made == Self.times.count, "\(first.text)")
        let again = try await home.run("prebuild", "--progress=json", home.files)
        #expect(try again.summary().valid == Self.times.count, "\(again.text)")
        // A file from the past in place of one from the future is another one.
        var past = [timespec(tv_sec: 5, tv_nsec: 0), timespec(tv_sec: 5, tv_nsec: 0)]
        try #require(utimensat(AT_FDCWD, home.file("5.png"), &past, 0) == 0)
        let changed = try await home.run("prebuild", "--progress=json", home.files)
        let summary = try changed.summary()
        #expect(summary.made == 1 && summary.valid == Self.times.count - 1)
    }

    @Test func aClockThatJumpsChangesNothing() async throws {
        let plugin = try HostilePlugin(seconds: 60)
        let home = try UserHome(plugins: [plugin.folder])
        let clock = home.path + "/clock"
        func set(years: Int) throws { try Data("\(years * 31_536_000)".utf8).write(to: URL(filePath: clock)) }
        let clocked = ["/usr/bin/env", "LD_PRELOAD=" + Products.library("JumpingClock"), "VITRINE_TEST_CLOCK=" + clock]
        let words = clocked + [home.program, "prebuild", "--jobs=1", "--progress=json"]
        for number in 0..<5 { try home.copy("image/rgb-8.png", as: "a/\(number).png") }
        let held = try HeldFiles(["b/held"], in: home)
        for number in 0..<5 { try home.copy("image/rgb-8.png", as: "c/\(number).png") }
        try set(years: 0)
        let running = try home.start(program: words + ["a", "b", "c"].map { home.file($0) })
        try await held.areOpen(1, in: running)
        try set(years: -20)
        try await Condition.met("the first files have their previews") { home.previews.count >= 5 }
        try set(years: 20)
        try held.letGo()
        let run = try await running.finish()
        #expect(run.exitCode == 0, "\(run.errors)")
        let results = try run.items().map(\.result)
        #expect(results.count { $0 == "made" } == 10 && results.count { $0 == "changed" } == 1, "\(results)")
        #expect(try run.summary().seconds < 86_400)
        #expect(home.leftovers(of: run.pid) == [])
        let entries = home.cached
        for years in [-20, 20, 0] {
            try set(years: years)
            let date = try await home.run(program: clocked + ["/bin/date", "+%s"])
            let shown = Int(date.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
            #expect(abs(shown - time(nil) - years * 31_536_000) < 86_400, "the clock cannot be set")
            let again = try await home.run(program: words + [home.file("a"), home.file("c")])
            #expect(try again.summary().valid == 10, "\(years) years off")
        }
        #expect(home.cached == entries)
    }
}
