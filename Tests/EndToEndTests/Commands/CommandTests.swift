import Foundation
import TestSupport
import Testing
import VitrineTesting

/// `vitrine explain`, `plugins`, `version` and `help`
@Suite struct CommandTests {
    /// Rows of `explain`: what follows each label.
    private func rows(_ run: FinishedRun) -> [String: String] {
        let pairs = run.text.split(separator: "\n").map { line in
            (String(line.prefix { $0 != " " }), line.drop { $0 != " " }.trimmingCharacters(in: .whitespaces))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    @Test func explainTellsTheWayOfAGoodFile() async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/three-pages.pdf", as: "wrong-name.jpg")
        let before = rows(try await home.run("explain", file))
        #expect(before["file"] == file && before["uri"] == "file://" + file)
        #expect(before["type"]?.hasPrefix("application/pdf, by ") == true)
        #expect(before["renderer"]?.hasPrefix("pdfium ") == true && before["renderer"]?.contains("priority") == true)
        #expect(before["cache"] == "large: absent" && before["result"] == "rendered by pdfium")
        #expect(before["pages"] == "3" && before["page"]?.hasSuffix(" mm") == true)
        let stages = ["lookup", "sniff", "wait", "worker start", "render", "scale and encode", "store"]
        for stage in stages { #expect(before["time"]?.contains(stage + " ") == true, "\(stage)") }
        #expect(home.cached.isEmpty)
        _ = try await home.run("get", file)
        #expect(rows(try await home.run("explain", file))["cache"]?.hasPrefix("large: valid, \(home.cache)/") == true)
        try home.copy("pdf/plain.pdf", as: "wrong-name.jpg")
        #expect(rows(try await home.run("explain", file))["cache"]?.hasPrefix("large: out of date, ") == true)
    }

    @Test func explainTellsWhyAFileFails() async throws {
        let home = try UserHome()
        let locked = try home.copy("pdf/user-password.pdf", as: "locked.pdf")
        let first = try await home.run("explain", locked)
        #expect(rows(first)["result"]?.hasPrefix("failed (encrypted): ") == true, "\(first.text)")
        #expect(home.cached.isEmpty)
        _ = try await home.run("prebuild", locked)
        #expect(try await home.run("explain", locked).text.contains("failure of an earlier run, by pdfium "))
        // Who was asked besides, and why it drew nothing either; whose reason is the result's is named once.
        let cut = rows(try await home.run("explain", home.copy("bad/truncated.pdf", as: "cut.pdf")))
        #expect(
            cut["refused"]?.hasPrefix("pdf (corrupt): ") == true
                && cut["result"]?.hasPrefix("failed (corrupt): ") == true)

        let unknown = try home.write("unknown.xyz", [1, 2, 3, 0, 255])
        let second = rows(try await home.run("explain", unknown))
        #expect(second["renderer"] == "none: no plugin serves this type")
        #expect(second["result"]?.hasPrefix("skipped (unsupported): ") == true)
        let text = try home.write("text.txt", Array("words\n".utf8))
        try home.configure("[plugin text]\nenabled = false\n")
        let third = rows(try await home.run("explain", text))
        #expect(third["renderer"] == "none: plugin 'text' would draw it, but is switched off in the settings")
        let off = "plugin 'text' renders files of type text/plain, but is switched off by 'enabled' in [plugin text]"
        #expect(third["result"]?.hasPrefix("skipped (unsupported): \(off)") == true, "\(third)")
        try home.configure("")
        let empty = try await home.run("explain", home.write("empty.pdf", []))
        #expect(rows(empty)["renderer"] == "none: the file is empty")
        // Its name promises nothing.
        let nothing = rows(try await home.run("explain", home.write("empty.xyz", [])))
        #expect(nothing["renderer"] == "none: the file is empty")
        #expect(nothing["result"] == "skipped (empty): the file is empty")
        let missing = try await home.run("explain", home.file("missing"))
        #expect(missing.exitCode == 1 && missing.errors.contains(home.file("missing")))
        let folder = try await home.run("explain", home.files)
        #expect(folder.exitCode == 1 && folder.output.isEmpty)
        #expect(folder.errors.contains("'\(home.files)': it is a folder, not a regular file"), "\(folder.errors)")
        #expect(
            try await home.run("explain", "/dev/null").errors.contains("'/dev/null': it is a pipe, socket or device"))
        #expect(try await home.run("explain", "/").exitCode != 0)
    }

