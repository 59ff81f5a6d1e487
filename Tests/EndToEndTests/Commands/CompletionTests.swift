import Foundation
import Testing

/// What bash, fish and zsh complete, each asked as it is installed, and the manual page.
@Suite struct CompletionTests {
    /// Runs a script of a shell that gets the folder of the installed programs, the file of the completions and words.
    private func lines(_ shell: [String], _ file: String, _ words: [String]) async throws -> [String] {
        let tree = try await InstalledTree.shared()
        let home = try UserHome(tree: tree)
        _ = try await home.run("source", "add", home.files, "--name", "My papers")
        for name in ["My papers", "Music: old", "Zoo $(id)"] { _ = try await home.run("collection", "create", name) }
        let run = try await home.run(program: shell + ["\(tree.path)/bin", "\(tree.path)/share/\(file)"] + words)
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
        return run.text.split(separator: "\n").map(String.init)
    }

    @Test func bashCompletesWhatTheHelpNames() async throws {
        func completions(_ words: String...) async throws -> [String] {
            let script = """
                PATH="$1:$PATH"; . "$2"; shift 2; COMP_WORDS=(vitrine "$@"); COMP_CWORD=$#; _vitrine; printf '%s\\n' "${COMPREPLY[@]}"
                """
            return try await lines(
                ["/bin/bash", "-c", script, "bash"], "bash-completion/completions/vitrine", words)
        }
        #expect(try await completions("pre") == ["prebuild"])
        #expect(try await completions("help", "note") == ["note"])
        #expect(Set(try await completions("")).isSuperset(of: ["get", "find", "doctor", "help"]))
        #expect(try await completions("prebuild", "--si") == ["--size"])
        #expect(try await completions("get", "a.pdf", "--pag") == ["--page", "--pages"])
        #expect(try await completions("cache", "") == ["stats", "gc", "verify", "clear"])
        #expect(try await completions("note", "") == ["list", "add", "show", "edit", "delete", "search"])
        #expect(try await completions("favorite", "") == ["list", "add", "remove"])
        #expect(Set(try await completions("source", "re")) == ["remove", "rename"])
        // Files are bash's own business.
        #expect(try await completions("get", "") == [])
        #expect(try await completions("xyzzy", "-") == [])
        // What is typed is a word, whatever it looks like.
        #expect(try await completions("--help", "-") == [])
        #expect(try await completions("--words", "") == [])
        #expect(try await completions("'ca\\che\"", "v") == ["verify"])
        // Values of options; bash takes = and : for words of their own.
        #expect(try await completions("get", "a.pdf", "--fit", "") == ["contain", "cover"])
        #expect(try await completions("get", "--fit", "=", "co") == ["contain", "cover"])
        #expect(try await completions("get", "--fit", "=") == ["contain", "cover"])
        #expect(try await completions("prebuild", "--size", "normal,x") == ["normal,x-large", "normal,xx-large"])
        #expect(
            try await completions("prebuild", "--size", "large,normal,")
                == ["large,normal,x-large", "large,normal,xx-large"])
        #expect(try await completions("prebuild", "-j", "3", "--progress", "b") == ["bar"])
        #expect(try await completions("find", "--type", "pdf,vi") == ["pdf,video"])
        #expect(try await completions("prebuild", "--", "--si") == [])
        // What may stand alone swallows nothing.
        #expect(try await completions("get", "--sheet", "--pag") == ["--page", "--pages"])
        // Names, as they are written for bash.
        #expect(try await completions("find", "-c", "") == [#"Music:\ old"#, #"My\ papers"#, #"Zoo\ \$\(id\)"#])
        // Between quotes a shell would run it.
        #expect(try await completions("collection", "show", "Z") == [#"Zoo\ \$\(id\)"#])
        for quote in ["\"", "'", "Z\""] { #expect(try await completions("collection", "show", quote + "Z") == []) }
        #expect(try await completions("source", "rename", #"My\ "#) == [#"My\ papers"#])
        #expect(try await completions("source", "rename", "\"My") == ["My papers"])
        #expect(try await completions("collection", "show", "Music", ":", #"\ o"#) == [#"\ old"#])
        #expect(try await completions("source", "rename", "a", "M") == [])
        #expect(try await completions("collection", "create", "M") == [])
        #expect(try await completions("collection", "add", "M") == [#"Music:\ old"#, #"My\ papers"#])
        #expect(try await completions("prebuild", "a", "My") == [#"My\ papers"#])
        #expect(try await completions("plugins", "new", "") == ["renderer", "backend", "container"])
    }

