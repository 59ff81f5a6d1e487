/// A page that makes poppler load what most pages need at the first use of something: standard fonts that are not
/// embedded, a transparency group, CMYK and calibrated colours. Character maps of Asian fonts, which take a third of the
/// start, are read when a page needs them: their folder stays open to the worker.
enum WarmUpDocument {
    /// The document, as PDF 1.4 (ISO 32000-1) lays it out.
    static let bytes: [UInt8] = assemble(objects)

    private static let content = """
        /G gs 0.2 0.4 0.1 0.3 k 10 10 50 50 re f /C cs 0.5 0.2 0.1 scn 20 20 50 50 re f
        BT /H 12 Tf 10 80 Td (Vitrine) Tj /T 12 Tf 0 -20 Td (Vitrine) Tj /Z 12 Tf 0 -20 Td (abc) Tj ET
        """

    private static let objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        """
        <</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Group<</S/Transparency/CS/DeviceRGB>>\
        /Resources<</ExtGState<</G<</ca 0.5/BM/Multiply>>>>/ColorSpace<</C[/CalRGB<</WhitePoint[0.95 1 1.09]>>]>>\
        /Font<</H 5 0 R/T 6 0 R/Z 7 0 R>>>>>>
        """,
        "<</Length \(content.utf8.count)>>stream\n\(content)\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>",
        "<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>",
    ]

    /// Numbers the objects and adds the cross-reference table, whose lines are 20 bytes each.
    private static func assemble(_ objects: [String]) -> [UInt8] {
        func padded(_ number: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: 10 - digits.count) + digits
        }
        var text = "%PDF-1.4\n"
        var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for (index, object) in objects.enumerated() {
            table += "\(padded(text.utf8.count)) 00000 n \n"
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "\(table)trailer\n<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
        return Array(text.utf8)
    }
}
