import Synchronization
import VitrineKit

/// Files `0`, `1`, …, in pages of a thousand.
final class NumberedFiles: StorageBackend {
    private struct State {
        var count = 0
        var failsAfter = Int.max
        var isPassedOver = false
        var listings = 0
        var given = 0
        var slots: Slots?
    }
    private let state = Mutex(State())

    init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {}
    init() {}

    var count: Int {
        get { state.withLock { $0.count } }
        set { state.withLock { $0.count = newValue } }
    }
    var failsAfter: Int {
        get { state.withLock { $0.failsAfter } }
        set { state.withLock { $0.failsAfter = newValue } }
    }
    /// Whether it says that it is to be passed over.
    var isPassedOver: Bool {
        get { state.withLock { $0.isPassedOver } }
        set { state.withLock { $0.isPassedOver = newValue } }
    }

    /// The connections that listings need; `nil` for any number.
    var slots: Slots? {
        get { state.withLock { $0.slots } }
        set { state.withLock { $0.slots = newValue } }
    }
    /// How often it was listed, and how many entries that gave.
    var listings: Int { state.withLock { $0.listings } }
    var given: Int { state.withLock { $0.given } }

    func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        state.withLock { $0.listings += 1 }
        return Pages(files: self)
    }

    func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
        let isMarker = isPassedOver && path.name == Array(".nomedia".utf8)
        return Entry(name: path.name, kind: isMarker ? .file : .folder)
    }

    func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        throw PluginError(.unsupported, "nothing is read here")
    }

    private func page(from first: Int) throws(PluginError) -> [Entry] {
        let (count, limit) = state.withLock { ($0.count, $0.failsAfter) }
        guard first < limit else { throw PluginError(.offline, "the connection broke") }
        let end = min(count, first + 1000)
        state.withLock { $0.given += end - first }
        return (first..<end).map { Entry(name: Array("\($0)".utf8), kind: .file, size: Int64($0)) }
    }

    private struct Pages: AsyncSequence, Sendable {
        let files: NumberedFiles

        struct AsyncIterator: AsyncIteratorProtocol {
            let files: NumberedFiles
            var next = 0
            private var slot: Slots.Slot?

            init(files: NumberedFiles) { self.files = files }

            mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(PluginError) -> [Entry]? {
                if next == 0 { slot = await files.slots?.take() }
                let page = try files.page(from: next)
                next += page.count
                if page.isEmpty { slot = nil }
                return page.isEmpty ? nil : page
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(files: files) }
    }
}

/// A number of connections: who wants one waits until one is free.
final class Slots: Sendable {
    /// Gives it back with the last reference.
    final class Slot: Sendable {
        let slots: Slots
        init(_ slots: Slots) { self.slots = slots }
        deinit { slots.giveBack() }
    }
    private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

    init(_ count: Int) { state = Mutex((count, [])) }

    func take() async -> Slot {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        return Slot(self)
    }

    private func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
