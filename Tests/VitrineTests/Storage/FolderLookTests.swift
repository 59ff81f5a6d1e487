import Catalog
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

/// Folders of a storage that tells nothing but listings.
struct FolderLookTests {
    private let backend = NumberedFiles()
    private let storage: Storage

    init() throws {
        storage = Storage(source: try SourceURI("numbers:///"), backend: backend, seconds: 3600)
    }

    private func look(known: FolderDigest? = nil) async throws -> FolderLook {
        let answers = await storage.looks(at: [SnapshotRequest(folder: .root, known: known)])
        return try #require(answers.first).get()
    }

    @Test func `of more entries than are held at once the listing is read on and not begun again`() async throws {
        backend.count = Storage.entryLimit * 2
        guard case .begun(var listing) = try await look() else {
            Issue.record("it was not begun")
            return
        }
        #expect(backend.given < backend.count)
        #expect(listing.seen.entry(Array("0".utf8)) != nil && !listing.seen.isAll)
        var names: Set<[UInt8]> = []
        var count = 0
        while let page = try await listing.next() {
            names.formUnion(page.map(\.name))
            count += page.count
        }
        #expect(count == backend.count && names.count == count && backend.listings == 1)
        // Later on it is known by its digest, however many there are.
        guard case .snapshot(let again) = try await look(known: listing.digest), case .unchanged = again.content else {
            Issue.record("it is taken for changed")
            return
        }
        backend.count += 1
        guard case .begun(var changed) = try await look(known: listing.digest) else {
            Issue.record("it is taken for unchanged")
            return
        }
        // It was read to its end to know that, and is not listed again to know what it holds.
        #expect(changed.seen.entry(Array("0".utf8)) != nil && !changed.seen.isAll && changed.digest != listing.digest)
        var digest = EntryDigest()
        names = []
        while let page = try await changed.next() {
            names.formUnion(page.map(\.name))
            digest.add(page)
        }
        #expect(names.count == backend.count && digest.value == changed.digest && backend.listings == 3)
    }

    @Test(arguments: [("/nowhere", 1 << 20), ("", 0), ("", 600_000)])
    func `a large folder for which there is no room on disk is only told to have changed`(
        folder: String, bytes: Int64
    ) async throws {
        backend.count = Storage.entryLimit * 2
        let source = try SourceURI("numbers:///")
        let storage = Storage(
            source: source, backend: backend, watch: CallWatch(source, seconds: 3600),
            spools: SpoolRoom(in: folder, bytes: bytes))
        let request = SnapshotRequest(folder: .root, known: FolderDigest(low: 1, high: 1))
        guard case .snapshot(let snapshot)? = try await storage.looks(at: [request]).first?.get(),
            case .tooMany = snapshot.content
        else {
            Issue.record("it was kept")
            return
        }
        let again = SnapshotRequest(folder: .root, known: snapshot.digest)
        guard case .snapshot(let same)? = try await storage.looks(at: [again]).first?.get(),
            case .unchanged = same.content
        else {
            Issue.record("it is taken for changed")
            return
        }
    }

    @Test func `known folders beyond what is held of all are asked for again, and take no file`() async throws {
        backend.count = Storage.entryLimit
        let source = try SourceURI("numbers:///")
        let storage = Storage(
            source: source, backend: backend, watch: CallWatch(source, seconds: 3600), spools: SpoolRoom(in: "/nowhere")
        )
        let requests = try (0...4).map {
            SnapshotRequest(folder: try ItemPath("\($0)"), known: FolderDigest(low: 1, high: 1))
        }
        let answers = await storage.looks(at: requests)
        var held = 0
        for answer in answers {
            guard case .snapshot(let snapshot) = try answer.get() else {
                Issue.record("it was begun")
                continue
            }
            if case .entries(let entries) = snapshot.content { held += entries.count }
        }
        #expect(held == Storage.callLimit && answers.count == 5)
    }

