import Testing
import VitrineKit

@testable import OfficeRenderer

@Suite struct ExchangeDrawingTests {
    static func drawing(_ elements: String, header: String = "", blocks: String = "") -> [UInt8] {
        func section(_ name: String, _ content: String) -> String { "0\nSECTION\n2\n\(name)\n\(content)0\nENDSEC\n" }
        let all = section("HEADER", header) + section("BLOCKS", blocks) + section("ENTITIES", elements) + "0\nEOF\n"
        return Array(all.utf8)
    }

    static func corners(_ low: String, _ high: String) -> String {
        "9\n$EXTMIN\n10\n\(low)\n20\n\(low)\n9\n$EXTMAX\n10\n\(high)\n20\n\(high)\n"
    }

    /// A frame of 100 × 50 from the point 10, 10 on, which is put up turned by a quarter.
    static let block = "0\nBLOCK\n2\nB\n10\n10\n20\n10\n\(line(10, 10, 110, 60))\(line(10, 60, 110, 10))0\nENDBLK\n"
    static let insert = "0\nINSERT\n8\n0\n2\nB\n10\n0\n20\n0\n50\n90\n"
    static let words = "0\nMTEXT\n8\n0\n10\n0\n20\n0\n40\n10\n1\none {\\fArial|b1;two}\\Pthree\n"

    static func line(_ x: Int, _ y: Int, _ right: Int, _ top: Int) -> String {
        "0\nLINE\n8\n0\n10\n\(x)\n20\n\(y)\n11\n\(right)\n21\n\(top)\n"
    }

    private func rewritten(_ bytes: [UInt8]) -> String? {
        ExchangeDrawing(bytes).map { String(decoding: $0.text, as: UTF8.self) }
    }

    @Test func saysHowLargeBlocksAre() throws {
        let text = try #require(
            rewritten(Self.drawing(Self.insert, header: Self.corners("1e+20", "-1e+20"), blocks: Self.block)))
        #expect(text.contains("$OLDMIN\n10\n1e+20") && text.contains(Self.insert))
        let size = try #require(text.firstRange(of: "$EXTMIN"))
        let numbers = text[size.upperBound...].split(separator: "\n").prefix(13).compactMap { Double($0) }
        #expect(numbers.count == 12 && abs(numbers[1] + 50) < 0.001 && abs(numbers[3]) < 0.001)
        #expect(abs(numbers[8]) < 0.001 && abs(numbers[10] - 100) < 0.001, "\(numbers)")
    }

    @Test func dividesTextsIntoLines() throws {
        let text = try #require(rewritten(Self.drawing(Self.words, header: Self.corners("0", "100"))))
        #expect(text.contains("\n1\none two\n0\nTEXT\n") && text.contains("\n1\nthree\n0\nENDSEC\n"))
        #expect(!text.contains("MTEXT") && text.firstRange(of: "$EXTMIN") != nil)
    }

    @Test func leavesOthersAsTheyAre() {
        #expect(rewritten(Self.drawing(Self.line(0, 0, 1, 1))) == nil)
        #expect(rewritten(Self.drawing(Self.insert, header: Self.corners("0", "100"), blocks: Self.block)) == nil)
        #expect(rewritten(Self.drawing(Self.insert)) == nil)
        // Of letters of two bytes the second one may be a brace.
        func japanese(_ version: String) -> String {
            "9\n$ACADVER\n1\n\(version)\n9\n$DWGCODEPAGE\n3\nANSI_932\n" + Self.corners("0", "100")
        }
        #expect(rewritten(Self.drawing(Self.words, header: japanese("AC1015"))) == nil)
        #expect(rewritten(Self.drawing(Self.words, header: japanese("AC1021"))) != nil)
        #expect(
            rewritten([]) == nil && rewritten(Array("no drawing".utf8)) == nil
                && rewritten(Array("MTEXT\n0\n".utf8)) == nil)
        let whole = Self.drawing(Self.words + Self.insert, blocks: Self.block)
        for count in 0..<whole.count { _ = rewritten(Array(whole.prefix(count))) }
    }

    @Test func readsTextsOfSeveralLines() {
        #expect(MultilineText.lines("a\\Pb\\~c\\{\\\\", length: nil) == ["a", "b c{\\"])
        #expect(MultilineText.lines("\\H2.5x;{\\C1;red} \\S1^2;\\Lx\\l", length: nil) == ["red 1/2x"])
        #expect(MultilineText.lines("one two three", length: 7) == ["one two", "three"])
        let unended = String(repeating: "\\A", count: 10_000)
        #expect(MultilineText.lines(unended + "x", length: nil) == ["x"])
        #expect(MultilineText.lines("\\", length: nil) == ["\\"] && MultilineText.lines("\\fArial", length: 3) != [])
        #expect(MultilineText.lines(String(repeating: "\\P", count: 10_000) + "a", length: 1).count <= 500)
    }
}

extension OfficeRendererTests {
    @Test func drawsBlocksOfDrawingsWithoutSize() throws {
        typealias Samples = ExchangeDrawingTests
        let drawing = try draw(
            Samples.drawing(Samples.insert, header: Samples.corners("1e+20", "-1e+20"), blocks: Samples.block), "dxf")
        #expect(drawing.height == 896 && 413...483 ~= drawing.width, "\(drawing.width)")
        // Without the text nothing is drawn.
        #expect(try draw(Samples.drawing(Samples.words), "dxf").colors.count > 1)
    }
}
