import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ModelDrawing
@testable import ModelRenderer

/// Clouds of points as lasers measure them.
@Suite struct LASTests {
    /// A point: where it is in thousandths, its colour in bytes, and its class.
    private struct Measured {
        var place: SIMD3<Int32>
        var colour: SIMD3<UInt16> = .zero
        var kind: UInt8 = 2
        var isWithdrawn = false
    }

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian, Array.init)
    }

    /// A file with points of a format, whose colours are stored with a factor.
    private static func file(
        _ points: [Measured], format: UInt8, factor: UInt16 = 257, extra: Int = 0, count: UInt32? = nil
    ) -> [UInt8] {
        let isNew = format >= 6
        let layouts: [UInt8: (size: Int, colours: Int?)] = [0: (20, nil), 2: (26, 20), 3: (34, 28), 7: (36, 30)]
        let layout = layouts[format] ?? (20, nil)
        let start = isNew ? 375 : 227
        var head = [UInt8](repeating: 0, count: start)
        func put(_ bytes: [UInt8], _ at: Int) { head.replaceSubrange(at..<at + bytes.count, with: bytes) }
        put(Array("LASF".utf8), 0)
        put([1, isNew ? 4 : 2], 24)
        put(bytes(UInt16(start)) + bytes(UInt32(start)), 94)
        put([format] + bytes(UInt16(layout.size + extra)), 104)
        put(bytes(isNew ? 0 : count ?? UInt32(points.count)), 107)
        if isNew { put(bytes(UInt64(count ?? UInt32(points.count))), 247) }
        for axis in 0..<3 { put(bytes((0.001).bitPattern), 131 + 8 * axis) }
        put(bytes((5_700_000.0).bitPattern), 163)
        var content: [UInt8] = []
        for point in points {
            var record = [UInt8](repeating: 0, count: layout.size + extra)
            for axis in 0..<3 { record.replaceSubrange(4 * axis..<4 * axis + 4, with: bytes(point.place[axis])) }
            if isNew {
                (record[15], record[16]) = (point.isWithdrawn ? 4 : 0, point.kind)
            } else {
                record[15] = point.kind | (point.isWithdrawn ? 0x80 : 0)
            }
            for channel in 0..<3 {
                guard let at = layout.colours else { break }
                record.replaceSubrange(
                    at + 2 * channel..<at + 2 * channel + 2, with: bytes(point.colour[channel] * factor))
            }
            content += record
        }
        return head + content
    }

    private static func mesh(_ bytes: [UInt8]) throws -> Mesh {
        try bytes.withUnsafeBytes { bytes throws(PluginError) in try LASFile.mesh(bytes) }
    }
    private static func failure(_ bytes: [UInt8]) -> PluginError? {
        #expect(throws: PluginError.self) { try ModelRendererTests.draw(bytes, as: "a.las") }
    }

    /// The points of the fixture in PLY.
    private static func cube() throws -> [Measured] {
        let lines = String(decoding: try Fixtures.bytes("model/cloud.ply"), as: UTF8.self).split(separator: "\n")
        return try lines.drop { $0 != "end_header" }.dropFirst().map { line in
            let numbers = try line.split(separator: " ").map { try #require(Double($0)) }
            let place = Placement.upright(SIMD3(numbers[0], numbers[1], numbers[2]))
            return Measured(
                place: SIMD3<Int32>((place * 1000).rounded(.toNearestOrEven)),
                colour: SIMD3<UInt16>(SIMD3(numbers[3], numbers[4], numbers[5])))
        }
    }

    @Test("Coloured points look as those of PLY, in 16 bits or 8, in each format", arguments: [2, 3, 7] as [UInt8])
    func sameAsPLY(format: UInt8) throws {
        let expected = RGBAPicture(
            try ModelRendererTests.draw(try Fixtures.bytes("model/cloud.ply"), as: "cloud.ply").bitmap)
        for (factor, extra) in [(257, 0), (1, 0), (257, 5)] as [(UInt16, Int)] {
            let file = Self.file(try Self.cube(), format: format, factor: factor, extra: extra)
            let drawn = RGBAPicture(try ModelRendererTests.draw(file, as: "a.las").bitmap)
            let differing = zip(drawn.pixels, expected.pixels).count { abs(Int($0) - Int($1)) > 8 }
            #expect(drawn.width == expected.width && differing < expected.pixels.count / 500, "\(differing)")
        }
    }

    @Test("Points without colours have those of their heights; outliers change nothing")
    func heights() throws {
        var points = (0..<1000).map { Measured(place: SIMD3(Int32($0 % 40), Int32($0 / 40), Int32($0))) }
        func colours(_ format: UInt8) throws -> [SIMD4<UInt8>] {
            try Self.mesh(Self.file(points, format: format)).colours
        }
        let plain = try colours(0)
        #expect(Set(plain.map(\.x)).count > 20 && plain[30] != plain[500] && plain[500] != plain[970])
        // Black is what is written where no colours are known.
        #expect(try colours(2) == plain)
        points[0].place.z = -4_000_000
        points[999].place.z = 4_000_000
        #expect(try colours(0)[1...998].elementsEqual(plain[1...998]))
        points = points.map { Measured(place: SIMD3($0.place.x, $0.place.y, 7)) }
        #expect(Set(try colours(0)).count == 1)
    }

    @Test("Noise, and points that were taken back, are left out", arguments: [0, 7] as [UInt8])
    func leftOut(format: UInt8) throws {
        var points = (0..<10).map { Measured(place: SIMD3(Int32($0), 0, Int32($0)), colour: SIMD3(9, 9, 200)) }
        points[3].kind = 7
        points[4].kind = 18
        points[5].isWithdrawn = true
        // Older formats know no points that are too high.
        #expect(try Self.mesh(Self.file(points, format: format)).points.count == (format < 6 ? 8 : 7))
        for index in points.indices { points[index].isWithdrawn = true }
        let error = Self.failure(Self.file(points, format: format))
        #expect(error?.code == .empty && error?.message.contains("noise") == true)
    }

    @Test("Of very many points some are taken, from all of the file")
    func many() throws {
        let count = 12_000_000
        var file = Self.file([], format: 0, count: UInt32(count))
        let part = Self.file([Measured(place: SIMD3(1000, 0, 0)), Measured(place: .zero)], format: 0).suffix(40)
        file += Array(repeating: Array(part), count: count / 4).joined()
        file += Array(repeating: Array(repeating: UInt8(2), count: 20), count: count / 2).joined()
        let mesh = try Self.mesh(file)
        #expect(mesh.points.count == 6_000_000)
        #expect(mesh.points.count { $0.x > 30_000 } == 3_000_000)
    }

    @Test("Degrees are as long as they are in metres")
    func degrees() throws {
        // A tenth of a thousandth of a degree to the east and to the north, at 60° north, and ten metres up.
        var file = Self.file(
            [Measured(place: SIMD3(0, 0, 0)), Measured(place: SIMD3(1000, 1000, 1000))], format: 0)
        func put(_ number: Double, _ at: Int) { file.replaceSubrange(at..<at + 8, with: Self.bytes(number.bitPattern)) }
        for (number, at) in [
            (1e-7, 131), (1e-7, 139), (0.01, 147), (25, 155), (60, 163), (25, 179), (25, 187), (60, 195), (60, 203),
        ] {
            put(number, at)
        }
        let place = try #require(try Self.mesh(file).points.last)
        #expect(abs(place.x - 5.56) < 0.01 && abs(place.y - 11.12) < 0.01 && abs(place.z - 10) < 0.01)
    }

    @Test("What is cut off is drawn as far as it goes; heads that cannot be are damage; LAZ is not read")
    func damaged() throws {
        let points = (0..<10).map { Measured(place: SIMD3(Int32($0), Int32($0 * $0), 0)) }
        let whole = Self.file(points, format: 0)
        #expect(try Self.mesh(Array(whole.dropLast(50))).points.count == 7)
        #expect(Self.failure(Self.file(points, format: 0, count: 0))?.code == .empty)
        #expect(Self.failure(Array(whole.prefix(230)))?.code == .corrupt)
        for (at, byte) in [(104, 11), (104, 63), (105, 19), (96, 10), (24, 2), (0, 65)] as [(Int, UInt8)] {
            var wrong = whole
            wrong[at] = byte
            #expect(Self.failure(wrong)?.code == .corrupt, "\(at)")
        }
        var packed = whole
        packed[104] = 0x80
        let error = Self.failure(packed)
        #expect(error?.code == .unsupported && error?.message.contains("LAZ") == true)
        // Numbers that are none leave nothing to be seen.
        var nowhere = whole
        nowhere.replaceSubrange(131..<139, with: Self.bytes(Double.nan.bitPattern))
        #expect(Self.failure(nowhere)?.code == .empty)
    }
}
