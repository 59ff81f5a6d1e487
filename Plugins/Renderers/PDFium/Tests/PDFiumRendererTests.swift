import PDFSamples
import PDFiumRenderer
import Testing
import VitrineKit

@Suite(.serialized) struct PDFiumRendererTests {
    private let trial = PDFTrial(created: "2024-05-03T14:02:11+02:00") { environment throws(PluginError) in
        try PDFiumRenderer(environment)
    }

    @Test("It does what is expected of every renderer of PDF", arguments: PDFExpectation.allCases)
    func expected(_ expectation: PDFExpectation) throws { try trial.hold(to: expectation) }

    @Test("White pages are known to be blank when a white picture alone covers them, or one that was lost")
    func blankPages() throws {
        func isKnownBlank(_ content: String, _ entries: String = "", objects: String = "") throws -> Bool {
            let page = "/MediaBox[0 0 200 100]\(entries)"
            return try trial.draw(SampleDocuments.pages([content], page: page, objects: objects)).isKnownBlank
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
        #expect(try !trial.draw(SampleDocuments.pages([""])).isKnownBlank)
        // Nothing but a shading whose colours are numbers of a table, which PDFium leaves out.
        let shading = """
            /Shading<</S<</ShadingType 2/ColorSpace[/Indexed/DeviceRGB 1<FF00000000FF>]/Coords[0 0 200 0]\
            /Function<</FunctionType 2/Domain[0 1]/C0[0]/C1[1]/N 1>>>>>>
            """
        #expect(try !trial.draw(SampleDocuments.listed(content: "/S sh", resources: shading)).isKnownBlank)
        // The table says that the content begins 7 bytes behind where it does.
        let lost = try trial.draw(SampleDocuments.listed(content: SampleDocuments.quarters, missed: [4: 7]))
        #expect(trial.colour(lost.bitmap, 50, 75) == .white && !lost.isKnownBlank)
        let whole = try trial.draw(SampleDocuments.listed(content: SampleDocuments.quarters))
        #expect(trial.colour(whole.bitmap, 50, 75) == .red)
    }

    @Test("A page whose crop box lies outside of it is shown whole")
    func cropBoxOutside() throws {
        let page = "/MediaBox[0 0 200 100]/CropBox[300 300 400 400]"
        let rendering = try trial.draw(SampleDocuments.pages(["1 0 0 rg 0 0 100 100 re f"], page: page))
        #expect(rendering.bitmap.width == 2 * rendering.bitmap.height)
        #expect(trial.colour(rendering.bitmap, 50, 50) == .red && trial.colour(rendering.bitmap, 150, 50) == .white)
    }

    @Test("Borders of links, lines and polygons are drawn where the file has no picture of them")
    func bareAnnotations() throws {
        func colours(_ annotation: String, _ points: (Int, Int)...) throws -> [PDFTrial.Colour] {
            let object = "100 0 obj\n<</Type/Annot\(annotation)>>\nendobj\n"
            let document = SampleDocuments.pages([""], page: "/MediaBox[0 0 200 100]/Annots[100 0 R]", objects: object)
            let bitmap = try trial.draw(document).bitmap
            return points.map { trial.colour(bitmap, $0.0, $0.1) }
        }
        let link = "/Subtype/Link/Rect[20 20 180 80]/C[1 0 0]"
        // On all four sides, and nothing between them.
        #expect(
            try colours(link + "/Border[0 0 10]", (25, 50), (174, 50), (100, 25), (100, 74), (100, 50), (10, 50))
                == [.red, .red, .red, .red, .white, .white])
        #expect(try colours("/Subtype/Link/Rect[180 80 20 20]/C[0 0 1]/Border[0 0 10]", (25, 50)) == [.blue])
        for hidden in ["", "/Border[0 0 0]", "/BS<</W 10>>", "/Border[0 0 10]/F 2", "/Border[0 0 10]/F 32"] {
            #expect(try colours(link + hidden, (25, 50)) == [.white], "\(hidden)")
        }
        #expect(try colours(link + "/Border[0 0 10]/AP<<>>", (25, 50)) == [.red])
        #expect(try colours("/Subtype/Line/L[0 50 100 50]/C[1 0 0]/Rect[0 0 9 9]/AP<<>>", (50, 50)) == [.white])
        #expect(try colours(link + "/Border[0 0 400]", (25, 50)) == [.white], "wider than the link")
        let rectangle = "/Rect[0 0 200 100]/C[1 0 0]/Border[0 0 10]"
        #expect(
            try colours("/Subtype/Line/L[0 50 100 50]\(rectangle)", (50, 50), (150, 50), (50, 20))
                == [.red, .white, .white])
        let corners = "/Vertices[20 20 180 20 180 80 20 80]"
        #expect(
            try colours("/Subtype/PolyLine\(corners)\(rectangle)", (100, 80), (100, 20), (20, 50))
                == [.red, .red, .white])
        #expect(
            try colours("/Subtype/Polygon\(corners)\(rectangle)", (20, 50), (100, 50)) == [.red, .white])
        #expect(
            try colours("/Subtype/Polygon/IC[0 0 1]\(corners)\(rectangle)", (20, 50), (100, 50)) == [.red, .blue])
        #expect(
            try colours("/Subtype/Polygon/IC[]\(corners)\(rectangle)", (20, 50), (100, 50)) == [.red, .white],
            "no colour is not black")
        #expect(try colours("/Subtype/Polygon/Vertices[20]\(rectangle)", (20, 80)) == [.white])
    }

    @Test(
        "What stands in fields, stamps and notes is told among a page's text",
        arguments: ["Widget", "Stamp", "FreeText"])
    func writtenAnnotations(kind: String) throws {
        func text(_ drawing: String, _ entries: String = "") throws -> String? {
            let font = "/Resources<</Font<</H<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
            let picture = "<</Type/XObject/Subtype/Form/BBox[0 0 100 20]\(font)/Length \(drawing.utf8.count)>>"
            let annotation = "<</Type/Annot/Subtype/\(kind)/Rect[20 20 120 40]/AP<</N 100 0 R>>\(entries)>>"
            let objects =
                "100 0 obj\n\(picture)stream\n\(drawing)\nendstream\nendobj\n101 0 obj\n\(annotation)\nendobj\n"
            let page = "/MediaBox[0 0 200 100]/Annots[101 0 R]"
            let document = SampleDocuments.pages(["BT /H 9 Tf 9 9 Td (Name:) Tj ET"], page: page, objects: objects)
            return try trial.draw(document, wantsText: true).facts.text
        }
        let words = "BT /H 12 Tf 2 5 Td (Anna Lee) Tj ET"
        let filled = try #require(try text(words))
        #expect(filled.hasPrefix("Name:") && filled.contains("Anna Lee"))
        for other in [try text(words, "/F 2"), try text("/Tx BMC EMC"), try text("")] {
            #expect(other?.trimmingPrefix("Name:").allSatisfy(\.isWhitespace) == true)
        }
    }

    /// Object 100, which is an annotation of 160 × 60 points, and object 101, which is its picture.
    /// - Parameter kind: its subtype, and further entries.
    private func annotation(_ kind: String, drawn: String) -> String {
        """
        100 0 obj
        <</Type/Annot/Subtype\(kind)/Rect[20 20 180 80]/AP<</N 101 0 R>>>>
        endobj
        101 0 obj
        <</Type/XObject/Subtype/Form/BBox[0 0 160 60]/Length \(drawn.utf8.count)>>stream
        \(drawn)
        endstream
        endobj

        """
    }

    @Test("Fields are drawn, whether a form lists them or not, unless they are hidden", arguments: [true, false])
    func fields(isListed: Bool) throws {
        func colour(_ entries: String = "") throws -> PDFTrial.Colour {
            let drawn = "0 0 1 rg 0 0 160 60 re f"
            let objects = annotation("/Widget/FT/Tx/T(name)\(entries)", drawn: drawn)
            let page = "/MediaBox[0 0 200 100]/Annots[100 0 R]"
            let form = isListed ? "/AcroForm<</Fields[100 0 R]>>" : ""
            let document = SampleDocuments.pages([""], page: page, catalog: form, objects: objects)
            return trial.colour(try trial.draw(document).bitmap, 100, 50)
        }
        #expect(try colour() == .blue)
        #expect(try colour("/F 2") == .white)
    }

    @Test("A link's own picture is shown rather than its border")
    func picturesOfLinks() throws {
        func colours(_ drawn: String) throws -> [PDFTrial.Colour] {
            let objects = annotation("/Link/C[1 0 0]/Border[0 0 10]", drawn: drawn)
            let document = SampleDocuments.pages([""], page: "/MediaBox[0 0 200 100]/Annots[100 0 R]", objects: objects)
            let bitmap = try trial.draw(document).bitmap
            return [trial.colour(bitmap, 25, 50), trial.colour(bitmap, 100, 50)]
        }
        #expect(try colours("0 0 1 rg 0 0 160 60 re f") == [.blue, .blue])
        #expect(try colours("") == [.red, .white])
    }

    @Test("Corners that many annotations share are drawn up to a bound")
    func sharedCorners() throws {
        // 8000 each.
        func list(_ number: Int, _ corners: String) -> String {
            "\(number) 0 obj\n[\(String(repeating: corners, count: 4000))]\nendobj\n"
        }
        func annotation(_ number: Int) -> String {
            "<</Type/Annot/Subtype/PolyLine/Vertices \(number) 0 R/Rect[0 0 200 100]/C[1 0 0]/Border[0 0 10]>>"
        }
        let annotations = String(repeating: annotation(100), count: 9) + annotation(101)
        let document = SampleDocuments.pages(
            [""], page: "/MediaBox[0 0 200 100]/Annots[\(annotations)]",
            objects: list(100, "0 50 200 50 ") + list(101, "0 90 200 90 "))
        let bitmap = try trial.draw(document).bitmap
        #expect(trial.colour(bitmap, 100, 50) == .red && trial.colour(bitmap, 100, 10) == .white)
    }

    @Test(
        "What cannot be opened is told apart",
        arguments: [
            ("not one at all", "PK and so on", "begin like one"),
            ("cut off", "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Ty", "cut off"),
            ("with its end", "%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<<>>\n%%EOF\n", "beyond repair"),
        ])
    func damage(_ name: String, _ text: String, _ reason: String) {
        let error = #expect(throws: PluginError.self) { try trial.draw(Array(text.utf8)) }
        #expect(error?.code == .corrupt && error?.message.contains(reason) == true, "\(name): \(error as Any)")
    }

    @Test(
        "It is said whose key a document needs that no password opens",
        arguments: [
            ("Adobe.PubSec", "certificates"), ("EBX_HANDLER", "Adobe"), ("FOPN_fLock", "FileOpen"), ("Other", "PDFium"),
        ])
    func handlers(_ name: String, _ reason: String) {
        let trailer = "/Encrypt<</Filter/\(name)/V 1>>/ID[<5A><5A>]"
        let error = #expect(throws: PluginError.self) {
            try trial.draw(SampleDocuments.pages([SampleDocuments.quarters], trailer: trailer))
        }
        #expect(error?.code == .locked && error?.message.contains(reason) == true, "\(error as Any)")
    }
}
