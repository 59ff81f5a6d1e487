import Foundation
import TestSupport
import Testing

/// Files that root's workers are refused although they get them open, as on what sshfs mounted for root.
@Suite(.enabled(if: OddFileSystem.isPossible, "a file system of its own needs root's rights and /dev/fuse"))
struct PrivateMountTests {
    /// Runs commands of a shell, in which `$0` is the program and `$1` the folder where the file system is mounted.
    private func run(_ home: UserHome, _ script: String) async throws -> FinishedRun {
        let words = ["/bin/sh", "-c", script, home.program, home.files]
        return try await home.run(program: OddFileSystem.words(.ofRootAlone, at: home.files) + words)
    }

    @Test func workersGetWhatTheyAskForAndNothingIsKept() async throws {
        let home = try UserHome()
        for name in ["image/plain.jpg", "pdf/plain.pdf", "video/h264.mp4", "archive/project.tar.gz"] {
            try home.copy(name, as: String(name.drop { $0 != "/" }.dropFirst()))
        }
        // More than comes with the first request.
        let line = Array("What is written in a file of more than a block.\n".utf8)
        try home.write("large.txt", Array(repeatElement(line, count: 20_000).joined()))
        let prebuilt = try await run(home, "exec \"$0\" prebuild --progress=json \"$1\"")
        #expect(prebuilt.exitCode == 0, "\(prebuilt.errors)")
        let items = try prebuilt.items()
        #expect(items.count == 5 && items.allSatisfy { $0.result == "made" }, "\(items)")
        // These are files of this machine.
        #expect(prebuilt.text.split(separator: "\n").count { $0.contains("bytesRead") } == 1, "\(prebuilt.text)")
        let kept = home.cached.keys.filter { $0.hasPrefix("vitrine/blocks/") }
        #expect(kept.isEmpty, "\(kept)")
    }

    @Test func singleFilesTextsAndArchives() async throws {
        let home = try UserHome()
        try home.copy("pdf/plain.pdf", as: "plain.pdf")
        try home.copy("archive/album.zip", as: "album.zip")
        try home.write("note.txt", Array("A word that is found again.\n".utf8))
        let script = """
            set -e
            "$0" get "$1/plain.pdf" -o \(home.output)/page.png
            "$0" get "archive:$1/album.zip!/Album/10.png" -o \(home.output)/member.png
            "$0" text "$1/note.txt"
            "$0" explain "$1/plain.pdf"
            """
        let run = try await run(home, script)
        #expect(run.exitCode == 0, "\(run.text) \(run.errors)")
        #expect(run.text.contains("A word that is found again."))
        for name in ["page.png", "member.png"] { #expect(try PNGFile("\(home.output)/\(name)").width > 0, "\(name)") }
    }
}
