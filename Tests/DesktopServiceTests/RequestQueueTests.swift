import PreviewCache
import Testing
import VitrineKit

@testable import DesktopService

@Suite struct RequestQueueTests {
    /// A queue that can be asked in expectations, which cannot change a value.
    private final class Asked {
        private var queue = RequestQueue()

        var isEmpty: Bool { queue.isEmpty }
        func put(_ uris: [String], _ size: PreviewSize = .normal) -> UInt32? {
            queue.add(uris, size, isForeground: true, client: ":1")
        }
        func begin(_ handle: UInt32) -> Bool { queue.begin(handle) }
        func next() -> RequestQueue.Job? { queue.next() }
        func isLast(_ job: RequestQueue.Job) -> Bool? { queue.ended(job)?.isLast }
        func remove(_ handle: UInt32, of client: String = ":1") -> [UInt64]? { queue.remove(handle, of: client) }
        func removeAll() -> [Int] { queue.removeAll().map(\.uris.count).sorted() }

        @discardableResult
        func add(_ uris: [String], isForeground: Bool = true) -> UInt32 {
            let handle = queue.add(uris, .normal, isForeground: isForeground, client: ":1") ?? 0
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
        #expect(a.handle == handle && a.isForeground && a.size == .normal && a.number != b.number && !queue.isEmpty)
        #expect(queue.isLast(b) == false && queue.isLast(a) == true && queue.isEmpty)
    }

    @Test func `what is given up is not begun, and nobody hears of what was`() throws {
        let handle = queue.add(["a", "b", "c"])
        let job = try #require(queue.next())
        #expect(queue.remove(handle, of: ":2") == nil)
        #expect(queue.remove(handle) == [job.number] && queue.remove(handle) == nil)
        #expect(queue.next() == nil && queue.isEmpty && queue.isLast(job) == nil)
    }

    @Test func `a request without files is done at once, and one that has not begun waits`() throws {
        let empty = try #require(queue.put([]))
        #expect(!queue.isEmpty && !queue.begin(empty) && queue.isEmpty && !queue.begin(empty))
        let handle = try #require(queue.put(["a"], .large))
        #expect(queue.next() == nil && handle != empty && queue.begin(handle) && queue.next()?.size == .large)
    }

    @Test func `there is an end to what waits, and room again when it is given up`() throws {
        let many = Array(repeating: "a", count: RequestQueue.mostFiles)
        let handle = try #require(queue.put(many))
        #expect(queue.begin(handle) && queue.put(["b"]) == nil && queue.next() != nil && queue.put(["b"]) != nil)
        #expect(queue.remove(handle)?.count == 1 && queue.put(Array(many.dropLast())) != nil)
        #expect(queue.removeAll() == [1, RequestQueue.mostFiles - 1] && queue.isEmpty && queue.put(many) != nil)
    }

    @Test(
        arguments: [
            (.unsupported, .unsupported), (.offline, .connection), (.corrupt, .invalidFormat),
            (.isThumbnail, .isThumbnail),
            (.noSpace, .saveFailed), (.empty, .noContent), (.cancelled, .shuttingDown), (.notFound, .other),
            (.io, .other),
        ] as [(PluginError.Code, Thumbnailer.Failure)])
    func `reasons have the numbers of Tumbler`(code: PluginError.Code, failure: Thumbnailer.Failure) {
        #expect(Thumbnailer.Failure(code) == failure)
    }
}
