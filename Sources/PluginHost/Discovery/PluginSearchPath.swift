import BaseFolders
import FoundationEssentials
import Glibc
import VitrineKit

/// Where plugins are looked for.
public struct PluginSearchPath: Hashable, Sendable {
    /// Folders that hold plugins, the first searched first. One that does not exist is passed over.
    public var folders: [String]
    /// Folders in which a library is looked for that does not lie in its plugin's folder: where a build of the
    /// whole tree puts it.
    public var libraryFolders: [String]
    /// Folders of `.thumbnailer` files of other projects, the first searched first. Default: none.
    public var thumbnailerFolders: [String] = []

    /// Creates a search path.
    /// - Parameters:
    ///   - folders: folders that hold plugins.
    ///   - libraryFolders: further folders for libraries. Default: none.
    public init(folders: [String], libraryFolders: [String] = []) {
        self.folders = folders
        self.libraryFolders = libraryFolders
    }

    /// The search path of a program: `$VITRINE_PLUGIN_PATH` (separated by colons), then `plugins-<abi>` in the
    /// user's data folder (`$XDG_DATA_HOME/vitrine`, by default `~/.local/share/vitrine`), beside the program,
    /// in `../lib/vitrine` from there, and in `/usr/lib/vitrine`. Libraries are looked for beside the program too.
    ///
    /// As the XDG Base Directory Specification says, an `$XDG_DATA_HOME` that is not absolute is as good as none; see `BaseFolders`.
    /// - Parameters:
    ///   - environment: of the process. Default: this one's.
    ///   - executableFolder: the folder of the program, absolute. Default: that of this process.
    public static func standard(
        environment: [String: String] = PluginSearchPath.environment,
        executableFolder: String? = PluginSearchPath.executableFolder
    ) -> PluginSearchPath {
        let plugins = "plugins-\(VITRINE_PLUGIN_ABI)"
        var folders = environment["VITRINE_PLUGIN_PATH"].map { $0.split(separator: ":").map(String.init) } ?? []
        if let data = BaseFolders(environment: environment).data { folders.append("\(data)/vitrine/\(plugins)") }
        if let executableFolder {
            folders += ["\(executableFolder)/\(plugins)", "\(executableFolder)/../lib/vitrine/\(plugins)"]
        }
        folders.append("/usr/lib/vitrine/\(plugins)")
        var path = PluginSearchPath(folders: folders, libraryFolders: executableFolder.map { [$0] } ?? [])
        path.thumbnailerFolders = dataFolders(environment).map { "\($0)/thumbnailers" }
        return path
    }

    /// The user's data folder and those of the system, as the XDG Base Directory Specification says.
    package static func dataFolders(_ environment: [String: String]) -> [String] {
        let system = environment["XDG_DATA_DIRS"] ?? ""
        return [BaseFolders(environment: environment).data].compactMap(\.self)
            + (system.isEmpty ? "/usr/local/share:/usr/share" : system).split(separator: ":").map(String.init)
            .filter { $0.hasPrefix("/") }
    }

    /// The environment of this process.
    public static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The folder of the program that runs, links resolved, or `nil` when the system does not say.
    public static var executableFolder: String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        let text = String(cString: path)
        return text.lastIndex(of: "/").map { $0 == text.startIndex ? "/" : String(text[..<$0]) }
    }
}
