import Glibc
import VitrineKit

/// What lies at a path of this machine. What lies elsewhere is not asked.
enum LocalPlace {
    /// Whether something is there, or may be.
    static func isThere(_ uri: SourceURI) -> Bool { uri.scheme != "file" || mode(uri) != nil }

    /// Whether a file of this machine is there. What is not there may be a folder later.
    static func isFile(_ uri: SourceURI) -> Bool {
        guard uri.scheme == "file", let mode = mode(uri) else { return false }
        return mode & S_IFMT == S_IFREG
    }

    /// Refuses a file where only folders will do.
    /// - Throws: `invalidArgument`.
    static func check(isFolder uri: SourceURI) throws(PluginError) {
        guard isFile(uri) else { return }
        throw PluginError(
            .invalidArgument,
            "\(ItemName.long(uri.text)) is a file: name the folder that holds it ('vitrine prebuild' takes files, too)")
    }

    /// `nil` for nothing that can be seen.
    private static func mode(_ uri: SourceURI) -> mode_t? {
        var status = stat()
        return stat(uri.path.map { CChar(bitPattern: $0) } + [0], &status) == 0 ? status.st_mode : nil
    }
}
