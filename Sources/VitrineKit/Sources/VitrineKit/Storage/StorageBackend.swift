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

/// An open file of a storage. Closed when the last reference goes.
///
/// May be called from several tasks at once.
public protocol ByteSource: Sendable {
    /// What the file was at the moment of opening.
    var entry: Entry { get }

    /// Reads a range.
    /// - Parameters:
    ///   - offset: the first byte, 0 or more.
    ///   - count: how many bytes at most, 1 or more.
    /// - Returns: the bytes; fewer than asked for only at the end of the file, none past it.
    /// - Throws: `changed` when the file is not the one that was opened any more, `notFound` when it is gone, `offline`,
    ///   `throttled`, `unauthorized`, `forbidden`, `io`, `cancelled`. None of these is remembered: the file is tried again.
    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8]

    /// What the file is now, so that a preview of a file that changed while it was read is not kept.
    /// - Throws: `notFound` when it is gone, else as ``read(at:count:)``.
    func current() async throws(PluginError) -> Entry

    /// A descriptor open for reading, for storages that have one; the source keeps it and closes it. Its
    /// file position is not used. A worker can then read without asking the engine for each range.
    var fileDescriptor: CInt? { get }

    /// Whether every read is of the version that ``entry`` tells of, and throws `changed` otherwise, as a server does that
    /// is given an etag with each request. Nobody asks ``current()`` then. Default: no.
    var isPinned: Bool { get }

    /// The file's first bytes, where opening brought them along: as they were then, at least 4096 of them or all that
    /// there are. Nobody asks ``read(at:count:)`` for these then. Default: `nil`.
    var head: [UInt8]? { get }
}

extension ByteSource {
    /// No: a file may be changed while it is read.
    public var isPinned: Bool { false }

    /// None: they are read when they are wanted.
    public var head: [UInt8]? { nil }

    /// None: ranges are read through ``read(at:count:)``.
    public var fileDescriptor: CInt? { nil }
}

/// What the user configured for a source.
public struct BackendSettings: Sendable {
    /// Settings by name; names and meanings are the backend's own.
    public var values: [String: String]
    /// Whether links are listed and opened as what they point to. Default: no.
    public var followsLinks: Bool
    /// Whether folders on other file systems are entered. Default: no.
    public var crossesFileSystems: Bool
    /// What lets the source in, where the user logged in with OAuth 2. Default: `nil`, nobody did.
    public var accessTokens: (any AccessTokens)?

    /// Creates settings; everything is off by default.
    public init(values: [String: String] = [:], followsLinks: Bool = false, crossesFileSystems: Bool = false) {
        self.values = values
        self.followsLinks = followsLinks
        self.crossesFileSystems = crossesFileSystems
    }
}
