import Foundation
import Testing
import VitrineKit

@testable import PreviewCache

struct VerifyTests {
    private let scratch: Scratch
    private var cache: PreviewCache { scratch.cache }
    private static let stored = Subject(uri: "s3://b/x", modified: Timestamp(seconds: 1))

    init() throws { scratch = try Scratch() }

    @Test func goodEntriesStay() throws {
        try cache.store()
        try cache.store(size: .standard300, variant: try Variant(page: 3, time: 2.5))
        try cache.rememberFailure(PluginError(.corrupt, "x"), of: Sample.subject, renderer: "y")
        try scratch.foreign("file:///a")
        let report = cache.verify()
        #expect(report.examined.count == 4 && report.damaged == [] && report.collection.total.count == 0)
    }

    @Test(arguments: [(8, 6), (1, 0), (2, 3), (4, 0), (16, 2), (8, 4)])
    func everyKindOfPictureIsCountedAsLibpngDoes(_ depth: UInt8, _ color: UInt8) throws {
        for (width, height) in [(1, 1), (3, 5), (8, 8), (17, 9), (200, 3)] {
            for interlace in [UInt8(0), 1] {
                let file = try Self.picture(width, height, depth, color, interlace)
                let path = try scratch.file("picture.png", file.bytes)
                let fd = open(path, O_RDONLY)
                defer { close(fd) }
                let fault = try #require(PictureVerifier()).fault(fd)
                #expect(fault == nil, "\(width) × \(height), interlaced \(interlace)")
            }
        }
    }

    @Test func everyWrongByteAndEveryCutIsFound() throws {
        let path = try cache.store(nil, Self.stored)
        let good = try contents(path)
        let verifier = try #require(PictureVerifier())
        func fault(_ bytes: [UInt8]) throws -> String? {
            let fd = open(try scratch.file("x.png", bytes), O_RDONLY)
            defer { close(fd) }
            return verifier.fault(fd)
        }
        for index in good.indices {
            var bad = good
            bad[index] ^= 0x10
            #expect(try fault(bad) != nil, "byte \(index)")
            #expect(try fault(Array(good[..<index])) != nil, "\(index) bytes")
        }
        #expect(try fault(good + [0]) != nil)
        #expect(try fault(good) == nil)
    }

    @Test func pixelsThatAreFewerOrMoreThanTheSizeAreFound() throws {
        let verifier = try #require(PictureVerifier())
        for (width, height) in [(2, 1), (1, 2), (1, 16_384), (16_384, 16_384), (16_385, 1), (0, 1)] {
            var file = PNGFile()
            file.bytes = PNG.signature
            let numbers = [width, height].flatMap { number in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
            }
            file.add("IHDR", numbers + [8, 6, 0, 0, 0])
            file.finish()
            let fd = open(try scratch.file("x.png", file.bytes), O_RDONLY)
            defer { close(fd) }
            #expect(verifier.fault(fd) != nil, "\(width) × \(height)")
        }
        // A bomb: a thousand times more than its header says.
        var bomb = PNGFile()
        // One stored block of 65,535 zeros after the other.
        let block = [0, 0xFF, 0xFF, 0, 0] + [UInt8](repeating: 0, count: 65_535)
        bomb.add("IDAT", [0x78, 0x01] + Array(repeatElement(block, count: 16).joined()))
        bomb.add("IEND")
        let fd = open(try scratch.file("x.png", bomb.bytes), O_RDONLY)
        defer { close(fd) }
        #expect(verifier.fault(fd) != nil)
    }

    @Test func damagedEntriesGoWhoeverMadeThem() throws {
        let paths = [
            try cache.store(nil, Self.stored), try cache.store(nil, Self.stored, size: .standard300),
            try scratch.foreign("file:///a"),
        ]
        let good = try cache.store()
        for path in paths { truncate(path, off_t(try contents(path).count - 5)) }
        let plan = cache.verify(isDryRun: true)
        #expect(plan.damaged.count == 3 && plan.collection.total.count == 3 && paths.allSatisfy(exists))
        #expect(Set(plan.damaged.map(\.path)) == Set(paths))
        var removed: [RemovedEntry] = []
        let report = cache.verify { removed.append($0) }
        #expect(report.examined.count == 4 && report.collection.removed[.damaged]?.count == 3)
        #expect(paths.allSatisfy { !exists($0) } && exists(good))
        #expect(removed.count == 3)
        #expect(cache.verify().damaged == [])
    }

