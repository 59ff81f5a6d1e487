import Foundation
import Testing
import VitrineKit

@testable import PreviewCache

struct LookupTests {
    private let scratch: Scratch
    private var cache: PreviewCache { scratch.cache }
    private let subject = Sample.subject

    init() throws { scratch = try Scratch() }

    @Test(arguments: ["normal", "large", "x-large", "xx-large", "300"])
    func whatWasStoredIsFound(_ name: String) throws {
        let size = try PreviewSize(name)
        #expect(cache.lookup(subject, size: size) == .absent)
        let path = try cache.store(size: size)
        #expect(cache.lookup(subject, size: size) == .valid(path))
        #expect(cache.lookup(subject, size: size, variant: try Variant(page: 1)) == .absent)
        let page = try cache.store(size: size, variant: try Variant(page: 1))
        #expect(page.hasPrefix(cache.folders.previews))
        #expect(cache.lookup(subject, size: size, variant: try Variant(page: 1)) == .valid(page))
        #expect(cache.lookup(subject, size: size) == .valid(path))
    }

    @Test func anItemThatChangedIsStale() throws {
        let path = try cache.store()
        var other = subject
        other.modified = Timestamp(seconds: 1_700_000_001)
        #expect(cache.lookup(other, size: .large) == .stale(path))
        other.modified = Timestamp(seconds: 1_699_999_999)
        #expect(cache.lookup(other, size: .large) == .stale(path))
        // Of two files of one size that changed in the same second, each may take the other's name.
        other.modified = Timestamp(seconds: 1_700_000_000, nanoseconds: 5)
        #expect(cache.lookup(other, size: .large) == .stale(path))
        other.modified = subject.modified
        #expect(cache.lookup(other, size: .large) == .valid(path))
        other.size = 4322
        #expect(cache.lookup(other, size: .large) == .stale(path))
        other.size = nil
        #expect(cache.lookup(other, size: .large) == .valid(path))
        other.modified = nil
        #expect(cache.lookup(other, size: .large) == .absent)
    }

    @Test func partsOfASecondCountOnThisMachineOnly() throws {
        // What other storages say in a listing and elsewhere need not have the same precision.
        var remote = Subject(
            uri: "sftp://host/a.png", modified: Timestamp(seconds: 1_700_000_000, nanoseconds: 5), size: 1)
        let path = try cache.store(nil, remote)
        remote.modified = Timestamp(seconds: 1_700_000_000)
        #expect(cache.lookup(remote, size: .large) == .valid(path))
    }

    @Test func anItemFromBeforeTheEpochHasATimeToo() throws {
        let old = Subject(uri: "file:///old", modified: Timestamp(seconds: -5))
        let path = try cache.store(nil, old)
        #expect(cache.lookup(old, size: .large) == .valid(path))
        #expect(PNGFile.keys(try contents(path))["Thumb::MTime"] == "-5")
    }

