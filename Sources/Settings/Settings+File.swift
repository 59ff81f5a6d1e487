import BaseFolders
import FileBytes
import Glibc
public import VitrineKit

extension Settings {
    /// The most bytes that a settings file may have.
    public static let maximumSize = 65_536

    /// Where the settings file lies: `$XDG_CONFIG_HOME/vitrine/config`, by default `~/.config/vitrine/config`.
    /// - Parameter environment: the process's variables.
    /// - Returns: `nil` when there is no home either.
    public static func path(environment: [String: String]) -> String? {
        BaseFolders(environment: environment).config.map { $0 + "/vitrine/config" }
    }

    /// Reads the user's settings file. One that is not there sets nothing.
    /// - Parameter environment: the process's variables.
    /// - Throws: as ``init(reading:)`` does.
    public static func standard(environment: [String: String]) throws(PluginError) -> Settings {
        guard let path = path(environment: environment) else { return Settings() }
        return try Settings(reading: path)
    }

    /// Reads a settings file. One that is not there sets nothing; a link to one is followed.
    /// - Throws: `invalidArgument` with a sentence that names file, line and key; `forbidden` when everybody may write
    ///   to the file; `notFound` for a link to what is not there: what it bounds shall not be unbound unnoticed; what the system said when it cannot be read.
    public init(reading path: String) throws(PluginError) {
        guard let text = try Self.text(of: path) else {
            self.init()
            return
        }
        try self.init(text: text, file: path)
    }

    /// All that is wrong with a settings file, from its first line to its last. A line that is none of group, key and comment is
    /// told alone, as is a file that cannot be read: what else there is nobody knows then.
    /// - Returns: what ``init(reading:)`` throws, and what it would throw once that is mended; nothing for a sound file.
    public static func faults(reading path: String) -> [PluginError] {
        do throws(PluginError) {
            guard let text = try Self.text(of: path) else { return [] }
            return try SettingsParser(parsing: unmarked(text), file: path).faults
        } catch { return [error] }
    }

    /// - Returns: `nil` when there is no file.
    private static func text(of path: String) throws(PluginError) -> String? {
        let file = "the settings file '\(DisplayText.of(path))'"
        // What was checked is what is read; a pipe in its place must not stop the program.
        guard let fd = try opened(path, file) else { return nil }
        defer { close(fd) }
        var status = stat()
        guard fstat(fd, &status) == 0 else { throw PluginError(errno: errno, "\(file) cannot be examined") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PluginError(.invalidArgument, "\(file) is not a regular file")
        }
        guard status.st_mode & S_IWOTH == 0 else {
            throw PluginError(.forbidden, "\(file) can be written by everybody; take that away with chmod o-w")
        }
        let (bytes, failure) = FileBytes.read(maximumSize + 1, from: fd)
        if let failure { throw PluginError(errno: failure, "\(file) cannot be read") }
        guard bytes.count <= maximumSize else {
            throw PluginError(.invalidArgument, "\(file) has more than \(maximumSize) bytes; make it smaller")
        }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw PluginError(.invalidArgument, "\(file) is not text in UTF-8; save it in that encoding")
        }
        return text
    }

    /// - Returns: `nil` when there is none.
    private static func opened(_ path: String, _ file: String) throws(PluginError) -> CInt? {
        var reason: CInt = 0
        // One that is put in the place of another one may come between two looks.
        for _ in 0..<8 {
            let fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            if fd >= 0 { return fd }
            reason = errno
            guard reason == ENOENT || reason == ENOTDIR else { break }
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            guard status.st_mode & S_IFMT != S_IFLNK else {
                throw PluginError(
                    .notFound, "\(file) is a link to a file that is not there; bring that back, or remove the link")
            }
        }
        throw PluginError(errno: reason, "\(file) cannot be opened")
    }

    /// Parses the text of a settings file.
    /// - Parameters:
    ///   - text: its content.
    ///   - file: its path, for sentences.
    /// - Throws: `invalidArgument` with a sentence that names file, line and key, and what is accepted.
    public init(text: String, file: String) throws(PluginError) {
        let parser = try SettingsParser(parsing: Self.unmarked(text), file: file)
        if let first = parser.faults.first { throw first }
        self = parser.settings
    }

    /// Editors of other systems begin a file in UTF-8 with a mark that shows nothing.
    private static func unmarked(_ text: String) -> String {
        text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }
}
