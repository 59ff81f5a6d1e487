import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import TrackRenderer

/// Shapefiles, made record by record.
@Suite struct ShapefileTests {
    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian, Array.init)
    }
    private static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }
    private static func doubles(_ numbers: [Double]) -> [UInt8] { numbers.flatMap { bytes($0.bitPattern) } }
    private static func file(_ records: [[UInt8]]) -> [UInt8] {
        var content: [UInt8] = []
        for (index, record) in records.enumerated() {
            content += bytes(UInt32(index + 1).byteSwapped) + bytes(UInt32(record.count / 2).byteSwapped) + record
        }
        let blank = [UInt8](repeating: 0, count: 68)
        return joined(bytes(UInt32(9994).byteSwapped), Array(blank.prefix(24)), bytes(UInt32(1000)), blank, content)
    }
    private static func parts(_ type: UInt32, _ parts: [[Double]], extra: [UInt8] = [], behind: [UInt8] = []) -> [UInt8]
    {
        var firsts: [UInt8] = [], count: UInt32 = 0
        for part in parts {
            firsts += bytes(count)
            count += UInt32(part.count / 2)
        }
        let counts = joined(bytes(UInt32(parts.count)), bytes(count))
        return joined(
            bytes(type), doubles([0, 0, 9, 9]), counts, firsts, extra, doubles(parts.flatMap(\.self)), behind)
    }
    private static func gather(_ records: [UInt8]...) throws -> FeatureGathering { try read(file(records)) }
    private static func read(_ bytes: [UInt8]) throws -> FeatureGathering {
        let features = FeatureGathering(wantsText: true)
        try bytes.withUnsafeBytes { bytes in
            try Result { () throws(PluginError) in try ShapefileReader.read(bytes, features) }.get()
        }
        return features
    }
    /// A square that goes around clockwise.
    private static func square(_ x: Double, _ y: Double, _ side: Double) -> [Double] {
        [x, y, x, y + side, x + side, y + side, x + side, y, x, y]
    }
    private static func backwards(_ ring: [Double]) -> [Double] {
        stride(from: ring.count - 2, through: 0, by: -2).flatMap { [ring[$0], ring[$0 + 1]] }
    }

    @Test("Places, lines and surfaces are known with heights and measures, and without")
    func kinds() throws {
        for extra in [0, 10, 20] as [UInt32] {
            let heights = extra == 0 ? [] : Self.doubles([0, 1, 5, 5, 5, 5, 5])
            let point = Self.joined(Self.bytes(1 + extra), Self.doubles([8, 47]), heights)
            let several = Self.joined(
                Self.bytes(8 + extra), Self.doubles([0, 0, 9, 9]), Self.bytes(UInt32(2)), Self.doubles([1, 2, 3, 4]),
                heights)
            let lines = Self.parts(3 + extra, [[1, 1, 2, 2, 3, 1], [4, 4, 5, 5]], behind: heights)
            let surface = Self.parts(5 + extra, [Self.square(0, 0, 4)], behind: heights)
            let found = try Self.gather(point, several, Self.bytes(UInt32(0)), lines, surface)
            #expect(found.shapes.map(\.kind) == [.point, .point, .point, .line, .line, .ring], "\(extra)")
            #expect(found.shapes.map(\.positions.count) == [1, 1, 1, 3, 2, 5], "\(extra)")
        }
        // An edge, and a strip and a fan of two triangles each.
        let patch = Self.parts(
            31, [Self.square(0, 0, 4), [0, 0, 0, 1, 1, 0, 1, 1], [0, 0, 0, 1, 1, 1, 1, 0]],
            extra: [2, 0, 1].flatMap { Self.bytes(UInt32($0)) })
        let faces = try Self.gather(patch)
        #expect(faces.shapes.map(\.kind) == [.ring, .ring, .ring, .ring, .ring])
        #expect(faces.shapes.last?.positions.map(\.east) == [0, 1, 1])
    }

    @Test("What lies between two edges of a surface is a hole, in whatever order and direction they are written")
    func holes() throws {
        let (land, lake) = (Self.square(0, 0, 4), Self.backwards(Self.square(1, 1, 2)))
        let other = Self.square(6, 0, 4)
        func pixels(_ rings: [[Double]]) throws -> [UInt8] {
            RGBAPicture(try Samples.draw(Self.file([Self.parts(5, rings)]), "application/vnd.shp").bitmap).pixels
        }
        let expected = try pixels([land, lake, other])
        #expect(expected != (try pixels([land, other])))
        for rings in [[lake, land, other], [land, other, lake], [Self.backwards(land), other, Self.backwards(lake)]] {
            let differing = zip(try pixels(rings), expected).count { abs(Int($0) - Int($1)) > 8 }
            #expect(differing < expected.count / 200, "\(differing)")
        }
        // The water around the island, and the island as paper.
        let picture = try Samples.draw(Samples.bytes("lake.shp"), "application/vnd.shp", box: 256).bitmap
        let drawn = RGBAPicture(picture)
        let row = picture.height / 2 * picture.width
        let reds = [picture.width / 2, picture.width / 4].map { drawn.pixels[4 * (row + $0)] }
        #expect(reds[0] > 225 && reds[1] < 200)
    }

    @Test("Metres of a national grid are drawn as a plan")
    func plan() throws {
        let metres = Self.parts(5, [Self.square(500_000, 5_700_000, 1000)])
        #expect(try Self.gather(metres).tally.likely == .plane)
        let drawn = try Samples.draw(Self.file([metres]), "application/vnd.shp", box: 128).bitmap
        #expect(drawn.width == 128 && drawn.height == 128)
    }

    @Test("What is cut off is drawn as far as it goes; numbers that cannot be are damage")
    func damaged() throws {
        func failure(_ bytes: [UInt8]) -> PluginError.Code? {
            RendererFixtures.failure { try Samples.draw(bytes, "application/vnd.shp") }
        }
        let line = Self.parts(3, [[1, 1, 2, 2, 3, 1]])
        #expect(try Self.read(Array(Self.file([line, line]).dropLast(10))).shapes.count == 1)
        #expect(failure(Array(Self.file([line]).dropLast(10))) == .corrupt)
        #expect(failure(Self.file([])) == .empty)
        #expect(failure(Self.file([Self.bytes(UInt32(0))])) == .empty)
        // One byte after the other of the type, and of where numbers of parts, of places and of first places stand.
        for at in [0, 1, 36, 37, 39, 40, 41, 43, 44, 45, 47] {
            var wrong = line
            wrong[at] = 0xFF
            #expect(failure(Self.file([wrong])) == .corrupt, "\(at)")
        }
        let nowhere = Self.parts(3, [[.nan, .infinity, -.infinity, 1, 1e300, 2]])
        #expect(failure(Self.file([nowhere])) == .unsupported)
    }
}
