import RendererFixtures
import Testing
import VitrineKit

@testable import TrackRenderer

/// Files of watches, made message by message.
@Suite struct FITTests {
    /// A field of a definition: its number, its base type, and its bytes.
    private typealias Field = (number: UInt8, base: UInt8, size: UInt8)
    private static let position: [Field] = [(0, 0x85, 4), (1, 0x85, 4)]

    private static func bytes<Number: FixedWidthInteger>(_ number: Number, isBig: Bool = false) -> [UInt8] {
        withUnsafeBytes(of: isBig ? number.bigEndian : number.littleEndian, Array.init)
    }
    private static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }
    private static func definition(
        _ local: UInt8, _ number: UInt16, _ fields: [Field], isBig: Bool = false, developers: [UInt8] = []
    ) -> [UInt8] {
        var bytes = [local | (developers.isEmpty ? 0x40 : 0x60), 0, isBig ? 1 : 0]
        bytes += Self.bytes(number, isBig: isBig)
        bytes.append(UInt8(fields.count))
        for field in fields { bytes += [field.number, field.size, field.base] }
        guard !developers.isEmpty else { return bytes }
        bytes.append(UInt8(developers.count))
        for size in developers { bytes += [0, size, 0] }
        return bytes
    }
    private static func file(_ content: [UInt8], says length: Int? = nil) -> [UInt8] {
        joined([12, 0x10, 0, 0], bytes(UInt32(length ?? content.count)), Array(".FIT".utf8), content, [0, 0])
    }
    private static func circle(_ degrees: Double, isBig: Bool = false) -> [UInt8] {
        bytes(Int32(degrees / 180 * 2_147_483_648), isBig: isBig)
    }
    private static func place(_ index: Int, isBig: Bool = false) -> [UInt8] {
        joined(circle(47 + Double(index) / 100, isBig: isBig), circle(8.5, isBig: isBig))
    }
    private static func places(_ local: UInt8, _ count: Int, isBig: Bool = false) -> [UInt8] {
        (0..<count).flatMap { [local] + place($0, isBig: isBig) }
    }
    private static func parts(_ content: [UInt8]...) throws -> [Int] {
        try gather(file(content.flatMap(\.self))).shapes.map(\.positions.count)
    }
    private static func gather(_ bytes: [UInt8]) throws -> FeatureGathering {
        let features = FeatureGathering(wantsText: true)
        try bytes.withUnsafeBytes { bytes in
            _ = try Result { () throws(PluginError) in try FITReader.read(bytes, features) }.get()
        }
        return features
    }

    @Test("The walk of a watch is that of GPX, with its times, its elevations and its sport")
    func walk() throws {
        let facts = try Samples.draw(
            Samples.bytes("walk.fit"), "application/vnd.ant.fit", wantsText: true
        ).facts
        #expect(facts.duration == 59 * 40 && facts.text(.created) == "2024-05-03T08:00:00Z" && facts.text == "Walking")
        let (watch, planner) = (try Self.gather(Samples.bytes("walk.fit")), FeatureGathering(wantsText: true))
        try FeatureDocument.read("GPX", GPXListener(planner), Samples.bytes("walk.gpx"))
        let ways = [watch, planner].map { $0.shapes.first { $0.kind == .track }?.positions ?? [] }
        #expect(ways[0].count == 60 && ways[1].count == 60)
        for (one, other) in zip(ways[0], ways[1]) {
            #expect(abs(one.east - other.east) < 2e-6 && abs(one.north - other.north) < 2e-6)
        }
        #expect(watch.profile.isShown)
    }

    @Test("Both orders of bytes, fields of developers and short times are understood")
    func layouts() throws {
        let turned = Self.definition(3, 20, Self.position, isBig: true)
        #expect(try Self.parts(turned, Self.places(3, 4, isBig: true)) == [4])
        let developed = (0..<3).flatMap { Self.joined([0], Self.place($0), [1, 2, 3]) }
        #expect(try Self.parts(Self.definition(0, 20, Self.position, developers: [1, 2]), developed) == [3])
        // A whole time, and three short ones: of the same second, of 30 seconds later, and of three after that.
        let start: UInt32 = 1_083_500_001
        var timed = Self.joined(
            Self.definition(0, 0, [(253, 0x86, 4)]), [0], Self.bytes(start), Self.definition(1, 20, Self.position))
        for (index, seconds) in [0, 30, 33].enumerated() {
            timed += Self.joined([0xA0 | UInt8((start + UInt32(seconds)) & 31)], Self.place(index))
        }
        let features = try Self.gather(Self.file(timed))
        #expect(features.duration == 33 && features.shapes.map(\.positions.count) == [3])
    }

    @Test("A pause ends a part of a track, and files behind one another belong together")
    func pauses() throws {
        let timer = Self.definition(1, 21, [(0, 0x00, 1), (1, 0x00, 1)])
        let way = Self.joined(Self.definition(0, 20, Self.position), Self.places(0, 3))
        #expect(try Self.parts(way, timer, [1, 0, 4], [1, 0, 0], Self.places(0, 2)) == [3, 2])
        // What is no timer, and a timer that stops, end nothing.
        #expect(try Self.parts(way, timer, [1, 0, 4], [1, 9, 0], Self.places(0, 2)) == [5])
        // However many pauses there are, the elevations are those of one way.
        let rising = Self.definition(0, 20, Self.position + [(2, 0x84, 2)])
        let ride = (0..<100).flatMap { part in
            Self.joined([1, 0, 0])
                + (0..<3).flatMap {
                    Self.joined([0], Self.place(3 * part + $0), Self.bytes(UInt16(2500 + 100 * part)))
                }
        }
        let features = try Self.gather(Self.file(Self.joined(rising, timer, ride)))
        #expect(features.shapes.count == 100 && features.profile.isShown)
        let course = Self.joined(Self.definition(0, 0, [(0, 0x00, 1)]), [0, 6], way)
        let both = try Self.gather(Self.file(way) + Self.file(course))
        #expect(both.shapes.map(\.kind) == [.track, .route])
    }

    @Test("Courses and saved places have names")
    func names() throws {
        let course = Self.joined(
            Self.definition(0, 0, [(0, 0x00, 1)]), [0, 6], Self.definition(1, 31, [(5, 0x07, 8)]), [1],
            Array("Ridge\0xy".utf8), Self.definition(0, 20, Self.position), Self.places(0, 3))
        let facts = try Samples.draw(Self.file(course), "application/vnd.ant.fit", wantsText: true).facts
        #expect(facts.title == "Ridge" && facts.text == "Ridge")
        let places = Self.joined(
            Self.definition(1, 29, [(0, 0x07, 5), (1, 0x85, 4), (2, 0x85, 4)]), [1], Array("Well\0".utf8), Self.place(0)
        )
        let found = try Self.gather(Self.file(places))
        #expect(found.shapes.map(\.kind) == [.point] && found.words.onlyName == "Well")
    }

    @Test("A recording that was never ended is drawn; one without places says why there are none")
    func unended() throws {
        let way = Self.joined(Self.definition(0, 20, Self.position), Self.places(0, 5))
        #expect(try Self.gather(Self.file(way, says: 0)).shapes.map(\.positions.count) == [5])
        #expect(try Self.gather(Self.file(way, says: 100_000)).shapes.map(\.positions.count) == [5])
        func reason(_ content: [UInt8]) -> PluginError? {
            #expect(throws: PluginError.self) { try Samples.draw(Self.file(content), "application/vnd.ant.fit") }
        }
        for (type, words) in [(4, "indoors"), (5, "workout"), (32, "steps"), (2, "neither")] as [(UInt8, String)] {
            let error = reason(Self.definition(0, 0, [(0, 0x00, 1)]) + [0, type])
            #expect(error?.code == .empty && error?.message.contains(words) == true, "\(type)")
        }
        // Where it is not known is no place; a message without its definition is damage.
        let unknown = Self.joined(
            Self.definition(0, 20, Self.position), [0], Self.bytes(Int32.max), Self.bytes(Int32.max))
        #expect(reason(unknown)?.code == .empty)
        let unsigned = Self.joined(
            Self.definition(0, 20, [(0, 0x86, 4), (1, 0x86, 4)]), [0], Self.bytes(UInt32.max), Self.bytes(UInt32.max))
        #expect(reason(unsigned)?.code == .empty)
        // Neither zeros behind it nor an end that was never written are damage.
        let plan = Self.definition(0, 0, [(0, 0x00, 1)]) + [0, 5]
        for whole in [Self.file(plan) + [0, 0, 0], Self.file(plan, says: 0)] {
            #expect(RendererFixtures.failure { try Samples.draw(whole, "application/vnd.ant.fit") } == .empty)
        }
        #expect(reason([5, 1, 2, 3])?.code == .corrupt)
    }
}
