import RendererFixtures
import Testing
import VitrineKit

@testable import OfficeRenderer

@Suite struct OldGnumericTests {
    static let cells = """
        <gmr:Cell Col="0" Row="0" Style="0">
          <gmr:Content>Word</gmr:Content>
        </gmr:Cell><gmr:Cell Col="1" Row="0"><gmr:Content>=1+2</gmr:Content></gmr:Cell>\
        <gmr:Cell Col="2" Row="0"><gmr:Content>-12.5</gmr:Content></gmr:Cell>\
        <gmr:Cell Col="3" Row="0" ValueType="60">new</gmr:Cell><gmr:Cell Col="4" Row="0"/>
        """

    static let newCells = """
        <gmr:Cell Col="0" Row="0" Style="0" ValueType="60">Word</gmr:Cell>\
        <gmr:Cell Col="1" Row="0">=1+2</gmr:Cell>\
        <gmr:Cell Col="2" Row="0" ValueType="40">-12.5</gmr:Cell>\
        <gmr:Cell Col="3" Row="0" ValueType="60">new</gmr:Cell><gmr:Cell Col="4" Row="0"/>
        """

    static func workbook(_ namespace: String, _ cells: String) -> String {
        """
        <?xml version="1.0"?>
        <gmr:Workbook xmlns:gmr="\(namespace)"><gmr:Sheets><gmr:Sheet><gmr:Name>S</gmr:Name>\
        <gmr:MaxCol>4</gmr:MaxCol><gmr:MaxRow>0</gmr:MaxRow><gmr:Cells>\(cells)</gmr:Cells></gmr:Sheet></gmr:Sheets>\
        </gmr:Workbook>
        """
    }

    /// A gzip file of one block that is stored as it is.
    static func packed(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        let block = [1] + little(bytes.count, 2) + little(~bytes.count, 2) + bytes
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + block + little(Int(crc32(bytes)), 4) + little(bytes.count, 4)
    }

    private func rewritten(_ bytes: [UInt8]) throws -> String? {
        try OldGnumeric(BytesInput(bytes)).map { String(decoding: $0.workbook, as: UTF8.self) }
    }

    @Test(arguments: [
        "http://www.gnome.org/gnumeric/v2", "http://www.gnome.org/gnumeric/v7", "http://www.gnumeric.org/v9.dtd",
    ])
    func givesFormerVersionsTheFormOfTheLast(namespace: String) throws {
        let expected = Self.workbook("http://www.gnumeric.org/v10.dtd", Self.newCells)
        #expect(try rewritten(Self.packed(Self.workbook(namespace, Self.cells))) == expected)
    }

    @Test(arguments: ["http://www.gnumeric.org/v10.dtd", "http://www.gnumeric.org/v11.dtd", "http://example.org/v2"])
    func leavesOthersAsTheyAre(namespace: String) throws {
        #expect(try rewritten(Self.packed(Self.workbook(namespace, Self.cells))) == nil)
    }

    @Test func leavesDamagedOnesAsTheyAre() throws {
        let whole = Self.packed(Self.workbook("http://www.gnome.org/gnumeric/v2", Self.cells))
        for count in [0, 1, 40, whole.count / 2, whole.count - 1] {
            #expect(try rewritten(Array(whole.prefix(count))) == nil, "\(count)")
        }
        // Cells that do not end, and what they hold.
        for cells in ["<gmr:Cell ", "<gmr:Cell Col=\"0\">", "<gmr:Cell Col=\"0\"><gmr:Content>1</gmr:Cell>"] {
            let text = try rewritten(Self.packed(Self.workbook("http://www.gnome.org/gnumeric/v2", cells)))
            #expect(text == Self.workbook("http://www.gnumeric.org/v10.dtd", cells))
        }
    }
}

extension OfficeRendererTests {
    @Test func drawsSheetsOfOldVersionsOfGnumeric() throws {
        let old = OldGnumericTests.workbook("http://www.gnome.org/gnumeric/v2", OldGnumericTests.cells)
        let new = OldGnumericTests.workbook("http://www.gnumeric.org/v10.dtd", OldGnumericTests.newCells)
        let (first, second) = try (
            draw(OldGnumericTests.packed(old), "gnumeric"), draw(OldGnumericTests.packed(new), "gnumeric")
        )
        #expect(first.width == second.width && first.height == second.height && first.colors == second.colors)
        #expect(first.facts.details[.sheetNames] == second.facts.details[.sheetNames])
    }
}
