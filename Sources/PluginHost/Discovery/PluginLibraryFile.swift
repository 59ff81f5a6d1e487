import Glibc
import VitrineKit

/// Finds the file of a plugin's library. It is looked at, not mapped.
enum PluginLibraryFile {
    /// The first file of the manifest's name: in the plugin's folder, in `.build/release` or `.build/debug` below it, where
    /// an author's build puts it, the newer of both, then by its last component in the further folders.
    /// - Returns: its path.
    /// - Throws: `pluginUnavailable` when there is none, or when the first one cannot be trusted.
    static func find(
        for manifest: PluginManifest, in folder: String, or folders: [String]
    ) throws(PluginError) -> String {
        let name = manifest.library.split(separator: "/").last.map(String.init) ?? manifest.library
        let candidates =
            ["\(folder)/\(manifest.library)"] + builds(of: name, in: folder) + folders.map { "\($0)/\(name)" }
        for path in candidates {
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            let library = "the library '\(DisplayText.of(path))' of the plugin '\(manifest.id)' is refused"
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw PluginError(.pluginUnavailable, "\(library): it is not a regular file")
            }
            if let objection = FolderTrust.objection(to: status, at: path, as: .plugin) {
                throw PluginError(.pluginUnavailable, "\(library): \(objection)")
            }
            return path
        }
        let places = ([folder] + folders).map { "'\(DisplayText.of($0))'" }.joined(separator: " and ")
        throw PluginError(
            .pluginUnavailable,
            "the plugin '\(manifest.id)' in '\(DisplayText.of(folder))' is refused: its library '\(manifest.library)' is "
                + "neither there nor elsewhere in \(places); build or install the plugin again")
    }

    /// Where builds of a library lie, the last one first: who tries what was just built does not mean an older release.
    private static func builds(of name: String, in folder: String) -> [String] {
        let (release, debug) = ("\(folder)/.build/release/\(name)", "\(folder)/.build/debug/\(name)")
        func moment(_ path: String) -> (Int, Int)? {
            var status = stat()
            return stat(path, &status) == 0 ? (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) : nil
        }
        guard let first = moment(release), let second = moment(debug), second > first else { return [release, debug] }
        return [debug, release]
    }
}
