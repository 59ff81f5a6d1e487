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
}
