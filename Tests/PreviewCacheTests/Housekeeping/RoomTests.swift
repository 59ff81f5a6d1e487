import Foundation
import Testing
import VitrineKit

@testable import PreviewCache

struct RoomTests {
    private let scratch: Scratch
    private let cache: PreviewCache

    init() throws {
        scratch = try Scratch()
        var cache = scratch.cache
        cache.keepsAccount = true
        self.cache = cache
    }

    private func subject(_ number: Int) -> Subject { Subject(uri: "s3://b/\(number)", modified: Timestamp(seconds: 1)) }

    @Test func nothingIsGrantedBeforeItWasCounted() throws {
        #expect(cache.reserve(4096, within: 1 << 20) == .uncounted && cache.knownUsage == nil)
        try cache.store(nil, subject(0))
        #expect(cache.knownUsage == nil)
        cache.collect()
        #expect(cache.knownUsage == 4096)
        #expect(cache.reserve(4096, within: 1 << 20) == .granted(total: 8192))
        #expect(cache.reserve(4096, within: 8192) == .full(total: 8192))
        cache.release(4096)
        #expect(cache.knownUsage == 4096)
    }

    @Test func aRunTakesRoomAheadAndGivesItBack() throws {
        cache.collect()
        let (limit, piece) = (Int64(16) << 30, Int64(4) << 20)
        let bytes = cache.room(forPicture: try Sample.picture().count)
        func store(_ number: Int) throws {
            guard case .granted = cache.reserve(bytes, within: limit) else { throw PluginError(.io, "no room") }
            try Sample.picture().withUnsafeBytes {
                _ = try cache.store(
                    $0, declared: PixelSize(width: 20, height: 10), for: subject(number), size: .large, reserved: bytes)
            }
        }
        cache.beginRun()
        try store(0)
        let taken = try #require(cache.knownUsage)
        #expect(taken > piece)
        for number in 1..<20 { try store(number) }
        // One look at the account was enough for all of them.
        #expect(cache.knownUsage == taken)
        cache.giveBackAhead()
        #expect(cache.knownUsage == Int64(20 * 4096))
        try store(20)
        // A second run that ends takes nothing away from the first one.
        cache.beginRun()
        cache.endRun()
        #expect(cache.knownUsage.map { $0 > piece } == true)
        cache.endRun()
        #expect(cache.knownUsage == Int64(21 * 4096))
        try store(21)
        #expect(cache.knownUsage == Int64(22 * 4096))
    }

    @Test func whatWasTakenAheadIsThereForEverybodyInNeed() throws {
        cache.collect()
        // A thousandth of it is more than one entry.
        let limit: Int64 = 64 << 20
        cache.beginRun()
        #expect(cache.reserve(8192, within: limit) == .granted(total: 8192 + limit / 1024))
        #expect(cache.reserve(limit - 8192, within: limit) == .granted(total: limit))
        #expect(cache.reserve(4096, within: limit) == .full(total: limit))
        cache.endRun()
        #expect(cache.knownUsage == limit)
        // Of a small quota nothing is taken ahead.
        cache.release(limit)
        cache.beginRun()
        #expect(cache.reserve(4096, within: 1 << 20) == .granted(total: 4096))
        cache.endRun()
        #expect(cache.knownUsage == 4096)
    }

