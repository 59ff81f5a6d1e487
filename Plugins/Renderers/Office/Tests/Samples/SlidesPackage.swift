/// Makes presentations in PresentationML, as they lie in pptx files.
struct SlidesPackage {
    private var files: [(name: String, bytes: [UInt8])]

    private static let schemas = "http://schemas.openxmlformats.org/"
    private static let names = """
        xmlns:a="\(schemas)drawingml/2006/main" xmlns:r="\(schemas)officeDocument/2006/relationships" \
        xmlns:p="\(schemas)presentationml/2006/main"
        """

    /// - Parameters:
    ///   - colors: as RRGGBB; each slide is covered with one.
    ///   - behind: what stands in the main part behind its list of slides.
    init(_ colors: [String], behind: String = "") {
        let type = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
        let types = """
            <Types xmlns="\(Self.schemas)package/2006/content-types"><Default Extension="rels" \
            ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
            <Override PartName="/ppt/presentation.xml" ContentType="\(type)"/></Types>
            """
        let slides = colors.indices.map { ("s\($0)", "slide", "slides/slide\($0).xml") }
        files = [
            ("[Content_Types].xml", Array(types.utf8)),
            ("_rels/.rels", Self.relations([("a", "officeDocument", "ppt/presentation.xml")])),
            ("ppt/presentation.xml", Self.main(colors.count, behind: behind)),
            ("ppt/_rels/presentation.xml.rels", Self.relations(slides)),
        ]
        files += colors.enumerated().map { ("ppt/slides/slide\($0).xml", Array(Self.slide($1).utf8)) }
    }

    /// The archive.
    var bytes: [UInt8] { zipPackage(files) }

    /// What the main part says of sections, with the slides of these numbers in one of them.
    static func sections(_ slides: Range<Int>) -> String {
        let list = slides.map { "<p14:sldId id=\"\(256 + $0)\"/>" }.joined()
        return """
            <p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"><p14:sectionLst \
            xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"><p14:section name="All" \
            id="{6F2A4C6E-5C1D-4F0B-9F0E-0123456789AB}"><p14:sldIdLst>\(list)</p14:sldIdLst></p14:section>\
            </p14:sectionLst></p:ext></p:extLst>
            """
    }

    /// The same with a slide that is no XML.
    func damaged(_ slide: Int) -> SlidesPackage {
        var copy = self
        for index in files.indices where files[index].name == "ppt/slides/slide\(slide).xml" {
            copy.files[index].bytes = Array("<p:sld".utf8)
        }
        return copy
    }

    /// The same with its first slides hidden.
    func hiding(_ count: Int) -> SlidesPackage {
        var copy = self
        for number in 0..<count {
            for index in files.indices where files[index].name == "ppt/slides/slide\(number).xml" {
                let slide = String(decoding: files[index].bytes, as: UTF8.self)
                copy.files[index].bytes = Array(slide.replacing("<p:sld ", with: "<p:sld show=\"0\" ").utf8)
            }
        }
        return copy
    }

    /// The main part of a presentation.
    static func main(_ slides: Int, behind: String = "") -> [UInt8] {
        // With and without content, as both are met.
        let list = (0..<slides).map { number in
            let start = "<p:sldId id=\"\(256 + number)\" r:id=\"s\(number)\""
            return number % 2 == 0 ? "\(start)/>" : "\(start)><p:extLst><p:ext uri=\"x\"/></p:extLst></p:sldId>"
        }
        return Array(
            """
            <?xml version="1.0"?>
            <p:presentation \(names)><p:sldIdLst>\(list.joined())</p:sldIdLst><p:sldSz cx="9144000" cy="5143500"/>\
            \(behind)</p:presentation>
            """.utf8)
    }

    private static func slide(_ color: String) -> String {
        """
        <p:sld \(names)><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>\
        <p:grpSpPr/><p:sp><p:nvSpPr><p:cNvPr id="2" name="a"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>\
        <a:off x="0" y="0"/><a:ext cx="9144000" cy="5143500"/></a:xfrm><a:prstGeom prst="rect"/><a:solidFill>\
        <a:srgbClr val="\(color)"/></a:solidFill></p:spPr></p:sp></p:spTree></p:cSld></p:sld>
        """
    }

    private static func relations(_ items: [(id: String, type: String, target: String)]) -> [UInt8] {
        let list = items.map { id, type, target in
            "<Relationship Id=\"\(id)\" Type=\"\(schemas)officeDocument/2006/relationships/\(type)\" Target=\"\(target)\"/>"
        }
        return Array(
            "<Relationships xmlns=\"\(schemas)package/2006/relationships\">\(list.joined())</Relationships>".utf8)
    }
}
