import Synchronization
import VitrineKit
import VitrineTesting

/// A file of a real storage that counts what is asked of it.
final class CountingFile: ByteSource {
    let file: any ByteSource
    let asked = Mutex<[Range<Int64>]>([])

    init(_ file: any ByteSource) { self.file = file }

    var entry: Entry { file.entry }
    func current() async throws(PluginError) -> Entry { try await file.current() }

    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        asked.withLock { $0.append(offset..<offset + Int64(count)) }
        return try await file.read(at: offset, count: count)
    }

    var requests: Int { asked.withLock(\.count) }

    /// A file of so many bytes that repeat only after 251.
    static func of(size: Int, etag: String? = nil) async throws -> CountingFile {
        let backend = try await InMemoryBackend(source: SourceURI("test:///top"), settings: BackendSettings())
        let path = try ItemPath("item")
        backend.put(path, content: content(0..<Int64(size)))
        return CountingFile(try await backend.open(path))
    }

    static func content(_ range: Range<Int64>) -> [UInt8] { range.map { UInt8($0 % 251) } }
}