    @Test func theAccountFollowsWhatIsStored() throws {
        cache.collect()
        let bytes = cache.room(forPicture: try Sample.picture().count)
        func store(_ number: Int, size: PreviewSize = .large) throws {
            guard case .granted = cache.reserve(bytes, within: 1 << 30) else { throw PluginError(.io, "no room") }
            try Sample.picture().withUnsafeBytes {
                _ = try cache.store(
                    $0, declared: PixelSize(width: 20, height: 10), for: subject(number), size: size, reserved: bytes)
            }
        }
        for number in 0..<10 { try store(number) }
        for number in 0..<5 { try store(number) }
        for number in 0..<3 { try store(number, size: .standard300) }
        #expect(cache.knownUsage == Int64(13 * 4096))
        // In the place of another program's entry it is one more.
        try scratch.foreign("s3://b/77")
        try store(77)
        #expect(cache.knownUsage == Int64(14 * 4096))
        try cache.rememberFailure(PluginError(.corrupt, "x"), of: subject(1), renderer: "y")
        try cache.rememberFailure(PluginError(.corrupt, "x"), of: subject(1), renderer: "y")
        #expect(cache.knownUsage == Int64(15 * 4096))
        cache.forgetFailure(of: subject(1))
        cache.forgetFailure(of: subject(1))
        #expect(cache.knownUsage == Int64(14 * 4096))
        // What is refused gives its room back.
        _ = cache.reserve(bytes, within: 1 << 30)
        #expect(throws: PluginError.self) {
            try [UInt8]().withUnsafeBytes {
                _ = try cache.store(
                    $0, declared: PixelSize(width: 20, height: 10), for: subject(1), size: .large, reserved: bytes)
            }
        }
        #expect(cache.knownUsage == Int64(14 * 4096))
        cache.clear(below: ["s3://b/77"])
        #expect(cache.knownUsage == Int64(13 * 4096))
        cache.collect()
        #expect(cache.knownUsage == Int64(13 * 4096) && cache.statistics().ours.occupied == 13 * 4096)
    }

    @Test(arguments: ["", "x", String(repeating: "9", count: 41) + "\n", "-0000000000000000001 00000000000000000001\n"])
    func aDamagedAccountIsCountedAgain(_ text: String) throws {
        try cache.store(nil, subject(0))
        try scratch.file("vitrine/previews/usage", Array(text.utf8))
        #expect(cache.reserve(1, within: 1 << 30) == .uncounted)
        cache.collect()
        #expect(cache.reserve(0, within: 1 << 30) == .granted(total: 4096))
    }

    @Test func aLinkInThePlaceOfTheAccountIsNotFollowed() throws {
        let secret = try scratch.file("secret", [1, 2, 3])
        try cache.store(nil, subject(0), size: .standard300)
        unlink(scratch.path + "/vitrine/previews/usage")
        symlink(secret, scratch.path + "/vitrine/previews/usage")
        cache.collect()
        #expect(cache.reserve(1, within: 1 << 30) == .unavailable)
        #expect(try contents(secret) == [1, 2, 3])
    }

    @Test func useIsMarkedOnceADayAndOnlyOnOurs() throws {
        let path = try cache.store()
        let foreignSubject = Subject(uri: "s3://b/f", modified: Timestamp(seconds: 1))
        let foreign = try scratch.foreign(foreignSubject.uri)
        for file in [path, foreign] { age(file, by: 100_000) }
        let before = times(path)
        #expect(cache.lookup(Sample.subject, size: .large) == .valid(path))
        // Looking leaves no trace, not even in the access time.
        #expect(times(path) == before)
        _ = cache.verify()
        _ = cache.statistics()
        #expect(times(path) == before)
        #expect(cache.lookup(Sample.subject, size: .large, marksUse: true) == .valid(path))
        #expect(times(path).modified > before.modified + 99_000 && times(path).accessed > before.accessed + 99_000)
        age(path, by: 80_000)
        let recent = times(path)
        _ = cache.lookup(Sample.subject, size: .large, marksUse: true)
        #expect(times(path) == recent)
        let theirs = times(foreign)
        #expect(cache.lookup(foreignSubject, size: .large, marksUse: true) == .valid(foreign))
        #expect(times(foreign) == theirs)
    }

    @Test func clearingTakesWhatVitrineMade() throws {
        func make() throws -> [String] {
            [
                try cache.store(nil, Subject(uri: "file:///a/b", modified: Timestamp(seconds: 1))),
                try cache.store(nil, Subject(uri: "file:///a/bc", modified: Timestamp(seconds: 1))),
                try cache.store(
                    nil, Subject(uri: "file:///a/b/c", modified: Timestamp(seconds: 1)), size: .standard300),
                try scratch.foreign("file:///a/b/foreign"),
            ]
        }
        var paths = try make()
        #expect(cache.clear(below: ["file:///a/b"]).removed[.cleared]?.count == 2)
        #expect(paths.map(exists) == [false, true, false, true])
        paths = try make()
        #expect(cache.clear(ownOnly: true).total.count == 1)
        #expect(paths.map(exists) == [true, true, false, true])
        paths = try make()
        #expect(cache.clear(isDryRun: true).total.count == 3 && paths.allSatisfy(exists))
        try cache.rememberFailure(PluginError(.corrupt, "x"), of: Sample.subject, renderer: "y")
        #expect(cache.clear().total.count == 4)
        #expect(paths.map(exists) == [false, false, false, true])
        #expect(cache.statistics().ours.count == 0)
    }

    @Test func statisticsTellMakersApart() throws {
        try cache.store()
        try cache.store(size: .normal)
        try cache.store(size: .standard300)
        try scratch.foreign("file:///a")
        try scratch.foreign("file:///b", software: "Vitrine\u{1B}[31m")
        try scratch.foreign("file:///c", software: nil)
        for index in 0..<120 { try scratch.foreign("file:///\(index)", software: "P\(index)") }
        let statistics = cache.statistics()
        #expect(statistics.ours.count == 3 && statistics.own.total.count == 1)
        #expect(statistics.sizes.map(\.name) == ["normal", "large"])
        let large = try #require(statistics.sizes.last)
        #expect(large.total.count == 124 && large.makers["Vitrine"]?.count == 1)
        #expect(large.makers.count <= 102 && large.makers.keys.allSatisfy { !$0.contains("\u{1B}") })
        #expect(statistics.newestUse.map { abs($0 - Int64(time(nil))) < 1000 } == true)
    }
}
