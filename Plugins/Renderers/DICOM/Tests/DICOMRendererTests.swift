import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import DICOMRenderer

@Suite struct DICOMRendererTests {
    static func draw(
        _ bytes: [UInt8], box: Int = 128, page: Int = 0, maximumPixels: Int = 64_000_000
    ) throws -> Rendering {
        let renderer = try DICOMRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: maximumPixels))
        return try renderer.render(
            BytesInput(bytes), RenderRequest(box: box, mimeType: "application/dicom", page: page))
    }

    /// Whether a picture has these shades of grey, row by row, up to what rounding makes of them.
    private static func has(_ shades: [Int], _ file: WrittenDICOM, page: Int = 0) throws -> Bool {
        let picture = RGBAPicture(try draw(file.bytes, page: page).bitmap)
        let drawn = stride(from: 0, to: picture.pixels.count, by: 4).map { Int(picture.pixels[$0]) }
        return drawn.count == shades.count && zip(drawn, shades).allSatisfy { abs($0 - $1) <= 1 }
    }

    @Test("It keeps the renderer's contract", arguments: [("window", 1), ("frames", 2)])
    func conformance(name: String, pages: Int) throws {
        let bytes = try Fixtures.bytes("image/\(name).dcm")
        let sample = RendererSample(name, mimeType: "application/dicom", bytes: bytes, pages: pages)
        let suite = RendererConformance(samples: [sample], scales: false) { environment throws(PluginError) in
            try DICOMRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("Frames are pages, upright and in their colours")
    func frames() throws {
        let bytes = try Fixtures.bytes("image/frames.dcm")
        for (page, arrangement) in [(0, QuadrantCheck.Arrangement.upright), (1, .upsideDown)] {
            let rendering = try Self.draw(bytes, page: page)
            let check = QuadrantCheck(RGBAPicture(rendering.bitmap))
            #expect(check.arrangement == arrangement)
            if page == 0 { #expect(check.largestError < 0.01) }
            #expect(rendering.facts.pages == 2 && rendering.facts.size == PixelSize(width: 160, height: 120))
        }
        #expect(failure { try Self.draw(bytes, page: 2) } == .invalidArgument)
    }

    @Test(
        "Pictures in JPEG and JPEG 2000 are decoded",
        arguments: [
            ("plain.jpg", WrittenDICOM.baseline, "YBR_FULL_422"), ("plain.jp2", WrittenDICOM.jpeg2000, "YBR_ICT"),
        ])
    func compressed(name: String, syntax: String, colours: String) throws {
        let piece = try Fixtures.bytes("image/\(name)")
        var file = WrittenDICOM(width: 160, height: 120, colours: colours, syntax: syntax, pieces: [piece])
        #expect(QuadrantCheck(RGBAPicture(try Self.draw(file.bytes).bitmap)).arrangement == .upright)
        // In two pieces, and as one of two frames.
        let half = piece.count / 4 * 2
        file.setPieces([Array(piece[..<half]), Array(piece[half...])])
        #expect(QuadrantCheck(RGBAPicture(try Self.draw(file.bytes).bitmap)).arrangement == .upright)
        file.set(0x28, 0x08, "IS", "2")
        file.setPieces([piece, [1, 2]])
        #expect(QuadrantCheck(RGBAPicture(try Self.draw(file.bytes).bitmap)).arrangement == .upright)
        #expect(failure { try Self.draw(file.bytes, page: 1) } == .corrupt)
        // Of another size than the file says.
        file.set(0x28, 0x10, 119)
        #expect(failure { try Self.draw(file.bytes) } == .corrupt)
    }

    @Test("The window of the file says which shades are shown, else the darkest and the brightest do")
    func window() throws {
        var file = WrittenDICOM(width: 4, height: 1, bits: 16, [100, 200, 300, 1000])
        #expect(try Self.has([0, 28, 57, 255], file))
        file.set(0x28, 0x1050, "DS", "200.5")
        file.set(0x28, 0x1051, "DS", "201")
        #expect(try Self.has([0, 128, 255, 255], file))
        file.set(0x28, 0x04, "CS", "MONOCHROME1")
        #expect(try Self.has([255, 127, 0, 0], file))
        // A window beside all shades, and one that is none.
        file.set(0x28, 0x04, "CS", "MONOCHROME2")
        file.set(0x28, 0x1050, "DS", "30000")
        #expect(try Self.has([0, 28, 57, 255], file))
        file.set(0x28, 0x1051, "DS", "0")
        #expect(try Self.has([0, 28, 57, 255], file))
    }

    @Test("The window of a frame counts where each has its own")
    func frameWindow() throws {
        var file = WrittenDICOM(width: 2, height: 1, bits: 16, [100, 300, 100, 300])
        file.set(0x28, 0x08, "IS", "2")
        let frames = ["200.5", "300.5"].map { centre in
            var window = WrittenDICOM.Elements()
            window.set(0x28, 0x1050, "DS", centre)
            window.set(0x28, 0x1051, "DS", "401")
            var group = WrittenDICOM.Elements()
            group.set(0x28, 0x9132, "SQ", WrittenDICOM.item(window.dataset))
            return WrittenDICOM.item(group.dataset)
        }
        file.set(0x5200, 0x9230, "SQ", frames.flatMap { $0 })
        #expect(try Self.has([64, 191], file))
        #expect(try Self.has([0, 128], file, page: 1))
    }

    @Test("Pixels that are not square are shown in their shape")
    func ratio() throws {
        var file = WrittenDICOM(width: 4, height: 2, Array(0..<8))
        file.set(0x28, 0x34, "IS", "2\\1")
        let rendering = try Self.draw(file.bytes)
        #expect(rendering.bitmap.width == 4 && rendering.bitmap.height == 4)
        #expect(rendering.facts.size == PixelSize(width: 4, height: 2))
        let size = PixelSize(width: 4, height: 2)
        #expect(DICOMFrame.size(size, ratio: 2, 100) == PixelSize(width: 8, height: 2))
        #expect(DICOMFrame.size(size, ratio: 2, 15) == PixelSize(width: 4, height: 1))
        #expect(DICOMFrame.size(size, ratio: 0.5, 15) == PixelSize(width: 2, height: 2))
        for ratio in [1.001, 0, -1, 1e9, .infinity, .nan] {
            #expect(DICOMFrame.size(size, ratio: ratio, 100) == size)
        }
    }

    @Test("What is told of a file holds nothing of the patient")
    func privacy() throws {
        let facts = try Self.draw(try Fixtures.bytes("image/window.dcm")).facts
        #expect(facts.title == "OT HEAD" && facts.text(.created) == "2024-01-01")
        #expect(facts.text == nil && facts.details.keys.sorted() == [.created])
        var file = WrittenDICOM(width: 2, height: 1, [0, 1])
        for (modality, part, title) in [
            ("Doe^Jane", "DOE", nil), ("DOE", "DOE JANE", nil), ("JANE DOE", "CHEST", "CHEST"), ("MR", "DOE", "MR"),
            ("CT", "KNEE", "CT KNEE"),
        ] {
            file.set(0x08, 0x60, "CS", modality)
            file.set(0x18, 0x15, "CS", part)
            #expect(try Self.draw(file.bytes).facts.title == title)
        }
    }

    @Test("Files without the bytes before the first element are read, too")
    func bare() throws {
        let file = WrittenDICOM(width: 2, height: 1, [0, 255])
        let picture = RGBAPicture(try Self.draw(file.bytes).bitmap)
        #expect(RGBAPicture(try Self.draw(file.bare).bitmap) == picture)
        #expect(RGBAPicture(try Self.draw(file.dataset).bitmap) == picture)
    }
}
