import FileBytes
import Glibc
import Library
import VitrineKit

/// Lets the user write a note in an editor: the title, an empty line, the text.
enum NoteEditor {
    /// Whether a person sits at the terminal.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 }

    /// Opens the editor and waits for its end. What was written stays in its file when it cannot be kept.
    /// - Parameters:
    ///   - title: to begin with.
    ///   - text: to begin with.
    ///   - emptied: what is said when nothing is left, since nobody throws a note away with an editor.
    ///   - save: keeps what was written; not called when nothing was changed, or nothing is left.
    static func edit(
        title: String, text: String, emptied: String, save: (String, String) throws(PluginError) -> Void
    ) throws(PluginError) {
        guard
            let command = [getenv("VISUAL"), getenv("EDITOR")].lazy.compactMap({ $0.map { String(cString: $0) } })
                .first(where: { !$0.isEmpty })
        else {
            throw PluginError(
                .invalidArgument,
                "no editor is named by $VISUAL or $EDITOR; give title and text with --title and --text")
        }
        let before = Array((title + "\n\n" + text + (text.isEmpty ? "" : "\n")).utf8)
        let path = try write(before)
        var keeps = false
        defer { if !keeps { unlink(path) } }
        try run(command, path)
        do throws(PluginError) {
            let after = try read(path)
            let content = try LibraryContext.text(after)
            guard !content.allSatisfy(\.isWhitespace) else { return Console.error(emptied) }
            guard after != before else { return Console.error("nothing was changed") }
            keeps = true
            let (title, text) = split(content)
            try save(title, text)
            keeps = false
        } catch {
            keeps = true
            // Not an error of the command's words, whatever the code.
            let code = error.code == .invalidArgument ? .io : error.code
            throw PluginError(code, "\(error.message); what you wrote is in '\(DisplayText.of(path))'")
        }
    }

    /// The first line is the title; empty lines below it, and at the end, are left out.
    static func split(_ content: String) -> (title: String, text: String) {
        var lines = content.split(separator: "\n", omittingEmptySubsequences: false)[...]
        let title = lines.popFirst().map { String($0) } ?? ""
        if lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return (title.trimmingBlanks, lines.joined(separator: "\n"))
    }

    private static func write(_ content: [UInt8]) throws(PluginError) -> String {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        // For the user alone, under a name that nobody can guess.
        var name = Array("\(folder)/vitrine-note-XXXXXX.txt".utf8CString)
        let fd = mkstemps(&name, 4)
        let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard fd >= 0 else { throw PluginError(errno: errno, "cannot make a file for the editor in '\(folder)'") }
        defer { close(fd) }
        if let reason = FileBytes.write(content, to: fd) {
            unlink(path)
            throw PluginError(errno: reason, "cannot write '\(path)' for the editor")
        }
        return path
    }

    private static func read(_ path: String) throws(PluginError) -> [UInt8] {
        // Opened anew: most editors put another file into its place.
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { throw PluginError(errno: errno, "cannot read '\(path)'") }
        defer { close(fd) }
        return try TextFile.read(fd, limit: Note.maximumText + 4 * Note.maximumTitle + 2, name: "the note")
    }

    /// Runs the editor through the shell, since $EDITOR may hold options.
    private static func run(_ command: String, _ path: String) throws(PluginError) {
        let old = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in old { signal(number, handler) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var standard = sigset_t()
        sigemptyset(&standard)
        // What this program ignores, the editor would ignore, too.
        for number in [SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ] { sigaddset(&standard, number) }
        posix_spawnattr_setsigdefault(&attributes, &standard)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let texts: [String] = ["sh", "-c", "\(command) \"$1\"", "sh", path]
        var words = texts.map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, "/bin/sh", nil, &attributes, words, environ)
        guard failure == 0 else { throw PluginError(errno: failure, "cannot start the editor '\(command)'") }
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw PluginError(.io, "the editor '\(DisplayText.of(command))' ended with an error; nothing was changed")
        }
    }
}

extension String {
    /// Without blanks at both ends.
    fileprivate var trimmingBlanks: String {
        let start = drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