    @Test func fishCompletesWithMeanings() async throws {
        func completions(_ typed: String) async throws -> [String] {
            let script = "set -p PATH $argv[1]; source $argv[2]; complete -C $argv[3]"
            return try await lines(
                ["/usr/bin/fish", "--no-config", "-c", script], "fish/vendor_completions.d/vitrine.fish", [typed])
        }
        #expect(
            try await completions("vitrine pre") == [
                "prebuild\tMake the previews of everything in sources and folders."
            ])
        #expect(try await completions("vitrine help favor").map { $0.prefix(9) } == ["favorite\t"])
        #expect(try await completions("vitrine prebuild --si").map { $0.prefix(7) } == ["--size\t"])
        #expect(try await completions("vitrine cache v") == ["verify"])
        #expect(try await completions("vitrine get /usr/bin/fis").contains { $0.hasPrefix("/usr/bin/fish") })
        #expect(try await completions("vitrine xyzzy --si") == [])
        #expect(try await completions("vitrine get --fit=co") == ["--fit=contain", "--fit=cover"])
        // No file is offered for a word, nor a word for a file.
        #expect(try await completions("cd /usr/bin; vitrine get --fit ") == ["contain", "cover"])
        #expect(try await completions("vitrine collection show M") == ["Music: old", "My papers"])
        #expect(try await completions("vitrine find --source My") == ["My papers"])
        #expect(try await completions("vitrine find --source /usr/bin/fis").contains { $0.hasPrefix("/usr/bin/fish") })
        #expect(try await completions("vitrine get a -o /usr/bin/fis").contains { $0.hasPrefix("/usr/bin/fish") })
    }

    @Test func pressingAKeyMakesNoLibrary() async throws {
        let home = try UserHome()
        let words = try await home.run("help", "--words", "--", "find", "--collection", "")
        #expect(words.exitCode == 0 && words.text.isEmpty && words.errors.isEmpty)
        // A folder does for a source; that is said by a line without a word.
        let sources = try await home.run("help", "--words", "--", "find", "--source", "")
        #expect(sources.exitCode == 0 && sources.text == "\t\n" && sources.errors.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: home.path + "/data/vitrine/library.sqlite"))
    }

    /// zsh completes on a terminal only: it is given one, the words and a tabulator, and tells its line then.
    @Test func zshCompletesOnATerminal() async throws {
        func completed(_ typed: String) async throws -> String? {
            let script = #"""
                zmodload zsh/zpty
                zpty shell zsh -f -i
                zpty -w shell "PS1= PATH=${(q)1}:\$PATH fpath=(${(q)2:h} \$fpath); autoload -Uz compinit; compinit -u -D"
                zpty -w shell 'tell() { print -r -- "line<$BUFFER>" }; zle -N tell; bindkey "^X" tell; print rea""dy'
                zpty -r shell output $'*ready\r\n*' || exit 1
                zpty -w -n shell "$3"$'\t\x18'
                zpty -r shell output '*line<*>*' || exit 1
                print -r -- ${${output##*line<}%%>*}
                zpty -d shell
                """#
            return try await lines(
                ["/usr/bin/zsh", "-f", "-c", script, "zsh"], "zsh/site-functions/_vitrine", [typed]
            ).last
        }
        #expect(try await completed("vitrine pre") == "vitrine prebuild ")
        #expect(try await completed("vitrine help favor") == "vitrine help favorite ")
        #expect(try await completed("vitrine cache v") == "vitrine cache verify ")
        #expect(try await completed("vitrine prebuild --si") == "vitrine prebuild --size ")
        #expect(try await completed("vitrine get /proc/cpuinf") == "vitrine get /proc/cpuinfo ")
        #expect(try await completed("vitrine get --fit con") == "vitrine get --fit contain ")
        #expect(try await completed("vitrine get --fit=con") == "vitrine get --fit=contain ")
        #expect(try await completed("vitrine find --collection Mu") == #"vitrine find --collection Music:\ old "#)
        #expect(try await completed("vitrine find -s /proc/cpuinf") == "vitrine find -s /proc/cpuinfo ")
        #expect(try await completed("vitrine get a -o /proc/cpuinf") == "vitrine get a -o /proc/cpuinfo ")
    }

    @Test func theManualPageIsSoundAndWhole() async throws {
        let tree = try await InstalledTree.shared()
        let home = try UserHome(tree: tree)
        let file = tree.path + "/share/man/man1/vitrine.1"
        let checked = try await home.run(program: [
            "/usr/bin/groff", "-man", "-Tutf8", "-ww", "-P-cbou", file,
        ])
        #expect(checked.exitCode == 0 && checked.errors.isEmpty, "\(checked.errors)")
        let shown = try await home.run(program: ["/usr/bin/man", "-l", file])
        #expect(shown.exitCode == 0 && shown.errors.isEmpty, "\(shown.errors)")
        for part in [
            "NAME", "SYNOPSIS", "COMMANDS", "FILES", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES", "SEE ALSO",
            "vitrine - make previews", "--password-command COMMAND", "XDG_CACHE_HOME", "vitrine collection",
            "'stats'", "…",
        ] {
            #expect(shown.text.contains(part), "\(part)")
        }
    }
}
