import FileBytes
import Glibc
import VitrineKit

extension PluginManifest {
    /// Reads a `plugin.json`. What is no regular file is never read from, and what was checked is what is read.
    /// - Parameter path: its path.
    /// - Returns: `nil` when there is no file of that name.
    /// - Throws: `invalidArgument` for what is damaged, `pluginUnavailable` for what cannot be trusted or was made
    ///   for another ABI, `io` and the like for what cannot be read.
    static func read(_ path: String) throws(PluginError) -> PluginManifest? {
        guard let json = try content(of: path) else { return nil }
        return try PluginManifest(json: json, file: path)
    }

    /// The bytes of the manifest in a plugin's folder.
    /// - Throws: what ``read(_:)`` throws for what cannot be read; `notFound` when there is none.
    static func content(inFolder folder: String) throws(PluginError) -> [UInt8] {
        guard let json = try content(of: folder + "/plugin.json") else {
            throw PluginError(.notFound, "there is no '\(DisplayText.of(folder))/plugin.json'")
        }
        return json
    }

    /// The bytes of a `plugin.json`, with the same errors.
    static func content(of path: String) throws(PluginError) -> [UInt8]? {
        let shown = DisplayText.of(path)
        let fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard fd >= 0 else {
            if errno == ENOENT { return nil }
            throw PluginError(errno: errno, "the manifest '\(shown)' cannot be opened")
        }
        defer { close(fd) }
        var status = stat()
        guard fstat(fd, &status) == 0 else {
            throw PluginError(errno: errno, "the manifest '\(shown)' cannot be examined")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PluginError(.invalidArgument, "the manifest '\(shown)' is refused: it is not a regular file")
        }
        if let objection = FolderTrust.objection(to: status, at: path, as: .plugin) {
            throw PluginError(.pluginUnavailable, "the manifest '\(shown)' is refused: \(objection)")
        }
        // One byte more than allowed, so that a file that is too large or grows is seen as such.
        let (bytes, failure) = FileBytes.read(maximumSize + 1, from: fd)
        if let failure { throw PluginError(errno: failure, "the manifest '\(shown)' cannot be read") }
        guard bytes.count <= maximumSize else {
            throw PluginError(
                .invalidArgument, "the manifest '\(shown)' is refused: it has more than \(maximumSize) bytes")
        }
        return bytes
    }
}
