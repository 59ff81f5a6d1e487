import Foundation
import Testing
import VitrineKit

@testable import PreviewCache

struct CollectTests {
    private let scratch: Scratch
    private var cache: PreviewCache { scratch.cache }

    init() throws {
        scratch = try Scratch()
        // An empty folder may be the mount point of a volume that is away.
        try scratch.file("files/other", [1])
    }

    @Test func entriesOfDeletedFilesGo() throws {
        let (kept, gone) = (try scratch.original("kept"), try scratch.original("gone"))
        let size = try PreviewSize(pixels: 300)
        let paths = [
            try cache.store(nil, kept), try cache.store(nil, gone), try cache.store(nil, gone, size: size),
        ]
        try cache.rememberFailure(PluginError(.corrupt, "broken"), of: gone, renderer: "pdf 1")
        unlink(scratch.path + "/files/gone")
        var removed: [RemovedEntry] = []
        let plan = cache.collect(
            {
                var options = CollectionOptions()
                options.isDryRun = true
                return options
            }())
        #expect(plan.total.count == 3 && paths.allSatisfy(exists))
        let report = cache.collect { removed.append($0) }
        #expect(report.removed[.orphaned]?.count == 3 && report.total.count == 3)
        #expect(report.kept.count == 1 && report.failures == 0)
        #expect(paths.map(exists) == [true, false, false])
        #expect(Set(removed.map(\.uri)) == [gone.uri])
        #expect(Set(removed.map(\.size)) == [.large, size, nil])
        #expect(removed.count { $0.isFailure } == 1)
        #expect(removed.allSatisfy { $0.name.hasSuffix(".png") && $0.reason == .orphaned })
        // The folders of the own store went with its last entry.
        let folders = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/vitrine/previews")
        #expect(folders.allSatisfy { $0.count != 2 })
        try cache.store(nil, kept, size: size)
    }

    @Test func entriesOfChangedFilesGoAndOnlyOurs() throws {
        let subject = try scratch.original("changes")
        let foreign = try scratch.original("foreign")
        let path = try cache.store(nil, subject)
        let other = try scratch.foreign(foreign.uri, modified: "77")
        try scratch.file("files/changes", [1, 2, 3, 4])
        let report = cache.collect()
        #expect(report.removed[.stale]?.count == 1 && !exists(path))
        #expect(report.foreign.count == 1 && exists(other))
    }

    @Test func otherProgramsKeepWhatIsNotOrphaned() throws {
        let there = try scratch.original("there")
        let paths = [
            try scratch.foreign(there.uri), try scratch.foreign("file://" + scratch.path + "/files/never"),
            try scratch.foreign("sftp://host/x"), try scratch.foreign("file://" + scratch.path + "/y", software: nil),
        ]
        for path in paths { age(path, by: 400 * 86_400) }
        let report = cache.collect(CollectionOptions(quota: CacheQuota(bytes: 0, age: 3600)))
        #expect(paths.map(exists) == [true, false, true, false])
        #expect(report.removed[.orphaned]?.count == 2 && report.foreign.count == 2 && report.kept.count == 0)
    }

