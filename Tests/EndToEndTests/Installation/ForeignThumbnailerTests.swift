import Foundation
import TestSupport
import Testing
import VitrineTesting

/// Thumbnailers of other projects: real programs in a real containment.
@Suite(.enabled(if: Ability.isolates, "programs are started in a PID namespace only"))
struct ForeignThumbnailerTests {
    /// A home in which a script makes the thumbnails of `*.vtx`.
    private func home(
        _ script: String, types: String = "application/x-vitrine-test", settings: String = "", prefix: [String] = []
    )
        async throws -> (UserHome, file: String)
    {
        let home = try UserHome(prefix: prefix)
        let data = home.path + "/data"
        let program = home.path + "/maker"
        func write(_ path: String, _ text: String, mode: Int = 0o644) throws {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        try write(program, "#!/bin/sh\n\(script)\n", mode: 0o755)
        try write(
            data + "/thumbnailers/maker.thumbnailer",
            "[Thumbnailer Entry]\nTryExec=\(program)\nExec=\(program) %i %o %s %u\nMimeType=\(types);\n")
        try write(
            data + "/mime/packages/test.xml",
            """
            <mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
            <mime-type type="application/x-vitrine-test"><glob pattern="*.vtx"/></mime-type></mime-info>
            """)
        #expect(try await home.run(program: ["/usr/bin/update-mime-database", data + "/mime"]).exitCode == 0)
        if !settings.isEmpty { try home.configure(settings) }
        return (home, try home.write("a.vtx", Array("drawn by nobody else\0".utf8)))
    }

    @Test func aProgramDrawsWhatNoRendererDoes() async throws {
        // What is handed over is the content, under a name of its own with the same ending.
        let script = """
            test "$(cat "$1")" = "drawn by nobody else" && test "${1##*/}" = input.vtx && test "$3" = 256 || exit 9
            test "${4##*/}" = input.vtx && test "$(pwd)" = "$HOME" && test -z "$DISPLAY$DBUS_SESSION_BUS_ADDRESS" || exit 8
            exec /usr/bin/python3 -c "\(Self.pngMaker)" "$2" 400 200
            """
        let (home, file) = try await home(script)
        let run = try await home.run("get", file)
        #expect(run.exitCode == 0, "\(run.errors)")
        let path = try #require(run.text.split(separator: "\n").first.map(String.init))
        // It made more pixels than it was asked for.
        #expect(try PNGFile(path).longerSide == 256)
        let bytes = try Data(contentsOf: URL(filePath: path))
        #expect(bytes.range(of: Data("Thumb::URI\0file://\(file)".utf8)) != nil)
        #expect(bytes.range(of: Data("lies".utf8)) == nil)
        #expect(try await home.run("explain", file).text.contains("rendered by foreign.maker"))
        #expect(try await home.run("plugins").text.contains("foreign.maker"))
    }

    /// Writes a PNG with a key that claims to be of another file.
    private static let pngMaker = """
        import sys,zlib,struct
        def c(t,d): return struct.pack('>I',len(d))+t+d+struct.pack('>I',zlib.crc32(t+d))
        w,h=int(sys.argv[2]),int(sys.argv[3])
        open(sys.argv[1],'wb').write(bytes([137])+b'PNG'+bytes([13,10,26,10])+c(b'IHDR',struct.pack('>IIBBBBB',w,h,8,2,0,0,0))
        +c(b'tEXt',b'Thumb::URI'+bytes(1)+b'file:///lies')+c(b'IDAT',zlib.compress((bytes(1)+bytes([200,30,30])*w)*h))+c(b'IEND',b''))
        """

    @Test(arguments: [
        ("exit 7", "makes no picture of it (exit status 7)"), ("kill -SEGV $$", "ended by signal 11 on it"),
        ("true", "and yet made no picture"), ("head -c 5000 /dev/urandom > \"$2\"", "is no PNG file"),
        (": > \"$2\"", "is no PNG file"), ("ln -s /etc/passwd \"$2\"", "makes no picture of it"),
        ("mkfifo \"$2\"", "makes no picture of it"),
    ])
    func whatItMakesIsChecked(_ script: String, _ sentence: String) async throws {
        let (home, file) = try await home(script)
        let run = try await home.run("get", file)
        #expect(run.exitCode == 1 && run.output.isEmpty)
        #expect(run.errors.contains(sentence), "\(run.errors)")
        // It would be the same tomorrow.
        #expect(try await home.run("prebuild", home.files).errors.contains("known from an earlier run"))
    }

    @Test func itReachesNothingOutside() async throws {
        let (home, file) = try await home(
            """
            cat '\(Products.fixtures.path)/PROVENANCE.md' && exit 20
            cat /etc/passwd && exit 21
            touch "$(dirname "$0")/data/pwned" && exit 22
            chmod 600 "$0" && exit 23
            kill -0 $PPID 2>&- && test $PPID -gt 1 && exit 24
            /usr/bin/python3 -c 'import socket; socket.socket()' && exit 25
            test -e /proc/self/fd/3 && exit 26
            ln "$0" mine && exit 27
            exit 5
            """)
        let run = try await home.run("get", file)
        #expect(run.errors.contains("(exit status 5)"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: home.path + "/data/pwned"))
    }

    @Test(arguments: [
        "exec tail -f /dev/null",
        "(setsid tail -f /dev/null &); (setsid tail -f /dev/null &); exec tail -f /dev/null",
    ])
    func whatDoesNotEndIsEndedWithAllThatItStarted(_ script: String) async throws {
        let (home, file) = try await home(script, settings: "[plugin foreign.maker]\nseconds = 1s\n")
        let rows = try await home.run("config").text.split(separator: "\n").filter {
            $0.hasPrefix("plugin foreign.maker ")
        }
        #expect(rows.contains { $0.contains(" seconds ") && $0.contains(" 1s ") && $0.hasSuffix(" file") }, "\(rows)")
        #expect(rows.contains { $0.contains(" input ") && $0.contains(" 256MiB ") && $0.hasSuffix(" default") })
        let run = try await home.run("get", file)
        #expect(run.exitCode == 1 && run.errors.contains("did not finish within 1 s"), "\(run.errors)")
        try await Condition.met("all that it started ends") { try !Self.isAnybody(in: home.temporary) }
    }

    @Test func aForkBombHurtsItselfOnly() async throws {
        let (home, file) = try await home(
            "f() { f | f & }; f; wait", settings: "[plugin foreign.maker]\nseconds = 2s\n")
        let run = try await home.run("get", file)
        #expect(run.exitCode == 1, "\(run.errors)")
        try await Condition.met("all that it started ends") { try !Self.isAnybody(in: home.temporary) }
    }

    @Test func whatItLeavesRunningEndsWithTheItem() async throws {
        let (home, file) = try await home("(setsid tail -f /dev/null &) ; exit 4")
        let run = try await home.run("get", file)
        #expect(run.errors.contains("(exit status 4)"), "\(run.errors)")
        try await Condition.met("all that it started ends") { try !Self.isAnybody(in: home.temporary) }
    }

    @Test func aFileThatItsRendererRefusesGoesToNobodyElse() async throws {
        let (home, _) = try await home("exit 3", types: "application/pdf")
        for name in ["plain.pdf", "zero-pages.pdf"] { try home.copy("pdf/\(name)", as: name) }
        let run = try await home.run("prebuild", home.files)
        #expect(
            run.errors.contains("the PDF document has no pages") && !run.errors.contains("exit status"), "\(run.errors)"
        )
        // Where the renderers are absent, it is asked.
        try home.configure("[plugin pdfium]\nenabled = false\n[plugin pdf]\nenabled = false\n")
        let other = try await home.run("get", home.file("zero-pages.pdf"), "--force")
        #expect(other.errors.contains("(exit status 3)"), "\(other.errors)")
    }

