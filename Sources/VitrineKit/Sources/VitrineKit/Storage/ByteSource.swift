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

    /// Refuses what is no range, for the beginning of ``read(at:count:)``.
    /// - Throws: `invalidArgument`, with a sentence that names both numbers.
    public func checkRange(at offset: Int64, count: Int) throws(PluginError) {
        guard offset >= 0, count > 0 else {
            throw PluginError(.invalidArgument, "there is no range of \(count) bytes at \(offset)")
        }
    }
}
