import PictureTraits
import Testing
import VitrineKit
import VitrineTesting

@testable import ImageRenderer

// TIFF by libtiff, and TGA with greys and alpha.
extension ImageRendererTests {
    /// Draws without ImageMagick, to which is left what comes back as `nil`.
    private func direct(_ bytes: [UInt8], box: Int = 128) throws -> Rendering? {
        try bytes.withUnsafeBytes { bytes in
            try TIFFPicture.rendering(
                bytes, RenderRequest(box: box, mimeType: "image/tiff"), pages: 1, ColorProfileCache(), memory: 1 << 24
            ) { _ in }
        }
    }

    @Test(
        "libtiff's rows come in their colours, however they are written",
        arguments: [
            TIFFKind(bits: 1, photometric: 0), TIFFKind(bits: 1), TIFFKind(bits: 2, photometric: 0), TIFFKind(bits: 2),
            TIFFKind(bits: 4, photometric: 0), TIFFKind(bits: 4, isTiled: true), TIFFKind(photometric: 0), TIFFKind(),
            TIFFKind(bits: 16, isBigEndian: true), TIFFKind(bits: 16, photometric: 0), TIFFKind(alpha: 1),
            TIFFKind(alpha: 2), TIFFKind(bits: 16, alpha: 2, isSeparate: true), TIFFKind(bits: 2, alpha: 2),
            TIFFKind(photometric: 2), TIFFKind(photometric: 2, alpha: 1), TIFFKind(photometric: 2, alpha: 2),
            TIFFKind(photometric: 2, alpha: 0), TIFFKind(alpha: 0), TIFFKind(photometric: 2, alpha: 0, isNothing: true),
            TIFFKind(bits: 16, photometric: 2, alpha: 0, isMap: true), TIFFKind(alpha: 0, isMap: true, isTiled: true),
            TIFFKind(photometric: 2, alpha: 2, isNothing: true), TIFFKind(photometric: 2, alpha: 2, isMap: true),
            TIFFKind(bits: 16, photometric: 2, alpha: 2, isTiled: true), TIFFKind(photometric: 2, isSeparate: true),
            TIFFKind(bits: 16, photometric: 2, alpha: 1, isSeparate: true, isTiled: true, isBigEndian: true),
            TIFFKind(bits: 4, photometric: 2), TIFFKind(bits: 2, photometric: 3), TIFFKind(bits: 4, photometric: 3),
            TIFFKind(photometric: 3, isTiled: true), TIFFKind(photometric: 3, alpha: 2), TIFFKind(photometric: 5),
            TIFFKind(bits: 16, photometric: 5, isSeparate: true),
        ])
    func tiffKinds(kind: TIFFKind) throws {
        let rendering = try #require(try direct(kind.file))
        let picture = RGBAPicture(rendering)
        #expect(rendering.facts.size == PixelSize(width: TIFFKind.width, height: TIFFKind.height))
        for y in 0..<TIFFKind.height {
            for x in 0..<TIFFKind.width {
                let pixel = picture.pixel(x: x, y: y)
                #expect(abs(Int(pixel.alpha) - kind.alpha(x)) <= 1, "\(x), \(y)")
                // Of what nobody sees the colour does not matter.
                guard kind.alpha(x) > 0 else { continue }
                #expect(abs(Int(pixel.red) - kind.red(x, y)) <= 2, "\(x), \(y)")
                guard kind.photometric == 2 || kind.photometric == 3 else { continue }
                #expect(abs(Int(pixel.green) - (255 - kind.red(x, y))) <= 2 && pixel.blue == 0, "\(x), \(y)")
            }
        }
        // The whole renderer takes this way, too.
        #expect(RGBAPicture(try draw(kind.file)).pixels == picture.pixels)
    }

    @Test("Brightness and differences of colour are mixed by libtiff, also where the picture is turned")
    func tiffMixed() throws {
        for orientation in [1, 6] {
            // Red as brightness, and its distances from blue and from red.
            let kind = TIFFKind(photometric: 6, orientation: orientation)
            let rendering = try #require(try direct(kind.file))
            let sides = [TIFFKind.width, TIFFKind.height]
            #expect([rendering.bitmap.width, rendering.bitmap.height] == (orientation == 1 ? sides : sides.reversed()))
            let pixel = RGBAPicture(rendering).pixel(x: 3, y: 3)
            #expect(abs(Int(pixel.red) - 254) <= 3 && pixel.green <= 3 && pixel.blue <= 3, "\(pixel)")
        }
    }