    @Test func whereTheContainmentCannotBeHadTheyAreNotStarted() async throws {
        let prefix = try Surroundings.withoutNamespaces.prefix()
        let (home, file) = try await home("touch \"$2\"; exit 3", prefix: prefix)
        let run = try await home.run("get", file)
        #expect(run.exitCode == 1 && run.errors.contains("no plugin renders files of type"), "\(run.errors)")
        #expect(run.errors.contains("started in a full containment only") && run.errors.contains("namespaces"))
        let all = try await home.run("prebuild", home.files, "--progress", "json")
        #expect(try all.summary().failed == 0 && all.summary().skipped == 1, "\(all.text)")
        let doctor = try await home.run("doctor")
        #expect(doctor.text.contains("not used: it is started in a full containment only"), "\(doctor.text)")
    }

    @Test func theyCanBeSwitchedOff() async throws {
        let (home, file) = try await home("exit 3", settings: "[foreign-thumbnailers]\nenabled = false\n")
        let run = try await home.run("get", file)
        #expect(run.errors.contains("no plugin renders files of type application/x-vitrine-test"), "\(run.errors)")
        #expect(try await !home.run("plugins").text.contains("foreign."))
    }

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/share/thumbnailers/gdk-pixbuf-thumbnailer.thumbnailer")))
    func theOneOfTheDesktopWorks() async throws {
        let home = try UserHome()
        try home.configure("[plugin image]\nenabled = false\n[plugin jpeg]\nenabled = false\n")
        for name in ["rgb-8.png", "plain.jpg"] {
            let run = try await home.run("get", try home.copy("image/\(name)", as: name), "--size", "64")
            #expect(run.exitCode == 0, "\(run.errors)")
            let path = try #require(run.text.split(separator: "\n").first.map(String.init))
            #expect(QuadrantCheck(try PNGFile(path).picture()).arrangement == .upright)
        }
    }

    /// Whether a process works in a folder; all that a thumbnailer starts begins in the one of its item.
    private static func isAnybody(in folder: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").contains { name in
            guard pid_t(name) != nil else { return false }
            let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/cwd")
            return place?.hasPrefix(folder) == true
        }
    }
}
