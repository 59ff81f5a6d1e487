import PreviewCache
import Testing
import VitrineKit

@testable import DesktopService

@Suite struct RequestQueueTests {
    /// A queue that is asked in expectations, which cannot change a value.
    private final class Asked {
        private var queue = RequestQueue()

        var isEmpty: Bool { queue.isEmpty }
        func put(_ uris: [String], _ size: PreviewSize = .normal) -> UInt32 {
            queue.add(uris, size, isForeground: true)
        }
        func begin(_ handle: UInt32) -> Bool { queue.begin(handle) }
        func next() -> RequestQueue.Job? { queue.next() }
        func ended(_ job: RequestQueue.Job) -> (isWanted: Bool, isLast: Bool) { queue.ended(job) }
        func remove(_ handle: UInt32) -> Bool { queue.remove(handle) }

        @discardableResult
        func add(_ uris: [String], isForeground: Bool = true) -> UInt32 {
            let handle = queue.add(uris, .normal, isForeground: isForeground)
            _ = queue.begin(handle)
            return handle
        }
        func rest() -> [String] {
            var uris: [String] = []
            while let job = queue.next() { uris.append(job.uri) }
            return uris
        }
    }

    private let queue = Asked()

    @Test func `the last one who looks goes first, and those who do not look wait in turn`() {
        queue.add(["a", "b"], isForeground: false)
        queue.add(["c"], isForeground: false)
        queue.add(["d", "e"])
        #expect(queue.next()?.uri == "d")
        queue.add(["f", "g"])
        #expect(queue.rest() == ["f", "g", "e", "a", "b", "c"])
    }

    @Test func `a request is done with its last file, in whatever order they end`() throws {
        let handle = queue.add(["a", "b"])
        let (a, b) = (try #require(queue.next()), try #require(queue.next()))
        #expect(a.handle == handle && a.isForeground && a.size == .normal && !queue.isEmpty)
        #expect(queue.ended(b) == (isWanted: true, isLast: false))
        #expect(queue.ended(a) == (isWanted: true, isLast: true) && queue.isEmpty)
    }

    @Test func `what is given up is not begun, and nobody hears of what was`() throws {
        let handle = queue.add(["a", "b", "c"])
        let job = try #require(queue.next())
        #expect(queue.remove(handle) && !queue.remove(handle) && queue.next() == nil && queue.isEmpty)
        #expect(!queue.ended(job).isWanted)
    }

    @Test func `a request without files is done at once, and one that has not begun waits`() {
        let empty = queue.put([])
        #expect(!queue.isEmpty && !queue.begin(empty) && queue.isEmpty && !queue.begin(empty))
        let handle = queue.put(["a"], .large)
        #expect(queue.next() == nil && handle != empty && queue.begin(handle) && queue.next()?.size == .large)
    }

    @Test(
        arguments: [
            (.unsupported, .unsupported), (.offline, .connection), (.corrupt, .invalidFormat),
            (.isThumbnail, .isThumbnail),
            (.noSpace, .saveFailed), (.notFound, .noContent), (.cancelled, .shuttingDown), (.io, .other),
        ] as [(PluginError.Code, Thumbnailer.Failure)])
    func `reasons have the numbers of Tumbler`(code: PluginError.Code, failure: Thumbnailer.Failure) {
        #expect(Thumbnailer.Failure(code) == failure)
    }
}
