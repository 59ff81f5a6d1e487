import Testing
import VitrineKit

@testable import Vitrine

/// Listings whose pages are not as they should be.
@Suite(.timeLimit(.minutes(10))) struct WatchedListingTests {
    /// Some pages without entries, then one with an entry, then the end.
    private struct Pages: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var empty: Int
        var isDone = false

        mutating func next() async throws(PluginError) -> [Entry]? { try await next(isolation: nil) }
        mutating func next(isolation: isolated (any Actor)?) async throws(PluginError) -> [Entry]? {
            if empty > 0 {
                empty -= 1
                return []
            }
            defer { isDone = true }
            return isDone ? nil : [Entry(name: Array("a".utf8), kind: .file)]
        }
        func makeAsyncIterator() -> Pages { self }
    }

    private func listing(_ pages: Pages) throws -> WatchedListing {
        WatchedListing(pages, of: try ItemPath("folder"), CallWatch(try SourceURI("test:///top"), seconds: 3600))
    }

    @Test func `pages without entries are passed over`() async throws {
        var pages: [Int] = []
        for try await page in try listing(Pages(empty: 500)) { pages.append(page.count) }
        #expect(pages == [1])
    }

    @Test func `a listing that never comes to its end is ended`() async throws {
        var iterator = try listing(Pages(empty: .max)).makeAsyncIterator()
        let error = await #expect(throws: PluginError.self) { try await iterator.next() }
        #expect(error?.code == .invalidAnswer)
        #expect(error?.message.contains("without entries of the folder 'folder'") == true)
    }
}
