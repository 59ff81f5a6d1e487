import Testing
public import VitrineKit
import VitrineTesting

/// A renderer of PDF on trial: draws small documents with it, and holds it to `PDFExpectation`.
public struct PDFTrial: Sendable {
    /// Colours that the samples use, and how a picture spells them.
    public enum Colour: Equatable { case red, blue, white, other([UInt8]) }

    private let created: String
    private let make: @Sendable (RendererEnvironment) throws(PluginError) -> any Renderer

    /// - Parameters:
    ///   - created: how its library tells of two o'clock and two minutes on 3 May 2024, two hours east of Greenwich.
    ///   - make: makes the renderer, once for each picture.
    public init(
        created: String, make: @escaping @Sendable (RendererEnvironment) throws(PluginError) -> any Renderer
    ) {
        self.created = created
        self.make = make
    }

    /// Draws a page of a document, numbered from zero, into a box of so many pixels.
    public func draw(_ bytes: [UInt8], box: Int = 200, page: Int = 0, wantsText: Bool = false) throws -> Rendering {
        var request = RenderRequest(box: box, mimeType: "application/pdf", page: page)
        request.wantsText = wantsText
        return try make(RendererEnvironment(pluginFolder: "/nonexistent")).render(BytesInput(bytes), request)
    }

    /// The colour of a pixel, counted from the upper left corner.
    public func colour(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> Colour {
        let pixel = bitmap.withUnsafeMutableBytes {
            Array($0[y * bitmap.bytesPerRow + x * 4..<y * bitmap.bytesPerRow + x * 4 + 3])
        }
        return switch pixel {
        case [0, 0, 255]: .red
        case [255, 0, 0]: .blue
        case [255, 255, 255]: .white
        default: .other(pixel)
        }
    }

    /// Records an issue of the running test for each thing that is not as expected.
    public func hold(to expectation: PDFExpectation) throws {
        switch expectation {
        case .contract: contract()
        case .colours: try colours()
        case .rotation: try rotation()
        case .cropBox: try cropBox()
        case .transparency: try transparency()
        case .facts: try facts()
        case .text: try text()
        case .sheets: try sheets()
        case .noPages: try noPages()
        }
    }

    private func contract() {
        let suite = RendererConformance(
            samples: [
                RendererSample(
                    "three pages", mimeType: "application/pdf",
                    bytes: SampleDocuments.pages([SampleDocuments.quarters, SampleDocuments.text, ""]), pages: 3)
            ],
            encrypted: RendererSample("a locked page", mimeType: "application/pdf", bytes: SampleDocuments.locked),
            enlarges: true, make: make)
        #expect(suite.violations() == [])
    }

    private func colours() throws {
        let bitmap = try draw(SampleDocuments.pages([SampleDocuments.quarters])).bitmap
        #expect(bitmap.width == 200 && bitmap.height == 100 && bitmap.isOpaque)
        #expect(colour(bitmap, 50, 75) == .red)
        #expect(colour(bitmap, 150, 25) == .blue)
        #expect(colour(bitmap, 50, 25) == .white)
    }

    private func rotation() throws {
        let bitmap = try draw(
            SampleDocuments.pages([SampleDocuments.quarters], page: "/MediaBox[0 0 200 100]/Rotate 90")
        ).bitmap
        #expect(bitmap.width == 100 && bitmap.height == 200)
        #expect(colour(bitmap, 25, 50) == .red)
        #expect(colour(bitmap, 75, 150) == .blue)
    }

    private func cropBox() throws {
        let bitmap = try draw(
            SampleDocuments.pages([SampleDocuments.quarters], page: "/MediaBox[0 0 200 100]/CropBox[0 0 100 50]")
        ).bitmap
        #expect(bitmap.width == 200 && bitmap.height == 100)
        #expect(colour(bitmap, 2, 2) == .red && colour(bitmap, 197, 97) == .red)
    }

    private func transparency() throws {
        let bitmap = try draw(SampleDocuments.pages(["/G gs 1 0 0 rg 0 0 200 100 re f"])).bitmap
        guard case .other(let pixel) = colour(bitmap, 100, 50) else {
            Issue.record("the pixel is a plain colour")
            return
        }
        #expect(pixel[2] == 255 && abs(Int(pixel[0]) - 127) <= 1 && abs(Int(pixel[1]) - 127) <= 1)
    }

    private func facts() throws {
        let document = SampleDocuments.pages(
            ["", SampleDocuments.quarters], trailer: "/Info 100 0 R",
            objects: """
                100 0 obj
                <</Title( A title\nof two lines )/Author(Alice)/CreationDate(D:20240503140211+02'00')>>
                endobj

                """)
        let rendering = try draw(document, page: 1)
        #expect(rendering.facts.pages == 2 && rendering.facts.title == "A title of two lines")
        #expect(rendering.facts.text(.author) == "Alice")
        #expect(rendering.facts.text(.created) == created)
        // 200 × 100 points.
        #expect(rendering.facts.details[.pageWidth] == .number(70.6))
        #expect(rendering.facts.details[.pageHeight] == .number(35.3) && rendering.facts.text(.pageFormat) == nil)
        #expect(colour(rendering.bitmap, 50, 75) == .red)
    }

    private func text() throws {
        func text(_ bytes: [UInt8], page: Int = 0, wanted: Bool = true) throws -> String? {
            try draw(bytes, page: page, wantsText: wanted).facts.text
        }
        let document = SampleDocuments.pages([SampleDocuments.text, SampleDocuments.quarters])
        #expect(try text(document)?.hasPrefix("Vitrine draws") == true)
        #expect(try text(document, page: 1)?.hasPrefix("Vitrine draws") == true)
        #expect(try text(document, wanted: false) == nil)
        #expect(try text(SampleDocuments.pages([SampleDocuments.quarters])) == nil)
        let line = "BT /H 1 Tf 20 40 Td (Vitrine draws) Tj ET "
        let long = try text(SampleDocuments.pages([(0..<5000).map { "1 0 0 1 0 \($0) cm \(line)" }.joined()]))
        #expect((long?.utf8.count ?? 0) <= Facts.textLimit)
        #expect(long?.hasPrefix("Vitrine draws") == true)
    }

    private func sheets() throws {
        let sizes = [
            ("0 0 1000000000 1000000000", 64, 64), ("0 0 0.5 0.25", 64, 32), ("0 0 100000 1", 64, 1),
            ("0 0 1 100000", 1, 64), ("-50 -50 50 50", 64, 64),
        ]
        for (mediaBox, width, height) in sizes {
            let bitmap = try draw(SampleDocuments.pages([""], page: "/MediaBox[\(mediaBox)]"), box: 64).bitmap
            #expect(bitmap.width == width && bitmap.height == height, "a sheet of \(mediaBox)")
        }
    }

    private func noPages() throws {
        let error = #expect(throws: PluginError.self) { try draw(SampleDocuments.pages([])) }
        #expect(error?.code == .empty)
    }
}
