import Foundation
import TestSupport
import Testing

/// The cache's quota holds while previews are made, not only afterwards.
@Suite struct CacheQuotaTests {
    /// What all entries and unfinished ones take, in blocks of 4 KiB.
    private static func occupied(_ home: UserHome) -> Int {
        let files = FileManager.default.enumerator(atPath: home.cache)?.compactMap { $0 as? String } ?? []
        return files.reduce(0) { sum, name in
            guard name.hasSuffix(".png") || name.hasSuffix(".tmp") else { return sum }
            var status = stat()
            guard lstat(home.cache + "/" + name, &status) == 0 else { return sum }
            return sum + (Int(status.st_size) + 4095) / 4096 * 4096
        }
    }

    /// Stops a program, looks, and lets it go on, so that what is seen was there at one moment.
    private static func sample(_ program: RunningProgram, _ home: UserHome) -> Int? {
        program.send(SIGSTOP)
        defer { program.send(SIGCONT) }
        var info = siginfo_t()
        guard waitid(P_PID, id_t(program.pid), &info, WSTOPPED | WEXITED | WNOWAIT) == 0, info.si_code == CLD_STOPPED
        else { return nil }
        return occupied(home)
    }

    /// Each preview takes 4 KiB.
    @Test(arguments: [("large", 350), ("normal,300", 200)])
    func itHoldsAtEveryMoment(_ sizes: String, _ count: Int) async throws {
        let home = try UserHome()
        try home.configure("[cache]\nsize = 1MiB\n")
        let picture = try UserHome.fixture("image/rgb-8.png")
        for index in 0..<count { try home.write("\(index).png", picture) }
        let program = try home.start("prebuild", "--size", sizes, home.files)
        var samples: [Int] = []
        try await Condition.met("the run has ended", every: .milliseconds(5)) {
            if let bytes = Self.sample(program, home) { samples.append(bytes) }
            return program.hasEnded
        }
        let run = try await program.finish()
        #expect(run.exitCode == 0 && run.text.contains("\(count) made"), "\(run.text)\(run.errors)")
        #expect(run.errors.contains("made room for new ones"))
        samples.append(Self.occupied(home))
        let largest = try #require(samples.max())
        #expect(largest <= (1 << 20) * 101 / 100 && largest > (1 << 20) * 9 / 10, "\(samples.count) samples")
        #expect(samples.count > 5)
        #expect(home.leftovers(of: program.pid).isEmpty)
        // And two at once share the quota.
        let both = try (0..<2).map { _ in try home.start("prebuild", "--force", "--size", sizes, home.files) }
        for program in both { #expect(try await program.finish().exitCode == 0) }
        #expect(Self.occupied(home) <= (1 << 20) * 101 / 100)
    }

    @Test func singlePreviewsKeepToItToo() async throws {
        let home = try UserHome()
        try home.configure("[cache]\nsize = 1MiB\n")
        let picture = try home.copy("image/rgb-8.png", as: "a.png")
        let first = try await home.run("get", picture)
        let entry = first.text.trimmingCharacters(in: .newlines)
        // Nobody needs what somebody else left here, of more than the quota.
        let folder = home.cache + "/thumbnails/large"
        let content = try Data(contentsOf: URL(filePath: entry))
        for index in 0..<400 {
            let name = String(index, radix: 16)
            try content.write(
                to: URL(filePath: "\(folder)/\(String(repeating: "0", count: 32 - name.count))\(name).png"))
        }
        unlink(home.cache + "/vitrine/previews/usage")
        let run = try await home.run("get", "--size", "normal", picture)
        #expect(run.exitCode == 0 && run.errors.isEmpty)
        #expect(Self.occupied(home) <= 1 << 20)
        #expect(FileManager.default.fileExists(atPath: run.text.trimmingCharacters(in: .newlines)))
    }
}
