import Catalog
import Foundation
import Glibc
import PreviewCache
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

/// Runs with a catalog over real folders, with the real plugins.
@Suite(.timeLimit(.minutes(10))) struct IndexedRunTests {
    private let scratch: TemporaryFolder
    private let tree: ByteTree
    private let pipeline: PreviewPipeline
    private let catalog: Catalog

    init() throws {
        scratch = try TemporaryFolder()
        tree = try ByteTree(scratch)
        pipeline = try PreviewPipeline(Self.configuration(scratch))
        catalog = try #require(try pipeline.desk.catalog())
    }

    private static func configuration(_ scratch: TemporaryFolder) -> PipelineConfiguration {
        var configuration = PipelineTests.configuration(scratch)
        configuration.catalog = scratch.path + "/cache/vitrine/catalog.sqlite"
        return configuration
    }

    private func write(_ names: String...) throws {
        for name in names {
            for part in name.indices.filter({ name[$0] == "/" })
            where access(scratch.path + "/items/" + name[..<part], F_OK) != 0 {
                try tree.folder(Array(name[..<part].utf8))
            }
            try tree.write(Array(name.utf8), Array("VITRINE-HOSTILE\nok\n\(name)\n".utf8))
        }
    }

    private func rename(_ old: String, _ new: String) throws { try tree.rename(Array(old.utf8), Array(new.utf8)) }

    private func run(_ part: String = "") async throws -> RunSummary {
        await pipeline.prebuild([try SourceURI(tree.uri(Array(part.utf8)))])
    }

    /// Whether an item has a preview that file managers take for valid.
    private func hasPreview(_ name: String) throws -> Bool {
        var status = stat()
        let path = tree.absolute(Array(name.utf8))
        let isThere = stat(ByteTree.c(path), &status) == 0
        let subject = Subject(
            uri: tree.uri(Array(name.utf8)),
            modified: Timestamp(
                seconds: Int64(status.st_mtim.tv_sec), nanoseconds: UInt32(status.st_mtim.tv_nsec)),
            size: isThere ? Int64(status.st_size) : nil)
        switch pipeline.cache.lookup(subject, size: .large) {
        case .valid: return true
        case .stale: return !isThere
        case .absent: return false
        }
    }

    @Test func `an unchanged tree needs no work, and is counted as it was`() async throws {
        try write("a/1.hostile", "a/2.hostile", "b/3.hostile", "4.hostile")
        try tree.write(Array("b/nothing.xyz".utf8), [1, 2, 3])
        let first = try await run()
        #expect(first.total.made == 4 && first.changes?.added == 5)
        let again = try await run()
        #expect(again.total.valid == 4 && again.total.made == 0 && again.skipped == first.skipped)
        #expect(again.byKind.keys == first.byKind.keys)
        #expect(again.changes?.isUnchanged == true && again.changes?.unchangedFolders == 3)
        await pipeline.end()
    }

    @Test func `previews go along with a file that is renamed, moved between folders, and with a folder`() async throws
    {
        try write("a/1.hostile", "a/sub/2.hostile", "b/3.hostile", "4.hostile")
        #expect(try await run().total.made == 4)
        // In one folder; to a folder that is looked at earlier, and to one that is looked at later.
        for (old, new) in [
            ("4.hostile", "5.hostile"), ("b/3.hostile", "a/3.hostile"), ("a/3.hostile", "b/6.hostile"),
            ("5.hostile", "a/sub/5.hostile"), ("a/sub/5.hostile", "7.hostile"),
        ] {
            try rename(old, new)
            let version = try catalog.version
            let moved = try await run()
            #expect(moved.total.made == 0 && moved.total.valid == 4, "\(old) to \(new)")
            let found = moved.changes
            #expect(found?.moved == 1 && found?.added == 0 && found?.removed == 0, "\(old) to \(new)")
            #expect(try hasPreview(new) && !hasPreview(old), "\(old) to \(new)")
            let again = try await run()
            #expect(again.total.valid == 4 && again.changes?.unchangedFolders == again.changes?.folders)
            guard case .increment(let changes, _, _) = try catalog.changes(since: version) else {
                Issue.record("the changes are not told")
                continue
            }
            #expect(changes.last.map { $0.kind } == .moved, "\(changes)")
        }
        try rename("a", "c")
        let folder = try await run()
        #expect(folder.total.made == 0 && folder.total.valid == 4 && folder.changes?.moved == 2)
        #expect(folder.changes?.removed == 0)
        #expect(try hasPreview("c/1.hostile") && hasPreview("c/sub/2.hostile"))
        #expect(try !hasPreview("a/1.hostile") && !hasPreview("a/sub/2.hostile"))
        await pipeline.end()
    }

    @Test func `a file that moves into a source that has its turn earlier is known there`() async throws {
        try write("a/1.hostile", "b/2.hostile")
        let sources = try ["a", "b"].map { try SourceURI(tree.uri(Array($0.utf8))) }
        #expect(await pipeline.prebuild(sources).total.made == 2)
        try rename("b/2.hostile", "a/2.hostile")
        let moved = await pipeline.prebuild(sources)
        #expect(moved.total.made == 0 && moved.total.valid == 2)
        #expect(moved.changes?.moved == 1 && moved.changes?.added == 0 && moved.changes?.removed == 0)
        #expect(try hasPreview("a/2.hostile") && !hasPreview("b/2.hostile"))
        // Also when the other source has no turn.
        try rename("a/2.hostile", "b/3.hostile")
        let back = try await run("b")
        #expect(back.total.made == 0 && back.changes?.moved == 1)
        #expect(try await run("a").changes?.removed == 0)
        await pipeline.end()
    }

    @Test func `what is found at another place is told as moved only, whichever folder or source has its turn first`()
        async throws
    {
        try write("a/1.hostile", "a/3.hostile", "a/d/2.hostile", "b/4.hostile")
        let sources = try ["a", "b"].map { try SourceURI(tree.uri(Array($0.utf8))) }
        #expect(await pipeline.index(sources).changes?.added == 4)
        try rename("a/1.hostile", "b/1.hostile")
        try rename("a/d/2.hostile", "a/2.hostile")
        try rename("b/4.hostile", "a/d/4.hostile")
        try tree.remove(Array("a/3.hostile".utf8))
        let events = pipeline.progress()
        #expect(await pipeline.index(sources).changes?.moved == 3)
        var told: [String] = []
        for await event in events {
            if case .moved(let old, _, _) = event { told.append("moved \(old.suffix(11))") }
            if case .removed(let uri, _) = event { told.append("removed \(uri.suffix(11))") }
            if case .finished = event { break }
        }
        // What is gone comes last.
        #expect(told.last == "removed a/3.hostile", "\(told)")
        #expect(told.count == 4 && told.dropLast().allSatisfy { $0.hasPrefix("moved ") }, "\(told)")
        await pipeline.end()
    }

    @Test func `what moves to a source that has its turn later, or comes back to another place, is counted once`()
        async throws
    {
        try write("a/1.hostile", "a/d/2.hostile", "b/3.hostile")
        let sources = try ["a", "b"].map { try SourceURI(tree.uri(Array($0.utf8))) }
        #expect(await pipeline.index(sources).changes?.added == 3)
        try rename("a/1.hostile", "b/1.hostile")
        try rename("a/d", "b/d")
        let moved = await pipeline.index(sources).changes
        #expect(moved?.moved == 2 && moved?.added == 0 && moved?.removed == 0, "\(String(describing: moved))")
        // What was counted by an earlier run is not taken off in a later one.
        let (here, away) = (scratch.path + "/items/b/1.hostile", scratch.path + "/away")
        try FileManager.default.moveItem(atPath: here, toPath: away)
        #expect(await pipeline.index(sources).changes?.removed == 1)
        try FileManager.default.moveItem(atPath: away, toPath: scratch.path + "/items/b/4.hostile")
        try tree.remove(Array("b/3.hostile".utf8))
        let back = await pipeline.index(sources).changes
        #expect(back?.moved == 1 && back?.added == 0 && back?.removed == 1, "\(String(describing: back))")
        await pipeline.end()
    }

    @Test func `a file is known again in a folder that is walked by itself, and in one that moved to another source`()
        async throws
    {
        try write("1.hostile", "sub/2.hostile", "b/d/3.hostile")
        #expect(try await run().total.made == 3)
        try rename("1.hostile", "sub/1.hostile")
        let part = try await run("sub")
        #expect(part.total.made == 0 && part.changes?.moved == 1 && part.changes?.added == 0)
        #expect(try await run().changes?.removed == 0)
        try write("a/4.hostile")
        let sources = try ["a", "b"].map { try SourceURI(tree.uri(Array($0.utf8))) }
        #expect(await pipeline.prebuild(sources).total.made == 1)
        try rename("b/d", "a/d")
        let moved = await pipeline.prebuild(sources)
        #expect(moved.total.made == 0 && moved.changes?.moved == 1 && moved.changes?.added == 0)
        #expect(try hasPreview("a/d/3.hostile"))
        await pipeline.end()
    }

    @Test func `files of one size and second that take each other's names are drawn anew`() async throws {
        try write("1.hostile", "2.hostile")
        for (number, name) in ["1.hostile", "2.hostile"].enumerated() {
            try tree.setTime(Array(name.utf8), 1_700_000_000, number)
        }
        #expect(try await run().total.made == 2)
        try tree.swap(Array("1.hostile".utf8), Array("2.hostile".utf8))
        let swapped = try await run()
        #expect(swapped.total.made == 2 && swapped.total.valid == 0)
        await pipeline.end()
    }

    @Test func `failures of files that moved or went are forgotten`() async throws {
        for name in ["1.hostile", "2.hostile"] {
            try tree.write(Array(name.utf8), Array("VITRINE-HOSTILE\nerror corrupt no\n".utf8))
        }
        #expect(try await run().total.failed == 2)
        #expect(pipeline.quarantine().count == 2)
        try rename("1.hostile", "3.hostile")
        try tree.remove(Array("2.hostile".utf8))
        #expect(try await run().total.failed == 1)
        #expect(pipeline.quarantine().map(\.uri) == [tree.uri(Array("3.hostile".utf8))])
        await pipeline.end()
    }

    @Test func `previews of the own store that were deleted by others are made again`() async throws {
        try write("a.hostile", "b.hostile")
        var options = PrebuildOptions(sizes: [try PreviewSize(pixels: 300)])
        options.whenBusy = .wait
        let source = try SourceURI(tree.uri([]))
        #expect(await pipeline.prebuild([source], options).total.made == 2)
        let again = await pipeline.prebuild([source], options)
        #expect(again.total.valid == 2 && again.changes?.unchangedFolders == 1)
        let root = pipeline.cache.folders.previews
        let entries = try #require(FileManager.default.enumerator(atPath: root))
        let lost = try #require(entries.compactMap { $0 as? String }.first { $0.hasSuffix(".png") })
        try FileManager.default.removeItem(atPath: root + "/" + lost)
        let mended = await pipeline.prebuild([source], options)
        #expect(mended.total.made == 1 && mended.total.valid == 1)
        try FileManager.default.removeItem(atPath: root)
        #expect(await pipeline.prebuild([source], options).total.made == 2)
        await pipeline.end()
    }

    @Test func `two names of one file are two items, and one that goes leaves the other`() async throws {
        try write("a.hostile")
        #expect(try await run().total.made == 1)
        try tree.link(Array("a.hostile".utf8), Array("b.hostile".utf8))
        let second = try await run()
        #expect(second.changes?.added == 1 && second.changes?.moved == 0)
        #expect(try hasPreview("a.hostile") && hasPreview("b.hostile"))
        try tree.remove(Array("a.hostile".utf8))
        #expect(try await run().changes?.removed == 1)
        #expect(try hasPreview("b.hostile"))
        await pipeline.end()
    }

    @Test func `a move that was written down and not carried out is made good by the next run`() async throws {
        try write("a.hostile", "z.hostile")
        #expect(try await run().total.made == 2)
        try rename("a.hostile", "b.hostile")
        // A run that is killed after the folder was merged, before the previews were copied.
        let uri = try SourceURI(tree.uri([]))
        let (source, base) = try IndexedRun(catalog: catalog, thread: CatalogThread(), plan: nil, book: nil).place(
            of: uri)
        let plan = try catalog.plan(PlanDigest.of([.large], pipeline))
        let storage = try await pipeline.storages.storage(for: uri, BackendSettings())
        var walk = IndexedWalk(
            SourceWalk(storage: storage, crossesFileSystems: false), catalog, source, base: base, plan: plan, now: 1)
        var moves = 0
        try await walk.run { step in
            if case .moved = step { moves += 1 }
            return true
        }
        #expect(moves == 1)
        let next = try await run()
        #expect(next.total.made + next.total.valid == 2)
        #expect(try hasPreview("b.hostile") && hasPreview("z.hostile"))
        #expect(try await run().changes?.unchangedFolders == 1)
        await pipeline.end()
    }

    @Test func `previews that were deleted by others are made again, and no others`() async throws {
        try write("a.hostile", "b.hostile", "c.hostile")
        #expect(try await run().total.made == 3)
        let preview = try await pipeline.preview(of: scratch.path + "/items/b.hostile", size: .large)
        try FileManager.default.removeItem(atPath: preview.path)
        let again = try await run()
        #expect(again.total.made == 1 && again.total.valid == 2)
        try FileManager.default.removeItem(atPath: "\(scratch.path)/cache/thumbnails")
        #expect(try await run().total.made == 3)
        await pipeline.end()
    }

    @Test func `a folder that is walked by itself and then as part of a larger one, and the other way round`()
        async throws
    {
        try write("in/1.hostile", "in/deep/2.hostile", "3.hostile")
        #expect(try await run("in").total.made == 2)
        let version = try catalog.version
        try tree.remove(Array("in/1.hostile".utf8))
        let whole = try await run()
        #expect(whole.total.made == 1 && whole.total.valid == 1 && whole.changes?.removed == 1)
        #expect(whole.changes?.added == 1, "what was known stays known")
        #expect(try catalog.sources().map(\.uri) == [tree.uri([])])
        guard case .increment(let changes, _, _) = try catalog.changes(since: version) else {
            Issue.record("the changes are not told")
            return
        }
        #expect(changes.filter { $0.kind == .removed }.map(\.path.description) == ["in/1.hostile"])
        try write("in/deep/4.hostile")
        let part = try await run("in/deep")
        #expect(part.total.made == 1 && part.total.valid == 1)
        #expect(try catalog.sources().count == 1)
        let again = try await run()
        #expect(again.total.valid == 3 && again.changes?.isUnchanged == true)
        await pipeline.end()
    }

    @Test func `a folder of more entries than are held at once takes in what was moved there, and keeps it`()
        async throws
    {
        try write("small/moved.hostile")
        try tree.folder(Array("big".utf8))
        let count = 17_000
        for number in 0..<count { try tree.write(Array("big/\(number)".utf8), []) }
        let uri = try SourceURI(tree.uri([]))
        #expect(await pipeline.index([uri]).changes?.added == count + 1)
        try rename("small/moved.hostile", "big/5 moved.hostile")
        try tree.remove(Array("big/17".utf8))
        let moved = await pipeline.index([uri]).changes
        #expect(moved?.moved == 1 && moved?.removed == 1 && moved?.added == 0)
        let again = await pipeline.index([uri]).changes
        #expect(again?.isUnchanged == true && again?.unchangedFolders == 3)
        var known = 0
        try catalog.eachItem { (page: [PlacedItem]) throws(PluginError) in known += page.count }
        #expect(known == count)
        await pipeline.end()
    }

    @Test func `ten thousand items in one folder, and 300 levels, longer than a path may be`() async throws {
        try tree.folder(Array("wide".utf8))
        for number in 0..<10_000 { try tree.write(Array("wide/\(number)".utf8), []) }
        var folder = open(scratch.path + "/items", O_DIRECTORY | O_RDONLY)
        let name = String(repeating: "n", count: 100)
        for _ in 0..<300 {
            #expect(mkdirat(folder, name, 0o700) == 0)
            let next = openat(folder, name, O_DIRECTORY | O_RDONLY)
            close(folder)
            folder = next
        }
        let text = "VITRINE-HOSTILE\nok\n"
        let file = openat(folder, "deep.hostile", O_WRONLY | O_CREAT, 0o600)
        #expect(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
        close(file)
        close(folder)
        let first = try await run()
        #expect(first.changes?.added == 10_001 && first.changes?.folders == 302)
        #expect(first.total.made == 1 && first.failures.isEmpty)
        let again = try await run()
        #expect(again.total.valid == 1 && again.changes?.unchangedFolders == 302)
        await pipeline.end()
        let tidy = Process()
        tidy.executableURL = URL(filePath: "/bin/rm")
        tidy.arguments = ["-rf", scratch.path + "/items"]
        try tidy.run()
        tidy.waitUntilExit()
    }

    @Test func `a file that becomes a folder and back`() async throws {
        try write("x", "y")
        #expect(try await run().total.made == 2)
        try tree.remove(Array("x".utf8))
        try write("x/x")
        let folder = try await run()
        #expect(folder.changes?.removed == 1 && folder.changes?.added == 1 && folder.total.made == 1)
        try tree.remove(Array("x".utf8))
        try write("x")
        let file = try await run()
        #expect(file.changes?.removed == 1 && file.changes?.added == 1)
        #expect(try hasPreview("x") && hasPreview("y"))
        await pipeline.end()
    }

    @Test func `a source that is a link is one, whatever it leads to`() async throws {
        try write("real/1.hostile")
        let link = scratch.path + "/link"
        try #require(symlink(scratch.path + "/items/real", link) == 0)
        let uri = SourceURI(file: Array(link.utf8))
        #expect(await pipeline.prebuild([uri]).total.made == 1)
        #expect(await pipeline.prebuild([uri]).changes?.unchangedFolders == 1)
        try tree.folder(Array("other".utf8))
        try write("other/2.hostile", "other/3.hostile")
        try #require(unlink(link) == 0 && symlink(scratch.path + "/items/other", link) == 0)
        let other = await pipeline.prebuild([uri])
        #expect(other.changes?.added == 2 && other.changes?.removed == 1 && other.total.made == 2)
        await pipeline.end()
    }
}
