import Foundation
import TestServers
import Testing

/// Sources, collections, notes and favourites are read where nothing can be written.
@Suite(.enabled(if: Ability.mounts, "mounting a file system read-only needs root's rights"))
struct ReadOnlyLibraryTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    private var library: String { home.path + "/data/vitrine/library.sqlite" }

    /// Runs the program while nothing can be written to the folder of its data.
    private func ask(_ words: [String]) async throws -> FinishedRun { try await run([home.program] + words) }

    private func run(_ words: [String]) async throws -> FinishedRun {
        try await home.run(withoutWritingTo: "XDG_DATA_HOME", words)
    }

    private func fill() async throws {
        let file = try home.copy("image/plain.jpg", as: "plain.jpg")
        for words in [
            ["source", "add", home.files, "--name", "pictures"], ["collection", "create", "Taxes"],
            ["collection", "add", "Taxes", file], ["note", "add", file, "--title", "A title", "--text", "words"],
            ["favorite", "add", file],
        ] {
            let run = try await home.run(bytes: words.map { Array($0.utf8) })
            #expect(run.exitCode == 0, "\(words): \(run.errors)")
        }
    }

    @Test func isReadAsItWasLeftAndNotChanged() async throws {
        try await fill()
        // A backup that is due is none where it cannot be written.
        utimes(library + ".backup", [timeval(), timeval()])
        try #require(!FileManager.default.fileExists(atPath: library + "-wal"))
        let asked = [
            (["source", "list"], "pictures"), (["collection", "list"], "Taxes"),
            (["collection", "show", "Taxes"], "plain.jpg"), (["note", "list"], "A title"),
            (["note", "search", "words"], "A title"), (["favorite", "list"], "plain.jpg"),
            (["library", "check"], "sound"), (["index", "pictures"], "new"), (["prebuild"], "1 made"),
        ]
        for (words, answer) in asked {
            let run = try await ask(words)
            #expect(run.exitCode == 0 && run.errors.isEmpty, "\(words): \(run.errors)")
            #expect(run.text.contains(answer), "\(words): \(run.text)")
        }
        let change = try await ask(["collection", "create", "Other"])
        #expect(change.exitCode == 1 && change.errors.contains("library.sqlite' can only be read"), "\(change.errors)")
        #expect(try await home.run("collection", "list").text.contains("Other") == false)
    }

    @Test func nothingIsDoneInVainBeforeAChangeIsRefused() async throws {
        try await fill()
        let refusal = "library.sqlite' can only be read"
        for number in 0..<3 {
            try home.write("mail/new/\(number).host", MailSample.message(subject: "[Taxes] Number \(number)"))
        }
        for part in ["cur", "tmp"] { try home.write("mail/\(part)/.keep", []) }
        let mail = "maildir://" + home.file("mail")
        try home.configure("[source \(mail)]\nknown-senders = alice@example.org\n")
        let filing = try await ask(["index", mail])
        #expect((filing.text + filing.errors).components(separatedBy: refusal).count == 2, "\(filing.errors)")
        let file = try home.copy("image/plain.jpg", as: "other.jpg")
        let copy = try await ask(["collection", "add", "Taxes", file, "--copy"])
        #expect(copy.exitCode == 1 && copy.errors.contains(refusal), "\(copy.errors)")
        let editor = try home.write("editor", Array(": > '\(home.file("written"))'\n".utf8))
        for words in ["add \(file)", "edit 1"] {
            let note = try await run([
                "/usr/bin/env", "EDITOR=/bin/sh \(editor)", "/usr/bin/script", "-qec", "\(home.program) note \(words)",
                "/dev/null",
            ])
            #expect(note.exitCode == 1 && note.text.contains(refusal), "\(note.text)")
        }
        #expect(!FileManager.default.fileExists(atPath: home.file("written")))
    }

    @Test func onAFullDiskThatIsWhatIsSaid() async throws {
        let script = """
            mount -t tmpfs -o size=64k none "$XDG_DATA_HOME" || exit 99
            head -c 1M /dev/zero > "$XDG_DATA_HOME/all" 2> /dev/null
            "$0" collection create Taxes; [ -f "$XDG_DATA_HOME/vitrine/library.sqlite" ] || exit 98
            "$0" source list; "$0" prebuild "$1"
            mount -o remount,ro "$XDG_DATA_HOME" || exit 97
            "$0" collection list; "$0" prebuild "$1"; "$0" source add "$1"
            """
        let run = try await home.run(program: [
            "/usr/bin/unshare", "-m", "/bin/sh", "-c", script, home.program, home.files,
        ])
        let lines = run.errors.split(separator: "\n")
        #expect(run.exitCode == 1 && lines.count == 4, "\(run.errors)")
        for line in [lines.first, lines.last] {
            #expect(line?.contains("there is no library yet, and none can be made: ") == true, "\(run.errors)")
        }
        #expect(lines.first?.contains(/full|space/) == true, "\(run.errors)")
        #expect(lines.dropFirst().first?.hasPrefix("no source is registered") == true, "\(run.errors)")
        #expect(lines.dropFirst(2).first?.hasPrefix("there is no collection") == true, "\(run.errors)")
    }

    @Test func isNotTakenForNoneByWhoMayNotLook() async throws {
        try await fill()
        chmod(home.path + "/data", 0o700)
        let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", home.program]
        let run = try await home.run(program: nobody + ["collection", "list"])
        #expect(run.exitCode == 1 && run.errors.contains("'\(home.path)/data/vitrine': Permission"), "\(run.errors)")
    }

    @Test func whatCannotBeReadThereIsSaid() async throws {
        for (what, answer) in [
            ("source", "no source is registered"), ("collection", "there is no collection"),
            ("note", "there is no note; 'vitrine note add FILE'"), ("favorite", "there is no favorite"),
        ] {
            let none = try await ask([what, "list"])
            #expect(none.exitCode == 0 && none.errors.hasPrefix(answer), "\(none.errors)")
        }
        let none = try await ask(["source", "add", home.files])
        #expect(none.exitCode == 1 && none.errors.contains("there is no library yet"), "\(none.errors)")
        #expect(none.errors.contains("XDG_DATA_HOME"), "\(none.errors)")
        try await fill()
        // As a process leaves it that was killed, and without what says where what is.
        try await home.killWriter(of: library, after: "UPDATE state SET version = version + 1")
        #expect(try await ask(["collection", "list"]).text.contains("Taxes"))
        try FileManager.default.removeItem(atPath: library + "-shm")
        let log = try await ask(["collection", "list"])
        #expect(log.exitCode == 1 && log.errors.contains("library.sqlite-wal"), "\(log.errors)")
    }
}
