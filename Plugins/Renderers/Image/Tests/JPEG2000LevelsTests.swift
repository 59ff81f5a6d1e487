import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ImageRenderer

/// How often pictures in JPEG 2000 are halved before their pixels are decoded.
@Suite(.serialized) struct JPEG2000LevelsTests {
    /// A codestream of 1000 × 500 pixels as far as its levels; the area begins at the left, 24 columns off.
    private static func codestream(levels: UInt8 = 5, component: UInt8? = nil) -> [UInt8] {
        let area = big(1024, 4) + big(500, 4) + big(24, 4) + big(0, 4)
        let tiles = big(1024, 4) + big(500, 4) + big(0, 8)
        var bytes: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51, 0, 41, 0, 0] + area + tiles + [0, 1, 7, 1, 1]
        bytes += [0xFF, 0x52, 0, 12, 0, 0, 0, 1, 0, levels, 4, 4, 0, 1]
        if let component { bytes += [0xFF, 0x53, 0, 9, 0, 0, component, 4, 4, 0, 1] }
        return bytes + [0xFF, 0x90, 0, 10]
    }

    private static func box(_ type: String, _ content: [UInt8], isLong: Bool = false) -> [UInt8] {
        isLong
            ? big(1, 4) + Array(type.utf8) + big(content.count + 16, 8) + content
            : big(content.count + 8, 4) + Array(type.utf8) + content
    }

    /// A file around a codestream.
    private static func file(_ header: [UInt8], isLong: Bool = false) -> [UInt8] {
        box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jp2 \0\0\0\0jp2 ".utf8)) + box("jp2h", header)
            + box("jp2c", codestream(), isLong: isLong)
    }

    private func levels(_ bytes: [UInt8]) -> JPEG2000Levels? { bytes.withUnsafeBytes { JPEG2000Levels($0) } }

    @Test("Levels are found in codestreams, in files, and where one component has fewer")
    func found() throws {
        let size = box("ihdr", [UInt8](repeating: 0, count: 14))
        for bytes in [Self.codestream(), Self.file(size), Self.file(size, isLong: true)] {
            let found = try #require(levels(bytes))
            #expect(found.most == 5 && found.corner == PixelSize(width: 1024, height: 500))
        }
        #expect(levels(Self.codestream(levels: 5, component: 2))?.most == 2)
        #expect(levels(Self.codestream(levels: 33)) == nil)
        // Of numbers of colours there is no mean.
        #expect(levels(Self.file(size + Self.box("pclr", [0, 2, 3, 7, 7, 7, 0, 0, 0, 9, 9, 9]))) == nil)
        for count in 0..<Self.file(size).count { _ = levels(Array(Self.file(size).prefix(count))) }
        #expect(levels(Self.box("jp2h", []) + big(3, 4) + Array("free".utf8)) == nil)
    }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] { Self.box(type, content) }

    @Test("A picture is halved while it stays twice as large as wanted")
    func count() throws {
        let found = try #require(levels(Self.codestream()))
        let size = PixelSize(width: 1000, height: 500)
        #expect(
            [600, 500, 251, 250, 128, 125, 62, 16, 1].map { found.count(of: size, box: $0) } == [
                0, 0, 0, 1, 1, 2, 3, 4, 5,
            ])
    }

    @Test("A picture in JPEG 2000 is decoded no larger than is needed, and whole")
    func drawn() throws {
        let renderer = try ImageRenderer(RendererEnvironment(pluginFolder: Fixtures.pluginFolder))
        let bytes = try Fixtures.bytes("image/plain.jp2")
        func rendering(_ bytes: [UInt8], _ box: Int) throws -> Rendering {
            try renderer.render(BytesInput(bytes), RenderRequest(box: box, mimeType: "image/jp2"))
        }
        let small = try rendering(bytes, 16)
        // By halves, and not by fifths.
        #expect(small.bitmap.width == 40 && small.bitmap.height == 30)
        #expect(QuadrantCheck(RGBAPicture(small)).arrangement == .upright)
        #expect(small.facts.size == PixelSize(width: 160, height: 120))
    }
}