    @Test func whatMayOnlyBeOutOfReachStays() throws {
        let gone = "file://" + scratch.path
        // An empty folder where a volume may belong, a link that leads nowhere, places of removable volumes.
        mkdir(scratch.path + "/mount", 0o700)
        symlink("/nowhere/at/all", scratch.path + "/files/link")
        let uris = [
            gone + "/mount/a.png", gone + "/mount/b/c.png", gone + "/files/link/a.png", gone + "/files/link",
            "file:///media/somebody/stick/a.png", "file:///run/media/somebody/stick/a.png", "file:///mnt/usb/a.png",
            "file:///no-such-top-level/a.png", "file://host/a.png", "s3://bucket/key", "rclone:remote:a",
            "file:///%zz", "file:///a%00b",
        ]
        let paths = try uris.map { try cache.store(nil, Subject(uri: $0, modified: Timestamp(seconds: 1))) }
        let report = cache.collect()
        #expect(report.total.count == 0, "\(report.removed)")
        for (uri, path) in zip(uris, paths) { #expect(exists(path), "\(uri)") }
        // A deleted folder among others is no volume.
        let folder = try cache.store(nil, Subject(uri: gone + "/files/deleted/a", modified: Timestamp(seconds: 1)))
        #expect(cache.collect().total.count == 1)
        #expect(!exists(folder))
    }

    @Test func sourcesThatAreAwayKeepEverything() throws {
        let subject = try scratch.original("gone")
        let path = try cache.store(nil, subject)
        unlink(scratch.path + "/files/gone")
        var options = CollectionOptions()
        options.absent = ["file://" + scratch.path + "/files"]
        #expect(cache.collect(options).total.count == 0)
        options.absent = ["file://" + scratch.path + "/file"]
        #expect(cache.collect(options).total.count == 1 && !exists(path))
    }

    @Test func whatNobodyUsesGoesByAge() throws {
        let paths = try (0..<3).map { index in
            try cache.store(nil, Subject(uri: "s3://b/\(index)", modified: Timestamp(seconds: 1)))
        }
        age(paths[0], by: 181 * 86_400)
        age(paths[1], by: 179 * 86_400)
        // From the future: a clock was wrong once.
        age(paths[2], by: -1_000_000)
        var options = CollectionOptions()
        options.scope = .quota
        let report = cache.collect(options)
        #expect(report.removed[.unused]?.count == 1)
        #expect(paths.map(exists) == [false, true, true])
        options.quota.age = nil
        age(paths[1], by: 4000 * 86_400)
        #expect(cache.collect(options).total.count == 0)
    }

    @Test func theLongestUnusedMakeRoom() throws {
        let paths = try (0..<40).map { index in
            let size = index < 20 ? PreviewSize.large : try PreviewSize(pixels: 300)
            return try cache.store(nil, Subject(uri: "s3://b/\(index)", modified: Timestamp(seconds: 1)), size: size)
        }
        for (index, path) in paths.enumerated() { age(path, by: 1000 * ((index * 7) % 40 + 1)) }
        let other = try scratch.foreign("s3://b/other")
        age(other, by: 100_000)
        var order: [String] = []
        let report = cache.collect(CollectionOptions(quota: CacheQuota(bytes: 10 * 4096, age: nil))) {
            order.append($0.uri ?? "")
        }
        #expect(report.removed[.evicted]?.count == 30 && report.kept.count == 10)
        #expect(report.kept.occupied == 10 * 4096 && cache.knownUsage == Int64(10 * 4096))
        for (index, path) in paths.enumerated() { #expect(exists(path) == ((index * 7) % 40 < 10)) }
        let expected = (0..<40).sorted { ($0 * 7) % 40 > ($1 * 7) % 40 }.prefix(30).map { "s3://b/\($0)" }
        #expect(order == Array(expected))
        #expect(exists(other))
    }

    @Test func failuresOfEarlierVersionsGo() throws {
        let subject = try scratch.original("broken")
        var paths: [String] = []
        for version in ["0.9.9", "1.1", "1.2", "1.10", "next"] {
            let cache = PreviewCache(folders: self.cache.folders, version: version)
            try cache.rememberFailure(PluginError(.corrupt, "broken"), of: subject, renderer: "pdf 1")
            paths.append(cache.standard.failPath(subject.uri))
        }
        let report = cache.collect()
        #expect(paths.map(exists) == [false, false, true, true, true])
        #expect(report.removed[.outdated]?.count == 2)
        #expect(!exists(scratch.path + "/thumbnails/fail/vitrine-1.1"))
    }

    @Test func noLinkIsFollowed() throws {
        let outside = try Scratch()
        let subject = Subject(uri: "s3://b/x", modified: Timestamp(seconds: 1))
        let size = try PreviewSize(pixels: 300)
        let entries = [try outside.cache.store(nil, subject), try outside.cache.store(nil, subject, size: size)]
        try outside.cache.rememberFailure(PluginError(.corrupt, "x"), of: subject, renderer: "y")
        let root = scratch.path + "/thumbnails"
        mkdir(root, 0o700)
        mkdir(scratch.path + "/vitrine", 0o700)
        mkdir(scratch.path + "/vitrine/previews", 0o700)
        symlink(outside.path + "/thumbnails/large", root + "/large")
        symlink(outside.path + "/thumbnails/fail", root + "/fail")
        mkdir(root + "/normal", 0o700)
        symlink(entries[0], root + "/normal/" + (entries[0] as NSString).lastPathComponent)
        let fan = ((entries[1] as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
        symlink(fan, scratch.path + "/vitrine/previews/" + (fan as NSString).lastPathComponent)
        let before = Set(outside.files)
        let report = cache.collect(CollectionOptions(quota: CacheQuota(bytes: 0, age: 0)))
        #expect(report.total.count == 0)
        #expect(report.links == 4)
        #expect(cache.clear().total.count == 0)
        #expect(cache.verify().examined.count == 0)
        #expect(cache.statistics().ours.count == 0)
        #expect(Set(outside.files) == before)
    }

    @Test func aCacheThatIsNotThereIsEmpty() throws {
        #expect(cache.collect().total.count == 0)
        #expect(cache.verify().examined.count == 0)
        #expect(cache.clear().total.count == 0)
        #expect(cache.statistics().ours.count == 0)
    }

    @Test func othersMayWriteAndDeleteMeanwhile() async throws {
        let cache = cache
        let picture = try Sample.picture()
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<2 {
                group.addTask {
                    for round in 0..<300 {
                        let subject = Subject(uri: "s3://b/\(writer)/\(round % 50)", modified: Timestamp(seconds: 1))
                        let size: PreviewSize = round.isMultiple(of: 2) ? .large : .standard300
                        let stored = try? cache.store(picture, subject, size: size)
                        #expect(stored != nil)
                    }
                }
            }
            group.addTask {
                for _ in 0..<40 {
                    #expect(cache.collect(CollectionOptions(quota: CacheQuota(bytes: 8192, age: nil))).failures == 0)
                    #expect(cache.verify().damaged.isEmpty)
                }
            }
        }
        #expect(cache.collect(CollectionOptions(quota: CacheQuota(bytes: 8192, age: nil))).kept.count <= 2)
        #expect(scratch.files.allSatisfy { !$0.hasSuffix(".tmp") })
    }
}

extension PreviewSize {
    /// A size of the own store.
    static let standard300 = (try? PreviewSize(pixels: 300)) ?? .normal
}
