public import Accounts
import Glibc
public import Library
public import PluginHost
public import PreviewCache
public import Settings
public import VitrineKit

/// Where a pipeline finds its parts, and how much it may do at once.
public struct PipelineConfiguration: Sendable {
    /// Where previews are kept.
    public var cache: CacheFolders
    /// The catalog's file, in which runs write down what they found; `nil` for none. Default: none.
    public var catalog: String?
    /// The folder in which blocks of items are kept that lie on servers; `nil`: they are kept in memory only. Default:
    /// none.
    public var blocks: String?
    /// The user's accounts, from which backends get what they must know to be let in; `nil`: they are told nothing.
    /// Default: none.
    public var accounts: AccountBook?
    /// Told of the old and the new URI of each item that was moved, so that what is kept about it can follow. Called
    /// from any thread.
    public var onMoved: (@Sendable (_ old: String, _ new: String) -> Void)?
    /// Where the user's library lies, into which messages are filed; `nil`: none are. Default: none.
    public var library: LibraryPlace?
    /// Where plugins are looked for.
    public var plugins: PluginSearchPath
    /// Path of the program `vitrine-worker`.
    public var workerProgram: String
    /// How many items are rendered at once. Default: as many as there are cores.
    public var jobs: Int
    /// How long the files of a folder are looked for and drawn for its picture, before those that are there must do. Waiting
    /// for a turn does not count. A file that was begun is finished, within its renderer's own deadline. Default: half a minute.
    public var folderPatience = Duration.seconds(30)
    /// What the user configured. Default: nothing.
    public var settings = Settings()
    /// Called, on a thread of its own, for each entry that had to make room in the cache. Default: nobody is told.
    public var onRemoved: (@Sendable (RemovedEntry) -> Void)?

    /// Creates a configuration.
    public init(cache: CacheFolders, plugins: PluginSearchPath, workerProgram: String, jobs: Int? = nil) {
        self.cache = cache
        self.plugins = plugins
        self.workerProgram = workerProgram
        self.jobs = jobs ?? max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
    }

    /// What suits the program that runs: the user's cache and settings, and plugins and worker from beside the executable, from
    /// an installed tree or from a build folder.
    /// - Parameters:
    ///   - environment: variables such as `XDG_CACHE_HOME`, `VITRINE_PLUGIN_PATH` and `VITRINE_WORKER`.
    ///   - settings: in place of the user's file, which is not read then.
    ///   - mayLackCache: whether a user without a home, such as that of a service, is given a pipeline that keeps nothing.
    ///     Default: that is an error.
    /// - Throws: `notFound` when there is neither `XDG_CACHE_HOME` nor `HOME`; `invalidArgument` when the settings file says
    ///   something that is not understood; `pluginUnavailable` when the worker program is nowhere, or not where
    ///   `VITRINE_WORKER` says.
    public static func standard(
        environment: [String: String] = PluginSearchPath.environment, settings: Settings? = nil,
        mayLackCache: Bool = false
    ) throws(PluginError) -> PipelineConfiguration {
        let folder = PluginSearchPath.executableFolder ?? "."
        let worker = try workerProgram(named: environment["VITRINE_WORKER"], beside: folder)
        let plugins = PluginSearchPath.standard(environment: environment, executableFolder: folder)
        var configuration: PipelineConfiguration
        do throws(PluginError) {
            configuration = PipelineConfiguration(
                cache: try .standard(environment: environment), plugins: plugins, workerProgram: worker)
            configuration.catalog = try catalogPath(environment: environment)
            configuration.blocks = try blocksPath(environment: environment)
        } catch {
            guard mayLackCache else { throw error }
            configuration = PipelineConfiguration(cache: .nowhere, plugins: plugins, workerProgram: worker)
        }
        configuration.accounts = AccountBook(environment: environment)
        if let place = try? LibraryPlace.standard(environment: environment) {
            configuration.library = place
            let follower = LibraryFollower(place)
            configuration.onMoved = { follower.moved($0, $1) }
        }
        if let settings {
            configuration.settings = settings
        } else {
            configuration.settings = try .standard(environment: environment)
        }
        return configuration
    }

    /// The worker program. One that somebody named is taken or refused: another in its place might be of another version, and
    /// nobody would hear of the slip of the pen.
    private static func workerProgram(named name: String?, beside folder: String) throws(PluginError) -> String {
        if let name, !name.isEmpty {
            guard isProgram(name) else {
                throw PluginError(
                    .pluginUnavailable,
                    "VITRINE_WORKER names '\(DisplayText.of(name))', which is no program that can be run; set it to the path of "
                        + "vitrine-worker, or to nothing")
            }
            return name
        }
        let places = ["\(folder)/vitrine-worker", "\(folder)/../lib/vitrine/vitrine-worker"]
        guard let program = places.first(where: isProgram) else {
            throw PluginError(
                .pluginUnavailable,
                "the program vitrine-worker is not beside this one in '\(folder)'; set VITRINE_WORKER to its path")
        }
        return program
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// Where the user's catalog lies; `nil` when there is no place for one.
    /// - Parameter environment: variables such as `XDG_CACHE_HOME`.
    /// - Throws: `notFound` when there is neither `XDG_CACHE_HOME` nor `HOME`.
    public static func catalogPath(environment: [String: String]) throws(PluginError) -> String? {
        try path("catalog.sqlite", environment)
    }

    /// Where blocks of items are kept that lie on servers; `nil` when there is no place for them.
    /// - Parameter environment: variables such as `XDG_CACHE_HOME`.
    /// - Throws: `notFound` when there is neither `XDG_CACHE_HOME` nor `HOME`.
    public static func blocksPath(environment: [String: String]) throws(PluginError) -> String? {
        try path("blocks", environment)
    }

    private static func path(_ name: String, _ environment: [String: String]) throws(PluginError) -> String? {
        let previews = try CacheFolders.standard(environment: environment).previews
        return previews.hasSuffix("/previews") ? previews.dropLast("previews".count) + name : nil
    }
}
