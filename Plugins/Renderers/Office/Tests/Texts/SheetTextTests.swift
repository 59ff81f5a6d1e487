import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting
import XML

@testable import OfficeRenderer

/// Texts of sheets: what stands on them besides cells, and what cells mean that hold no text.
@Suite struct SheetTextTests {
    private static let format = DocumentFormat(packing: .openXML, family: .spreadsheet, suffix: "xlsx")

    /// A workbook of one sheet.
    private func book(
        _ cells: String, list: String = "", _ others: [(String, String)] = []
    ) -> DocumentText? {
        let parts = [
            ("xl/workbook.xml", "<w xmlns:r='r'>\(list)<sheet name='A' r:id='r1'/></w>"),
            ("xl/_rels/workbook.xml.rels", "<R><Relationship Id='r1' Target='sheets/a.xml'/></R>"),
            ("xl/sheets/a.xml", "<s><sheetData><row>\(cells)</row></sheetData></s>"),
        ]
        let package = zipPackage((parts + others).map { (name: $0.0, bytes: Array($0.1.utf8)) })
        return DocumentText(of: BytesInput(package), Self.format, page: 0)
    }

    @Test func wordsOfShapesAndTitlesOfChartsStandBehindTheCells() {
        func relation(_ id: String, _ kind: String, _ target: String) -> String {
            "<Relationship Id='\(id)' Type='urn:relationships/\(kind)' Target='\(target)'/>"
        }
        let list =
            relation("r1", "comments", "../comments1.xml") + relation("r2", "vmlDrawing", "../drawings/vml.xml")
            + relation("r3", "drawing", "../drawings/drawing1.xml")
        func hiding(_ shapes: String, _ kind: String) -> String {
            "<x:\(kind)><x:nvPr><x:cNvPr hidden='1'/></x:nvPr>\(shapes)</x:\(kind)>"
        }
        let gone = "<x:sp><a:p><a:r><a:t>gone</a:t></a:r></a:p></x:sp>"
        let hidden =
            hiding(gone + gone, "grpSp") + hiding("<a:p><a:t>gone</a:t></a:p>", "sp")
            + hiding("<c:chart r:id='r1'/>", "graphicFrame")
        let shapes = """
            <x:wsDr xmlns:x='x' xmlns:a='a' xmlns:c='c' xmlns:r='r'>\(hidden)\
            <x:sp><x:nvSpPr><x:cNvPr hidden='0'/></x:nvSpPr><x:txBody><a:p><a:r><a:t>In a</a:t></a:r><a:r>\
            <a:t> box</a:t></a:r></a:p><a:p><a:r><a:t>below</a:t></a:r></a:p></x:txBody></x:sp><c:chart r:id='r1'/></x:wsDr>
            """
        let chart = """
            <c xmlns:a='a'><title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></title><cat><strCache><v>East</v></strCache></cat></c>
            """
        let others = [
            ("xl/sheets/_rels/a.xml.rels", "<R>\(list)</R>"), ("xl/drawings/drawing1.xml", shapes),
            ("xl/drawings/_rels/drawing1.xml.rels", "<R>\(relation("r1", "chart", "../charts/chart1.xml"))</R>"),
            ("xl/charts/chart1.xml", chart), ("xl/comments1.xml", "<c><t>said</t></c>"),
            ("xl/drawings/vml.xml", "<x><p><t>said</t></p></x>"),
        ]
        #expect(book("<c><v>1</v></c>", others)?.text == "1\nIn a box\nbelow\nSales\n")
        #expect(book("", others)?.text == "In a box\nbelow\nSales\n")
    }

    @Test func truthIsWrittenAsInCells() {
        #expect(book("<c t='b'><v>1</v></c><c t='b'><v>0</v></c><c><v>1</v></c>")?.text == "TRUE\tFALSE\t1\n")
    }

