import Glibc
import Testing
import VitrineKit
import VitrineTesting

import enum RendererFixtures.Fixtures

@testable import OfficeRenderer

/// How a document was seen last is no matter for a picture of it.
extension OfficeRendererTests {
    /// There cells are small, in a blue frame with the number of the page on it, on grey.
    @Test func drawsNoPageBreaks() throws {
        func book(_ view: String) -> [UInt8] {
            let views = "<sheetViews><sheetView \(view) workbookViewId=\"0\"/></sheetViews>"
            return WorkbookPackage.workbook(WorkbookPackage.sheet(rows: 14, before: views))
        }
        let plain = book("")
        for view in ["pageBreakPreview", "pageLayout"] {
            let left = book("view=\"\(view)\"")
            for page in 0...1 {
                let (drawn, wanted) = (try draw(left, "xlsx", page: page), try draw(plain, "xlsx", page: page))
                #expect(drawn.colors == wanted.colors && drawn.height == wanted.height, "\(view) \(page)")
            }
        }

        let old = try Self.office.converted(plain, from: "xlsx", to: "xls")
        var left = old
        // `Window2` with `fSLV`, as [MS-XLS] 2.4.346 has it.
        let place = try #require(old.indices.dropLast(6).first { old[$0...].starts(with: [0x3E, 0x02, 0x12, 0x00]) })
        left[place + 5] |= 0x08
        #expect(try draw(left, "xls").colors == draw(old, "xls").colors)

        let settings = """
            <office:settings xmlns:c="urn:oasis:names:tc:opendocument:xmlns:config:1.0" \
            xmlns:ooo="http://openoffice.org/2004/office"><c:config-item-set c:name="ooo:view-settings">\
            <c:config-item-map-indexed c:name="Views"><c:config-item-map-entry><c:config-item c:name="ViewId" \
            c:type="string">view1</c:config-item><c:config-item c:name="ShowPageBreakPreview" c:type="boolean">true\
            </c:config-item></c:config-item-map-entry></c:config-item-map-indexed></c:config-item-set></office:settings>
            """
        let open = String(decoding: Documents.sheets(["FF0000"]), as: UTF8.self)
        let broken = open.replacing("<office:automatic-styles>", with: settings + "<office:automatic-styles>")
        #expect(try draw(Array(broken.utf8), "fods").colors == draw(Array(open.utf8), "fods").colors)
    }

    /// They would hide the ends of what the heads of tables say.
    @Test func drawsNoButtonsOfFilters() throws {
        func book(_ behind: String, rows: Int) -> [UInt8] {
            // Without this name LibreOffice takes no notice of a filter.
            let name = """
                <definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">a!$A$1:$D$10</definedName>\
                </definedNames>
                """
            return WorkbookPackage.workbook(WorkbookPackage.sheet(rows: rows, behind: behind), names: name)
        }
        // Of the longer one LibreOffice gets the beginning.
        for rows in [10, 30_000] {
            let plain = try draw(book("", rows: rows), "xlsx").colors
            #expect(try draw(book("<autoFilter ref=\"A1:D10\"/>", rows: rows), "xlsx").colors == plain, "\(rows)")
        }
        func old(_ behind: String) throws -> [UInt8] {
            try Self.office.converted(book(behind, rows: 300), from: "xlsx", to: "xls")
        }
        let filtered = try old("<autoFilter ref=\"A1:D10\"/>")
        #expect(try FilterRecords.places(in: BytesInput(filtered)).count == 1)
        #expect(try FilterRecords.places(in: BytesInput(old(""))).isEmpty)
        #expect(try draw(filtered, "xls").colors == draw(old(""), "xls").colors)
        func open(_ buttons: Bool) throws -> Set<UInt32> {
            let range = """
                <table:database-ranges><table:database-range table:name="R" table:target-range-address="S0.A1:S0.B4" \
                table:display-filter-buttons="\(buttons)"/></table:database-ranges></office:spreadsheet>
                """
            let content = String(decoding: Documents.sheets(["FF0000"]), as: UTF8.self)
                .replacing("</office:spreadsheet>", with: range)
                .replacing("office:document ", with: "office:document-content ")
                .replacing("</office:document>", with: "</office:document-content>")
            let type = "application/vnd.oasis.opendocument.spreadsheet"
            let package = zipPackage([("mimetype", Array(type.utf8)), ("content.xml", Array(content.utf8))])
            return try draw(package, "ods").colors
        }
        #expect(try open(true) == open(false))
    }

    /// Where no page is asked for, one is shown that people see, with something on it.
    @Test func drawsTheFirstSheetWhenItIsAskedFor() throws {
        func colors(_ bytes: [UInt8], isAsked: Bool) throws -> Set<UInt32> {
            var request = RenderRequest(box: 256, mimeType: Documents.types["fods"] ?? "")
            request.asksPage = isAsked
            return try Self.office.draw(bytes, request).colors
        }
        let empty = Documents.sheets([nil, "FF0000"])
        #expect(try colors(empty, isAsked: false).contains(0xFF0000))
        #expect(try !colors(empty, isAsked: true).contains(0xFF0000))
        let book = String(decoding: Documents.sheets(["0000FF", "FF0000"]), as: UTF8.self)
        let hidden = Array(book.replacing("table:name=\"S0\"", with: "table:name=\"S0\" table:style-name=\"h\"").utf8)
        #expect(try colors(hidden, isAsked: false).isSuperset(of: [0xFF0000]))
        #expect(try colors(hidden, isAsked: true).isSuperset(of: [0x0000FF]))
    }