    @Test func whatDecodersPassOverIsNoReasonToDeleteOthersPictures() throws {
        let good = try contents(try scratch.foreign("file:///a"))
        // A wrong checksum of a text, one of the picture itself, bytes after the end, and pixels without the end of zlib.
        func changed(_ type: String) throws -> [UInt8] {
            var bytes = good
            let chunk = try #require(PNGFile.chunks(good).first { $0.type == type })
            bytes[chunk.range.upperBound - 1] ^= 1
            return bytes
        }
        var more = PNGFile()
        more.text("Thumb::URI", "file:///e")
        more.text("Thumb::MTime", "1")
        more.add("IDAT", [0x78, 0x01, 1, 9, 0, 0xF6, 0xFF] + [UInt8](repeating: 0, count: 9))
        more.add("IEND")
        let odd = [try changed("tEXt"), good + [1, 2, 3], more.bytes]
        let pictures = odd + [try changed("IDAT"), try changed("IHDR")]
        let paths = try pictures.enumerated().map { number, bytes in
            try scratch.file("thumbnails/large/" + CacheKey.standard("file:///\(number)") + ".png", bytes)
        }
        let own = try cache.store(nil, Self.stored)
        let file = try FileHandle(forWritingTo: URL(filePath: own))
        try file.seekToEnd()
        try file.write(contentsOf: Data([1]))
        try file.close()
        let report = cache.verify()
        #expect(report.damaged.filter { paths.contains($0.path) }.count == 5)
        #expect(paths.map(exists) == [true, true, true, false, false])
        #expect(!exists(own))
    }

    @Test func keysMustBelongToTheName() throws {
        let path = try cache.store(nil, Self.stored)
        let own = try cache.store(nil, Self.stored, size: .standard300)
        let folder = scratch.path + "/thumbnails/large/"
        let wrong = folder + CacheKey.standard("s3://b/other") + ".png"
        rename(path, wrong)
        let other = String(own.dropLast(6)) + "0f.png"
        rename(own, other)
        let foreign = try scratch.foreign("file:///a")
        let odd = folder + CacheKey.standard("file:///b") + ".png"
        rename(foreign, odd)
        let report = cache.verify()
        #expect(report.damaged.count == 3 && report.damaged.count { $0.isUseless } == 2)
        // What other programs do with their names is theirs.
        #expect([wrong, other, odd].map(exists) == [false, false, true])
    }

    /// A picture of one colour, with its pixels in chunks of 7 bytes.
    private static func picture(
        _ width: Int, _ height: Int, _ depth: UInt8, _ color: UInt8, _ interlace: UInt8
    ) throws -> PNGFile {
        var file = PNGFile()
        file.bytes = PNG.signature
        let numbers = [width, height].flatMap { number in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        file.add("IHDR", numbers + [depth, color, 0, 0, interlace])
        let bits = Int(depth) * (try #require([0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(color)]))
        // Each pixel belongs to one of Adam7's passes; a pass has a row for each line that has such a pixel.
        var rows: [Int: [Int: Int]] = [:]
        let pattern = [
            [1, 6, 4, 6, 2, 6, 4, 6], [7, 7, 7, 7, 7, 7, 7, 7], [5, 6, 5, 6, 5, 6, 5, 6], [7, 7, 7, 7, 7, 7, 7, 7],
            [3, 6, 4, 6, 3, 6, 4, 6], [7, 7, 7, 7, 7, 7, 7, 7], [5, 6, 5, 6, 5, 6, 5, 6], [7, 7, 7, 7, 7, 7, 7, 7],
        ]
        for y in 0..<height {
            for x in 0..<width { rows[interlace > 0 ? pattern[y % 8][x % 8] : 0, default: [:]][y, default: 0] += 1 }
        }
        let count = rows.values.flatMap(\.values).reduce(0) { $0 + 1 + ($1 * bits + 7) / 8 }
        var zlib: [UInt8] = [0x78, 0x01]
        zlib += [1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8 & 255)]
        zlib += [UInt8](repeating: 0, count: count)
        // Adler-32 of zeros: 1 below, the count above.
        zlib += [UInt8((count % 65_521) >> 8), UInt8((count % 65_521) & 255), 0, 1]
        for start in stride(from: 0, to: zlib.count, by: 7) {
            file.add("IDAT", Array(zlib[start..<min(start + 7, zlib.count)]))
        }
        file.add("IEND")
        return file
    }
}
