public import Accounts
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

    /// Opens the library; see `Library.init`.
    /// - Parameters:
    ///   - place: where it lies.
    ///   - plugins: for backends of what is to be copied.
    ///   - accounts: what these are told to be let in. Default: nothing.
    /// - Throws: as `Library.init` does.
    public init(
        at place: LibraryPlace, plugins: PluginDirectory, accounts: AccountBook? = nil
    ) throws(PluginError) {
        let hub = EventHub<LibraryEvent>()
        self.hub = hub
        library = try Library(at: place) { hub.send($0) }
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

    /// Refuses a URI that nothing reads; see ``PreviewPipeline/check(schemeOf:)``.
    public func check(schemeOf uri: SourceURI) throws(PluginError) { try plugins.check(schemeOf: uri) }
}
