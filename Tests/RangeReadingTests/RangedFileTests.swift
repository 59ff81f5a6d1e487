import Foundation
import Synchronization
import TestSupport
import Testing
import VitrineKit
import VitrineTesting

@testable import RangeReading

/// What is asked of a storage when somebody reads parts of an item.
@Suite struct RangedFileTests {
    private func ranged(
        _ file: CountingFile, limits: ReadLimits = ReadLimits(), cache: BlockCache = BlockCache(folder: nil),
        etag: String? = nil
    ) throws -> RangedFile {
        var entry = file.entry
        entry.etag = etag
        return try RangedFile(
            file, size: file.entry.size ?? 0, name: "item",
            version: etag == nil
                ? nil : try ItemVersion(entry, uri: "test:///top/item", source: SourceURI("test:///top")),
            cache: cache, limits: limits)
    }

    /// The bytes that a worker finds in the window.
    private func bytes(_ file: RangedFile, _ range: Range<Int64>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { room, count in
            count = max(0, pread(file.window, room.baseAddress, range.count, off_t(range.lowerBound)))
        }
    }

    @Test func `only the blocks that are asked for are fetched, and once`() async throws {
        let source = try await CountingFile.of(size: 10_000_000)
        let file = try ranged(source)
        #expect(try await file.head(4096) == CountingFile.content(0..<4096))
        #expect(source.asked.withLock { $0 } == [0..<65_536])
        let there = try await file.bring(9_990_000, 10_000)
        #expect(there == 9_961_472..<10_000_000)
        #expect(bytes(file, 9_990_000..<10_000_000) == CountingFile.content(9_990_000..<10_000_000))
        #expect(source.requests == 2)
        _ = try await file.bring(9_970_000, 20_000)
        _ = try await file.bring(100, 60_000)
        #expect(source.requests == 2)
        #expect(await file.traffic.bytes == 65_536 + 38_528)
    }

    @Test func `who reads on gets more with each request`() async throws {
        let source = try await CountingFile.of(size: 8 << 20)
        let file = try ranged(source)
        var offset: Int64 = 0
        while offset < 8 << 20 {
            _ = try await file.bring(offset, 32 << 10)
            offset += 32 << 10
        }
        // 64 KiB, 128, 256, 512, then a mebibyte at a time.
        #expect(source.requests == 12)
        #expect(await file.traffic.bytes == 8 << 20)
        #expect(bytes(file, 0..<8 << 20) == CountingFile.content(0..<8 << 20))
    }

    @Test func `what is more than was allowed is refused before it is asked for`() async throws {
        let source = try await CountingFile.of(size: 1_000_000)
        let file = try ranged(source, limits: ReadLimits(perItem: 300_000))
        _ = try await file.head(10)
        await #expect(throws: PluginError.self) { try await file.bring(0, 1_000_000) }
        #expect(source.requests == 1)
        do {
            _ = try await file.bring(500_000, 400_000)
            Issue.record("more was read than allowed")
        } catch {
            #expect(error.code == .overBudget)
            #expect(!error.isPermanent)
            #expect(error.message.contains("--max-bytes"))
        }
        // What is left may be used.
        _ = try await file.bring(900_000, 100_000)
    }

    @Test func `a run's items share what they may read`() async throws {
        let run = ByteAllowance(limit: 100_000)
        let first = try ranged(try await CountingFile.of(size: 70_000), limits: ReadLimits(run: run))
        _ = try await first.bring(0, 70_000)
        let second = try ranged(try await CountingFile.of(size: 70_000), limits: ReadLimits(run: run))
        await #expect(throws: PluginError.self) { try await second.bring(0, 70_000) }
        let third = try ranged(try await CountingFile.of(size: 20_000), limits: ReadLimits(run: run))
        _ = try await third.bring(0, 20_000)
    }

