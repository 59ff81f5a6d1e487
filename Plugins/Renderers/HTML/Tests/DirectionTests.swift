import Testing
import VitrineTesting

@Suite struct DirectionTests {
    private static let sheet = "<style>\(String(repeating: ".a-long-name { color: black }", count: 50))</style>"
    private static let style =
        "<style>body { margin: 0; font-size: 0 } b { float: left; width: 100px; height: 100px; background: #00f }"

    @Test(
        "A page from right to left is the reflection of one from left to right",
        arguments: [
            "<html dir=rtl>\(style)</style><b></b>.", "<body dir='RTL'>\(style)</style><b></b>.",
            "\(sheet)\(style)</style><b></b>\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
            "\(style)</style><b></b>&#x5e9;&#1500;&nbsp;a",
        ])
    func reflection(page: String) throws {
        // It floats to the left, as it says.
        let picture = try draw(page)
        #expect(picture.has(0, 0, 255, x: 50, y: 50) && picture.has(255, 255, 255, x: 590, y: 50))
    }

    @Test("Where nothing says a side, a page from right to left begins at the right")
    func start() throws {
        for (page, isLeft) in [
            ("<p>word", true), ("<html dir=rtl><p>word", false), ("<p>\u{5e9}\u{5dc}\u{5d5}\u{5dd}", false),
        ] {
            let picture = try draw("<style>body { margin: 0 } p { font-size: 60px }</style>" + page)
            // The letters may be wide, where no font has them.
            let marks = [40.0, 600].map { x in
                (0..<40).contains { place in
                    stride(from: 60.0, to: 180, by: 4).contains {
                        !picture.has(255, 255, 255, x: x - 40 + Double(place) * 2, y: $0)
                    }
                }
            }
            #expect(marks == [isLeft, !isLeft], "\(page)")
        }
    }

    /// Where the underlined word is among those of a line: a part of what they take, from the left.
    private func place(_ words: String, isMirrored: Bool) throws -> Double {
        let page = try draw(
            """
            <html dir=\(isMirrored ? "rtl" : "ltr")><style>body { margin: 0; font-size: 40px }
            u { color: #ff0000 }</style><p>\(words)
            """, box: 900)
        func columns(_ isMeant: (Double, Double) -> Bool) -> [Double] {
            stride(from: 2.0, to: 638, by: 4).filter { x in (40..<160).contains { isMeant(x, Double($0)) } }
        }
        let marks = columns { !page.has(255, 255, 255, x: $0, y: $1) }
        let reds = columns { page.has(255, 0, 0, x: $0, y: $1) }
        let (first, last) = (try #require(marks.first), try #require(marks.last))
        return (reds.reduce(0, +) / Double(max(1, reds.count)) - first) / (last - first)
    }

    @Test("Cells of a table are no words of one line")
    func cells() throws {
        let table = "<table cellspacing=0 cellpadding=0><tr><td><u>one</u><td>two</table>"
        #expect(try place(table, isMirrored: true) > 0.5)
    }

    @Test("Words of the other direction are read the other way")
    func runs() throws {
        let hebrew = ("\u{5e9}\u{5dc}", "\u{5d8}\u{5d5}")
        #expect(try place("<u>one</u> two", isMirrored: false) < 0.5)
        #expect(try place("<u>\(hebrew.0)</u> \(hebrew.1)", isMirrored: false) > 0.5)
        #expect(try place("<u>\(hebrew.0)</u> \(hebrew.1)", isMirrored: true) > 0.5)
        #expect(try place("<u>one</u> two", isMirrored: true) < 0.5)
        // Each in its own direction, the first of the line at its beginning.
        #expect(try place("\(hebrew.0) <u>one</u> two", isMirrored: true) < 0.33)
        #expect(try place("\(hebrew.0) one <u>two</u>", isMirrored: true) > 0.33)
        #expect(try place("\(hebrew.0) one <u>6.1</u>", isMirrored: true) > 0.2)
        #expect(try place("one <u>\(hebrew.0)</u> \(hebrew.1)", isMirrored: false) > 0.67)
        #expect(try place("one \(hebrew.0) <u>\(hebrew.1)</u> two", isMirrored: false) < 0.5)
    }
}
