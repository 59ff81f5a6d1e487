import EXIF
import RendererFixtures
import Testing
import VitrineKit

@Suite struct EXIFTests {
    private static let block = CameraBlock.sample

    @Test("Camera, moment and orientation are told; the place only on request")
    func told() throws {
        let block = try #require(EXIFBlock(Self.block))
        var facts = Facts()
        facts.add(block, wantsPlace: false)
        #expect(facts.text(.camera) == "Example Works E-1" && facts.text(.author) == "Alice")
        #expect(facts.text(.created) == "2024-05-03T14:02:11+02:00")
        #expect(facts.details[.orientation] == .number(1))
        #expect(facts.place == nil)
        facts.add(block, wantsPlace: true)
        let place = try #require(facts.place)
        #expect(place.latitude == -47.5 && abs(place.longitude - 8.26) < 1e-9 && place.altitude == -40.5)
    }

    @Test("A model that begins with its maker is not said twice; zeros are no moment")
    func odd() throws {
        let block = CameraBlock.make(
            [CameraBlock.text(0x010F, "EXAMPLE Corp."), CameraBlock.text(0x0110, "Example X\u{1B}[2J")],
            camera: [CameraBlock.text(0x9003, "0000:00:00 00:00:00")],
            place: [
                CameraBlock.text(1, "N"), CameraBlock.rationals(2, [(1, 0), (0, 1), (0, 1)]), CameraBlock.text(3, "E"),
                CameraBlock.rationals(4, [(999, 1), (0, 1), (0, 1)]),
            ])
        var facts = Facts()
        facts.add(try #require(EXIFBlock(block)), wantsPlace: true)
        #expect(facts.text(.camera) == "Example X [2J")
        #expect(facts.text(.created) == nil && facts.place == nil)
    }

    @Test("Of what HEIF and JPEG XL keep, as many bytes are left out as they say, if that makes sense")
    func items() {
        let tiff = Array(Self.block.dropFirst(6))
        let segment = [0xFF, 0xE1, 0, 99] + Self.block
        for item in [
            [0, 0, 0, 0] + tiff, [0, 0, 0, 6] + Self.block, [0, 0, 0, 0] + Self.block, [0, 0, 0, 10] + segment,
            [0, 0, 0, 4] + segment, [0, 0, 0, 9] + tiff, [255, 255, 255, 255] + tiff,
        ] {
            #expect(EXIFBlock(item: item)?.camera == "Example Works E-1", "\(item.prefix(12))")
        }
        for item in [[], [0], [0, 0, 0, 0], [0, 0, 0, 10] + Array(segment.prefix(10))] as [[UInt8]] {
            #expect(EXIFBlock(item: item)?.camera == nil)
        }
    }

    @Test("Blocks that are empty, cut, random or go in circles are read without harm")
    func bad() {
        #expect(EXIFBlock([]) == nil)
        for count in 0..<Self.block.count {
            var facts = Facts()
            if let block = EXIFBlock(Self.block.prefix(count)) { facts.add(block, wantsPlace: true) }
        }
        var seed: UInt64 = 7
        for _ in 0..<2000 {
            var bytes = Self.block
            for _ in 0..<4 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[6 + Int(seed >> 33) % (bytes.count - 6)] = UInt8(truncatingIfNeeded: seed >> 56)
            }
            var facts = Facts()
            if let block = EXIFBlock(bytes) { facts.add(block, wantsPlace: true) }
            #expect(facts.details.values.allSatisfy { $0 != .text("") })
        }
    }
}