    @Test func explainWritesNoControlCharacters() async throws {
        let home = try UserHome()
        let name = Array("\u{1B}[2Jname\u{202E}\n.pdf".utf8)
        try OddFiles(in: home.files).file(name, content: UserHome.fixture("pdf/plain.pdf"))
        let run = try await home.run(bytes: [Array("explain".utf8), Array("\(home.files)/".utf8) + name])
        #expect(run.exitCode == 0)
        #expect(
            run.text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 32 && $0 != "\u{202E}") }, "\(run.text)")
    }

    @Test func everyPluginIsListed() async throws {
        let home = try UserHome()
        let run = try await home.run("plugins")
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
        let lines = run.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.first == ["id", "version", "kind", "state", "path"])
        for (id, kind) in [("local", "backend"), ("pdf", "renderer"), ("image", "renderer"), ("video", "renderer")] {
            let line = try #require(lines.first { $0.first == id }, "\(id)")
            #expect(line[2] == kind && line[3] == "ready" && line[4].hasPrefix(Products.checkout.path), "\(line)")
        }
        #expect(try await home.run("plugins", "list").text == run.text)
    }

    @Test func anInstalledPluginIsCheckedByItsID() async throws {
        let home = try UserHome()
        let run = try await home.run("plugins", "check", "local")
        #expect(
            run.text.contains("✓ local") && run.text.contains("makes backends for file:"), "\(run.text)\(run.errors)")
        let mistyped = try await home.run("plugins", "check", "locla")
        #expect(mistyped.exitCode == 1 && mistyped.errors.contains("(did you mean 'local'?)"), "\(mistyped.errors)")
        // What is there goes before what is installed.
        let folder = try await home.run(program: [
            "/bin/sh", "-c", "cd '\(home.files)' && mkdir local && exec '\(home.program)' plugins check local",
        ])
        #expect(folder.exitCode == 1 && folder.text.contains("no plugin.json in it"), "\(folder.text)\(folder.errors)")
    }

    @Test(arguments: [40, 60, 200]) func tablesFitIntoATerminal(columns: Int) async throws {
        let home = try UserHome()
        let name = "日本語の長い名前 e\u{301}\u{308}"
        for (name, folder) in [(name, "folder"), ("short", "other")] {
            #expect(try await home.run("source", "add", home.file(folder), "--name", name).exitCode == 0)
        }
        func lines(_ words: String) async throws -> [String] {
            let run = try await home.run(program: [
                "/usr/bin/script", "-qec", "stty cols \(columns); '\(home.program)' \(words)", "/dev/null",
            ])
            return run.text.split(whereSeparator: \.isNewline).map(String.init)
        }
        // A path stays whole.
        try home.copy("office/vitrine.odt", as: "mine/letter.odt")
        try home.copy("image/plain.jpg", as: "mine/plain.jpg")
        // Of bars only the last line would be one.
        let run = "prebuild '\(home.file("mine"))' 2>/dev/null"
        let shown = ["config show", "plugins", "source list", run, "cache stats"]
        for words in shown {
            let lines = try await lines(words)
            let long = lines.filter { $0.unicodeScalars.count > columns && !$0.contains("/") }
            #expect(lines.count > 2 && long.isEmpty, "\(words): \(long)")
            #expect(!lines.contains { $0.allSatisfy { $0 == " " } }, "\(words)")
            #expect(lines.allSatisfy { $0.last != " " || columns < 200 }, "\(words)")
        }
        let sources = try await lines("source list")
        #expect(sources.filter { $0.contains(home.file("folder")) }.count == 1)
        #expect(sources.contains { $0.hasPrefix(name) } && sources.contains { $0.hasSuffix("never indexed") })
        #expect((sources.count == 3) == (columns == 200), "\(sources)")
    }

    @Test func theBarOfANarrowTerminalHoldsWholeNumbers() async throws {
        let home = try UserHome()
        let picture = try UserHome.fixture("image/rgb-8.png")
        for number in 100..<250 { try home.write("\(number).png", picture + Array("\(number)".utf8)) }
        let run = try await home.run(program: [
            "/usr/bin/script", "-qec", "stty cols 20; '\(home.program)' prebuild '\(home.files)'", "/dev/null",
        ])
        // Behind the last one, which is empty, stands what the run ends with.
        let drawn = run.text.split(separator: "\r\u{1B}[K").dropFirst().dropLast().map { $0.prefix { !$0.isNewline } }
        let wanted = /(\d+ done(  \d+ found so far)?|\d+\/150(  \d+ %)?(  [\d.]+\/s)?(  [\d.]+ (s|min) left)?)?(  \S+)?/
        let other = drawn.filter { (try? wanted.wholeMatch(in: $0)) == nil || $0.count > 18 }
        #expect(drawn.contains { $0.contains("/150") } && other.isEmpty, "\(other)")
    }

    @Test func aBrokenPluginIsRefusedAndTheRestWorks() async throws {
        let plugins = try ScratchFolder("plugins")
        func write(_ name: String, _ manifest: String) throws {
            let folder = URL(filePath: plugins.path).appending(path: name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try Data(manifest.utf8).write(to: folder.appending(path: "plugin.json"))
        }
        func manifest(_ id: String, abi: Int = 1, library: String = "libPDFRenderer.so") -> String {
            """
            {"id": "\(id)", "version": "1.0.0", "abi": \(abi), "kind": "renderer", "library": "\(library)",
             "types": ["application/x-\(id)"]}
            """
        }
        try write("damaged", "{ \"id\": \"damaged\",")
        try write("future", manifest("future", abi: 99))
        try write("hollow", manifest("hollow", library: "libHollow.so"))
        try write("twin", manifest("twin"))
        try write("twin-too", manifest("twin"))
        let home = try UserHome(plugins: [plugins.path])
        let run = try await home.run("plugins")
        #expect(run.exitCode == 0)
        let refused = run.text.split(separator: "\n").filter {
            $0.split(separator: " ").dropFirst(3).first == "refused"
        }
        #expect(refused.count == 4, "\(run.text)")
        for name in ["damaged", "future", "hollow", "twin-too"] {
            #expect(
                run.errors.split(separator: "\n").filter { $0.contains("\(plugins.path)/\(name)") }.count == 1,
                "\(name)")
        }
        let file = try home.copy("pdf/plain.pdf", as: "plain.pdf")
        #expect(try await home.run("get", file).exitCode == 0)
    }

    @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/usr/lib/vitrine"), "Vitrine is installed in /usr"))
    func withoutPluginsTheReasonIsSaid() async throws {
        let tree = try await InstalledTree(copyOf: .shared())
        try FileManager.default.removeItem(atPath: tree.plugins)
        let home = try UserHome(tree: tree)
        let listed = try await home.run("plugins")
        #expect(listed.exitCode == 0 && listed.errors.contains("no plugin was found"))
        let run = try await home.run("prebuild", home.files)
        #expect(run.exitCode == 1 && run.errors.contains("VITRINE_PLUGIN_PATH"))
    }

    @Test func closedStreamsAreNoFault() async throws {
        let home = try UserHome()
        let file = try home.copy("image/plain.jpg", as: "plain.jpg")
        for closed in [">&-", "2>&-", "<&- >&- 2>&-"] {
            let run = try await home.run(
                program: [
                    "/bin/sh", "-c", "\"$0\" version \(closed) && \"$0\" prebuild \"$1\" \(closed)", home.program, file,
                ])
            #expect(run.exitCode == 0, "\(closed): \(run.errors)")
            #expect(try await home.run("get", file).exitCode == 0)
        }
    }

    @Test func settingsThatMeanNothingForAPluginAreNamed() async throws {
        let home = try UserHome()
        try home.configure(
            "[plugin sftp]\ninput = 5MiB\nworkers = 3\nseconds = 5s\n[plugin archive-members]\npages = 3\n"
                + "[plugin jpeg]\nprivate-folder = 1GiB\n[plugin office]\nprivate-folder = 1GiB\n")
        let check = try await home.run("config", "check")
        #expect(check.exitCode == 1)
        for clause in [
            "in [plugin sftp] input, workers: this plugin has no such keys, only enabled, priority, seconds\n",
            "in [plugin archive-members] pages: this plugin has no such key, only enabled, ",
            "in [plugin jpeg] private-folder: this plugin has no such key, only enabled, ",
        ] { #expect(check.errors.contains(clause), "\(check.errors)") }
        #expect(!check.errors.contains("office"), "\(check.errors)")
        let doctor = try await home.run("doctor").text
        for keys in ["input, workers", "private-folder"] { #expect(doctor.contains("the settings have \(keys): ")) }
        // What is well with all of them is one line.
        #expect(doctor.matches(of: /\d+ plugins +1\.0\.0, renderer \(archive, audio,/).count == 1, "\(doctor)")
        let rows = try await home.run("config").text.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        #expect(rows.contains("plugin sftp seconds 5s file") && rows.contains("plugin webdav seconds 1min default"))
        #expect(rows.contains("plugin office private-folder 1GiB file"))
        #expect(!rows.contains { $0.hasPrefix("plugin jpeg private-folder") })
        #expect(!rows.contains { $0.hasPrefix("plugin sftp input") || $0.hasPrefix("plugin archive-members pages") })
    }

    @Test func versionAndHelp() async throws {
        let home = try UserHome()
        let version = try await home.run("version")
        #expect(version.exitCode == 0)
        #expect(version.text.wholeMatch(of: /vitrine \d+\.\d+\.\d+ \(plugin ABI \d+\)\n/) != nil, "\(version.text)")
        #expect(try await home.run("--version").text == version.text)
        let overview = try await home.run("help")
        #expect(overview.exitCode == 0 && overview.errors.isEmpty)
        for name in ["prebuild", "get", "explain", "plugins", "version", "help"] {
            #expect(overview.text.contains("\n  \(name) "), "\(name)")
            let help = try await home.run("help", name)
            #expect(help.exitCode == 0 && help.text.hasPrefix("Usage: vitrine \(name)"))
            #expect(try await home.run(name, "--help").text == help.text)
        }
        #expect(try await home.run("--help").text == overview.text)
        // Who knows nothing learns where to begin, and how to go on.
        #expect(overview.text.contains("vitrine prebuild FOLDER") && overview.text.contains("vitrine help COMMAND"))
        // What is said of one action is a paragraph of its own.
        let plugins = try await home.run("help", "plugins").text
        for action in ["list", "check", "new"] { #expect(plugins.contains("\n\n'\(action)' "), "\(action)") }
        for code in ["130", "143", "129"] { #expect(overview.text.contains(code), "\(code)") }
    }

    @Test func helpFitsIntoATerminal() async throws {
        let home = try UserHome()
        let overview = try await home.run("help").text
        let names = overview.matches(of: /\n  (\w+)  +\w/).map { String($0.1) }
        #expect(names.count > 15)
        for name in names {
            let text = try await home.run("help", name).text
            let long = text.split(separator: "\n").filter { $0.count > 80 || $0.last == " " }
            #expect(long.isEmpty, "\(name): \(long)")
        }
        #expect(overview.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func whoMistypesAWordIsTold() async throws {
        let home = try UserHome()
        for (words, guess) in [
            (["prebiuld"], "'prebuild'"), (["sources"], "'source'"), (["coll"], "'collection'"),
            (["help", "plugin"], "'plugins'"), (["plugins", "chekc"], "'check'"),
            (["cache", "verfy"], "'verify'"), (["source", "lst"], "'list'"), (["collection", "shwo"], "'show'"),
            (["note", "serch"], "'search'"), (["favorite", "ad"], "'add'"), (["library", "bakup"], "'backup'"),
            (["config", "chek"], "'check'"), (["account", "logn"], "'login'"),
            (["plugins", "new", "rendrer", "Sketch"], "'renderer'"),
            (["prebuild", "--siez", "3"], "--size"),
            (["get", "--pgae=3"], "--page"),
            (["find", "--coll", "a"], "--collection"),
        ] {
            let run = try await home.run(bytes: words.map { Array($0.utf8) })
            #expect(run.exitCode == 2 && run.errors.contains("(did you mean \(guess)?)"), "\(run.errors)")
        }
        for words in [
            ["xyzzy"], ["prebuild", "--xyzzy"], ["prebuild", "-q"], ["note", "xyzzy"], ["cache"], ["note", "show"],
            [String(repeating: "a", count: 100_000)],
        ] {
            let run = try await home.run(bytes: words.map { Array($0.utf8) })
            #expect(run.exitCode == 2 && !run.errors.contains("did you mean"), "\(run.errors.prefix(200))")
        }
    }

    @Test func whoNamesFilesWhereNoneOrOneBelongsIsTold() async throws {
        let home = try UserHome()
        let file = try home.copy("image/plain.jpg", as: "plain.jpg")
        for words in [[home.files], [file, "--force"]] {
            let run = try await home.run(bytes: words.map { Array($0.utf8) })
            #expect(run.exitCode == 2 && run.errors.contains("'vitrine prebuild PATH'"), "\(run.errors)")
        }
        #expect(try await !home.run("xyzzy").errors.contains("prebuild"))
        #expect(
            try await home.run("-j", "4", "prebuild", home.files).errors.contains("options stand behind the command"))
        for command in ["get", "explain"] {
            let run = try await home.run(command, file, file)
            #expect(run.exitCode == 2 && run.errors.contains("name one file and not 2"), "\(run.errors)")
            #expect(try await home.run(command).errors.contains("name a file"))
        }
    }

    @Test func whatCannotBePrintedIsAnError() async throws {
        let home = try UserHome()
        let file = try home.copy("image/plain.jpg", as: "plain.jpg")
        for words in [
            "get '\(file)'", "get --json '\(file)'", "prebuild --progress json '\(file)'", "cache stats", "help",
        ] {
            let script = "exec '\(home.program)' \(words) > /dev/full"
            let run = try await home.run(program: ["/bin/sh", "-c", script])
            #expect(run.exitCode == 1, "\(words)")
            #expect(run.errors.contains("cannot write to standard output: No space left on device"), "\(run.errors)")
        }
    }
}
