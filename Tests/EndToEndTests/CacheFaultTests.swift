import Foundation
import TestSupport
import Testing

/// A cache that takes nothing: the run says so, and nothing half-written stays.
@Suite struct CacheFaultTests {
    @Test(.enabled(if: Ability.mounts, "mounting a small file system needs root's rights"))
    func aFullDisk() async throws {
        let home = try UserHome()
        for number in 0..<12 { try home.copy("image/plain.jpg", as: "\(number).jpg") }
        // The file system goes with the shell: what it holds is listed before.
        let script = """
            mount -t tmpfs -o size=64k,mode=700 none "$XDG_CACHE_HOME" || exit 99
            "$0" prebuild --size=x-large --progress=json "$1"; code=$?
            find "$XDG_CACHE_HOME" -type f ! -path "*/previews/usage" ! -path "*/previews/collecting" ! -path "*/catalog.sqlite*" >&2
            exit $code
            """
        let run = try await home.run(
            program: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, home.program, home.files])
        #expect(run.exitCode == 1, "\(run.errors)")
        let summary = try run.summary()
        let failures = try run.items().filter { $0.outcome == "failed" }
        // Nothing is wrong with what did not fit, nor with what is under way then.
        #expect(summary.made > 0 && summary.failed == 0 && summary.made < 12)
        #expect(failures.contains { $0.code == "no-space" && $0.reason?.isEmpty == false })
        #expect(failures.allSatisfy { ["no-space", "cancelled"].contains($0.code) })
        #expect(summary.stopped?.contains("No space left on device") == true)
        let stored = run.errors.split(separator: "\n")
        #expect(stored.count == summary.made && stored.allSatisfy { $0.hasSuffix(".png") }, "\(run.errors)")
        #expect(home.leftovers(of: run.pid) == [])
    }

    @Test(.enabled(if: Ability.mounts, "mounting a small file system needs root's rights"))
    func aRunEndsWithTheRoomAndGoesOnWithIt() async throws {
        let home = try UserHome()
        for number in 0..<400 {
            try home.write(
                "\(number).jpg", UserHome.fixture("image/plain.jpg") + [UInt8(number & 0xFF), UInt8(number >> 8)])
        }
        let script = """
            mount -t tmpfs -o size=16m,mode=700 none "$XDG_CACHE_HOME" || exit 99
            head -c 16000000 /dev/zero > "$XDG_CACHE_HOME/other"
            "$0" prebuild --size=x-large "$1"; code=$?
            rm "$XDG_CACHE_HOME/other"
            "$0" prebuild --size=x-large "$1"
            exit $code
            """
        let run = try await home.run(
            program: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, home.program, home.files])
        #expect(run.exitCode == 1, "\(run.errors)")
        let stops = run.errors.split(separator: "\n")
        #expect(stops.count == 1 && stops[0].contains("the run was stopped"), "\(run.errors)")
        let first = try #require(
            try run.text.firstMatch(of: Regex("Stopped after ([0-9]+) of ([0-9]+) files: ([0-9]+) made")))
        func number(_ group: Int) -> Int? { first[group].substring.flatMap { Int($0) } }
        let (done, found, count) = (
            try #require(number(1)), try #require(number(2)), try #require(number(3))
        )
        // The walk ends with the run, perhaps before it found all.
        #expect(done == count && count > 0 && count < 400 && found >= count && found <= 400)
        // What was made is still there, and the rest is done now.
        #expect(run.text.contains("\(400 - count) made, \(count) valid, 0 failed"), "\(run.text)")
    }

    @Test(.enabled(if: Ability.mounts, "mounting a small file system needs root's rights"))
    func whatIsOnlyAskedIsAnsweredOnAFullDisk() async throws {
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "plain.jpg")
        #expect(try await home.run("source", "add", home.files, "--name", "pictures").exitCode == 0)
        let script = """
            mount -t tmpfs -o size=4m,mode=700 none "$XDG_CACHE_HOME" || exit 99
            "$0" prebuild --progress=none pictures || exit 98
            head -c 8000000 /dev/zero > "$XDG_CACHE_HOME/other" 2> /dev/null
            "$0" find plain && "$0" changes && "$0" source list && "$0" cache stats && "$0" cache gc
            """
        let run = try await home.run(
            program: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, home.program])
        #expect(run.exitCode == 0, "\(run.errors)")
        for word in ["plain.jpg", "version ", "complete", "Own store", "Deleted 0"] {
            #expect(run.text.contains(word), "\(word): \(run.text)")
        }
        #expect(run.errors.isEmpty, "\(run.errors)")
    }

    @Test(.enabled(if: Ability.mounts, "mounting a read-only file system needs root's rights"))
    func aReadOnlyFileSystem() async throws {
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "plain.jpg")
        try home.copy("pdf/zero-pages.pdf", as: "zero-pages.pdf")
        let script = """
            mount -t tmpfs -o ro none "$XDG_CACHE_HOME" || exit 99
            exec "$0" prebuild --size=large,300 --progress=json "$1"
            """
        let run = try await home.run(
            program: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, home.program, home.files])
        #expect(run.exitCode == 1, "\(run.errors)")
        #expect(Set(try run.items().map(\.result)) == ["forbidden", "empty"])
        #expect(run.errors.contains("for the catalog cannot be made: Read-only file system"), "\(run.errors)")
        #expect(home.leftovers(of: run.pid) == [])
    }

    @Test(.enabled(if: Ability.mounts, "mounting a small file system needs root's rights"))
    func aDiskWithoutRoomForAnything() async throws {
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "plain.jpg")
        let script = """
            mount -t tmpfs -o size=4k,mode=700 none "$XDG_CACHE_HOME" || exit 99
            exec "$0" prebuild --progress=json "$1"
            """
        let run = try await home.run(
            program: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, home.program, home.files])
        #expect(run.exitCode == 1, "\(run.errors)")
        let item = try #require(try run.items().first)
        #expect(
            item.code == "no-space" && item.reason?.contains("No space left on device") == true, "\(item.reason ?? "")")
        #expect(try run.summary().failed == 0 && run.summary().stopped == item.reason)
    }

    @Test func aPictureThatIsWrittenElsewhereNeedsNoCache() async throws {
        let home = try UserHome()
        let file = try home.copy("image/plain.jpg", as: "a/plain.jpg")
        try FileManager.default.removeItem(atPath: home.cache)
        try Data().write(to: URL(filePath: home.cache))
        for words in [[file], [file, "--page", "1", "--size", "64"], [file, "--crop", "center"], [home.file("a")]] {
            let output = home.path + "/picture.png"
            let run = try await home.run(bytes: (["get", "-o", output] + words).map { Array($0.utf8) })
            #expect(run.exitCode == 0 && run.errors.isEmpty, "\(words): \(run.errors)")
            #expect(try PNGFile(output).width > 0)
            try FileManager.default.removeItem(atPath: output)
        }
    }

    @Test(.enabled(if: OddFileSystem.isPossible, "a file system of its own needs root's rights and /dev/fuse"))
    func aFileSystemThatCannotRename() async throws {
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "plain.jpg")
        try home.copy("pdf/zero-pages.pdf", as: "zero-pages.pdf")
        let script = """
            "$0" prebuild --size=large,300 --progress=json "$1"; code=$?
            find "$XDG_CACHE_HOME" -type f ! -path "*/previews/usage" ! -path "*/previews/collecting" ! -path "*/catalog.sqlite*" >&2
            exit $code
            """
        let words = ["/bin/sh", "-c", script, home.program, home.files]
        let run = try await home.run(program: OddFileSystem.words(.withoutRename, at: home.cache) + words)
        #expect(run.exitCode == 1)
        #expect(Set(try run.items().map(\.result)) == ["forbidden", "empty"])
        // Files were made there, and taken away again.
        #expect(run.errors == "", "unfinished files were left")
        #expect(home.leftovers(of: run.pid) == [])
    }

    @Test func aCacheThatIsAFile() async throws {
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "plain.jpg")
        try FileManager.default.removeItem(atPath: home.cache)
        try Data().write(to: URL(filePath: home.cache))
        let run = try await home.run("prebuild", "--progress=json", home.files)
        #expect(run.exitCode == 1)
        let item = try #require(try run.items().first)
        #expect(item.outcome == "failed" && item.reason?.contains(home.cache) == true, "\(item.reason ?? "")")
        let got = try await home.run("get", home.file("plain.jpg"))
        #expect(got.exitCode == 1 && got.output.isEmpty && got.errors.contains(home.cache))
    }

    @Test func aHomeThatIsNowhere() async throws {
        let home = try UserHome()
        let words = ["/usr/bin/env", "-u", "XDG_CACHE_HOME", "HOME=elsewhere", home.program, "prebuild", home.files]
        let run = try await home.run(program: words)
        #expect([1, 2].contains(run.exitCode))
        #expect(run.errors.contains("XDG_CACHE_HOME"))
    }
}
