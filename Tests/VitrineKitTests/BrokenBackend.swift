import Glibc
import Synchronization
import VitrineKit
import VitrineTesting

/// A good backend with one fault.
struct BrokenBackend: StorageBackend {
    let good: InMemoryBackend
    let fault: Fault

    init(_ good: InMemoryBackend, _ fault: Fault) {
        self.good = good
        self.fault = fault
    }

    init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        throw PluginError(.unsupported, "made for tests only")
    }

    func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        Listing(backend: self, folder: folder)
    }

    func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
        if fault == .inventsFiles { return (try? await good.stat(path)) ?? Entry(name: path.name, kind: .file) }
        var entry = try await good.stat(path)
        if fault == .renames { entry.name += [UInt8(ascii: "~")] }
        return entry
    }

    func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        if fault == .opensFolders, try await good.stat(path).kind == .folder {
            return try await good.open(try ItemPath("data.bin"))
        }
        return BrokenSource(good: try await good.open(path), fault: fault)
    }

    func mayRead(_ path: ItemPath) async -> Bool { fault != .deniesReading }

    private struct Listing: AsyncSequence, Sendable {
        let backend: BrokenBackend
        let folder: ItemPath

        struct AsyncIterator: AsyncIteratorProtocol {
            let listing: Listing
            var isDone = false

            mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(PluginError) -> [Entry]? {
                if isDone { return nil }
                isDone = true
                let (listing, backend, folder) = (listing, listing.backend, listing.folder)
                if backend.fault == .listsFiles, try await backend.good.stat(folder).kind == .file { return nil }
                if backend.fault == .ignoresCancellation {
                    let listed = await Task.detached { try? await listing.entries() }.value
                    return listed ?? nil
                }
                var entries = try await listing.entries()
                switch backend.fault {
                case .losesEntries: _ = entries.popLast()
                case .repeatsEntries: if let first = entries.first { entries.append(first) }
                case .liesAboutKinds: for index in entries.indices { entries[index].kind = .special }
                case .liesAboutSizes: for index in entries.indices { entries[index].size = 7 }
                default: break
                }
                return entries
            }
        }

        func entries() async throws(PluginError) -> [Entry] {
            var entries: [Entry] = []
            for try await page in backend.good.list(folder) { entries += page }
            return entries
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(listing: self) }
    }
}

/// An open file with one fault.
private final class BrokenSource: ByteSource {
    let good: any ByteSource
    let fault: Fault
    private let last = Mutex<Int64>(0)
    private let inherited: CInt?

    init(good: any ByteSource, fault: Fault) {
        self.good = good
        self.fault = fault
        inherited = fault == .inheritsDescriptors ? Glibc.open("/dev/null", O_RDONLY) : nil
    }

    var entry: Entry { good.entry }
    var fileDescriptor: CInt? { inherited }

    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        switch fault {
        case .readsShort:
            return try await good.read(at: offset, count: max(1, count / 2))
        case .mixesRanges:
            // A position that all tasks share, as a seek and a read would have it.
            last.withLock { $0 = offset }
            await Task.yield()
            return try await good.read(at: last.withLock { $0 }, count: count)
        default:
            return try await good.read(at: offset, count: count)
        }
    }

    func current() async throws(PluginError) -> Entry {
        var entry = try await good.current()
        if fault == .changesByItself { entry.modified = Timestamp(seconds: 1) }
        return entry
    }

    deinit { if let inherited { close(inherited) } }
}
