import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ProgramRenderer

@Suite struct WindowsProgramTests {
    /// Where the tree of resources begins in the fixture, and the address at which it is loaded.
    private static let tree = 1536, address = 0x2000

    private static func setup(_ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
        var bytes = try ProgramRendererTests.fixture("setup.exe")
        change(&bytes)
        return bytes
    }

    /// Sets a number of four bytes.
    private static func set(_ bytes: inout [UInt8], _ at: Int, _ value: Int) {
        bytes.replaceSubrange(at..<at + 4, with: little(value, 4))
    }

    @Test("Where the best picture is damaged the next one is shown")
    func fallback() throws {
        let png = Array("\u{89}PNG".unicodeScalars.map { UInt8($0.value) })
        let bytes = try Self.setup { bytes in
            guard let start = bytes.firstRange(of: png)?.lowerBound else { return }
            bytes[start + 20] ^= 0xFF
        }
        let rendering = try ProgramRendererTests.draw(bytes)
        #expect(rendering.bitmap.width == 48 && ProgramRendererTests.isUpright(rendering))
    }

    @Test("Tables that lead to themselves, too long ones and places outside of the file end in a sentence")
    func tables() throws {
        // The second kind is that of icons as a whole; its entry leads to the topmost table.
        let cycle = try Self.setup { Self.set(&$0, Self.tree + 16 + 8 + 4, 1 << 31) }
        #expect(try ProgramRendererTests.failure(cycle) == .empty)
        let many = try Self.setup { bytes in
            for at in Self.tree + 12..<Self.tree + 16 { bytes[at] = 0xFF }
        }
        #expect(ProgramRendererTests.isUpright(try ProgramRendererTests.draw(many)))
        let outside = try Self.setup { Self.set(&$0, Self.tree + 16 + 8 + 4, 0xFFFF_FFFF) }
        #expect(try ProgramRendererTests.failure(outside) == .empty)
        // The address of the tree, in the third directory.
        let directory = 64 + 24 + 96 + 2 * 8
        let away = try Self.setup { Self.set(&$0, directory, 0xFFFF_FFF0) }
        #expect(try ProgramRendererTests.failure(away) == .empty)
        #expect(try ProgramRendererTests.failure(try Self.setup { $0[64 + 24] = 0 }) == .corrupt)
        #expect(try ProgramRendererTests.failure(try Self.setup { $0[0x3F] = 0xFF }) == .empty)
    }

