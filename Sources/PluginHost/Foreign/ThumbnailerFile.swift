import CGIO
import FileBytes
import Glibc
import VitrineKit

/// What a `.thumbnailer` file says: which program makes thumbnails of which types, and how it is called. The format is
/// GNOME's: a key file with the group `[Thumbnailer Entry]`.
struct ThumbnailerFile: Hashable {
    /// The program and its arguments, in which `%i`, `%u`, `%o`, `%s` and `%%` stand for the input's path and URI, the
    /// output's path, the size and a percent sign.
    var command: [String]
    /// MIME types, in lower case.
    var types: [String]

    /// The most bytes of a file, of its command's words, and of types.
    private static let maximumSize = 64 << 10, maximumWords = 64, maximumTypes = 512

    /// Reads a file.
    /// - Returns: `nil` for one that says by `TryExec` that its program is not installed, which is no mistake.
    /// - Throws: `invalidArgument` with a sentence that names the file and what is wrong.
    init?(reading path: String) throws(PluginError) {
        let text = try Self.contents(path)
        try self.init(parsing: text, name: path)
    }

    /// Parses the content of a file.
    /// - Parameters:
    ///   - text: its bytes.
    ///   - name: of the file, for sentences.
    init?(parsing text: [UInt8], name: String) throws(PluginError) {
        func refused(_ clause: String) -> PluginError {
            PluginError(.invalidArgument, "the thumbnailer '\(DisplayText.of(name))' is not used: \(clause)")
        }
        guard text.count <= Self.maximumSize else {
            throw refused("it has \(text.count) bytes; at most \(Self.maximumSize) are read")
        }
        let keys = g_key_file_new()
        defer { g_key_file_free(keys) }
        let loaded = text.withUnsafeBytes {
            g_key_file_load_from_data(
                keys, $0.baseAddress?.assumingMemoryBound(to: CChar.self), gsize($0.count), G_KEY_FILE_NONE, nil)
        }
        guard loaded != 0, !text.contains(0) else { throw refused("it is no key file") }
        func value(_ key: String) -> String? {
            guard let value = g_key_file_get_string(keys, "Thumbnailer Entry", key, nil) else { return nil }
            defer { g_free(value) }
            return String(cString: value)
        }
        if let program = value("TryExec"), ProgramPath.find(program) == nil { return nil }
        guard let line = value("Exec") else { throw refused("it has no key Exec in [Thumbnailer Entry]") }
        guard let words = Self.words(line) else { throw refused("its Exec is no command line") }
        guard words.count <= Self.maximumWords else {
            throw refused("its Exec has more than \(Self.maximumWords) words")
        }
        guard words.contains(where: { Self.mentions($0, "o") }) else { throw refused("its Exec names no output (%o)") }
        guard words.contains(where: { Self.mentions($0, "i") || Self.mentions($0, "u") }) else {
            throw refused("its Exec names no input (%i or %u)")
        }
        guard let list = value("MimeType") else { throw refused("it has no key MimeType") }
        var seen: Set<String> = []
        let types = list.lowercased().split(separator: ";").map { String($0.filter { !$0.isWhitespace }) }
            .filter { ManifestText.isMIMEType($0) && seen.insert($0).inserted }
        guard !types.isEmpty else { throw refused("it names no MIME type") }
        command = words
        self.types = Array(types.prefix(Self.maximumTypes))
    }

    /// The words of a command line, as a shell would tell them apart; nothing is run or replaced.
    private static func words(_ line: String) -> [String]? {
        var count: CInt = 0
        var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        guard g_shell_parse_argv(line, &count, &words, nil) != 0, let words else { return nil }
        defer { g_strfreev(words) }
        return (0..<Int(count)).compactMap { words[$0].map { String(cString: $0) } }
    }

    /// Whether a word has a field, such as `%o`.
    private static func mentions(_ word: String, _ field: Character) -> Bool {
        var isField = false
        for character in word {
            if isField, character == field { return true }
            isField = !isField && character == "%"
        }
        return false
    }

    private static func contents(_ path: String) throws(PluginError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw PluginError(errno: errno, "cannot read the thumbnailer '\(path)'") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw PluginError(.notAFile, "the thumbnailer '\(path)' is not used: it is no regular file")
        }
        if let objection = FolderTrust.objection(to: status, at: path, as: .plugin) {
            throw PluginError(.forbidden, "the thumbnailer '\(path)' is not used: \(objection)")
        }
        return FileBytes.read(maximumSize + 1, from: file).bytes
    }
}

/// Finds programs as a shell does, in folders of the system first.
enum ProgramPath {
    private static let folders = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/libexec"]

    /// Why a program is not found that a `.thumbnailer` file names. A user's own `$PATH` is not gone through: where a file is
    /// executed from does not depend on who calls Vitrine.
    static func absence(of name: String, inExecOf file: String) -> PluginError {
        let clause =
            name.contains("/")
            ? "is no absolute path of one that may be run"
            : "is in none of \(folders.joined(separator: ", ")); name its whole path in Exec"
        return PluginError(
            .notFound,
            "the thumbnailer '\(DisplayText.of(file))' is not used: its program '\(DisplayText.of(name))' \(clause)")
    }

    /// The path of a program, links resolved; `nil` when there is none that this user may run.
    /// - Parameter name: a name, or an absolute path.
    static func find(_ name: String) -> String? {
        let candidates = name.hasPrefix("/") ? [name] : name.contains("/") ? [] : folders.map { "\($0)/\(name)" }
        for candidate in candidates {
            guard let real = realpath(candidate, nil) else { continue }
            defer { free(real) }
            var status = stat()
            guard access(real, X_OK) == 0, stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            return String(cString: real)
        }
        return nil
    }
}
