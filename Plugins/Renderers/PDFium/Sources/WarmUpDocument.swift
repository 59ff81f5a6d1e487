/// A page with fonts that are not embedded, a Western and a Japanese one, for which PDFium looks through the fonts of the
/// system. It has no cross-reference table (ISO 32000-1, 7.5.4), which PDFium makes anew.
enum WarmUpDocument {
    static let bytes = Array(
        """
        %PDF-1.4
        1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
        2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
        3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</Font<</W 5 0 R/J 6 0 R>>>>>>
        endobj
        4 0 obj <</Length \(content.utf8.count)>> stream
        \(content)
        endstream endobj
        5 0 obj <</Type/Font/Subtype/TrueType/BaseFont/Verdana/Encoding/WinAnsiEncoding>> endobj
        6 0 obj <</Type/Font/Subtype/Type0/BaseFont/Ryumin-Light/Encoding/90ms-RKSJ-H/DescendantFonts[7 0 R]>> endobj
        7 0 obj <</Type/Font/Subtype/CIDFontType0/BaseFont/Ryumin-Light
        /CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>>> endobj
        trailer <</Root 1 0 R>>
        %%EOF

        """.utf8)

    private static let content = "BT /W 12 Tf 10 80 Td (Vitrine) Tj /J 12 Tf 0 -20 Td <82A082A2> Tj ET"
}
