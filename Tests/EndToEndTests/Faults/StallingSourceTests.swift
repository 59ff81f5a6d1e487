import Foundation
import TestSupport
import Testing

/// Files and folders that never answer, as on a server that is gone.
@Suite(.enabled(if: OddFileSystem.isPossible, "a file system of its own needs root's rights and /dev/fuse"))
struct StallingSourceTests {
    /// Starts a run over a file system on which some things stall.
    /// - Parameter seconds: how long the storage may take for an answer.
    private func start(_ home: UserHome, seconds: Int) throws -> RunningProgram {
        try home.copy("image/rgb-8.png", as: "a.png")
        try home.copy("image/rgb-8.png", as: "b-stall.png")
        // Its head can be read, so that it is the worker that waits.
        try home.write("c-late.pdf", Array("%PDF-1.4\n".utf8) + [UInt8](repeating: 0x20, count: 1 << 20))
        try home.copy("image/rgb-8.png", as: "d-stalled-folder/never-seen.png")
        try home.copy("image/rgb-8.png", as: "z/z.png")
        try home.configure(
            "[plugin local]\nseconds = \(seconds)s\n[plugin pdf]\nseconds = 1s\n[plugin pdfium]\nseconds = 1s\n")
        // With force, nothing but the worker reads further than the head.
        let words = [home.program, "prebuild", "--force", "--jobs=2", "--progress=json", home.files]
        return try home.start(program: OddFileSystem.words(.stalling, at: home.files) + words)
    }

    @Test func theRunGoesOnWithTheRest() async throws {
        let home = try UserHome()
        let run = try await start(home, seconds: 10).finish()
        #expect(run.exitCode == 0, "\(run.errors)")
        let results = Dictionary(
            try run.items().map { ($0.uri.replacing("file://\(home.files)/", with: ""), $0) }
        ) { first, _ in first }
        let expected = [
            "a.png": "made", "b-stall.png": "offline", "c-late.pdf": "timeout", "d-stalled-folder": "offline",
            "z/z.png": "made",
        ]
        #expect(results.mapValues(\.result) == expected)
        #expect(results["b-stall.png"]?.reason?.contains("did not answer within 10.0 s") == true)
        // The storage may be well next time.
        #expect(home.previews.count == 2 && home.cached.keys.count { $0.contains("b-stall") } == 0)
        #expect(home.leftovers(of: run.pid) == [])
    }

    @Test func anInterruptionEndsIt() async throws {
        let home = try UserHome()
        let running = try start(home, seconds: 3600)
        try await Condition.met("what can be made is made") { home.previews.count == 1 }
        let ending = running.ending(after: SIGINT)
        #expect(ending.idle < .seconds(1) && ending.computed < .seconds(3), "\(ending)")
        let run = try await running.finish()
        #expect(run.exitCode == 130)
        let summary = try run.summary()
        #expect(summary.interrupted && summary.made == 1)
        #expect(home.leftovers(of: run.pid) == [])
    }
}
