import Testing
import VitrineKit
import VitrineTesting

@testable import TextRenderer

@Suite(.serialized) struct RecordTableTests {
    /// A table as dBase III writes it.
    private struct Written {
        var fields: [(name: String, kind: Character, length: UInt8)]
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
                    + [field.length] + [UInt8](repeating: 0, count: 15)
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
    }

    @Test("The encoding is the one that the table states, unless it is UTF-8")
    func encodings() throws {
        let cyrillic = Written(
            fields: [("A", "C", 6)], records: [[0x20, 0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0]], language: 0xC9)
        #expect(try render(cyrillic.bytes).text == "A\nМосква")
        let unicode = Written(fields: [("A", "C", 6)], records: [[0x20] + Array("Köln".utf8) + [0x20]], language: 0x57)
        #expect(try render(unicode.bytes).text == "A\nKöln")
    }

    @Test("Damage never ends in anything but a picture or a reason", arguments: 0..<40)
    func damage(seed: Int) throws {
        var bytes = people.bytes
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        for _ in 0..<20 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
        }
        if let error = try failure(bytes) { #expect([.corrupt, .empty].contains(error.code), "\(error)") }
    }
}
