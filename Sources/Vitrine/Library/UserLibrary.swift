public import Accounts
import Glibc
public import Library
public import PluginHost
public import VitrineKit

/// The user's library with what the engine adds to it: listeners, and storages to copy from.
///
/// Everything else is asked of ``library``; what is changed there is told to the listeners here, too. May be used from
/// any task. Changes that other processes make are not told; `Library.version` grows with them.
public final class UserLibrary: Sendable {
    /// Sources, collections, notes and favourites.
    public let library: Library
    let storages: StorageRegistry
    let hub: EventHub<LibraryEvent>
    private let plugins: PluginDirectory

    /// Opens the library; see `Library.openToRead`.
    /// - Parameters:
    ///   - place: where it lies.
    ///   - plugins: for backends of what is to be copied.
    ///   - accounts: what these are told to be let in. Default: nothing.
    /// - Throws: as `Library.openToRead` does.
    public init(
        at place: LibraryPlace, plugins: PluginDirectory, accounts: AccountBook? = nil
    ) throws(PluginError) {
        let hub = EventHub<LibraryEvent>()
        self.hub = hub
        library = try .openToRead(at: place) { hub.send($0) }
        self.plugins = plugins
        storages = StorageRegistry(factory: BackendFactory(plugins), accounts: accounts)
    }

    /// What happens to a topic from now on, as a stream of values.
    ///
    /// A listener that is more than `buffer` events behind loses the oldest ones, never the last.
    /// - Parameters:
    ///   - topic: what to hear of. Default: everything.
    ///   - buffer: how many events may wait. Default: 1,024.
    public func events(of topic: LibraryTopic = .everything, buffer: Int = 1024) -> AsyncStream<LibraryEvent> {
        hub.events(buffer: buffer) { topic.covers($0) }
    }

    /// Reads a path or a URI as bytes; see ``ItemLocation/parse(_:workingFolder:schemes:)``.
    /// - Parameters:
    ///   - text: from a command line.
    ///   - workingFolder: what relative paths start from.
    public func source(_ text: [UInt8], workingFolder: [UInt8]) throws(PluginError) -> SourceURI {
        try ItemLocation.parse(text, workingFolder: workingFolder, schemes: plugins.schemes)
    }

    /// Refuses a source that is a file of this machine and not what its scheme says, such as an mbox file that is none. What is
    /// not there may be it later, and nothing is asked of servers.
    /// - Throws: `notAFile` and `invalidArgument`, as the backend says it.
    public func check(fileOf uri: SourceURI) async throws(PluginError) {
        var status = stat()
        guard uri.authority ?? "" == "", uri.path.first == UInt8(ascii: "/"),
            stat(uri.path.map { CChar(bitPattern: $0) } + [0], &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return }
        do throws(PluginError) { _ = try await storages.storage(for: uri, BackendSettings()) } catch {
            // Others pass by themselves.
            guard [.notAFile, .invalidArgument].contains(error.code) else { return }
            throw error
        }
    }

    /// Refuses a URI that nothing reads; see ``PreviewPipeline/check(schemeOf:)``.
    public func check(schemeOf uri: SourceURI) throws(PluginError) { try plugins.check(schemeOf: uri) }
}