    @Test func `a large folder that is passed over is not listed as long as it says so`() async throws {
        let scratch = try TemporaryFolder()
        let catalog = try Catalog.open(at: scratch.path + "/vitrine/catalog.sqlite", now: 1).catalog
        let source = try catalog.source(storage.source.text)
        backend.count = Storage.entryLimit * 2
        backend.isPassedOver = true
        func run() async throws -> (skipped: Int, summary: IndexSummary) {
            var walk = IndexedWalk(
                SourceWalk(storage: storage, crossesFileSystems: true), catalog, source, base: .root, plan: nil, now: 1)
            var skipped = 0
            try await walk.run { step in
                if case .skipped = step { skipped += 1 }
                return true
            }
            return (skipped, walk.summary)
        }
        #expect(try await run().skipped == 1)
        #expect(backend.listings == 1)
        let second = try await run()
        #expect(second.skipped == 1 && second.summary.unchangedFolders == 1 && backend.listings == 1)
        backend.isPassedOver = false
        let third = try await run()
        #expect(third.skipped == 0 && third.summary.added == backend.count && backend.listings == 2)
        #expect(try await run().summary.isUnchanged)
        backend.isPassedOver = true
        backend.count += 1
        for _ in 0..<2 {
            #expect(try await run().skipped == 1)
        }
    }

    @Test func `large folders among others need no connection while they wait`() async throws {
        backend.count = Storage.entryLimit * 2
        backend.slots = Slots(1)
        let storage = Storage(source: try SourceURI("numbers:///"), backend: backend, seconds: 3600)
        let requests = try ["a", "b", "c"].map { SnapshotRequest(folder: try ItemPath($0)) }
        for answer in await storage.looks(at: requests) {
            guard case .begun(var listing) = try answer.get() else {
                Issue.record("it was not begun")
                continue
            }
            var names: Set<[UInt8]> = []
            while let page = try await listing.next() { names.formUnion(page.map(\.name)) }
            #expect(names.count == backend.count)
        }
        #expect(backend.listings == 6)
    }

    @Test func `folders without an end in one another are left at some depth`() async throws {
        backend.count = 1
        let deep = try ItemPath(Array(repeating: "a", count: Storage.deepest + 1).joined(separator: "/"))
        let parent = try #require(deep.parent)
        let answers = await storage.looks(at: [SnapshotRequest(folder: deep), SnapshotRequest(folder: parent)])
        #expect(throws: PluginError.self) { try answers[0].get() }
        _ = try answers[1].get()
        #expect(backend.listings <= 2 && backend.given == 1)
        var pages = storage.pages(of: deep).makeAsyncIterator()
        let error = await #expect(throws: PluginError.self) { try await pages.next() }
        #expect(error?.code == .limitExceeded && error?.message.contains("folders deep") == true)
    }

    @Test(arguments: [(Storage.beginLimit, nil), (Storage.entryLimit, FolderDigest(low: 1, high: 1))])
    func `what fits is told at once`(count: Int, known: FolderDigest?) async throws {
        backend.count = count
        guard case .snapshot(let snapshot) = try await look(known: known), case .entries(let entries) = snapshot.content
        else {
            Issue.record("it was begun")
            return
        }
        #expect(entries.count == backend.count)
    }

    @Test func `what ends a listing later is no end of the folder`() async throws {
        backend.count = Storage.entryLimit * 2
        backend.failsAfter = Storage.entryLimit + 5000
        guard case .begun(var listing) = try await look() else {
            Issue.record("it was not begun")
            return
        }
        let error = await #expect(throws: PluginError.self) { while try await listing.next() != nil {} }
        #expect(error?.code == .offline)
    }

    @Test func `a page is asked for ahead only of who reads on`() async throws {
        backend.count = 5000
        var pages = storage.pages(of: .root).makeAsyncIterator()
        _ = try await pages.next()
        #expect(backend.given == 1000)
        _ = try await pages.next()
        // The third one is on its way, or there.
        #expect([2000, 3000].contains(backend.given))
        var count = 2000
        while let page = try await pages.next() { count += page.count }
        #expect(count == 5000)
    }
}
