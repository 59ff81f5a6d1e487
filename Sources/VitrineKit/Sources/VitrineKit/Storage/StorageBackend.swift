/// Lists, stats and reads one kind of storage: the *implementor* behind the engine's bridge, `Storage`.
///
/// An instance serves one source. The engine calls it from many tasks at once. A call must honour
/// cancellation of its task, and never block a thread for long: what blocks goes to a thread of its own.
///
/// Conforming types pass `BackendConformance` of VitrineTesting, which is the contract in code.
public protocol StorageBackend: Sendable {
    /// Connects to a source. Does not read more than it must to know that the source is there.
    /// - Parameters:
    ///   - source: a URI whose scheme the plugin's manifest names.
    ///   - settings: what the user configured for this source.
    /// - Throws: `notFound`, `offline`, `unauthorized`, `forbidden` or `invalidArgument`.
    init(source: SourceURI, settings: BackendSettings) async throws(PluginError)

    /// Lists one level of a folder, as pages.
    ///
    /// Entries carry size and times where the storage gives them without a request each. The order is the
    /// storage's own. A page is at most a few thousand entries, so that memory stays flat in any folder, and at least
    /// one: `nil` ends a listing, not a page without entries.
    /// - Parameter folder: a folder; ``ItemPath/root`` for the source.
    /// - Returns: the pages. Iterating throws `notFound`, `forbidden`, `notAFile` (not a folder) or what else
    ///   ended the listing: a listing that ends without an error is complete.
    func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable

    /// What one path is, without following a link.
    /// - Throws: `notFound` when there is nothing.
    func stat(_ path: ItemPath) async throws(PluginError) -> Entry

    /// Opens a regular file for reading.
    ///
    /// What is not a regular file is refused before anything is read from it, and without a race: what was
    /// checked is what is read.
    /// - Throws: `notFound`, `forbidden`, `notAFile`, `offline` …
    func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource

    /// Opens a regular file that a listing or `stat` told of a moment ago, so that a storage that is asked for each answer
    /// need not be asked again what the file is. Its first read throws what ``open(_:)`` would have thrown, and `changed`
    /// when the file is no longer what `entry` says.
    ///
    /// Default: ``open(_:)``.
    /// - Parameter entry: what was told; its size is known.
    func open(_ path: ItemPath, listedAs entry: Entry) async throws(PluginError) -> any ByteSource

    /// Whether the user may read a file, as far as can be told without opening it. A preview that is there already is
    /// shown only to those who may read the file. Default: yes.
    func mayRead(_ path: ItemPath) async -> Bool
}

extension StorageBackend {
    /// Yes: ``open(_:)`` will tell.
    public func mayRead(_ path: ItemPath) async -> Bool { true }

    /// Asks again what the file is.
    public func open(_ path: ItemPath, listedAs entry: Entry) async throws(PluginError) -> any ByteSource {
        try await open(path)
    }
}
