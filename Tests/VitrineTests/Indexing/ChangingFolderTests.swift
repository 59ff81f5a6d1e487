import Catalog
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

/// Folders that somebody works in while they are walked.
@Suite(.timeLimit(.minutes(10))) struct ChangingFolderTests {
    @Test func `a folder that changed while it was walked is known as it is after the next run`() async throws {
        let scratch = try TemporaryFolder()
        let tree = try ByteTree(scratch)
        try tree.folder(Array("a".utf8))
        for number in 0..<1000 { try tree.write(Array("a/\(number)".utf8), []) }
        var configuration = PipelineTests.configuration(scratch)
        configuration.catalog = scratch.path + "/cache/vitrine/catalog.sqlite"
        let pipeline = try PreviewPipeline(configuration)
        let source = try SourceURI(tree.uri([]))
        _ = await pipeline.prebuild([source])

        let churn = Churn(scratch.path + "/items/a")
        for _ in 0..<5 {
            let before = churn.rounds
            _ = await pipeline.prebuild([source])
            await churn.round(after: before)
        }
        churn.end()
        _ = await pipeline.prebuild([source])
        let there = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/items/a")
        let known = Mutex<[String]>([])
        let catalog = try #require(try pipeline.desk.catalog())
        try catalog.eachItem { items in
            known.withLock { $0 += items.map { String($0.path.description.dropFirst(2)) } }
        }
        #expect(known.withLock { $0.sorted() } == there.sorted())
        #expect(await pipeline.prebuild([source]).changes?.isUnchanged == true)
        await pipeline.end()
    }

    /// Renames, deletes and makes files, on a thread of its own, until it is told to end.
    private final class Churn: Sendable {
        private let count = Atomic(0)
        private let isOver = Atomic(false)
        private let done = DispatchSemaphore(value: 0)
        private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

        init(_ folder: String) {
            Thread.detachNewThread {
                while !self.isOver.load(ordering: .relaxed) {
                    let number = self.count.load(ordering: .relaxed)
                    let name = "\(folder)/\(number % 1000)"
                    if rename(name, name + "-\(number)") != 0 {
                        close(open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
                    }
                    if number % 3 == 0 { unlink(name + "-\(number)") }
                    self.count.store(number + 1, ordering: .relaxed)
                    self.waiting.withLock { waiting in
                        for one in waiting { one.resume() }
                        waiting = []
                    }
                }
                self.done.signal()
            }
        }

        var rounds: Int { count.load(ordering: .relaxed) }

        /// Waits until more than so many rounds were done; not to be called once it was told to end.
        func round(after before: Int) async {
            if rounds > before { return }
            await withCheckedContinuation { one in waiting.withLock { $0.append(one) } }
        }

        func end() {
            isOver.store(true, ordering: .relaxed)
            done.wait()
        }
    }
}
