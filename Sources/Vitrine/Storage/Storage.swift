import Glibc
import PreviewCache
import Synchronization
public import VitrineKit
import Workers

/// The bridge: the one abstraction of storages that the engine talks to.
///
/// It forwards to a backend that the factory made, and that backend can be exchanged while the program runs, for
/// example after a new log-in: calls under way finish on the old one, later calls use the new one.
public final class Storage: Sendable {
    /// The source that it stands for.
    public let source: SourceURI

    /// Where a source of local files really lies, links resolved; `nil` for other storages.
    let localRoot: [UInt8]?

    /// Whether a link may lead from it to elsewhere.
    let followsLinks: Bool

    /// The file system of that, when it is on a disk of this machine: no call for a file on it waits for ever.
    private let disk: UInt64?

    private let backend: Mutex<any StorageBackend>
    let watch: CallWatch
    /// Where folders wait that are too large for memory.
    let spools: SpoolRoom

    /// Puts the bridge in front of a backend.
    /// - Parameters:
    ///   - source: what the backend was made for.
    ///   - backend: made by the factory.
    ///   - seconds: how long one call may take; `offline` is thrown then. Default: 60.
    public convenience init(source: SourceURI, backend: any StorageBackend, seconds: Double = 60) {
        self.init(source: source, backend: backend, watch: CallWatch(source, seconds: seconds))
    }

    init(
        source: SourceURI, backend: any StorageBackend, watch: CallWatch, followsLinks: Bool = true,
        spools: SpoolRoom = .shared
    ) {
        self.spools = spools
        self.source = source
        self.followsLinks = followsLinks
        self.backend = Mutex(backend)
        self.watch = watch
        localRoot = source.scheme == "file" ? Self.resolved(source.path) : nil
        disk = localRoot.flatMap { PreviewCache.isOnDisk($0) ? FileSystemRoot.volume(of: $0) : nil }
    }

    /// Replaces the backend. Items keep their URIs.
    public func exchange(for backend: any StorageBackend) {
        self.backend.withLock { $0 = backend }
    }

    /// One level of a folder, in pages. See `StorageBackend.list`.
    public func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        pages(of: folder)
    }

    func pages(of folder: ItemPath) -> WatchedListing {
        WatchedListing(current.list(folder), of: folder, watch, refusal: tooDeep(folder))
    }

    /// How deep folders may lie in one another. A server that shows another folder in each one would never end.
    static let deepest = 512

    /// Why a folder is not even looked at; `nil` when it is.
    func tooDeep(_ folder: ItemPath) -> PluginError? {
        let slashes = folder.bytes.reduce(0) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) }
        guard slashes >= Self.deepest else { return nil }
        let name = DisplayText.of(folder.bytes.suffix(60))
        return PluginError(
            .limitExceeded, "'…\(name)' lies more than \(Self.deepest) folders deep and is not looked at")
    }

    /// What one path is. See `StorageBackend.stat`.
    public func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
        let backend = current
        return try await watch.run("looking at '\(DisplayText.of(path.bytes))'") { () async throws(PluginError) in
            try await backend.stat(path)
        }
    }

    /// Opens a regular file. See `StorageBackend.open`.
    public func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        try await open(path, listedAs: nil) { _ in }.file
    }

    /// Opens a regular file that was listed a moment ago. See `StorageBackend.open(_:listedAs:)`.
    public func open(_ path: ItemPath, listedAs entry: Entry) async throws(PluginError) -> any ByteSource {
        try await open(path, listedAs: entry) { _ in }.file
    }

    /// The same, and what is asked of the file at once, while the thread is there that opened it: the present one, when
    /// it may be blocked and the file is on a disk of this machine.
    func open<Answer: Sendable>(
        _ path: ItemPath, listedAs entry: Entry?, asking: @escaping @Sendable (any ByteSource) -> Answer
    ) async throws(PluginError) -> (file: WatchedFile, answer: Answer) {
        let backend = current
        if let entry, let volume = entry.volume, volume == disk, BlockingThread.isCurrent {
            let file = try await backend.open(path, listedAs: entry)
            return (WatchedFile(file, path, watch, isOnDisk: true), asking(file))
        }
        let name = DisplayText.of(path.bytes)
        let (file, isClosed, answer) = try await watch.run("opening '\(name)'") { () async throws(PluginError) in
            let file: any ByteSource
            if let entry {
                file = try await backend.open(path, listedAs: entry)
            } else {
                file = try await backend.open(path)
            }
            let volume = file.fileDescriptor == nil ? nil : file.entry.volume
            return (file, volume.map(PrivateMounts.current.areClosedToWorkers) ?? false, asking(file))
        }
        return (WatchedFile(file, path, watch, isClosedToWorkers: isClosed), answer)
    }

    /// Whether this user may read a file. See `StorageBackend.mayRead`.
    /// - Throws: `offline` when the storage does not answer, `cancelled`.
    public func mayRead(_ path: ItemPath) async throws(PluginError) -> Bool {
        let backend = current
        return try await watch.run("looking at '\(DisplayText.of(path.bytes))'") { () async throws(PluginError) in
            await backend.mayRead(path)
        }
    }

    /// The most sentences on what a storage left out.
    static let mostOmissions = 256

    /// What was left out of listings so far, and why, where the storage tells; or why it does not.
    var omissions: [PluginError] {
        get async {
            guard let backend = current as? any OmittingBackend else { return [] }
            do throws(PluginError) {
                let all = try await watch.run("telling what it left out") { () async throws(PluginError) in
                    await backend.omissions
                }
                let rest = all.count - Self.mostOmissions
                guard rest > 0 else { return all }
                return all.prefix(Self.mostOmissions) + [
                    PluginError(.limitExceeded, "\(rest) further sentences on what was left out are not told")
                ]
            } catch {
                return error.code == .cancelled ? [] : [error]
            }
        }
    }

    private static func resolved(_ path: [UInt8]) -> [UInt8] {
        let name = path.map { CChar(bitPattern: $0) } + [0]
        guard let real = realpath(name, nil) else { return path }
        defer { free(real) }
        return UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) }
    }

    /// What the backend asked its storage for since it was connected; `nil` when it does not count.
    var traffic: Traffic? { (current as? any MeteredBackend)?.traffic }

    var current: any StorageBackend { backend.withLock { $0 } }
}