    @Test(arguments: ["pptx", "fodp", "odp", "ppt"]) func drawsTheFirstSlideThatIsShown(suffix: String) throws {
        func bytes(hiding count: Int) throws -> [UInt8] {
            let colors = ["FF0000", "00FF00", "0000FF"]
            if suffix == "pptx" { return SlidesPackage(colors).hiding(count).bytes }
            let hiding = """
                <style:style style:name="hidden" style:family="drawing-page"><style:drawing-page-properties \
                presentation:visibility="hidden"/></style:style></office:automatic-styles>
                """
            var text = String(decoding: Documents.slides(colors), as: UTF8.self)
                .replacing("</office:automatic-styles>", with: hiding)
            for number in 0..<count {
                text = text.replacing(
                    "draw:name=\"P\(number)\"", with: "draw:name=\"P\(number)\" draw:style-name=\"hidden\"")
            }
            let flat = Array(text.utf8)
            return suffix == "fodp" ? flat : try Self.office.converted(flat, from: "fodp", to: suffix)
        }
        func drawn(_ bytes: [UInt8], isAsked: Bool = false) throws -> (colors: Set<UInt32>, pages: Int?) {
            var request = RenderRequest(box: 256, mimeType: Documents.types[suffix] ?? "")
            (request.asksPage, request.embedded) = (isAsked, .never)
            let drawing = try Self.office.draw(bytes, request)
            return (drawing.colors, drawing.facts.pages)
        }
        // Where all are hidden, the first one.
        for (hidden, color) in [(0, 0xFF0000), (1, 0x00FF00), (2, 0x0000FF), (3, 0xFF0000)] as [(Int, UInt32)] {
            let bytes = try bytes(hiding: hidden)
            #expect(try drawn(bytes) == ([color], 3), "\(hidden)")
            #expect(try drawn(bytes, isAsked: true) == ([0xFF0000], 3), "\(hidden)")
        }
    }

    /// As of those that are encrypted, into which only LibreOffice looks.
    @Test func findsTheFirstSlideThatIsShownInWhatIsOpen() throws {
        for (hidden, first) in [(0, 0), (1, 1), (2, 2), (3, 0)] {
            let bytes = SlidesPackage(["FF0000", "00FF00", "0000FF"]).hiding(hidden).bytes
            let found = try Self.office.run { renderer throws(PluginError) in
                let path = renderer.folder + "/hiding.pptx"
                defer { unlink(path) }
                try SmallFile.write(bytes, to: path)
                return try renderer.kit.open("file://" + path, nil).firstVisibleSlide(in: renderer.folder)
            }
            #expect(found == first, "\(hidden)")
        }
    }

    /// Into which only LibreOffice looks.
    @Test func drawsEncryptedSlidesAsTheyArePrinted() throws {
        var request = RenderRequest(box: 256, mimeType: Documents.types["odp"] ?? "")
        request.password = Password(Array("vitrine".utf8))
        let drawn = try Self.office.draw(try Fixtures.bytes("office/password.odp"), request)
        #expect(drawn.colors == [0xFFFFFF] && drawn.width > drawn.height)
    }

    /// What is catalogued is what people see.
    @Test func tellsNothingOfHiddenSlides() throws {
        let slides = """
            <?xml version="1.0"?>
            <office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" \
            xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" \
            xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" \
            xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" \
            xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" \
            xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3" \
            office:mimetype="application/vnd.oasis.opendocument.presentation"><office:automatic-styles><style:style \
            style:name="h" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/>\
            </style:style></office:automatic-styles><office:body><office:presentation>\
            <draw:page draw:name="A"><draw:frame svg:width="9cm" svg:height="3cm"><draw:text-box><text:p>Openly</text:p>\
            </draw:text-box></draw:frame></draw:page><draw:page draw:name="B" draw:style-name="h"><draw:frame \
            svg:width="9cm" svg:height="3cm"><draw:text-box><text:p>Backstage</text:p></draw:text-box></draw:frame>\
            </draw:page></office:presentation></office:body></office:document>
            """
        let bytes = try Self.office.converted(Array(slides.utf8), from: "fodp", to: "odp")
        var request = RenderRequest(box: 256, mimeType: Documents.types["odp"] ?? "")
        request.wantsText = true
        let text = try Self.office.draw(bytes, request).facts.text
        #expect(text?.contains("Openly") == true && text?.contains("Backstage") == false)
        (request.page, request.asksPage, request.wantsPageText) = (1, true, true)
        #expect(try Self.office.draw(bytes, request).facts.text?.contains("Backstage") == true)
    }

    /// By rows, LibreOffice would look at some billions of cells before the first one with something in it.
    @Test func findsTheLastCellsOfASheet() throws {
        let (column, row) = (16_000, 1_000_000)
        let bytes = Documents.farCells("FF0000", column: column, row: row)
        try Self.office.run { renderer throws(PluginError) in
            let path = renderer.folder + "/far.fods"
            defer { unlink(path) }
            try SmallFile.write(bytes, to: path)
            let document = try renderer.kit.open("file://" + path, nil)
            var cells: (corner: OfficeDocument.Cell, found: OfficeDocument.Cell)?
            let time = ProcessorTime.measure { cells = document.firstCells() }
            #expect(cells?.corner == OfficeDocument.Cell(column: column - 1, row: row))
            #expect(cells?.found == OfficeDocument.Cell(column: column, row: row))
            #expect(time < .seconds(10))
        }
    }
}
