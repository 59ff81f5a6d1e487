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

    @Test func `a place that cannot be written to keeps nothing`() throws {
        let cache = BlockCache(folder: "/proc/nowhere", memoryLimit: 0)
        cache.keep([1, 2, 3], 0, of: try version("a"))
        #expect(cache.diskUsage == 0)
    }
}
