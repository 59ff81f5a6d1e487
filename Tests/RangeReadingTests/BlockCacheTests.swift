import Foundation
import TestSupport
import Testing
import VitrineKit

@testable import RangeReading

/// Blocks on disk.
@Suite struct BlockCacheTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private func version(_ name: String) throws -> ItemVersion {
        let entry = Entry(name: Array(name.utf8), kind: .file, size: 10, modified: Timestamp(seconds: 1))
        return try #require(ItemVersion(entry, uri: "test:///\(name)", source: SourceURI("test:///")))
    }

    @Test func `a damaged block is none`() throws {
        let version = try version("a")
        let bytes = [UInt8](repeating: 7, count: 1000)
        BlockCache(folder: scratch.path).keep(bytes, 0, of: version)
        let file = "\(scratch.path)/\(version.server)/\(version.item)/0"
        #expect(BlockCache(folder: scratch.path).block(0, of: version, count: 1000) == bytes)
        #expect(BlockCache(folder: scratch.path).block(0, of: version, count: 999) == nil)
        var damaged = try Data(contentsOf: URL(filePath: file))
        damaged[500] ^= 1
        try damaged.write(to: URL(filePath: file))
        #expect(BlockCache(folder: scratch.path).block(0, of: version, count: 1000) == nil)
        try Data().write(to: URL(filePath: file))
        #expect(BlockCache(folder: scratch.path).block(0, of: version, count: 1000) == nil)
    }

    @Test func `nobody else may read what is kept`() throws {
        let version = try version("a")
        BlockCache(folder: scratch.path + "/blocks").keep([1], 0, of: version)
        let file = "\(scratch.path)/blocks/\(version.server)/\(version.item)/0"
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let folder = try FileManager.default.attributesOfItem(atPath: scratch.path + "/blocks")
        #expect(folder[.posixPermissions] as? Int == 0o700)
        #expect(!file.dropFirst(scratch.path.count).contains("test"))
    }

    @Test func `the disk's limit holds, and what was used last stays`() throws {
        let limit: Int64 = 1 << 20
        let block = [UInt8](repeating: 1, count: Int(BlockCache.block))
        let used = try version("used")
        for round in 0..<40 {
            let cache = BlockCache(folder: scratch.path, memoryLimit: 0, diskLimit: limit)
            cache.keep(block, 0, of: try version("\(round)"))
            if round == 0 { cache.keep(block, 0, of: used) }
            #expect(cache.block(0, of: used, count: block.count) != nil)
            #expect(cache.diskUsage <= limit)
        }
    }

    @Test func `memory holds no more than it may`() throws {
        let cache = BlockCache(folder: nil, memoryLimit: 10_000)
        let version = try version("a")
        for index in 0..<100 as Range<Int64> { cache.keep([UInt8](repeating: 1, count: 1000), index, of: version) }
        let kept = (0..<100 as Range<Int64>).filter { cache.block($0, of: version, count: 1000) != nil }
        #expect(kept.count <= 11)
        #expect(kept.contains(99))
    }

    @Test func `everything is forgotten while somebody reads`() async throws {
        let folder = scratch.path + "/blocks"
        let version = try version("a")
        try await withThrowingTaskGroup { group in
            group.addTask {
                let busy = BlockCache(folder: folder, memoryLimit: 0)
                for index in 0..<2000 as Range<Int64> { busy.keep([1, 2, 3], index, of: version) }
            }
            for _ in 0..<20 { try BlockCache(folder: folder).forgetAll() }
            try await group.waitForAll()
        }
        let cache = BlockCache(folder: folder)
        cache.keep([1, 2, 3], 0, of: version)
        #expect(cache.diskUsage > 0)
        try cache.forgetAll()
        #expect(cache.diskUsage == 0 && cache.block(0, of: version, count: 3) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `what was read of a place and below it is forgotten`() throws {
        let cache = BlockCache(folder: scratch.path + "/blocks")
        let other = BlockCache(folder: scratch.path + "/blocks")
        func kept(_ name: String) throws -> Bool { try other.block(0, of: version(name), count: 3) != nil }
        let names = ["a/1", "a/b/2", "a.txt", "ab/3", "c"]
        for name in names { cache.keep([1, 2, 3], 0, of: try version(name)) }
        let all = cache.diskUsage
        let items = cache.diskUsage(below: ["test:///"])
        #expect(items == cache.diskUsage(below: ["test:"]) && items < all)
        let some = cache.diskUsage(below: ["test:///a"])
        #expect(0 < some && some < items && cache.diskUsage(below: ["test:///a/1", "test:///a/b"]) == some)
        #expect(cache.diskUsage(below: ["test:///a/"]) == some && cache.diskUsage(below: ["test:///a/b/"]) < some)
        try cache.forget(below: ["test:///a"])
        #expect(cache.diskUsage == all - some)
        // Neither on disk nor in the memory of who forgot it.
        #expect(try names.filter(kept) == ["a.txt", "ab/3", "c"])
        #expect(try names.filter { try cache.block(0, of: version($0), count: 3) != nil } == ["a.txt", "ab/3", "c"])
        try cache.forget(below: ["test:///c", "test:///elsewhere"])
        #expect(cache.diskUsage(below: ["test:///c"]) == 0 && cache.diskUsage > 0)
    }

    @Test func `a place with a query is that of another server, and goes with its own items alone`() throws {
        let sources = [
            "s3://b/p", "s3://b/p?endpoint=https://one.example/", "s3://b/p?endpoint=https://two.example",
        ]
        for (index, place) in sources.enumerated() {
            let cache = BlockCache(folder: scratch.path + "/\(index)")
            let versions = try sources.map { text in
                let (source, path) = (try SourceURI(text), try ItemPath("q/r"))
                let entry = Entry(name: Array("r".utf8), kind: .file, size: 3, modified: Timestamp(seconds: 1))
                return try #require(ItemVersion(entry, uri: source.appending(path), source: source))
            }
            for version in versions { cache.keep([1, 2, 3], 0, of: version) }
            #expect(cache.diskUsage(below: ["s3://b/p/q/r?endpoint=x", "s3://b/p/q?"]) == 0)
            try cache.forget(below: [place])
            let kept = versions.map { cache.block(0, of: $0, count: 3) != nil }
            #expect(kept == sources.indices.map { $0 != index }, "\(place)")
        }
        let cache = BlockCache(folder: scratch.path + "/last")
        let (source, path) = (try SourceURI("s3://b/p?endpoint=https://one.example/"), try ItemPath("q/r"))
        let entry = Entry(name: Array("r".utf8), kind: .file, size: 3, modified: Timestamp(seconds: 1))
        let version = try #require(ItemVersion(entry, uri: source.appending(path), source: source))
        for place in ["s3://b", "s3://b/", "s3://b/p/q", "s3://b/p/q/r"] {
            cache.keep([1, 2, 3], 0, of: version)
            try cache.forget(below: [place])
            #expect(cache.diskUsage > 0, "\(place)")
            try cache.forget(below: [place + "?endpoint=https://one.example/"])
            #expect(cache.diskUsage == 0, "\(place)")
        }
    }

    @Test func `an item whose places are not known goes with any place`() throws {
        let cache = BlockCache(folder: scratch.path)
        let version = try version("a")
        cache.keep([1, 2, 3], 0, of: version)
        let file = "\(scratch.path)/\(version.server)/\(version.item)/places"
        try Data([UInt8](repeating: 7, count: 40)).write(to: URL(filePath: file))
        #expect(cache.diskUsage(below: ["other:///x"]) > 0)
        try cache.forget(below: ["other:///x"])
        #expect(cache.diskUsage == 0)
    }

    @Test func `an item that lies very deep is found by its outermost places and by itself`() throws {
        let cache = BlockCache(folder: scratch.path)
        let deep = (0..<500).map(String.init).joined(separator: "/")
        for place in ["test:///\(deep)", "test:///0/1/2"] {
            cache.keep([1, 2, 3], 0, of: try version(deep))
            try cache.forget(below: [place])
            #expect(cache.diskUsage == 0, "\(place)")
        }
    }

    @Test func `a place that cannot be written to keeps nothing`() throws {
        let cache = BlockCache(folder: "/proc/nowhere", memoryLimit: 0)
        cache.keep([1, 2, 3], 0, of: try version("a"))
        #expect(cache.diskUsage == 0)
    }
}
