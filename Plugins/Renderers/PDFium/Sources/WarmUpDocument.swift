/// A page with a font that is not embedded, for which PDFium looks through the fonts of the system. The letters of Asia,
/// whose font has megabytes and is read whole, are loaded when a page needs them: the fonts stay open to the worker. The
/// document has no cross-reference table (ISO 32000-1, 7.5.4), which PDFium makes anew.
enum WarmUpDocument {
    static let bytes = Array(
        """
        %PDF-1.4
        1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
        2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
        3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</Font<</W 5 0 R>>>>>>
        endobj
        4 0 obj <</Length \(content.utf8.count)>> stream
        \(content)
        endstream endobj
        5 0 obj <</Type/Font/Subtype/TrueType/BaseFont/Verdana/Encoding/WinAnsiEncoding>> endobj
        trailer <</Root 1 0 R>>
        %%EOF

        """.utf8)

    private static let content = "BT /W 12 Tf 10 80 Td (Vitrine) Tj ET"
}
