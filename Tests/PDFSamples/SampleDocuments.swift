/// Small documents, written here rather than shipped as files, so that a test shows what it draws.
public enum SampleDocuments {
    /// A document with one page for each content stream. What poppler must repair (it has no cross-reference
    /// table) is not what these tests are about, but it proves that too.
    /// - Parameters:
    ///   - contents: drawing operators, one string a page.
    ///   - page: further entries of each page's dictionary; the sheet is 200 × 100 points unless it says so.
    ///   - trailer: further entries of the trailer.
    ///   - catalog: further entries of the catalog.
    ///   - objects: further objects, from number 100 on, which pages know as `/P`.
    public static func pages(
        _ contents: [String], page: String = "/MediaBox[0 0 200 100]", trailer: String = "", catalog: String = "",
        objects: String = ""
    ) -> [UInt8] {
        var text = "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R\(catalog)>>\nendobj\n"
        let kids = contents.indices.map { "\(3 + 2 * $0) 0 R" }.joined(separator: " ")
        text += "2 0 obj\n<</Type/Pages/Kids[\(kids)]/Count \(contents.count)>>\nendobj\n"
        for (index, content) in contents.enumerated() {
            let number = 3 + 2 * index
            text += "\(number) 0 obj\n<</Type/Page/Parent 2 0 R\(page)/Contents \(number + 1) 0 R"
            text +=
                "/Resources<</ExtGState<</G<</ca 0.5>>>>/Font<</H<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
                + "/XObject<</P 100 0 R>>>>>>"
            text +=
                "\nendobj\n\(number + 1) 0 obj\n<</Length \(content.utf8.count)>>stream\n\(content)\nendstream\nendobj\n"
        }
        return Array("\(text)\(objects)trailer\n<</Root 1 0 R\(trailer)>>\n%%EOF\n".utf8)
    }

    /// A document of objects, numbered from 1 on, with a cross-reference table. The first one is the catalog.
    /// - Parameters:
    ///   - objects: their dictionaries and streams.
    ///   - missed: how many bytes behind where it does the table says each of them begins, by its number.
    public static func listed(_ objects: [String], missed: [Int: Int] = [:]) -> [UInt8] {
        var (text, table) = ("%PDF-1.4\n", "0000000000 65535 f \n")
        for (index, object) in objects.enumerated() {
            let place = String(text.utf8.count + (missed[index + 1] ?? 0))
            table += String(repeating: "0", count: 10 - place.utf8.count) + place + " 00000 n \n"
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let count = objects.count + 1
        return Array(
            ("\(text)xref\n0 \(count)\n\(table)trailer\n<</Root 1 0 R/Size \(count)>>\nstartxref\n\(text.utf8.count)\n"
                + "%%EOF\n").utf8)
    }

    /// A page, numbered 3, of such a document, with its content, 4, behind it.
    public static func listed(content: String, resources: String = "", missed: [Int: Int] = [:]) -> [UInt8] {
        listed(
            [
                "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<<\(resources)>>>>",
                "<</Length \(content.utf8.count)>>stream\n\(content)\nendstream",
            ], missed: missed)
    }

    /// The lower left quarter red, the upper right quarter blue.
    public static let quarters = "1 0 0 rg 0 0 100 50 re f 0 0 1 rg 100 50 100 50 re f"

    /// A page of text and lines.
    public static let text = "BT /H 24 Tf 20 40 Td (Vitrine draws) Tj ET 2 w 10 10 m 190 90 l S"

    /// Locked with the standard security handler (RC4, 40 bits); the keys fit no password that poppler tries.
    public static let locked = pages(
        [quarters],
        trailer: "/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<\(key)>/U<\(key)>>>/ID[<\(key)><\(key)>]")

    private static let key = String(repeating: "5A", count: 32)
}
