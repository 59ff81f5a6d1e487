import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

/// Formulas whose values nobody computed yet.
@Suite struct UncomputedCellsTests {
    private static let format = DocumentFormat(packing: .openXML, family: .spreadsheet, suffix: "xlsx")

    private func changed(
        _ sheet: String, calculation: String = "<calcPr fullCalcOnLoad=\"1\"/>", others: [String] = ["<worksheet/>"]
    ) throws -> String? {
        let workbook = "<workbook><sheets/>\(calculation)</workbook>"
        var files: [(name: String, bytes: [UInt8])] = [
            ("xl/workbook.xml", Array(workbook.utf8)), ("xl/worksheets/a.xml", Array(sheet.utf8)),
        ]
        files += others.enumerated().map { (name: "xl/worksheets/b\($0.offset).xml", bytes: Array($0.element.utf8)) }
        let input = BytesInput(zipFile(files))
        let parts = UncomputedCells.partsWithoutZeros(
            try ZipDirectory(input), in: input, Self.format, changed: ["xl/c.xml": [1]])
        #expect(parts["xl/c.xml"] == [1] && parts["xl/worksheets/b0.xml"] == nil)
        return parts["xl/worksheets/a.xml"].map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func zerosOfFormulasAreLeftOut() throws {
        let cells = "<c><f>A1*2</f><v>0</v></c><c><v>0</v></c><c><f>B1</f><v>05</v></c><c><f>1-1</f><v>0</v></c>"
        #expect(
            try changed(cells)
                == "<c><f>A1*2</f><v></v></c><c><v>0</v></c><c><f>B1</f><v>05</v></c><c><f>1-1</f><v></v></c>")
        #expect(try changed("<c><v>0</v></c>") == nil)
        // LibreOffice may not know the function.
        #expect(try changed("<c><f>_xlfn.LATER(A1)</f><v>0</v></c>") == nil)
    }

    @Test func othersKeepTheirs() throws {
        let cell = "<c><f>A1*2</f><v>0</v></c>"
        for calculation in ["", "<calcPr calcId=\"1\"/>", "<calcPr fullCalcOnLoad=\"0\"/>"] {
            #expect(try changed(cell, calculation: calculation) == nil)
        }
        #expect(try changed(String(repeating: cell, count: 10_000)) != nil)
        #expect(try changed(String(repeating: cell, count: 10_001)) == nil)
        let blanks = String(repeating: " ", count: 6 << 20)
        #expect(try changed(cell, others: [blanks, blanks]) != nil)
        #expect(try changed(cell, others: [blanks, blanks, blanks]) == nil)
    }
}