    @Test("Of a program that is cut off it is not said that it has no icon")
    func cut() throws {
        let bytes = try ProgramRendererTests.fixture("setup.exe")
        for end in [Self.tree, Self.tree + 10, Self.tree + 20, Self.tree + 60, bytes.count / 4] {
            let error = #expect(throws: PluginError.self) {
                try ProgramRendererTests.draw(Array(bytes.prefix(end)), box: 256)
            }
            #expect(error?.code == .corrupt && error?.message.contains("again") == true, "\(end): \(error as Any)")
        }
    }

    @Test("A resource that is too long is refused, and one that is cut off is damaged")
    func lengths() throws {
        let bytes = try Self.setup { _ in }
        // Behind three tables of languages stands that of the list of pictures, and behind all of them their places.
        let group = try #require(bytes.firstRange(of: little(0, 2) + little(1, 2) + little(3, 2) + [32, 32]))
        let place = little(group.lowerBound - Self.tree + Self.address, 4)
        let entry = try #require(bytes.firstRange(of: place)).upperBound
        var long = bytes
        Self.set(&long, entry, 1 << 30)
        #expect(try ProgramRendererTests.failure(long) == .limitExceeded)
        Self.set(&long, entry, 1 << 20)
        #expect(try ProgramRendererTests.failure(long) == .corrupt)
        // A list without pictures, and one of pictures that are not there.
        var none = bytes
        none[group.lowerBound + 4] = 0
        #expect(try ProgramRendererTests.failure(none) == .corrupt)
        for at in 0..<3 { none[group.lowerBound + 6 + at * 14 + 12] = 99 }
        none[group.lowerBound + 4] = 3
        #expect(try ProgramRendererTests.failure(none) == .corrupt)
    }

    @Test("Of one size the picture with most colours is tried first")
    func depths() {
        func entry(_ side: UInt8, _ depth: Int, _ number: Int) -> [UInt8] {
            [side, side, 0, 0, 1, 0] + little(depth, 2) + little(99, 4) + little(number, 2)
        }
        let list = entry(32, 4, 1) + entry(0, 32, 2) + entry(48, 8, 3) + entry(48, 32, 4) + entry(16, 32, 5)
        let icon = WindowsIcon(little(0, 2) + little(1, 2) + little(5, 2) + list)
        #expect(icon.pictures(for: 40).map(\.number) == [4, 3, 2, 1, 5])
        #expect(icon.pictures(for: 256).map(\.number) == [2, 4, 3, 1, 5])
        #expect(icon.pictures(for: 16).map(\.number) == [5, 1, 4, 3, 2])
    }

    /// A bitmap of two pixels by two: red and green above blue and white, and a mask that may hide the first row.
    private static func bitmap(_ depth: Int, _ palette: [UInt8], _ rows: [[UInt8]], hides: Bool) -> [UInt8] {
        var bytes = little(40, 4) + little(2, 4) + little(4, 4) + little(1, 2) + little(depth, 2)
        bytes += little(0, 16) + little(palette.count / 4, 4) + little(0, 4) + palette
        for row in rows.reversed() {
            bytes += row
            bytes += [UInt8](repeating: 0, count: (4 - row.count % 4) % 4)
        }
        bytes += [0, 0, 0, 0]
        bytes += [hides ? 0xC0 : 0, 0, 0, 0]
        return bytes
    }

    @Test(
        "Bitmaps of all numbers of colours are decoded, with their masks",
        arguments: [1, 4, 8, 16, 24, 32], [true, false])
    func bitmaps(depth: Int, hides: Bool) throws {
        let colours: [[UInt8]] = [[0, 0, 255], [0, 255, 0], [255, 0, 0], [255, 255, 255]]
        let palette = colours.flatMap { colour -> [UInt8] in colour + [0] }
        let rows: [[UInt8]] =
            switch depth {
            case 1: [[0b0100_0000], [0b1000_0000]]
            case 4: [[0x01], [0x23]]
            case 8: [[0, 1], [2, 3]]
            case 16: [little(0x7C00, 2) + little(0x03E0, 2), little(0x001F, 2) + little(0x7FFF, 2)]
            case 24: [colours[0] + colours[1], colours[2] + colours[3]]
            default: [colours[0] + [0] + colours[1] + [0], colours[2] + [0] + colours[3] + [0]]
            }
        let used = depth == 1 ? Array(palette.prefix(8)) : depth <= 8 ? palette : []
        let picture = RGBAPicture(
            try MaskedBitmap(Self.bitmap(depth, used, rows, hides: hides), 1000).drawn())
        let expected = depth == 1 ? [0, 1, 1, 0] : [0, 1, 2, 3]
        for (index, colour) in expected.enumerated() {
            let pixel = picture.pixel(x: index % 2, y: index / 2)
            let isHidden = hides && index < 2
            #expect(pixel.alpha == (isHidden ? 0 : 255))
            if !isHidden { #expect([pixel.blue, pixel.green, pixel.red] == colours[colour]) }
        }
    }

    @Test("Alpha of the pixels themselves is kept, and an icon that shows nothing is none")
    func alpha() throws {
        let rows: [[UInt8]] = [[1, 2, 3, 128, 0, 0, 0, 0], [9, 9, 9, 255, 0, 0, 0, 0]]
        let bytes = Self.bitmap(32, [], rows, hides: true)
        let bitmap = try MaskedBitmap(bytes, 1000).drawn()
        let alphas = bitmap.withUnsafeMutableBytes { pixels in
            [3, 7, bitmap.bytesPerRow + 3, bitmap.bytesPerRow + 7].map { pixels[$0] }
        }
        #expect(alphas == [128, 0, 255, 0])
        let hidden = try Self.setup { bytes in
            // The mask of a bitmap, and all of it transparent.
            let head = little(40, 4) + little(48, 4) + little(96, 4)
            guard let start = bytes.firstRange(of: head)?.lowerBound else { return }
            for at in start + 40..<start + 40 + 48 * 48 * 4 { bytes[at] = 0 }
            for at in start + 40 + 48 * 48 * 4..<start + 40 + 48 * 48 * 4 + 48 * 8 { bytes[at] = 0xFF }
        }
        // Another picture is shown in its place, and where there is none, nothing.
        let next = try ProgramRendererTests.draw(hidden, box: 48)
        #expect(next.bitmap.width == 256 && ProgramRendererTests.isUpright(next))
        let place = try #require(hidden.firstRange(of: little(0, 2) + little(1, 2) + little(3, 2) + [32, 32]))
        var alone = hidden
        let count = place.lowerBound + 4, second = place.lowerBound + 6 + 14
        try #require(alone[second] == 48)
        alone.replaceSubrange(count + 2..<count + 16, with: alone[second..<second + 14])
        alone[count] = 1
        #expect(try ProgramRendererTests.failure(alone) == .empty)
    }

    @Test("A bitmap that lies about its size, or is of a rare kind, is refused")
    func lies() throws {
        let good = Self.bitmap(24, [], [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]], hides: false)
        func code(_ at: Int, _ value: Int, maximumPixels: Int = 1000) throws -> PluginError.Code {
            var bytes = good
            Self.set(&bytes, at, value)
            let error = #expect(throws: PluginError.self) { try MaskedBitmap(bytes, maximumPixels).drawn() }
            return try #require(error).code
        }
        #expect(try code(4, 0x7FFF_FFFF) == .corrupt)
        #expect(try code(8, 0xFFFF_FFFC) == .corrupt)
        #expect(try code(4, 0) == .corrupt)
        #expect(try code(4, 30_000) == .limitExceeded)
        #expect(try code(4, 30_000, maximumPixels: 1 << 20) == .corrupt)
        #expect(try code(4, 30_000, maximumPixels: .max) == .corrupt)
        #expect(try code(0, 12) == .unsupported)
        #expect(try code(16, 1) == .unsupported)
        #expect(try code(12, 3 << 16 | 1) == .unsupported)
        #expect(throws: PluginError.self) { try MaskedBitmap(Array(good.prefix(40)), 1000) }
        // Only the mask is cut off.
        #expect(try MaskedBitmap(Array(good.dropLast(8)), 1000).drawn().width == 2)
    }

    @Test("What a program says of itself may be damaged anywhere")
    func version() throws {
        let bytes = try ProgramRendererTests.fixture("setup.exe")
        let key = "VS_VERSION_INFO".utf16.flatMap { little(Int($0), 2) }
        let start = try #require(bytes.firstRange(of: key)).lowerBound - 6
        let node = Array(bytes[start..<start + Int(bytes[start]) + Int(bytes[start + 1]) << 8])
        #expect(VersionInformation(node).facts.title == "Vitrine Setup")
        // One that is too long leaves the icon.
        let place = try #require(bytes.firstRange(of: little(start - Self.tree + Self.address, 4))).upperBound
        for length in [1 << 20, 1 << 30] {
            var long = bytes
            Self.set(&long, place, length)
            let rendering = try ProgramRendererTests.draw(long)
            #expect(ProgramRendererTests.isUpright(rendering) && rendering.facts.title == nil)
        }
        for at in node.indices {
            for value in [0, 1, 0xFF] as [UInt8] {
                var damaged = node
                damaged[at] = value
                _ = VersionInformation(damaged).facts
            }
            #expect(VersionInformation(Array(node.prefix(at))).facts.title == nil)
        }
    }
}
