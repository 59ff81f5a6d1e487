import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

extension ImageRendererTests {
    /// A TIFF file of grey pages, each of one value.
    /// - Parameters:
    ///   - pages: sides in pixels, values, and whether each is a smaller version of the one before.
    ///   - isMap: whether the first is a map (GeoTIFF), and all have a second sample of which nothing is said.
    private func file(_ pages: [(side: UInt16, value: UInt8, isReduced: Bool)], isMap: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
        for (index, page) in pages.enumerated() {
            let side = Int(page.side)
            let samples = isMap ? 2 : 1
            let keys = isMap && index == 0 ? [(tag: 34_735, value: 1)] : []
            let tags: [(tag: Int, value: Int)] =
                [
                    (254, page.isReduced ? 1 : 0), (256, side), (257, side), (258, 8), (259, 1), (262, 1),
                    (273, bytes.count + 2 + (10 + keys.count) * 12 + 4), (277, samples), (278, side),
                    (279, side * side * samples),
                ] + keys
            bytes += little(tags.count, 2)
            for entry in tags { bytes += little(entry.tag, 2) + little(4, 2) + little(1, 4) + little(entry.value, 4) }
            let next = bytes.count + 4 + side * side * samples
            bytes += little(index + 1 < pages.count ? next : 0, 4)
            bytes += [UInt8](repeating: page.value, count: side * side * samples)
        }
        return bytes
    }

    @Test("Of a TIFF page with smaller versions the smallest that is large enough is read, and none is a page")
    func pyramid() throws {
        let bytes = file([(128, 200, false), (64, 150, true), (32, 100, true), (8, 50, false)])
        func grey(box: Int, page: Int = 0) throws -> (value: UInt8, facts: Facts) {
            let rendering = try draw(bytes, box: box, page: page, mimeType: "image/tiff")
            return (RGBAPicture(rendering).pixel(x: 0, y: 0).red, rendering.facts)
        }
        #expect(try grey(box: 128).value == 200)
        #expect(try grey(box: 32).value == 150)
        #expect(try grey(box: 16).value == 100)
        #expect(try grey(box: 8).value == 100)
        #expect(try grey(box: 16).facts.pages == 2)
        #expect(try grey(box: 16).facts.size == PixelSize(width: 128, height: 128))
        #expect(try grey(box: 16, page: 1).value == 50)
    }

    @Test("The smaller versions of a map are its own, though they do not say again that they are of one")
    func mapPyramid() throws {
        let bytes = file([(128, 200, false), (64, 150, true), (32, 100, true)], isMap: true)
        let pixel = RGBAPicture(try draw(bytes, box: 16, mimeType: "image/tiff")).pixel(x: 0, y: 0)
        #expect(pixel.red == 100 && pixel.alpha == 255)
    }
}
