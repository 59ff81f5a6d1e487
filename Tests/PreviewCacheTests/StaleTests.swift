import Foundation
import Testing
import VitrineKit

@testable import PreviewCache

/// What is left of an earlier state of an item, once there is a preview of the present one.
struct StaleTests {
    private let scratch: Scratch
    private let cache: PreviewCache
    private let old = Sample.subject
    private let now = Subject(uri: Sample.subject.uri, modified: Timestamp(seconds: 1_700_000_500), size: 4321)

    init() throws {
        scratch = try Scratch()
        var cache = scratch.cache
        cache.keepsAccount = true
        self.cache = cache
    }

    /// Leaves an entry of another program.
    private func foreign(_ size: PreviewSize, modified: String) throws -> String {
        let path = cache.entry(now, size, .standard).path
        try Folder.make(Path.parent(path))
        let keys = [("Thumb::URI", now.uri), ("Thumb::MTime", modified), ("Software", "other")]
        try Data(PNGFile(keys: keys).bytes).write(to: URL(filePath: path))
        return path
    }

    @Test func previewsOfAnEarlierStateGoInAllSizes() throws {
        let own = try PreviewSize(pixels: 300)
        let page = try Variant(page: 2)
        for size in PreviewSize.standard + [own] { try cache.store(nil, old, size: size) }
        try cache.store(nil, old, size: own, variant: page)
        var counting = CollectionOptions(quota: CacheQuota(bytes: nil, age: nil))
        counting.scope = .quota
        _ = cache.collect(counting)
        let kept = try cache.store(nil, now, size: .large)
        let count = cache.removeStale(
            of: now, besides: [.large], known: [(own, .standard), (own, page), (.normal, .standard)])
        #expect(count == 5)
        let entries = scratch.files.filter { $0.hasSuffix(".png") }.map { scratch.path + "/" + $0 }
        #expect(entries == [kept])
        let usage = cache.knownUsage
        #expect(usage == cache.collect(counting).kept.occupied)
    }

    @Test func whatIsStillTrueStays() throws {
        let valid = try cache.store(nil, now, size: .xLarge)
        let other = try cache.store(nil, Subject(uri: "file:///other", modified: Timestamp(seconds: 1)), size: .normal)
        let damaged = cache.entry(now, .normal, .standard).path
        try Data([1, 2, 3]).write(to: URL(filePath: damaged))
        #expect(cache.removeStale(of: now, besides: [.large]) == 0)
        // Nothing can be said of an item without a time.
        #expect(cache.removeStale(of: Subject(uri: now.uri, modified: nil), besides: []) == 0)
        for path in [valid, other, damaged] { #expect(FileManager.default.fileExists(atPath: path)) }
    }

    @Test func whatOtherProgramsMadeGoesOnlyWhenNobodyTakesItForValid() throws {
        let before = try foreign(.normal, modified: "1700000000")
        let fraction = try foreign(.xLarge, modified: "1700000500.250000")
        let untold = try foreign(.xxLarge, modified: "yesterday")
        #expect(cache.removeStale(of: now, besides: [.large]) == 1)
        #expect(!FileManager.default.fileExists(atPath: before))
        for path in [fraction, untold] { #expect(FileManager.default.fileExists(atPath: path)) }
    }

    @Test func anotherSizeOfTheFileIsAnotherState() throws {
        let grown = Subject(uri: now.uri, modified: now.modified, size: 5000)
        try cache.store(nil, now, size: .xLarge)
        #expect(cache.removeStale(of: grown, besides: [.large]) == 1)
    }
}
