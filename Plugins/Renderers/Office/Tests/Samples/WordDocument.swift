/// Makes texts in WordprocessingML, as they lie in docx files.
enum WordDocument {
    /// Some hundred letters, so that some thousand paragraphs are a long text.
    static let words = String(repeating: "Lorem ipsum dolor sit amet. ", count: 14)

    static func paragraph(_ text: String, properties: String = "") -> String {
        "<w:p><w:pPr>\(properties)</w:pPr><w:r><w:t>\(text)</w:t></w:r></w:p>"
    }

    /// A section's paper, in twips.
    static func section(width: Int, height: Int) -> String {
        "<w:sectPr><w:pgSz w:w=\"\(width)\" w:h=\"\(height)\"/><w:pgMar w:top=\"720\" w:bottom=\"720\" w:left=\"720\" "
            + "w:right=\"720\"/></w:sectPr>"
    }

    /// The part with the text.
    static func part(_ body: String) -> [UInt8] {
        let namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        return Array(
            "<?xml version=\"1.0\"?>\n<w:document xmlns:w=\"\(namespace)\" w:note=\"a > b\"><w:body>\(body)</w:body></w:document>"
                .utf8)
    }

    /// A part of 3,000 paragraphs, more than a hundred pages.
    /// - Parameters:
    ///   - first: what stands before them.
    ///   - last: and behind them.
    static func long(first: String, last: String) -> [UInt8] {
        part(first + String(repeating: paragraph(words), count: 3000) + last)
    }

    /// A document around a part.
    /// - Parameter pages: what its properties say of how many there are.
    static func package(_ part: [UInt8], pages: Int? = nil) -> [UInt8] {
        let schemas = "http://schemas.openxmlformats.org/"
        let type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
        let types = """
            <Types xmlns="\(schemas)package/2006/content-types"><Default Extension="rels" \
            ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
            <Override PartName="/word/document.xml" ContentType="\(type)"/></Types>
            """
        let relations = """
            <Relationships xmlns="\(schemas)package/2006/relationships"><Relationship Id="a" \
            Type="\(schemas)officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>
            """
        let properties = pages.map { "<Properties><Pages>\($0)</Pages></Properties>" } ?? "<Properties/>"
        return zipPackage([
            ("[Content_Types].xml", Array(types.utf8)), ("_rels/.rels", Array(relations.utf8)),
            ("docProps/app.xml", Array(properties.utf8)), ("word/document.xml", part),
        ])
    }
}
