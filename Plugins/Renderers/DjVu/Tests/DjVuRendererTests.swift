import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import DjVuRenderer

/// One after the other: DjVuLibre crashes now and then where several threads decode damaged documents at once, which no worker
/// does.
@Suite(.serialized) struct DjVuRendererTests {
    private static func draw(
        _ bytes: [UInt8], box: Int = 128, page: Int = 0, maximumPixels: Int = 64_000_000,
        _ change: (inout RenderRequest) -> Void = { _ in }
    ) throws -> Rendering {
        let renderer = try DjVuRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: maximumPixels))
        var request = RenderRequest(box: box, mimeType: "image/vnd.djvu", page: page)
        change(&request)
        return try renderer.render(BytesInput(bytes), request)
    }

    private static func failure(_ bytes: [UInt8], maximumPixels: Int = 64_000_000) throws -> PluginError.Code {
        let error = #expect(throws: PluginError.self) { try draw(bytes, maximumPixels: maximumPixels) }
        return try #require(error).code
    }

    @Test("It keeps the renderer's contract", arguments: [("photo", 1), ("black", 1), ("turned", 1), ("pages", 3)])
    func conformance(name: String, pages: Int) throws {
        let sample = RendererSample(
            name, mimeType: "image/vnd.djvu", bytes: try Fixtures.bytes("djvu/\(name).djvu"), pages: pages)
        let suite = RendererConformance(samples: [sample]) { environment throws(PluginError) in
            try DjVuRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("Pages are drawn upright and in their colours", arguments: ["photo", "turned", "pages"])
    func motif(name: String) throws {
        let rendering = try Self.draw(try Fixtures.bytes("djvu/\(name).djvu"))
        let check = QuadrantCheck(RGBAPicture(rendering.bitmap))
        #expect(check.arrangement == .upright)
        #expect(check.largestError < 0.06)
        #expect(rendering.facts.size == PixelSize(width: 160, height: 120) && !rendering.isKnownBlank)
    }

    @Test("The page that is asked for is drawn, and its text told when it is wanted")
    func pages() throws {
        let bytes = try Fixtures.bytes("djvu/pages.djvu")
        let second = try Self.draw(bytes, page: 1)
        #expect(QuadrantCheck(RGBAPicture(second.bitmap)).arrangement == .upsideDown)
        let third = RGBAPicture(try Self.draw(bytes, box: 160, page: 2).bitmap)
        #expect(third.pixels.allSatisfy { $0 == 0 || $0 == 255 })
        #expect(third.pixels.contains(0) && third.pixel(x: 120, y: 100).red == 255)
        #expect(try Self.draw(bytes).facts.text == nil)
        let text = "Vitrine on a scanned page"
        #expect(try Self.draw(bytes) { $0.wantsText = true }.facts.text == text)
        #expect(try Self.draw(bytes) { $0.wantsPageText = true }.facts.text == text)
        #expect(try Self.draw(bytes, page: 1) { $0.wantsPageText = true }.facts.text == nil)
        #expect(throws: PluginError.self) { try Self.draw(bytes, page: 3) }
    }

    /// A page of these sides without any layer (DjVu3 specification, 8.3.1 and 8.3.4.1).
    private func blank(width: Int, height: Int) -> [UInt8] {
        var bytes = Array("AT&TFORM".utf8) + [0, 0, 0, 22] + Array("DJVUINFO".utf8) + [0, 0, 0, 10]
        for side in [UInt16(width), UInt16(height)] { withUnsafeBytes(of: side.bigEndian) { bytes += $0 } }
        return bytes + [26, 0, 100, 0, 22, 1]
    }

    @Test("A page without anything on it is white paper")
    func paper() throws {
        let rendering = try Self.draw(blank(width: 100, height: 50))
        #expect(rendering.isKnownBlank && rendering.facts.size == PixelSize(width: 100, height: 50))
        #expect(RGBAPicture(rendering.bitmap).pixels.allSatisfy { $0 == 255 })
    }

    @Test("A document that is an index of other files is named as such")
    func spread() throws {
        var bytes = try Fixtures.bytes("djvu/pages.djvu")
        // The directory's first byte says whether the pages lie in this file; behind it, their number.
        let place = try #require(bytes.firstRange(of: Array("DIRM".utf8)))
        let flags = place.upperBound + 4
        #expect(bytes[flags] & 0x80 != 0)
        bytes[flags] &= 0x7F
        // An index has no places of pages.
        let length = Int(bytes[flags - 1]) + Int(bytes[flags - 2]) << 8 - 12
        bytes.replaceSubrange((flags - 4)..<flags, with: [0, 0, UInt8(length >> 8), UInt8(length & 255)])
        bytes.removeSubrange((flags + 3)..<(flags + 15))
        #expect(try Self.failure(bytes) == .unsupported)
    }

    @Test(
        "What ended for want of memory is not called damaged",
        arguments: [
            "** Unrecognized DjVu Message:\n\t** Message name:  GException.outofmemory", "[1-14000] Out of memory.",
            "[1-14000] Zu wenig Speicher.",
        ])
    func memory(complaint: String) {
        #expect(DjVuDocument.failure(complaint).code == .limitExceeded)
        #expect(DjVuDocument.failure("[1-13907] Not enough data.").code == .corrupt)
        #expect(DjVuDocument.failure(nil).code == .corrupt)
    }

    @Test("A layer that is larger than its page is refused with DjVuLibre's words")
    func layer() throws {
        var bytes = blank(width: 100, height: 100)
        // Of one slice, version 1.2, 65,535 pixels square (DjVu3 specification, 8.3.6).
        bytes += Array("BG44".utf8) + [0, 0, 0, 26, 0, 1, 1, 2, 255, 255, 255, 255, 0x80]
        bytes += [UInt8](repeating: 0x55, count: 17)
        bytes[11] = UInt8(bytes.count - 12)
        let error = #expect(throws: PluginError.self) { try Self.draw(bytes) }
        #expect(
            error?.code == .corrupt && error?.message.contains("(DjVuLibre: ") == true, "\(String(describing: error))")
    }

    @Test("Pages beyond the limits are refused before they are decoded, and what is damaged is named")
    func bad() throws {
        let bytes = try Fixtures.bytes("djvu/photo.djvu")
        #expect(try Self.failure(bytes, maximumPixels: 160 * 120 - 1) == .limitExceeded)
        #expect(try Self.draw(bytes, maximumPixels: 160 * 120).bitmap.width == 128)
        #expect(try Self.failure(blank(width: 65_535, height: 65_535)) == .limitExceeded)
        #expect(try Self.failure([]) == .empty)
        #expect(try Self.failure(Array("AT&TFORM".utf8)) == .corrupt)
        #expect(try Self.failure(try Fixtures.bytes("image/rgb-8.png")) == .corrupt)
        #expect(try Self.failure(Array(bytes.prefix(40))) == .corrupt)
        var refused = 0
        // Damage anywhere ends in a picture or in a sentence.
        for at in stride(from: 12, to: bytes.count, by: 37) {
            var damaged = bytes
            damaged[at] ^= 0xFF
            do { _ = try Self.draw(damaged) } catch let error as PluginError {
                refused += 1
                #expect(error.code == .corrupt, "\(error)")
            }
        }
        #expect(refused > 0)
    }
}
