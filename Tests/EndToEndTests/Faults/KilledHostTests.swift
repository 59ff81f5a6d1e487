import Foundation
import TestSupport
import Testing

/// The program is killed at random moments, again and again: who reads the cache never sees anything half-done, and
/// what was made stays made.
@Suite struct KilledHostTests {
    private static let kills = 100
    private static let count = 500
    /// Failures that are remembered, among the files.
    private static let failing = 50

    /// SplitMix64, so that a seed tells the moments of the kills; see Steele, Lea and Flood,
    /// "Fast splittable pseudorandom number generators", 2014.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
            return word ^ word >> 31
        }
    }

    /// What a reader finds in the cache, and has found before.
    private struct Reader {
        private(set) var entries: [String: UInt64] = [:]
        /// Unfinished files.
        private(set) var unfinished: Set<String> = []

        /// Looks at the cache again: every entry is whole, and those that were there are the same.
        mutating func look(at home: UserHome, hosts: Set<pid_t>, _ comment: Comment) throws {
            let found = home.cached
            unfinished = []
            for (name, inode) in found where entries[name] != inode {
                guard name.hasSuffix(".png") else {
                    // Hidden from readers by its name, which also tells whose it was.
                    let words = name.split(separator: "/").last?.split(separator: "-") ?? []
                    #expect(words.count == 3 && words[0] == "vitrine" && name.hasSuffix(".tmp"), "\(name), \(comment)")
                    #expect(hosts.contains(words.dropFirst().first.flatMap { pid_t($0) } ?? 0), "\(name), \(comment)")
                    unfinished.insert(name)
                    continue
                }
                #expect(entries[name] == nil, "\(name) was made again, \(comment)")
                // Decoding it checks every checksum.
                let entry = try PNGFile("\(home.cache)/\(name)")
                #expect(throws: Never.self, "\(name), \(comment)") { try entry.picture() }
                #expect(entry.texts["Thumb::URI"]?.hasPrefix("file://\(home.files)/") == true, "\(comment)")
                #expect(entry.texts["Thumb::MTime"].flatMap { Int($0) } != nil, "\(comment)")
            }
            let lost = Set(entries.keys).subtracting(found.keys)
            #expect(lost == [], "\(comment)")
            entries = found.filter { $0.key.hasSuffix(".png") }
        }
    }

    @Test func nothingHalfDoneIsSeenAndNothingIsMadeTwice() async throws {
        let plugin = try HostilePlugin(seconds: 20)
        let home = try UserHome(plugins: [plugin.folder])
        try Self.fill(home)
        let seed =
            ProcessInfo.processInfo.environment["VITRINE_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        print("moments of the kills: VITRINE_TEST_SEED=\(seed)")
        var moments = Seeded(state: seed)
        var reader = Reader()
        var hosts: Set<pid_t> = []
        var (killed, rounds, abandoned) = (0, 0, 0)
        for number in 0..<Self.kills {
            let program = try home.start("prebuild", "--jobs=2", "--progress=none", home.files)
            hosts.insert(program.pid)
            // Spread over the whole of a run, from the start of the program on.
            let moment = Duration.microseconds(Int64.random(in: 0...400_000, using: &moments))
            killed += program.send(SIGKILL, after: moment) ? 1 : 0
            _ = try await program.finish()
            try reader.look(at: home, hosts: hosts, "kill \(number) after \(moment), seed \(seed)")
            abandoned += reader.unfinished.count
            // When all is made, it begins anew.
            guard reader.entries.count == Self.count else { continue }
            rounds += 1
            try FileManager.default.removeItem(atPath: home.cache + "/thumbnails")
            reader = Reader()
        }
        print("\(killed) killed, \(rounds) rounds completed, \(abandoned) unfinished files seen")
        #expect(killed > Self.kills / 2 && killed > rounds, "the program was hardly ever killed at work, seed \(seed)")

        // What the killed ones left goes with the next run, once it is old enough not to be somebody else's.
        let folder = home.cache + "/thumbnails/large"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let dead = try #require(hosts.first)
        let left = "thumbnails/large/vitrine-\(dead)-1.tmp"
        try Data().write(to: URL(filePath: "\(home.cache)/\(left)"))
        for name in home.cached.keys where name.hasSuffix(".tmp") {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: "\(home.cache)/\(name)")
        }
        let known = home.cached.filter { $0.key.hasSuffix(".png") }
        let last = try await home.run("prebuild", "--jobs=2", "--progress=json", home.files)
        let summary = try last.summary()
        #expect(last.exitCode == 0 && summary.found == Self.count && summary.failed == Self.failing)
        #expect(summary.made + summary.valid == Self.count - Self.failing)
        try reader.look(at: home, hosts: [], "the last run, seed \(seed)")
        #expect(reader.entries.count == Self.count && reader.unfinished == [])
        #expect(reader.entries.filter { known[$0.key] != nil } == known, "made again, seed \(seed)")
        #expect(home.leftovers(of: last.pid) == [])
        // Workers of a killed program see by themselves that it is gone.
        try await Condition.met("no worker is left") {
            hosts.allSatisfy { ProcessTable.processes(inSession: $0).isEmpty }
        }
    }

    private static func fill(_ home: UserHome) throws {
        let picture = try UserHome.fixture("image/rgb-8.png")
        for number in 0..<count {
            switch number % 10 {
            case 0: try home.writeHostile("\(number / 50)/\(number)", "error corrupt no such table")
            case 1...4: try home.writeHostile("\(number / 50)/\(number)", "ok\n\(number)")
            // Each another file: the same content is rendered once.
            default: try home.write("\(number / 50)/\(number).png", picture + Array("\(number)".utf8))
            }
        }
    }
}
