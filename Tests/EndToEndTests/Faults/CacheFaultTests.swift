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
        // Before anything is drawn, and once.
        #expect(try run.items().isEmpty && run.errors.isEmpty, "\(run.errors)")
        let stopped = try #require(try run.summary().stopped)
        #expect(stopped.contains("'\(home.cache)': Read-only file system; make it writable"), "\(stopped)")
        #expect(home.leftovers(of: run.pid) == [])
    }

    @Test(.enabled(if: Ability.mounts, "mounting a file system read-only needs root's rights"))
    func aCacheThatBecomesReadOnlyEndsTheRun() async throws {
        let home = try UserHome()
        for number in 0..<100 {
            try home.write("\(number).jpg", UserHome.fixture("image/plain.jpg") + [UInt8(number)])
        }
        // The list is a pipe, so that the script knows when the first one is made.
        let script = """
            mount --bind "$XDG_CACHE_HOME" "$XDG_CACHE_HOME" || exit 99
            list="$XDG_DATA_HOME/list"; mkfifo "$list" && exec 3<> "$list"
            "$0" prebuild --jobs=1 --progress=json --files-from "$list" 3>&- & run=$!
            echo "$1/0.jpg" >&3
            until ls "$XDG_CACHE_HOME"/thumbnails/large/*.png 2> /dev/null >&2; do kill -0 $run || exit 98; done
            until mount -o remount,bind,ro "$XDG_CACHE_HOME" 2> /dev/null; do kill -0 $run || exit 97; done
            for number in $(seq 99); do echo "$1/$number.jpg" >&3; done
            exec 3>&-
            wait $run
            """
        let run = try await home.run(
            program: ["/usr/bin/unshare", "-m", "/bin/bash", "-c", script, home.program, home.files])
        #expect(run.exitCode == 1, "\(run.errors)")
        let summary = try run.summary()
        #expect(summary.made == 1 && summary.failed == 0, "\(run.text)")
        #expect(summary.stopped?.contains("Read-only file system") == true)
        // What is under way then, and no more.
        #expect(try run.items().count { $0.outcome == "failed" } < 10)
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
        let stopped = try #require(try run.summary().stopped)
        #expect(try run.items().isEmpty && stopped.contains("'\(home.cache)"), "\(stopped)")
        let got = try await home.run("get", home.file("plain.jpg"))
        #expect(got.exitCode == 1 && got.output.isEmpty && got.errors.contains(home.cache))
    }

    @Test func aHomeThatIsNowhere() async throws {
        guard geteuid() == 0 else { return }
        let home = try UserHome()
        let file = try home.copy("image/plain.jpg", as: "plain.jpg")
        let output = home.output + "/picture.png"
        // Nor does the system have a home on record for such a user.
        let nobody = "54321"
        for folder in [home.files, home.output, home.temporary] { chmod(folder, 0o777) }
        let service = [
            "/usr/bin/setpriv", "--reuid=" + nobody, "--regid=" + nobody, "--clear-groups", "/usr/bin/env", "-u",
            "XDG_CACHE_HOME", "-u", "XDG_DATA_HOME", "HOME=elsewhere", home.program,
        ]
        // As in a unit of systemd or a container: who says where the picture belongs needs no place for others.
        for words in [
            ["get", "-o", output, file], ["get", "-o", output, "--size=77", "--json", file],
            ["get", "-o", output, home.files],
        ] {
            let run = try await home.run(program: service + words)
            #expect(run.exitCode == 0 && run.errors.isEmpty, "\(words): \(run.errors)")
            #expect(try PNGFile(output).width > 0)
            try FileManager.default.removeItem(atPath: output)
        }
        let kept = try await home.run(program: service + ["get", file])
        #expect(kept.exitCode == 1 && kept.errors.contains("XDG_CACHE_HOME"), "\(kept.errors)")
        // Nor do those who keep nothing.
        let pdf = try home.copy("pdf/plain.pdf", as: "plain.pdf")
        let text = try await home.run(program: service + ["text", pdf])
        #expect(text.exitCode == 0 && text.text.contains("Vitrine"), "\(text.errors)")
        let explained = try await home.run(program: service + ["explain", pdf])
        #expect(explained.exitCode == 0 && explained.text.contains("rendered by"), "\(explained.errors)")
        for words in [["prebuild", home.files], ["find", "plain"], ["cache", "verify"]] {
            let run = try await home.run(program: service + words)
            #expect(run.exitCode == 1 && run.errors.contains("XDG_CACHE_HOME"), "\(words): \(run.errors)")
        }
    }

    /// As a service has it that is told where its cache belongs, and nothing else.
    @Test func aPlaceForPreviewsAloneIsEnoughForRuns() async throws {
        guard geteuid() == 0 else { return }
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "plain.jpg")
        chmod(home.cache, 0o777)
        for folder in [home.files, home.temporary] { chmod(folder, 0o777) }
        let service = [
            "/usr/bin/setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", "/usr/bin/env", "-u",
            "XDG_DATA_HOME", "HOME=elsewhere", home.program,
        ]
        for words in [["index", home.files], ["prebuild", home.files], ["find", "plain"]] {
            let run = try await home.run(program: service + words)
            #expect(run.exitCode == 0 && run.errors.isEmpty, "\(words): \(run.errors)")
        }
        try home.copy("image/rgb-8.png", as: "other.png")
        let running = try home.start(program: service + ["watch", home.files])
        try await Condition.met("the watch makes a preview") { running.hasEnded || home.previews.count == 2 }
        running.send(SIGTERM)
        let watch = try await running.finish()
        #expect(watch.exitCode == 0 && watch.errors.isEmpty, "\(watch.errors)")
        for words in [["source", "list"], ["prebuild"], ["watch"]] {
            let run = try await home.run(program: service + words)
            #expect(run.exitCode == 1 && run.errors.contains("XDG_DATA_HOME"), "\(words): \(run.errors)")
        }
    }
}
