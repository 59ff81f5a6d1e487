import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import LottieRenderer

@Suite struct LottieRendererTests {
    /// A square of one colour.
    private static func square(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ colour: String) -> String {
        #"{"ty":"gr","it":[{"ty":"rc","p":{"a":0,"k":[\#(x + width / 2),\#(y + height / 2)]},"#
            + #""s":{"a":0,"k":[\#(width),\#(height)]},"r":{"a":0,"k":0}},"#
            + #"{"ty":"fl","c":{"a":0,"k":[\#(colour),1]},"o":{"a":0,"k":100}},{"ty":"tr"}]}"#
    }

    /// The motif's quarters, in parts of 1.
    private static let quarters = [
        square(0, 0, 80, 60, "0.839,0.188,0.192"), square(80, 0, 80, 60, "0.180,0.643,0.310"),
        square(0, 60, 80, 60, "0.176,0.361,0.808"), square(80, 60, 80, 60, "0.945,0.804,0.216"),
    ].joined(separator: ",")

    /// An animation of two seconds, whose quarters are there from a frame on.
    private static func animation(_ shapes: String = quarters, from start: Int = 0, more: String = "") -> [UInt8] {
        let layer = #"{"ty":4,"ks":{},"ip":\#(start),"op":60,"st":0,"shapes":[\#(shapes)]}"#
        let text = #"{"v":"5.5.7","fr":30,"ip":0,"op":60,"w":160,"h":120,"assets":[]\#(more),"layers":[\#(layer)]}"#
        return Array(text.utf8)
    }

    /// Bytes in a stream of gzip that packs nothing (RFC 1951, 3.2.4).
    private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        let stored = [1] + little(bytes.count, 2) + little(~bytes.count & 0xFFFF, 2) + bytes
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + stored + little(Int(crc32(bytes)), 4) + little(bytes.count, 4)
    }

    private static func draw(_ bytes: [UInt8], box: Int = 160, time: Double? = nil, page: Int = 0) throws -> Rendering {
        let renderer = try LottieRenderer(RendererEnvironment(pluginFolder: "/"))
        let request = RenderRequest(box: box, mimeType: "video/lottie+json", page: page, time: time)
        return try renderer.render(BytesInput(bytes), request)
    }

    private static func failure(_ bytes: [UInt8]) throws -> PluginError.Code {
        let error = #expect(throws: PluginError.self) { try draw(bytes) }
        return try #require(error).code
    }

    @Test("It keeps the renderer's contract")
    func conformance() throws {
        let samples = [
            RendererSample("plain", mimeType: "video/lottie+json", bytes: Self.animation()),
            RendererSample("packed", mimeType: "application/x-tgsticker", bytes: Self.gzip(Self.animation())),
        ]
        let suite = RendererConformance(samples: samples, enlarges: true) {
            environment throws(PluginError) in try LottieRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test(
        "Animations are drawn in their colours, packed or not, with their size and length", arguments: [64, 160, 500])
    func motif(box: Int) throws {
        let plain = Self.animation()
        let zip = zipFile([(name: "manifest.json", bytes: Array("{}".utf8)), (name: "animations/a.json", bytes: plain)])
        for bytes in [plain, [0xEF, 0xBB, 0xBF] + plain, Self.gzip(plain), zip] {
            let rendering = try Self.draw(bytes, box: box)
            let check = QuadrantCheck(RGBAPicture(rendering.bitmap))
            #expect(check.arrangement == .upright && check.largestError < 0.04)
            #expect(max(rendering.bitmap.width, rendering.bitmap.height) == box)
            #expect(rendering.facts.size == PixelSize(width: 160, height: 120) && rendering.facts.duration == 2)
        }
    }

    @Test("Animations and stickers as files have them show the motif", arguments: ["motif.json", "motif.tgs"])
    func files(name: String) throws {
        let check = QuadrantCheck(RGBAPicture(try Self.draw(try Fixtures.bytes("animation/" + name)).bitmap))
        #expect(check.arrangement == .upright && check.largestError < 0.04)
    }

    @Test("A frame is shown that is not empty, or that of the moment that is asked for")
    func moments() throws {
        let late = Self.animation(from: 45)
        #expect(QuadrantCheck(RGBAPicture(try Self.draw(late).bitmap)).arrangement == .upright)
        for (time, alpha) in [(0, 0), (1.4, 0), (1.6, 255), (99, 255), (-1, 0)] as [(Double, UInt8)] {
            let picture = RGBAPicture(try Self.draw(late, time: time).bitmap)
            #expect(picture.pixel(x: 20, y: 20).alpha == alpha, "\(time)")
        }
    }

    @Test("What is left transparent stays so, and one colour is enough")
    func transparency() throws {
        let part = RGBAPicture(try Self.draw(Self.animation(Self.square(0, 0, 80, 60, "1,0,0"))).bitmap)
        #expect(part.pixel(x: 20, y: 20).red == 255 && part.pixel(x: 120, y: 100).alpha == 0)
        let whole = RGBAPicture(try Self.draw(Self.animation(Self.square(0, 0, 160, 120, "1,0,0"))).bitmap)
        #expect(whole.pixel(x: 120, y: 100).red == 255)
        #expect(try Self.failure(Self.animation("")) == .empty)
    }

    @Test("Of the animations in a zip file the one is drawn that it names, in either version")
    func names() throws {
        let (plain, other) = (Self.animation(), Self.animation(Self.square(0, 0, 160, 120, "1,0,0")))
        for (manifest, folder) in [
            (#"{"animations":[{"id":"b"},{"id":"a"}]}"#, "animations"), (#"{"activeAnimationId":"b"}"#, "animations"),
            (#"{"version":"2","initial":{"animation":"b"},"animations":[{"id":"a"}]}"#, "a"),
        ] {
            let zip = zipFile([
                (name: "manifest.json", bytes: Array(manifest.utf8)), (name: "\(folder)/a.json", bytes: other),
                (name: "\(folder)/b.json", bytes: plain),
            ])
            #expect(QuadrantCheck(RGBAPicture(try Self.draw(zip).bitmap)).arrangement == .upright, "\(manifest)")
        }
        #expect(try Self.failure(zipFile([(name: "a.json", bytes: plain)])) == .corrupt)
    }

    @Test("What is no animation, or nested too deep, is refused")
    func bad() throws {
        #expect(try Self.failure([]) == .empty)
        for text in ["{", "[]", #"{"a":1,"layers":[]}"#] { #expect(try Self.failure(Array(text.utf8)) == .corrupt) }
        #expect(try Self.failure(Array(Self.animation().dropLast(40))) == .corrupt)
        let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        #expect(try Self.failure(Self.animation(more: #","x":\#(deep)"#)) == .limitExceeded)
        // Brackets in words are none.
        let words = String(repeating: #"\"[\\"#, count: 300)
        #expect(try Self.draw(Self.animation(more: #","nm":"\#(words)""#)).bitmap.width == 160)
        #expect(throws: PluginError.self) { try Self.draw(Self.animation(), page: 1) }
    }
}
