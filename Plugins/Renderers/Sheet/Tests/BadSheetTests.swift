import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@Suite(.serialized) struct BadSheetTests {
    private static func failure(_ bytes: [UInt8]) -> PluginError.Code? {
        RendererFixtures.failure { try SheetRendererTests.draw(bytes, box: 400) }
    }

    @Test("Nothing is empty, and what is cut off anywhere is damaged")
    func truncated() throws {
        #expect(Self.failure([]) == .empty)
        let whole = try SheetRendererTests.sheet()
        for length in stride(from: 1, to: whole.count, by: 37) {
            #expect(Self.failure(Array(whole.prefix(length))) == .corrupt, "\(length)")
        }
        #expect(Self.failure(whole + [0]) == .corrupt)
    }

    @Test("Random bytes, and files of another kind, are no sheets", arguments: 0..<20)
    func random(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        let noise = (0..<2000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 40)
        }
        #expect(Self.failure(noise) == .corrupt)
        #expect(Self.failure(Array("vitrine-sheet 1\n".utf8) + noise + [10, 10]) == .corrupt)
        #expect(Self.failure(Array("%PDF-1.4\n\n".utf8)) == .corrupt)
    }

    @Test(
        "Lines that lie are refused",
        arguments: [
            "file\ta\tb\t-1", "file\ta\tb\t9223372036854775807", "file\ta\tb\t5", "file\ta\tb", "file\ta\tb\t",
            "title", "title\ta\tb", "unknown\ta", "", "folder\ta", "failure\ta\tb",
        ])
    func lies(line: String) { #expect(Self.failure(Array("vitrine-sheet 1\n\(line)\n\n".utf8)) == .corrupt) }

    @Test("A picture that is none, or a bomb, is not shown, and the rest is")
    func pictures() throws {
        // A header that claims 60,000 by 60,000 pixels.
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        let bomb = head + Array("IHDR".utf8) + [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 6, 0, 0, 0, 0, 0, 0, 0]
        for picture in [bomb, Array("no picture".utf8), []] {
            let text = "vitrine-sheet 1\nfile\ta\t1 B\t\(picture.count)\nfailure\tb\t2 B\tbroken\n\n"
            let drawn = try SheetRendererTests.draw(Array(text.utf8) + picture)
            #expect(drawn.facts.details[.members] == .number(2))
        }
    }

    @Test("Ten thousand lines, and words without end, are drawn in no time")
    func bomb() throws {
        let many = Array(
            ("vitrine-sheet 1\n" + String(repeating: "folder\ta\tb\nfailure\tc\td\te\n", count: 4_000) + "\n").utf8)
        let long = Array(
            ("vitrine-sheet 1\ntitle\t" + String(repeating: "ا\u{301}b", count: 400_000) + "\nfailure\t"
                + String(repeating: "x", count: 1_000_000) + "\t\t" + String(repeating: "y ", count: 400_000) + "\n\n")
                .utf8)
        for bytes in [many, long] {
            let time = try ProcessorTime.measure { _ = try SheetRendererTests.draw(bytes, box: 2000) }
            #expect(time < .seconds(20), "\(time)")
        }
        let lines = String(repeating: "kind\ta\n", count: 10_001)
        #expect(Self.failure(Array("vitrine-sheet 1\n\(lines)\n".utf8)) == .corrupt)
    }
}