    @Test("Of brightness and differences of colour the profile counts, too")
    func tiffMixedProfile() throws {
        let tagged = try Fixtures.bytes("image/icc-swapped.tiff")
        let start = try #require(tagged.firstRange(of: Array("acsp".utf8))).lowerBound - 36
        let length = tagged[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        let kind = TIFFKind(photometric: 6, profile: Array(tagged[start..<start + length]))
        // It exchanges red and green.
        let pixel = RGBAPicture(try #require(try direct(kind.file))).pixel(x: 3, y: 3)
        #expect(pixel.red <= 3 && pixel.green >= 251 && pixel.blue <= 3, "\(pixel)")
    }

    @Test("A TIFF is turned as the camera was held, and its camera is named")
    func tiffCamera() throws {
        let rendering = try draw(TIFFKind(photometric: 2, orientation: 6, model: "Pinhole 1").file)
        #expect(rendering.facts.size == PixelSize(width: TIFFKind.height, height: TIFFKind.width))
        #expect(rendering.bitmap.width == TIFFKind.height)
        // What is at the top right was at the top left.
        let pixel = RGBAPicture(rendering).pixel(x: TIFFKind.height - 1, y: 1)
        #expect(abs(Int(pixel.red) - TIFFKind(photometric: 2).red(1, 0)) <= 1)
        #expect(rendering.facts.text(.camera) == "Pinhole 1")
    }

    @Test("A TIFF is reduced by averaging while it is read")
    func tiffReduced() throws {
        let made = try #require(try direct(Fixtures.tiff(pages: [90], width: 900, height: 600), box: 64))
        #expect(made.bitmap.width == 129 && RGBAPicture(made).pixel(x: 64, y: 40).red == 90)
        let kind = try #require(try direct(TIFFKind().file, box: 4))
        #expect(kind.bitmap.width == 11)
        #expect(abs(Int(RGBAPicture(kind.bitmap).pixel(x: 2, y: 2).red) - 127) < 90)
    }

    @Test("What a TIFF claims is bounded before there is memory for it")
    func tiffClaims() throws {
        func code(_ kind: TIFFKind) throws -> PluginError.Code? {
            do {
                _ = try draw(kind.file)
                return nil
            } catch { return try #require(error as? PluginError).code }
        }
        #expect(try code(TIFFKind(claimedWidth: 60_000, claimedHeight: 60_000)) == .limitExceeded)
        #expect(try code(TIFFKind(claimedWidth: .max >> 32, claimedHeight: 1)) != nil)
        #expect(try direct(TIFFKind(isTiled: true, claimedTile: 1 << 20).file) == nil)
        #expect(try code(TIFFKind(isTiled: true, claimedTile: 1 << 20)) != nil)
        #expect(try direct(TIFFKind(isSeparate: true, claimedHeight: 1 << 20).file) == nil)
    }

    @Test(
        "A TIFF that is cut off or damaged is refused or drawn in part, and ends nothing",
        arguments: [
            TIFFKind(bits: 4, photometric: 3), TIFFKind(photometric: 2, alpha: 1, isTiled: true),
            TIFFKind(bits: 16, photometric: 2, isSeparate: true, isBigEndian: true),
        ])
    func tiffDamaged(kind: TIFFKind) throws {
        let bytes = kind.file
        let renderer = try ImageRenderer(RendererEnvironment(pluginFolder: Fixtures.pluginFolder))
        func code(_ bytes: [UInt8]) -> PluginError.Code? {
            do throws(PluginError) {
                let made = try renderer.render(BytesInput(bytes), RenderRequest(box: 32, mimeType: "image/tiff"))
                #expect(made.bitmap.width > 0)
                return nil
            } catch { return error.code }
        }
        let directory = bytes.count - 260
        var refused = 0
        for at in Array(stride(from: 0, to: directory, by: 97)) + Array(max(0, directory)..<bytes.count) {
            var other = bytes
            other[at] ^= 0x5A
            for damaged in [Array(bytes[..<at]), other] {
                guard let code = code(damaged) else { continue }
                refused += 1
                #expect([.corrupt, .unsupported, .limitExceeded, .empty].contains(code), "\(code) at \(at)")
            }
        }
        #expect(refused > 0)
        #expect(code(bytes) == nil)
    }

    @Test(
        "A TGA of greys with alpha is grey, whichever corner it begins in",
        arguments: [(0x08, false), (0x18, true), (0x28, true), (0x38, false)])
    func targa(descriptor: UInt8, isPacked: Bool) throws {
        let (width, height) = (5, 3)
        func grey(_ x: Int, _ y: Int) -> UInt8 { UInt8(40 * x + 10 * y) }
        var pixels: [UInt8] = []
        for y in descriptor & 0x20 == 0 ? Array((0..<height).reversed()) : Array(0..<height) {
            for x in descriptor & 0x10 == 0 ? Array(0..<width) : Array((0..<width).reversed()) {
                pixels += [grey(x, y), UInt8(50 * x)]
            }
        }
        // One packet of pixels, then runs of one, and both go over the end of a row.
        var packed: [UInt8] = [6] + pixels[..<14]
        for at in stride(from: 14, to: pixels.count, by: 2) { packed += [128, pixels[at], pixels[at + 1]] }
        let head: [UInt8] = [0, 0, isPacked ? 11 : 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(width), 0, UInt8(height), 0, 16]
        let bytes = head + [descriptor] + (isPacked ? packed : pixels)
        let picture = RGBAPicture(try draw(bytes, mimeType: "image/x-tga"))
        for y in 0..<height {
            for x in 0..<width {
                let pixel = picture.pixel(x: x, y: y)
                #expect(pixel.alpha == UInt8(50 * x), "\(x), \(y)")
                #expect(pixel.red == grey(x, y) && pixel.green == grey(x, y) && pixel.blue == grey(x, y), "\(x), \(y)")
            }
        }
        for count in head.count..<bytes.count {
            let error = #expect(throws: PluginError.self) {
                try draw(Array(bytes[..<count]), mimeType: "image/x-tga")
            }
            #expect(error?.code == .corrupt)
        }
    }
}
