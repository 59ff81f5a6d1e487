import Testing
import VitrineKit
import VitrineTesting

@testable import ImageRenderer

// JPEG files in the chunks of a PNG.
extension ImageRendererTests {
    /// A JNG of 160 × 120 pixels with the colours of a fixture.
    /// - Parameters:
    ///   - kind: 10 without alpha, 14 with it.
    ///   - packing: of alpha: 0 as a PNG, 8 as a JPEG.
    private static func file(kind: UInt8, packing: UInt8 = 0, behind: [UInt8] = []) throws -> [UInt8] {
        let jpeg = try Fixtures.bytes("image/plain.jpg")
        let head: [UInt8] = [0, 0, 0, 160, 0, 0, 0, 120, kind, 8, 8, 0, kind == 14 ? 8 : 0, packing, 0, 0]
        // Colours in two pieces, and those of 12 bits, which are none here.
        let half = jpeg.count / 2
        var file = JNGPicture.signature + Fixtures.chunk("JHDR", head)
        file += Fixtures.chunk("JDAT", Array(jpeg[..<half])) + Fixtures.chunk("JDAT", Array(jpeg[half...]))
        file += Fixtures.chunk("JSEP", []) + Fixtures.chunk("JDAT", [1, 2, 3])
        return file + behind + Fixtures.chunk("IEND", [])
    }

    private static let type = "image/x-jng"

    @Test("The colours of a JNG are those of the JPEG in it")
    func coloursOfJNG() throws {
        let rendering = try draw(try Self.file(kind: 10), mimeType: Self.type)
        #expect(QuadrantCheck(RGBAPicture(rendering)).arrangement == .upright)
        #expect(rendering.facts.size == PixelSize(width: 160, height: 120))
        #expect(RGBAPicture(rendering).pixel(x: 5, y: 5).alpha == 255)
        for count in [8, 30, 200] {
            let error = #expect(throws: PluginError.self) {
                try draw(Array(try Self.file(kind: 10).prefix(count)), mimeType: Self.type)
            }
            // Of a JPEG without any pixels it is said that there is no picture.
            #expect(error?.code == (count < 200 ? .corrupt : .empty), "\(count)")
        }
    }

    @Test(
        "The alpha of a JNG is a JPEG or the pixels of a PNG, and is left out where it is damaged",
        arguments: [64, 160])
    func alphaOfJNG(box: Int) throws {
        func picture(_ packing: UInt8, _ behind: [UInt8]) throws -> RGBAPicture {
            let file = try Self.file(kind: 14, packing: packing, behind: behind)
            return RGBAPicture(try draw(file, box: box, mimeType: Self.type))
        }
        let grey = try Fixtures.bytes("image/plain.jpg")
        let byJPEG = try picture(8, Fixtures.chunk("JDAA", grey))
        let red = RGBAPicture(try draw(grey, box: box, mimeType: "image/jpeg")).pixel(x: 9, y: 9)
        #expect(byJPEG.pixel(x: 9, y: 9).alpha == red.red && byJPEG.pixel(x: 9, y: 9).green == red.green)

        // Rows without a filter in blocks that are not packed: alpha is 0 in the upper half and 200 in the lower one.
        let rows = (0..<120).flatMap { y in [0] + [UInt8](repeating: y < 60 ? 0 : 200, count: 160) }
        var packed: [UInt8] = [0x78, 1, 1] + [rows.count & 255, rows.count >> 8].map { UInt8($0) }
        packed += [~rows.count & 255, ~rows.count >> 8 & 255].map { UInt8($0) } + rows
        var (low, high) = (1, 0)
        for byte in rows {
            low = (low + Int(byte)) % 65521
            high = (high + low) % 65521
        }
        packed += [high >> 8, high & 255, low >> 8, low & 255].map { UInt8($0) }
        let byPNG = try picture(0, Fixtures.chunk("IDAT", packed))
        let last = byPNG.height - 3
        #expect(byPNG.pixel(x: 5, y: 2).alpha == 0 && byPNG.pixel(x: 5, y: last).alpha == 200)
        #expect(try picture(0, Fixtures.chunk("IDAT", [1, 2])).pixel(x: 5, y: 2).alpha == 255)
    }
}
