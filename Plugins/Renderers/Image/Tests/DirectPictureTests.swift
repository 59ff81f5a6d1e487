import ImageRenderer
import Testing
import VitrineKit
import VitrineTesting

// Formats that are read by their own libraries, and what of them is left to ImageMagick.
extension ImageRendererTests {
    /// A picture with a chunk behind its first one, of which ImageMagick is left with those of cameras.
    private func adding(_ name: String, _ content: [UInt8], to png: [UInt8]) -> [UInt8] {
        Array(png[..<33]) + Fixtures.chunk(name, content) + png[33...]
    }

    @Test(
        "libpng's rows are what ImageMagick reads, whole and reduced",
        arguments: ["alpha.png", "grey.png", "palette.png", "rgb-16.png", "rgb-8.png", "icc-swapped.png", "wide.png"])
    func rows(name: String) throws {
        let bytes = try Fixtures.bytes("image/\(name)")
        let camera = adding("eXIf", [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0], to: bytes)
        for box in [128, 16] {
            let direct = RGBAPicture(try draw(bytes, box: box).bitmap)
            let other = RGBAPicture(try draw(camera, box: box).bitmap)
            #expect(direct.width == other.width && direct.height == other.height)
            let differs = zip(direct.pixels, other.pixels).contains { abs(Int($0) - Int($1)) > 1 }
            #expect(!differs, "box \(box)")
        }
    }

    @Test("A PNG in a light of its own is brought to that of sRGB")
    func gamma() throws {
        let bytes = try Fixtures.bytes("image/grey.png")
        func sum(_ bytes: [UInt8]) throws -> Int {
            RGBAPicture(try draw(bytes).bitmap).pixels.reduce(0) { $0 + Int($1) }
        }
        // Linear light, in parts of 100,000; then what sRGB itself says.
        #expect(try sum(adding("gAMA", [0, 1, 0x86, 0xA0], to: bytes)) > sum(bytes))
        #expect(try sum(adding("gAMA", [0, 0, 0xB1, 0x8F], to: bytes)) == sum(bytes))
    }

    @Test(
        "WebP, HEIF and AVIF are reduced by averaging",
        arguments: ["lossy.webp", "alpha.webp", "plain.heic", "plain.avif"])
    func reduced(name: String) throws {
        let rendering = try draw(try Fixtures.bytes("image/\(name)"), box: 16)
        #expect(rendering.bitmap.width == 32)
        #expect(rendering.facts.size == PixelSize(width: 160, height: 120))
        #expect(
            QuadrantCheck(RGBAPicture(rendering.bitmap), columns: 0.1...0.9, rows: 0.1...0.9).arrangement == .upright)
    }

    @Test(
        "What is cut off or damaged is refused or drawn in part, and ends nothing",
        arguments: [
            "rgb-8.png", "palette.png", "icc-swapped.png", "lossy.webp", "alpha.webp", "plain.heic", "plain.avif",
        ])
    func damaged(name: String) throws {
        let bytes = try Fixtures.bytes("image/\(name)")
        let renderer = try ImageRenderer(RendererEnvironment(pluginFolder: Fixtures.pluginFolder))
        for at in stride(from: 16, to: bytes.count, by: max(1, bytes.count / 24)) {
            var other = bytes
            other[at] ^= 0x5A
            for damaged in [Array(bytes[..<at]), other] {
                do throws(PluginError) {
                    let made = try renderer.render(BytesInput(damaged), RenderRequest(box: 32, mimeType: "image/png"))
                    #expect(made.bitmap.width > 0)
                } catch { #expect([.corrupt, .unsupported, .limitExceeded, .empty].contains(error.code)) }
            }
        }
    }
}