    @Test func wordsBesideHiddenPicturesAreKept() {
        func shape(_ words: String) -> String { "<p:sp><a:p><a:r><a:t>\(words)</a:t></a:r></a:p></p:sp>" }
        for kind in ["pic", "cxnSp", "contentPart"] {
            let hidden = "<p:\(kind)><p:nvPr><p:cNvPr hidden='1'/></p:nvPr></p:\(kind)>"
            let group = "<p:grpSp>\(hidden)\(shape("Words beside a hidden picture"))</p:grpSp>"
            let parts = [
                ("ppt/presentation.xml", "<p xmlns:r='r'><sldId id='256' r:id='r1'/></p>"),
                ("ppt/_rels/presentation.xml.rels", "<R><Relationship Id='r1' Target='slides/1.xml'/></R>"),
                (
                    "ppt/slides/1.xml",
                    "<p:sld xmlns:p='p' xmlns:a='a'>\(shape("Title"))\(group)\(shape("After"))</p:sld>"
                ),
            ]
            let package = zipPackage(parts.map { (name: $0.0, bytes: Array($0.1.utf8)) })
            let format = DocumentFormat(packing: .openXML, family: .presentation, suffix: "pptx")
            let text = DocumentText(of: BytesInput(package), format, page: 0)?.text
            #expect(text == "Title\nWords beside a hidden picture\nAfter\n", "\(kind)")
        }
    }

    /// What programs write that do not compute is no value.
    @Test func formulasWithoutValuesLeaveNothing() {
        let onLoad = "<calcPr fullCalcOnLoad='1'/>"
        let zero = "<c><f>A1*2</f><v>0</v></c><c><v>0</v></c><c><f>A1</f><v>5</v></c>"
        for list in [onLoad, "<calcPr fullCalcOnLoad=\"1\"/>", "<calcPr calcId='1' fullCalcOnLoad = 'true' />"] {
            #expect(book(zero, list: list)?.text == "\t0\t5\n", "\(list)")
        }
        for list in ["", "<calcPr calcId='1'/>", "<calcPr fullCalcOnLoad='0'/>"] {
            #expect(book(zero, list: list)?.text == "0\t0\t5\n", "\(list)")
        }
        for cell in ["<c><f>A1&amp;B1</f></c>", "<c><f>A1</f><v></v></c>", "<c><f>A1</f><v/></c>"] {
            #expect(book(cell + "<c><v>7</v></c>")?.text == "\t7\n", "\(cell)")
        }
        #expect(book("<c t='str'><f>A1</f><v></v></c><c><v>7</v></c>", list: onLoad)?.text == "\t7\n")
        // More than are computed for the picture, and none of them a zero.
        let many = String(repeating: "<c><f>A1</f><v>0</v></c>", count: 10_001)
        #expect(book(many + "<c><v>7</v></c>", list: onLoad)?.text?.contains("0") == false)
    }

    /// In one file, charts and documents stand where they are shown: before the cells, with tables of their own.
    @Test func tablesOfChartsAreNoSheets() throws {
        let table = "<t:table><t:table-row><t:table-cell><t:p>9</t:p></t:table-cell></t:table-row></t:table>"
        let object = "<d:object><o:chart><t:p>Sales</t:p>\(table)</o:chart></d:object>"
        let sheet = { (word: String) in
            "<t:table><t:shapes><d:frame>\(object)</d:frame></t:shapes>"
                + "<t:table-row><t:table-cell><t:p>\(word)</t:p></t:table-cell></t:table-row></t:table>"
        }
        let gathering = TextGathering(.openDocument(.spreadsheet))
        let text = "<o:d xmlns:o='o' xmlns:t='t' xmlns:d='d'>\(sheet("a"))\(sheet("b"))</o:d>"
        for event in try XMLReader("a sheet").events(from: Array(text.utf8), isLast: true) { gathering.take(event) }
        #expect(gathering.pages == ["Sales\na\n", "Sales\nb\n"])
    }
}
