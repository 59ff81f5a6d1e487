import RendererFixtures
import Testing
import VitrineKit

@testable import TextRenderer

@Suite(.serialized) struct RecordTableTests {
    /// A table as dBase III writes it.
    private struct Written {
        var fields: [(name: String, kind: Character, length: UInt8)]
        /// Those that may have no value.
        var nullable: Set<String> = []
        /// The values of each record, as wide as its fields are together; a star before one deletes it.
        var records: [[UInt8]]
        /// The driver of a language, which stands for an encoding.
        var language: UInt8 = 0

        var bytes: [UInt8] {
            func pair(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
            let stride = 1 + fields.reduce(0) { $0 + Int($1.length) }
            let numbers = pair(records.count) + [0, 0] + pair(33 + 32 * fields.count) + pair(stride)
            let head = [3, 124, 1, 31] + numbers + [UInt8](repeating: 0, count: 17) + [language, 0, 0]
            let list = fields.flatMap { field in
                let name = Array(field.name.utf8)
                return name + [UInt8](repeating: 0, count: 11 - name.count) + [field.kind.asciiValue ?? 0, 0, 0, 0, 0]
                    + [field.length, 0, nullable.contains(field.name) ? 2 : 0] + [UInt8](repeating: 0, count: 13)
            }
            return head + list + [0x0D] + records.flatMap(\.self) + [0x1A]
        }
    }

    private func render(_ bytes: [UInt8]) throws -> Facts {
        var request = RenderRequest(box: 256, mimeType: RecordTable.type)
        request.wantsText = true
        let renderer = try TextRenderer(RendererEnvironment(pluginFolder: "/"))
        return try renderer.render(BytesInput(bytes), request).facts
    }

    private func failure(_ bytes: [UInt8]) throws -> PluginError? {
        do {
            _ = try render(bytes)
            return nil
        } catch let error as PluginError { return error }
    }

    private let people = Written(
        fields: [("NAME", "C", 8), ("BORN", "D", 8), ("SIZE", "N", 5), ("NOTE", "M", 10)],
        records: [
            Array(" Alice   19870301 1.70         1".utf8), Array("*Nobody  20000101 1.00         2".utf8),
            Array(" Bob              15.5          ".utf8),
        ])

    @Test(
        "Fields are columns, dates are written as people do, and deleted records and what lies elsewhere are left out")
    func values() throws {
        #expect(try render(people.bytes).text == "NAME\tBORN\tSIZE\tNOTE\nAlice\t1987-03-01\t1.70\t\nBob\t\t15.5\t")
    }

