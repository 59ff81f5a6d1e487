import Foundation
import Testing
import VitrineKit

@testable import PreviewCache

struct ClearTests {
    private let scratch: Scratch
    private var cache: PreviewCache { scratch.cache }

    init() throws { scratch = try Scratch() }

    private static let (one, two) = ("?endpoint=https://one.example/", "?endpoint=https://two.example")

    @Test(arguments: [
        ("s3://b/p", [true, false, false, true]), ("s3://b/p/", [true, false, false, true]),
        ("s3://b/p" + one, [false, true, false, false]), ("s3://b" + two, [false, false, true, false]),
        ("s3://b/p/q" + one, [false, true, false, false]), ("s3://b/p/q", [true, false, false, true]),
        ("s3:", [true, false, false, true]), ("s3://b/p/" + two, [false, false, true, false]),
        ("s3://b/p?endpoint=https://one.example", [false, false, false, false]),
        ("s3://b/p?", Array(repeating: false, count: 4)),
    ])
    func aPlaceWithAQueryIsThatOfAnotherServer(_ place: String, _ goes: [Bool]) throws {
        let uris = ["s3://b/p/q", "s3://b/p/q" + Self.one, "s3://b/p/q" + Self.two, "s3://b/p/q/r"]
        let paths = try uris.map { try cache.store(nil, Subject(uri: $0, modified: Timestamp(seconds: 1))) }
        cache.clear(below: [place])
        #expect(paths.map { !exists($0) } == goes)
    }

    @Test func whatLiesInOtherPlacesStays() throws {
        let uris = ["s3://b/p/x", "s3://b/p/q/x", "s3://b/p/q/x" + Self.one, "s3://b/pq/x"]
        let paths = try uris.map { try cache.store(nil, Subject(uri: $0, modified: Timestamp(seconds: 1))) }
        cache.clear(below: ["s3://b/p", "s3://b/p" + Self.one], besides: ["s3://b/p/q" + Self.one])
        #expect(paths.map(exists) == [false, false, true, true])
        cache.clear(below: ["s3://b/p"], ignoresQueries: true)
        #expect(paths.map(exists) == [false, false, false, true])
    }

    @Test func anEntryThatWasReplacedAfterItWasLookedAtStaysWhateverItsTimes() throws {
        let path = try cache.store(nil, Subject(uri: "s3://b/x", modified: Timestamp(seconds: 1)))
        // Read by a clock that was wrong.
        let times = [timespec(tv_sec: time(nil) + 1_000_000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
        utimensat(AT_FDCWD, path, times, 0)
        let tree = CacheTree(cache)
        var remover = EntryRemover(tree: tree, isDryRun: false, onRemoved: nil)
        tree.walk { record, folder, name in
            utimensat(AT_FDCWD, path, [times[0], timespec(tv_sec: 2000, tv_nsec: 0)], 0)
            for reason in [.cleared, .damaged, .evicted, .orphaned] as [RemovedEntry.Reason] {
                let isGone = remover.remove(record, folder, name, nil, reason)
                #expect(!isGone)
            }
            utimensat(AT_FDCWD, path, times, 0)
            let isGone = remover.remove(record, folder, name, nil, .cleared)
            #expect(isGone)
        }
        #expect(!exists(path) && remover.report.total.count == 1)
    }

    @Test func aRecordIsSmall() { #expect(MemoryLayout<EntryRecord>.stride == 32) }
}
