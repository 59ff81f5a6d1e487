import RangeReading
import VitrineKit
import Workers

/// An open file, each piece of which must come in time. Of one on a disk of this machine that is certain.
final class WatchedFile: TracedSource {
    private let file: any ByteSource
    private let watch: CallWatch
    private let path: ItemPath
    let isOnDisk: Bool
    /// Whether workers can do nothing with its descriptor, see ``PrivateMounts``.
    let isClosedToWorkers: Bool

    /// - Parameters:
    ///   - isOnDisk: whether calls may block a thread that was made for it. Default: no.
    ///   - isClosedToWorkers: whether workers are refused what lies there. Default: no.
    init(
        _ file: any ByteSource, _ path: ItemPath, _ watch: CallWatch, isOnDisk: Bool = false,
        isClosedToWorkers: Bool = false
    ) {
        self.file = file
        self.watch = watch
        self.path = path
        self.isOnDisk = isOnDisk
        self.isClosedToWorkers = isClosedToWorkers
    }

    private var name: String { DisplayText.of(path.bytes) }

    var entry: Entry { file.entry }

    var fileDescriptor: CInt? { file.fileDescriptor }

    var isPinned: Bool { file.isPinned }

    var head: [UInt8]? { file.head }

    var traffic: ItemTraffic? { isOnDisk ? nil : (file as? any TracedSource)?.traffic }

    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        let file = file
        if isOnDisk, BlockingThread.isCurrent { return try await file.read(at: offset, count: count) }
        return try await watch.run("reading '\(name)'") { () async throws(PluginError) in
            try await file.read(at: offset, count: count)
        }
    }

    func current() async throws(PluginError) -> Entry {
        let file = file
        if isOnDisk, BlockingThread.isCurrent { return try await file.current() }
        return try await watch.run("looking at '\(name)'") { () async throws(PluginError) in try await file.current() }
    }
}
