import Foundation
import Testing

/// A run over many files, bad ones among them: nothing is lost on the way.
@Suite struct LongRunTests {
    private static let count = 5000

    @Test func descriptorsAndThreadsDoNotGrow() async throws {
        let plugin = try HostilePlugin(seconds: 20)
        let home = try UserHome(plugins: [plugin.folder])
        var expected: [String: Int] = [:]
        for number in 0..<Self.count {
            let command: String
            switch number {
            case _ where number % 500 == 1: command = "crash"
            case _ where number % 500 == 2: command = "hangup"
            case _ where number % 500 == 3: command = "garbage"
            case _ where number % 100 == 4: command = "error corrupt no such table"
            case _ where number % 100 == 5: command = "leak 20"
            default: command = "ok"
            }
            let result = ["crash": "crashed", "hangup": "crashed", "garbage": "invalid-answer"][command]
            expected[result ?? (command.hasPrefix("error") ? "corrupt" : "made"), default: 0] += 1
            try home.writeHostile("\(number / 500)/\(number)", command)
        }
        let program = try home.start("prebuild", "--size=normal", "--jobs=2", "--progress=json", home.files)
        let (run, watch) = try await RunWatch.follow(program, every: .milliseconds(25))
        #expect(run.exitCode == 0, "\(run.errors)")
        // Reading each line as JSON would take longer than the run.
        let lines = run.text.split(separator: "\n")
        let end = try ProgressLine(String(lines.last ?? ""))
        #expect(end.event == "finished" && end.made == expected["made"] && end.found == Self.count)
        for (code, count) in expected where code != "made" {
            #expect(lines.count { $0.contains("\"code\":\"\(code)\"") } == count, "\(code)")
        }
        let part = watch.samples.count / 4
        try #require(part > 20, "the run was not looked at")
        let (early, late) = (watch.samples.prefix(2 * part).dropFirst(part), watch.samples.suffix(part))
        for held in [\RunWatch.Sample.descriptors, \.threads] {
            let before = early.map { $0[keyPath: held] }.max() ?? 0
            let after = late.map { $0[keyPath: held] }.max() ?? 0
            #expect(before > 0 && after <= before + 8, "\(before) before, \(after) later")
        }
        #expect(watch.peakMemory < 100 << 20, "\(watch.peakMemory >> 20) MiB")
        #expect(watch.strangers == [])
        #expect(home.leftovers(of: run.pid) == [])
    }
}
