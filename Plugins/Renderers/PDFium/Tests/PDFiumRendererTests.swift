import PDFSamples
import PDFiumRenderer
import Testing
import VitrineKit
import VitrineTesting

@Suite(.serialized) struct PDFiumRendererTests {
    /// Colours that the samples use, and how a picture spells them.
    enum Colour: Equatable { case red, blue, white, other([UInt8]) }

    private func draw(_ bytes: [UInt8], box: Int = 200, page: Int = 0) throws -> Rendering {
        let renderer = try PDFiumRenderer(RendererEnvironment(pluginFolder: "/nonexistent"))
        return try renderer.render(
            BytesInput(bytes), RenderRequest(box: box, mimeType: "application/pdf", page: page))
    }

    private func colour(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> Colour {
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

    @Test("It keeps the renderer's contract")
    func conformance() {
        let suite = RendererConformance(
            samples: [
                RendererSample(
                    "three pages", mimeType: "application/pdf",
                    bytes: SampleDocuments.pages([SampleDocuments.quarters, SampleDocuments.text, ""]), pages: 3)
            ],
            encrypted: RendererSample("a locked page", mimeType: "application/pdf", bytes: SampleDocuments.locked),
            enlarges: true
        ) { environment throws(PluginError) in try PDFiumRenderer(environment) }
        #expect(suite.violations() == [])
    }

    @Test("Colours lie where the page has them, on white")
    func colours() throws {
        let bitmap = try draw(SampleDocuments.pages([SampleDocuments.quarters])).bitmap
        #expect(bitmap.width == 200 && bitmap.height == 100 && bitmap.isOpaque)
        #expect(colour(bitmap, 50, 75) == .red)
        #expect(colour(bitmap, 150, 25) == .blue)
        #expect(colour(bitmap, 50, 25) == .white)
    }

    @Test("A page that says it is turned by a quarter is drawn so")
    func rotation() throws {
        let bitmap = try draw(
            SampleDocuments.pages([SampleDocuments.quarters], page: "/MediaBox[0 0 200 100]/Rotate 90")
        ).bitmap
        #expect(bitmap.width == 100 && bitmap.height == 200)
        #expect(colour(bitmap, 25, 50) == .red)
        #expect(colour(bitmap, 75, 150) == .blue)
    }

    @Test("What lies outside the crop box is not shown")
    func cropBox() throws {
        let bitmap = try draw(
            SampleDocuments.pages([SampleDocuments.quarters], page: "/MediaBox[0 0 200 100]/CropBox[0 0 100 50]")
        ).bitmap
        #expect(bitmap.width == 200 && bitmap.height == 100)
        #expect(colour(bitmap, 2, 2) == .red && colour(bitmap, 197, 97) == .red)
    }

    @Test("Half transparent red on nothing is pink, as on paper")
    func transparency() throws {
        let bitmap = try draw(SampleDocuments.pages(["/G gs 1 0 0 rg 0 0 200 100 re f"])).bitmap
        guard case .other(let pixel) = colour(bitmap, 100, 50) else {
            Issue.record("the pixel is a plain colour")
            return
        }
        #expect(pixel[2] == 255 && abs(Int(pixel[0]) - 127) <= 1 && abs(Int(pixel[1]) - 127) <= 1)
    }

    @Test("The page asked for is drawn, and the document's facts are told")
    func facts() throws {
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
        #expect(rendering.facts.text(.created) == "2024-05-03T14:02:11+02:00")
        // 200 × 100 points.
        #expect(rendering.facts.details[.pageWidth] == .number(70.6))
        #expect(rendering.facts.details[.pageHeight] == .number(35.3) && rendering.facts.text(.pageFormat) == nil)
        #expect(colour(rendering.bitmap, 50, 75) == .red)
    }

    @Test("The text of the first pages is told when it is asked for, and up to its bound")
    func text() throws {
        func text(_ bytes: [UInt8], page: Int = 0, wanted: Bool = true) throws -> String? {
            let renderer = try PDFiumRenderer(RendererEnvironment(pluginFolder: "/nonexistent"))
            var request = RenderRequest(box: 200, mimeType: "application/pdf", page: page)
            request.wantsText = wanted
            return try renderer.render(BytesInput(bytes), request).facts.text
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

    @Test(
        "Sheets of any size fit the box",
        arguments: [
            ("0 0 1000000000 1000000000", 64, 64), ("0 0 0.5 0.25", 64, 32), ("0 0 100000 1", 64, 1),
            ("0 0 1 100000", 1, 64), ("-50 -50 50 50", 64, 64),
        ])
    func sheets(mediaBox: String, width: Int, height: Int) throws {
        let bitmap = try draw(SampleDocuments.pages([""], page: "/MediaBox[\(mediaBox)]"), box: 64).bitmap
        #expect(bitmap.width == width && bitmap.height == height)
    }

    @Test("White pages are known to be blank when a white picture alone covers them, or one that was lost")
    func blankPages() throws {
        func isKnownBlank(_ content: String, _ entries: String = "", objects: String = "") throws -> Bool {
            let page = "/MediaBox[0 0 200 100]\(entries)"
            return try draw(SampleDocuments.pages([content], page: page, objects: objects)).isKnownBlank
        }
        func picture(_ bytes: String) -> String {
            "200 0 0 100 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G /F /AHx ID \(bytes)> EI"
        }
        #expect(try isKnownBlank(picture("FF")))
        #expect(try !isKnownBlank(picture("80")), "it is grey")
        #expect(try !isKnownBlank("200 0 0 60 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G /F /AHx ID FF> EI"), "it covers a part")
        func undecoded(_ bytes: Int, _ filter: String = "DCTDecode") -> String {
            let lost = String(repeating: "x", count: bytes)
            return """
                100 0 obj
                <</Type/XObject/Subtype/Image/Width 9/Height 9/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/\(filter)\
                /Length \(bytes)>>stream
                \(lost)
                endstream
                endobj

                """
        }
        let shown = "200 0 0 100 0 0 cm /P Do"
        #expect(try isKnownBlank(shown, objects: undecoded(4)), "its bytes were lost")
        #expect(try !isKnownBlank(shown, objects: undecoded(1000)), "others may know it")
        #expect(try !isKnownBlank(shown, objects: undecoded(40, "JPXDecode")), "others may know it, short as it is")
        #expect(try !isKnownBlank("1 g 0 0 200 100 re f BT /H 24 Tf 20 40 Td (white) Tj ET"))
        let note = "100 0 obj\n<</Type/Annot/Subtype/Text/Rect[0 0 9 9]>>\nendobj\n"
        #expect(try !isKnownBlank("", "/Annots[100 0 R]", objects: note))
    }

    @Test("A page that PDFium found nothing on is not known to be blank")
    func unreadPages() throws {
        #expect(try !draw(SampleDocuments.pages([""])).isKnownBlank)
        // Nothing but a shading whose colours are numbers of a table, which PDFium leaves out.
        let shading = """
            /Shading<</S<</ShadingType 2/ColorSpace[/Indexed/DeviceRGB 1<FF00000000FF>]/Coords[0 0 200 0]\
            /Function<</FunctionType 2/Domain[0 1]/C0[0]/C1[1]/N 1>>>>>>
            """
        #expect(try !draw(SampleDocuments.listed(content: "/S sh", resources: shading)).isKnownBlank)
        // The table says that the content begins 7 bytes behind where it does.
        let lost = try draw(SampleDocuments.listed(content: SampleDocuments.quarters, missed: [4: 7]))
        #expect(colour(lost.bitmap, 50, 75) == .white && !lost.isKnownBlank)
        let whole = try draw(SampleDocuments.listed(content: SampleDocuments.quarters))
        #expect(colour(whole.bitmap, 50, 75) == .red)
    }

    @Test("A document without a page is empty")
    func noPages() throws {
        let error = #expect(throws: PluginError.self) { try draw(SampleDocuments.pages([])) }
        #expect(error?.code == .empty)
    }
}
