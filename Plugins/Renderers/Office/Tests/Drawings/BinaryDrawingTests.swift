import Testing
import VitrineKit

@testable import OfficeRenderer

@Suite struct BinaryDrawingTests {
    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The frame of `Pictures.exchange()`, binary.
    /// - Parameter codeSize: bytes of each number.
    static func exchange(codeSize: Int) -> [UInt8] {
        func text(_ code: Int, _ value: String) -> [UInt8] { little(code, codeSize) + Array(value.utf8) + [0] }
        func number(_ code: Int, _ value: Int) -> [UInt8] {
            let bits = Double(value).bitPattern
            return little(code, codeSize) + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        }
        let corners = [(0, 0), (100, 0), (100, 50), (0, 50), (0, 0)]
        var bytes = BinaryDrawing.signature + text(0, "SECTION") + text(2, "ENTITIES")
        for (from, to) in zip(corners, corners.dropFirst()) {
            bytes += text(0, "LINE") + text(8, "0") + number(10, from.0) + number(20, from.1)
            bytes += number(11, to.0) + number(21, to.1)
        }
        return bytes + text(0, "ENDSEC") + text(0, "EOF")
    }

    private func text(of bytes: [UInt8]) throws -> String? {
        try BinaryDrawing.text(of: BytesInput(bytes)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [1, 2]) func writesPairsAsLines(codeSize: Int) throws {
        let expected = String(decoding: Pictures.exchange(), as: UTF8.self)
        let text = try text(of: Self.exchange(codeSize: codeSize))
        #expect(text?.replacing(".0\n", with: "\n") == expected)
    }

    @Test func readsValuesOfAllTypes() throws {
        let pairs: [(bytes: [UInt8], line: String)] = [
            ([70, 0, 0xFE, 0xFF], "70\n-2"), ([90, 0, 1, 0, 0, 0x80], "90\n-2147483647"),
            ([160, 0] + [UInt8](repeating: 0xFF, count: 8), "160\n-1"), ([0x22, 1, 0xFF], "290\n255"),
            ([0x36, 1, 2, 0xAB, 0x0C], "310\nAB0C"), ([1, 0, 0x61, 0x0A, 0x62, 0], "1\na b"),
            ([40, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F], "40\n0.0"),
        ]
        let bytes = BinaryDrawing.signature + [0xE7, 3, 0x63, 0] + pairs.flatMap(\.bytes)
        #expect(try text(of: bytes) == (["999\nc"] + pairs.map(\.line) + ["0\nEOF\n"]).joined(separator: "\n"))
    }

    @Test func endsWhereTheFileIsCutOffOrDamaged() throws {
        let whole = Self.exchange(codeSize: 2)
        for count in BinaryDrawing.signature.count..<whole.count {
            let text = try #require(try text(of: Array(whole.prefix(count))))
            #expect(
                text.hasSuffix("0\nEOF\n")
                    && text.split(separator: "\n", omittingEmptySubsequences: false).count % 2 == 1)
        }
        #expect(try text(of: Pictures.exchange()) == nil)
        let error = #expect(throws: PluginError.self) { try text(of: BinaryDrawing.signature + [0, 0, 0, 0xFF, 0x7F]) }
        #expect(error?.code == .corrupt)
        let endless = [1, 0] + [UInt8](repeating: 0x61, count: 70_000)
        #expect(throws: PluginError.self) { try text(of: BinaryDrawing.signature + [0, 0, 0] + endless) }
    }
}

extension OfficeRendererTests {
    @Test(arguments: [1, 2]) func drawsBinaryDrawings(codeSize: Int) throws {
        let drawing = try draw(BinaryDrawingTests.exchange(codeSize: codeSize), "dxf")
        #expect(drawing.width == 896 && 413...483 ~= drawing.height, "\(drawing.height)")
    }
}