    @Test("What is cut off shows the records that are whole, as far as its head is")
    func cut() throws {
        let bytes = people.bytes
        let text = "NAME\tBORN\tSIZE\tNOTE\nAlice\t1987-03-01\t1.70\t"
        #expect(try render(Array(bytes.prefix(33 + 128 + 70))).text == text)
        #expect(try render(Array(bytes.prefix(33 + 128 + 5))).text == "NAME\tBORN\tSIZE\tNOTE")
        for count in [1, 11, 31, 40] { #expect(try failure(Array(bytes.prefix(count)))?.code == .corrupt, "\(count)") }
        #expect(try failure([])?.code == .empty)
        #expect(try failure([UInt8](repeating: 0xFF, count: 4096))?.code == .corrupt)
    }

    @Test("Numbers of FoxPro are read, and cells with tabs and quotes stay cells")
    func binaries() throws {
        let fields: [(String, Character, UInt8)] = [("A", "I", 4), ("B", "B", 8), ("C", "Y", 8), ("D", "C", 5)]
        let double = withUnsafeBytes(of: (2.5).bitPattern.littleEndian) { Array($0) }
        let record: [UInt8] =
            [0x20, 0xFE, 0xFF, 0xFF, 0xFF] + double + [0x39, 0x30, 0, 0, 0, 0, 0, 0] + Array("\"a\tb\"".utf8)
        let text = try render(Written(fields: fields, records: [record]).bytes).text
        #expect(text == "A\tB\tC\tD\n-2\t2.5\t1.2345\t\"\"\"a b\"\"\"")
        // Harbour's whole numbers of other lengths, all of an amount, and days that are nothing.
        let others: [(String, Character, UInt8)] = [
            ("A", "I", 2), ("B", "Y", 8), ("C", "Y", 8), ("D", "D", 8), ("E", "D", 3),
        ]
        let values: [UInt8] =
            [0x20, 0xFE, 0xFF] + [UInt8](repeating: 0xFF, count: 7) + [0x7F, 0xF0, 0xD8]
            + [UInt8](repeating: 0xFF, count: 6)
            + Array("00000000".utf8) + [0x41, 0x42, 0x43]
        let rest = try render(Written(fields: others, records: [values]).bytes).text
        #expect(rest == "A\tB\tC\tD\tE\n-2\t922337203685477.5807\t-1.0\t\t")
    }

    @Test("The encoding is the one that the table states, unless it is UTF-8")
    func encodings() throws {
        let cyrillic = Written(
            fields: [("A", "C", 6)], records: [[0x20, 0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0]], language: 0xC9)
        #expect(try render(cyrillic.bytes).text == "A\nМосква")
        let unicode = Written(fields: [("A", "C", 6)], records: [[0x20] + Array("Köln".utf8) + [0x20]], language: 0x57)
        #expect(try render(unicode.bytes).text == "A\nKöln")
    }

    /// A file of one field or more with what a test says otherwise of its header.
    private func changed(_ table: Written, _ changes: [Int: UInt8]) -> [UInt8] {
        var bytes = table.bytes
        for (at, byte) in changes { bytes[at] = byte }
        return bytes
    }

    @Test("A letter that a field cuts off does not make the table something else than UTF-8")
    func cutLetters() throws {
        let rows = [Array(" xxx".utf8) + [0xC3], Array(" K\u{F6}l".utf8).prefix(5)].map { Array($0) }
        let unicode = Written(fields: [("A", "C", 4)], records: rows)
        #expect(try render(unicode.bytes).text == "A\nxxx\nKöl")
        let latin = Written(fields: [("A", "C", 4)], records: [Array(" JOS".utf8) + [0xC9]], language: 0x03)
        #expect(try render(latin.bytes).text == "A\nJOSÉ")
    }

    @Test("Clipper's long texts are read where they fill the record, and decimals of texts are not where they do not")
    func longTexts() throws {
        let record = Array(" ".utf8) + [UInt8](repeating: 0x78, count: 300) + Array("ab".utf8)
        let long = Written(fields: [("A", "C", 44), ("B", "C", 2)], records: [record])
        let text = try render(changed(long, [10: 47, 11: 1, 49: 1])).text
        #expect(text?.hasPrefix("A\tB\nxxx") == true && text?.hasSuffix("x\tab") == true)
        let fields: [(String, Character, UInt8)] = [("A", "C", 3), ("B", "C", 254), ("C", "C", 254)]
        let short = Array(" one".utf8) + [UInt8](repeating: 0x79, count: 254) + [UInt8](repeating: 0x7A, count: 254)
        let decimals = try render(changed(Written(fields: fields, records: [short]), [49: 1])).text
        #expect(decimals?.hasPrefix("A\tB\tC\none\tyyy") == true)
    }

    @Test("Fields of 32 bytes are read under the number of dBase 7, and unknown ones hide no others")
    func oddHeaders() throws {
        let table = Written(fields: [("A", "C", 3), ("X", "?", 2), ("B", "C", 2)], records: [Array(" one??ab".utf8)])
        #expect(try render(table.bytes).text == "A\tB\none\tab")
        #expect(try render(changed(table, [0: 4])).text == "A\tB\none\tab")
    }

    @Test("Records are found behind deleted ones, without a count, and until the file says that it ends")
    func counts() throws {
        let live = [UInt8](" live".utf8)
        let gone = [[UInt8]](repeating: Array("*gone".utf8), count: 30_000)
        #expect(try render(Written(fields: [("A", "C", 4)], records: gone + [live]).bytes).text == "A\nlive")
        let few = Written(fields: [("A", "C", 4)], records: [live, live])
        #expect(try render(changed(few, [4: 0])).text == "A\nlive\nlive")
        let ended = Written(fields: [("A", "C", 4)], records: [live, [0x1A] + Array("dead".utf8)])
        #expect(try render(ended.bytes).text == "A\nlive")
    }

    @Test("FoxPro's texts of their own length, and its moments")
    func foxPro() throws {
        // The first day of the year 2000 has the Julian number 2,451,545.
        let moment: [UInt8] = [0x59, 0x68, 0x25, 0, 0x80, 0xEE, 0x36, 0]
        let table = Written(
            fields: [("A", "V", 6), ("T", "T", 8), ("_NullFlags", "0", 1)],
            records: [
                Array(" abcxx".utf8) + [3] + moment + [1],
                Array(" abcdef".utf8) + [UInt8](repeating: 0, count: 8) + [0],
            ])
        #expect(try render(table.bytes).text == "A\tT\nabc\t2000-01-01 01:00:00\nabcdef\t")
        // A millisecond before the second.
        let short: [UInt8] = [0x59, 0x68, 0x25, 0, 0x7F, 0xEE, 0x36, 0]
        let moments = Written(fields: [("T", "T", 8)], records: [[0x20] + short])
        #expect(try render(moments.bytes).text == "T\n2000-01-01 01:00:00")
    }

    @Test("FoxPro's fields without a value: the bit that says so follows the one of the length")
    func noValues() throws {
        let table = Written(
            fields: [("A", "V", 6), ("B", "C", 3), ("C", "V", 4), ("_NullFlags", "0", 1)], nullable: ["A", "B"],
            records: [
                Array(" abxxx".utf8) + [2] + Array("xyzwxx".utf8) + [1, 0b1001],
                Array(" abxxx".utf8) + [2] + Array("xyzwwww".utf8) + [0b0011],
                Array(" abcdefxyzqxx".utf8) + [1, 0b1100],
            ])
        #expect(try render(table.bytes).text == "A\tB\tC\nab\txyz\tw\n\txyz\twwww\nabcdef\t\tq")
    }

    @Test("The numbers of dBase 7, whose bytes sort as they do")
    func seventh() throws {
        func big(_ bits: UInt64) -> [UInt8] { withUnsafeBytes(of: bits.bigEndian) { Array($0) } }
        func field(_ name: String, _ kind: UInt8, _ length: UInt8) -> [UInt8] {
            let padding = [UInt8](repeating: 0, count: 32 - name.utf8.count)
            return Array(name.utf8) + padding + [kind, length] + [UInt8](repeating: 0, count: 14)
        }
        let plus = UInt8(ascii: "+"), whole = UInt8(ascii: "I"), double = UInt8(ascii: "O")
        var bytes: [UInt8] = [4, 124, 1, 31, 1, 0, 0, 0, 5, 1, 25, 0] + [UInt8](repeating: 0, count: 56)
        bytes += field("A_NAME_LONGER_THAN_ELEVEN", plus, 4) + field("N", whole, 4)
        bytes += field("O", double, 8) + field("P", double, 8) + [0x0D]
        bytes += [0x20, 0x80, 0, 0, 5, 0x7F, 0xFF, 0xFF, 0xFE] as [UInt8]
        bytes += big(~(-2.5 as Double).bitPattern) + big((0.5 as Double).bitPattern ^ 1 << 63)
        #expect(try render(bytes + [0x1A]).text == "A_NAME_LONGER_THAN_ELEVEN\tN\tO\tP\n5\t-2\t-2.5\t0.5")
    }

    @Test("A table of dBase II")
    func second() throws {
        let list = Array("NAME".utf8) + [0, 0, 0, 0, 0, 0, 0, 0x43, 5, 0, 0, 0, 0x0D]
        let head: [UInt8] = [2, 1, 0, 1, 1, 90, 6, 0] + list
        let bytes = head + [UInt8](repeating: 0, count: 521 - head.count) + Array(" Alice".utf8) + [0x1A]
        #expect(try render(bytes).text == "NAME\nAlice")
    }

    @Test(
        "Drivers of languages stand for the encodings of DOS and Windows",
        arguments: [
            (0x01, 0x8E, "Ä"), (0x6B, 0x8D, "ı"), (0x6A, 0x80, "Α"), (0x66, 0x9B, "ø"), (0x87, 0xAC, "Č"),
            (0xCA, 0xFD, "ı"), (0x24, 0x84, "ã"), (0x1C, 0x84, "Â"), (0x67, 0x95, "þ"), (0x97, 0x8B, "č"),
            (0x7C, 0x85, "…"),
        ] as [(UInt8, UInt8, String)])
    func drivers(language: UInt8, letter: UInt8, expected: String) throws {
        let table = Written(fields: [("A", "C", 3)], records: [[0x20, 0x61, letter, 0x62]], language: language)
        #expect(try render(table.bytes).text == "A\na\(expected)b")
    }

    @Test("Damage never ends in anything but a picture or a reason", arguments: 0..<40)
    func damage(seed: Int) throws {
        let bytes = damaged(people.bytes, seed: seed, changes: 20)
        if let error = try failure(bytes) { #expect([.corrupt, .empty].contains(error.code), "\(error)") }
    }
}