    @Test func `a file that is shorter than it was said to be has changed`() async throws {
        let source = try await CountingFile.of(size: 100_000)
        let file = try RangedFile(
            source, size: 200_000, name: "item", version: nil, cache: BlockCache(folder: nil), limits: ReadLimits())
        do {
            _ = try await file.bring(0, 200_000)
            Issue.record("bytes came from nowhere")
        } catch { #expect(error.code == .changed) }
    }

    @Test func `of an item without an end nothing is looked for`() async throws {
        let source = try await CountingFile.of(size: 1000)
        var entry = source.entry
        entry.etag = "1"
        let scratch = try TemporaryFolder()
        let file = try RangedFile(
            source, size: 1 << 38, name: "item",
            version: try ItemVersion(entry, uri: "test:///top/item", source: SourceURI("test:///top")),
            cache: BlockCache(folder: scratch.path), limits: ReadLimits())
        do {
            _ = try await file.bring(0, 1 << 38)
            Issue.record("all of it was brought")
        } catch { #expect(error.code == .overBudget) }
        #expect(source.requests == 0)
    }

    /// A server may say of each of its files that it is so large.
    @Test func `the size that an item is said to have costs nothing`() async throws {
        let source = try await CountingFile.of(size: 1000)
        let time = try ProcessorTime.measure {
            for _ in 0..<64 {
                let file = try RangedFile(
                    source, size: 4 << 40, name: "item", version: nil, cache: BlockCache(folder: nil),
                    limits: ReadLimits())
                #expect(file.size == 4 << 40)
            }
        }
        #expect(time < .milliseconds(500))
    }

    @Test func `ranges that no file has are refused`() async throws {
        let file = try ranged(try await CountingFile.of(size: 100))
        for (offset, count) in [(-1, 1), (100, 1), (0, 0), (0, -5), (.max, .max)] as [(Int64, Int64)] {
            await #expect(throws: PluginError.self) { try await file.bring(offset, count) }
        }
        #expect(try await file.bring(99, .max) == 0..<100)
    }

    @Test func `what was read of a version is kept in memory and on disk`() async throws {
        let scratch = try TemporaryFolder()
        let source = try await CountingFile.of(size: 200_000)
        let cache = BlockCache(folder: scratch.path + "/blocks")
        _ = try await ranged(source, cache: cache, etag: "1").bring(0, 200_000)
        #expect(source.requests == 1)
        let second = try ranged(source, cache: cache, etag: "1")
        _ = try await second.bring(0, 200_000)
        #expect(source.requests == 1)
        #expect(await second.traffic.cached == 200_000)
        #expect(bytes(second, 0..<200_000) == CountingFile.content(0..<200_000))
        // Another process finds it on disk.
        _ = try await ranged(source, cache: BlockCache(folder: scratch.path + "/blocks"), etag: "1").bring(0, 200_000)
        #expect(source.requests == 1)
        // Another version is another item.
        _ = try await ranged(source, cache: cache, etag: "2").bring(0, 200_000)
        #expect(source.requests == 2)
        try cache.forget(serverOf: SourceURI("test:///top"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/blocks") == [])
        _ = try await ranged(source, cache: cache, etag: "1").bring(0, 200_000)
        #expect(source.requests == 3)
    }

    @Test func `what is in an archive is forgotten with the server that it lies on`() throws {
        let entry = Entry(name: Array("a".utf8), kind: .file, size: 1, modified: Timestamp(seconds: 1))
        func server(_ source: String) throws -> String? {
            ItemVersion(entry, uri: "x", source: try SourceURI(source))?.server
        }
        let own = try server("davs://cloud.example/folder")
        #expect(try server("archive:davs://cloud.example/other/a.zip!") == own)
        #expect(try server("archive:davs://cloud.example/other/a.zip!/inner?x=y") == own)
        #expect(try server("archive:davs://other.example/a.zip!") != own)
        #expect(try server("archive:box:/a.zip!") == server("box:"))
    }
}