    /// Puts a foreign program's file where the entry belongs.
    private func put(_ bytes: [UInt8]) throws -> String {
        let path = cache.entry(subject, .large, .standard).path
        try FileManager.default.createDirectory(
            atPath: Path.parent(path), withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static let required = [("Thumb::URI", Sample.subject.uri), ("Thumb::MTime", "1700000000")]

    @Test func foreignThumbnailsNeedOnlyTwoKeys() throws {
        let path = try put(PNGFile(keys: Self.required).bytes)
        #expect(cache.lookup(subject, size: .large) == .valid(path))
        _ = try put(PNGFile(keys: [("Title", "a picture")] + Self.required.reversed()).bytes)
        #expect(cache.lookup(subject, size: .large) == .valid(path))
    }

    @Test func foreignThumbnailsMayHoldOtherChunks() throws {
        var png = PNGFile()
        png.add("pHYs", [0, 0, 0, 1, 0, 0, 0, 1, 0])
        png.add("iCCP", [UInt8](repeating: 7, count: 300_000))
        for (key, value) in Self.required { png.text(key, value) }
        png.finish()
        let path = try put(png.bytes)
        #expect(cache.lookup(subject, size: .large) == .valid(path))
    }

    @Test(
        arguments: [
            [("Thumb::URI", Sample.subject.uri)], [("Thumb::MTime", "1700000000")], [],
            [("Thumb::URI", "/home/jens/photos/me.png"), ("Thumb::MTime", "1700000000")],
            [("Thumb::URI", Sample.subject.uri), ("Thumb::MTime", "1700000000.123456")],
            [("Thumb::URI", Sample.subject.uri), ("Thumb::MTime", "01700000000")],
            [("Thumb::URI", Sample.subject.uri), ("Thumb::MTime", "1700000000 ")],
            [("Thumb::URI", Sample.subject.uri), ("Thumb::MTime", "")],
            [("Thumb::URI", Sample.subject.uri), ("Thumb::MTime", "1700000000"), ("Thumb::Size", "1")],
            [("Thumb::URI", Sample.subject.uri), ("Thumb::MTime", "1700000000"), ("Thumb::URI", "file:///other")],
            [("Thumb::URI", "file:///other"), ("Thumb::URI", Sample.subject.uri), ("Thumb::MTime", "1700000000")],
        ] as [[(String, String)]])
    func foreignThumbnailsOfSomethingElseAreStale(_ keys: [(String, String)]) throws {
        let path = try put(PNGFile(keys: keys).bytes)
        #expect(cache.lookup(subject, size: .large) == .stale(path))
    }

    @Test func keysAfterThePixelsDoNotCount() throws {
        var png = PNGFile()
        png.add("IDAT", [])
        for (key, value) in Self.required { png.text(key, value) }
        png.finish()
        let path = try put(png.bytes)
        #expect(cache.lookup(subject, size: .large) == .stale(path))
    }

    @Test func anEntryThatIsCutShortIsStale() throws {
        let whole = try contents(try cache.store())
        for count in whole.indices {
            let path = try put(Array(whole[..<count]))
            #expect(cache.lookup(subject, size: .large) == .stale(path), "\(count) of \(whole.count) bytes")
        }
    }

    @Test func anEntryWithAWrongByteInItsKeysIsStale() throws {
        let whole = try contents(try cache.store())
        for chunk in PNGFile.chunks(whole)
        where chunk.data.starts(with: "Thumb::URI".utf8) || chunk.data.starts(with: "Thumb::MT".utf8) {
            for index in chunk.range {
                var bytes = whole
                bytes[index] ^= 0x20
                let path = try put(bytes)
                #expect(cache.lookup(subject, size: .large) == .stale(path), "byte \(index)")
            }
        }
    }

    @Test(
        arguments: [[0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 1, 0, 0]] as [[UInt8]])
    func hugeChunksAreNotRead(_ length: [UInt8]) throws {
        for type in ["tEXt", "iCCP", "IHDR"] {
            let png = PNGFile().bytes + length + Array(type.utf8) + [UInt8](repeating: 0, count: 100) + PNG.end
            let path = try put(png)
            #expect(cache.lookup(subject, size: .large) == .stale(path))
        }
    }

    @Test func chunksWithoutAnEndAreNotRead() throws {
        var png = PNGFile()
        for _ in 0..<10_000 { png.add("abCd") }
        for (key, value) in Self.required { png.text(key, value) }
        png.finish()
        let path = try put(png.bytes)
        #expect(cache.lookup(subject, size: .large) == .stale(path))
        var text = PNGFile()
        for _ in 0..<3 { text.text("Comment", String(repeating: "x", count: 60_000)) }
        for (key, value) in Self.required { text.text(key, value) }
        text.finish()
        _ = try put(text.bytes)
        #expect(cache.lookup(subject, size: .large) == .stale(path))
    }

    @Test func thingsThatAreNoFilesAreNotReadAndReplaced() throws {
        let path = cache.entry(subject, .large, .standard).path
        let secret = try scratch.file("secret")
        try FileManager.default.createDirectory(atPath: Path.parent(path), withIntermediateDirectories: true)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(cache.lookup(subject, size: .large) == .stale(path))
        #expect(try cache.store() == path)
        #expect(cache.lookup(subject, size: .large) == .valid(path))
        // A good entry, but behind a link.
        #expect(rename(path, scratch.path + "/elsewhere.png") == 0)
        #expect(symlink(scratch.path + "/elsewhere.png", path) == 0)
        #expect(cache.lookup(subject, size: .large) == .stale(path))
        #expect(unlink(path) == 0)
        #expect(symlink(secret, path) == 0)
        try cache.store()
        #expect(cache.lookup(subject, size: .large) == .valid(path))
        #expect(try contents(secret) == [1, 2, 3])
    }

    @Test func aSharedThumbnailServesWhereTheUserHasNone() throws {
        let item = Subject(
            uri: SourceURI(file: (scratch.path + "/trip/a b;ü.png").utf8).text, modified: Timestamp(seconds: 7))
        let relative = "./a%20b%3B%C3%BC.png"
        let shared = try scratch.file(
            "trip/.sh_thumbnails/large/\(CacheKey.standard(relative)).png",
            PNGFile(keys: [("Thumb::URI", relative), ("Thumb::MTime", "7")]).bytes)
        #expect(cache.lookup(item, size: .large) == .valid(shared))
        #expect(cache.lookup(item, size: .normal) == .absent)
        #expect(cache.lookup(item, size: .large, variant: try Variant(page: 1)) == .absent)
        let own = try cache.store(nil, item)
        #expect(cache.lookup(item, size: .large) == .valid(own))
        var newer = item
        newer.modified = Timestamp(seconds: 8)
        #expect(cache.lookup(newer, size: .large) == .stale(own))
        try cache.store(nil, newer)
        #expect(cache.lookup(item, size: .large) == .valid(shared), "a stale entry of the user's own does not win")
        var alone = cache
        alone.readsSharedThumbnails = false
        #expect(alone.lookup(item, size: .large) == .stale(own))
    }

    /// Pictures of a stranger's, and what is done to their files.
    private static let strange: [(String, @Sendable (inout PNGFile) -> Void, @Sendable (String) -> Void)] = [
        ("with a colour profile, which is packed", { $0.add("iCCP", [0x61, 0, 0, 0x78, 0x9C]) }, { _ in }),
        ("with a packed text", { $0.add("zTXt", [0x61, 0, 0, 0x78, 0x9C]) }, { _ in }),
        ("with a private chunk", { $0.add("prVt", [1]) }, { _ in }),
        ("that everybody may change", { _ in }, { chmod($0, 0o646) }),
    ]

    @Test(arguments: strange.indices)
    func aSharedThumbnailThatMayHarmWhoShowsItIsPassedOver(_ number: Int) throws {
        let (what, spoil, treat) = Self.strange[number]
        let item = Subject(
            uri: SourceURI(file: (scratch.path + "/stick/a").utf8).text, modified: Timestamp(seconds: 7))
        let name = "stick/.sh_thumbnails/normal/\(CacheKey.standard("./a")).png"
        func put(_ spoil: (inout PNGFile) -> Void) throws -> String {
            var png = PNGFile()
            png.text("Thumb::URI", "./a")
            png.text("Thumb::MTime", "7")
            spoil(&png)
            png.finish()
            return try scratch.file(name, png.bytes)
        }
        let path = try put { _ in }
        #expect(cache.lookup(item, size: .normal) == .valid(path))
        treat(try put(spoil))
        #expect(cache.lookup(item, size: .normal) == .absent, "one \(what) was handed out")
    }

    @Test func aSharedThumbnailIsNoLargerThanItsFolderSays() throws {
        let item = Subject(
            uri: SourceURI(file: (scratch.path + "/stick/a").utf8).text, modified: Timestamp(seconds: 7))
        let picture = try Sample.picture(200, 100)
        let keys = PNGFile(keys: [("Thumb::URI", "./a"), ("Thumb::MTime", "7")]).bytes
        let texts = PNGFile.chunks(keys).filter { $0.type == "tEXt" }.flatMap { keys[$0.range] }
        let bytes = picture[..<PNG.headLength] + texts + picture[PNG.headLength...]
        let name = CacheKey.standard("./a") + ".png"
        let path = try scratch.file("stick/.sh_thumbnails/large/\(name)", Array(bytes))
        try scratch.file("stick/.sh_thumbnails/normal/\(name)", Array(bytes))
        #expect(cache.lookup(item, size: .large) == .valid(path))
        #expect(cache.lookup(item, size: .normal) == .absent)
    }

    @Test func aSharedThumbnailIsReadToItsEnd() throws {
        let item = Subject(
            uri: SourceURI(file: (scratch.path + "/stick/a").utf8).text, modified: Timestamp(seconds: 7))
        let name = "stick/.sh_thumbnails/large/\(CacheKey.standard("./a")).png"
        let sound = PNGFile(keys: [("Thumb::URI", "./a"), ("Thumb::MTime", "7")]).bytes
        // Of the pixels, and of what follows them, the keys tell nothing.
        var broken = sound
        broken[broken.count - 20] ^= 1
        let path = try scratch.file(name, broken)
        #expect(cache.lookup(item, size: .large) == .absent)
        try scratch.file(name, sound + sound)
        #expect(cache.lookup(item, size: .large) == .absent)
        try scratch.file(name, sound)
        #expect(cache.lookup(item, size: .large) == .valid(path))
    }

    @Test(arguments: ["stick/.sh_thumbnails", "stick/.sh_thumbnails/large"])
    func aSharedFolderToWhichOthersMayWriteIsPassedOver(_ place: String) throws {
        let item = Subject(
            uri: SourceURI(file: (scratch.path + "/stick/a").utf8).text, modified: Timestamp(seconds: 7))
        let name = "stick/.sh_thumbnails/large/\(CacheKey.standard("./a")).png"
        let path = try scratch.file(name, PNGFile(keys: [("Thumb::URI", "./a"), ("Thumb::MTime", "7")]).bytes)
        #expect(chmod(scratch.path + "/" + place, 0o777) == 0)
        #expect(cache.lookup(item, size: .large) == .absent)
        #expect(chmod(scratch.path + "/" + place, 0o755) == 0)
        // What was known of the folder is forgotten after a moment, and is not by another value.
        #expect(Scratch.cache(in: scratch.path).lookup(item, size: .large) == .valid(path))
    }

    @Test(arguments: ["stick/.sh_thumbnails", "stick/.sh_thumbnails/large"])
    func aLinkInThePlaceOfASharedFolderIsNotFollowed(_ place: String) throws {
        let item = Subject(
            uri: SourceURI(file: (scratch.path + "/stick/a").utf8).text, modified: Timestamp(seconds: 7))
        let name = "stick/.sh_thumbnails/large/\(CacheKey.standard("./a")).png"
        try scratch.file(name, PNGFile(keys: [("Thumb::URI", "./a"), ("Thumb::MTime", "7")]).bytes)
        #expect(rename(scratch.path + "/" + place, scratch.path + "/elsewhere") == 0)
        #expect(symlink(scratch.path + "/elsewhere", scratch.path + "/" + place) == 0)
        #expect(cache.lookup(item, size: .large) == .absent)
        #expect(unlink(scratch.path + "/" + place) == 0)
        #expect(rename(scratch.path + "/elsewhere", scratch.path + "/" + place) == 0)
        // What was known of the folder is forgotten after a moment, and is not by another value.
        #expect(Scratch.cache(in: scratch.path).lookup(item, size: .large) == .valid(scratch.path + "/" + name))
    }

    @Test func aFolderIsAskedOnceForSharedThumbnailsOfManyFiles() throws {
        let memory = SharedFolderMemory(freshness: .seconds(3600))
        func uri(_ name: String) -> String { SourceURI(file: (scratch.path + "/" + name).utf8).text }
        #expect(!memory.mayHaveThumbnails(beside: uri("a b/1")))
        try scratch.file("a b/.sh_thumbnails/large/x.png")
        #expect(!memory.mayHaveThumbnails(beside: uri("a b/2")), "the folder was asked again at once")
        #expect(!memory.mayHaveThumbnails(beside: uri("c/1")))
        #expect(memory.mayHaveThumbnails(beside: uri("a b/2")), "the answer of another folder was taken")
        #expect(!memory.mayHaveThumbnails(beside: "https://example.org/a/1"))
    }

    @Test func theCacheKnowsItself() throws {
        #expect(symlink(scratch.path, scratch.path + "-link") == 0)
        defer { unlink(scratch.path + "-link") }
        let linked = Scratch.cache(in: scratch.path + "-link")
        for cache in [cache, linked] {
            for inside in [
                "thumbnails", "thumbnails/large/x.png", "vitrine/previews/ab/cd/x.png", "a/.sh_thumbnails/normal/x.png",
            ] {
                #expect(cache.contains(Array("\(scratch.path)/\(inside)".utf8)), "\(inside)")
            }
            for outside in ["thumbnails2/x.png", "thumb", "a/sh_thumbnails/x.png", "a/.sh_thumbnails2/x", ""] {
                #expect(!cache.contains(Array("\(scratch.path)/\(outside)".utf8)), "\(outside)")
            }
        }
        #expect(linked.contains(Array("\(scratch.path)-link/thumbnails/x".utf8)))
    }
}
