import RangeReading
import VitrineKit

/// An open file, each piece of which must come in time.
final class WatchedFile: TracedSource {
    private let file: any ByteSource
    private let watch: CallWatch
    private let name: String

    init(_ file: any ByteSource, _ path: ItemPath, _ watch: CallWatch) {
        self.file = file
        self.watch = watch
        name = DisplayText.of(path.bytes)
    }

    var entry: Entry { file.entry }

    var fileDescriptor: CInt? { file.fileDescriptor }

    var isPinned: Bool { file.isPinned }

    var head: [UInt8]? { file.head }

    var traffic: ItemTraffic? { (file as? any TracedSource)?.traffic }

    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        let file = file
        return try await watch.run("reading '\(name)'") { () async throws(PluginError) in
            try await file.read(at: offset, count: count)
        }
    }

    func current() async throws(PluginError) -> Entry {
        let file = file
        return try await watch.run("looking at '\(name)'") { () async throws(PluginError) in try await file.current() }
    }
}
