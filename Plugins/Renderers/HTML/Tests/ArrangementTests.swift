import Testing
import VitrineKit
import VitrineTesting

@Suite struct ArrangementTests {
    /// Draws boxes of 100 pixels' height in red, green and blue in a page without a margin.
    private func boxes(_ style: String, _ markup: String = "<div><b></b><i></i><u></u></div>") throws -> RGBAPicture {
        try draw(
            """
            <style>body { margin: 0; font-size: 0 } div { \(style) } b, i, u { height: 100px; text-decoration: none }
            b { background: #f00 } i { background: #0f0 } u { background: #00f }</style>\(markup)<p style="font-size:9px">.
            """, box: 900)
    }

    @Test(
        "Boxes of a row share it",
        arguments: [
            ("display: flex", "b { flex: 1 } i { flex: 2 } u { width: 100px }", [90.0, 360, 590]),
            ("display: flex; justify-content: space-between", "b, i, u { width: 100px }", [50.0, 320, 590]),
            ("display: flex; justify-content: center", "b, i, u { width: 100px }", [220.0, 320, 420]),
            ("display: flex; gap: 40px", "b, i, u { flex: 0 0 100px }", [50.0, 190, 330]),
            ("display: flex; flex-direction: row-reverse", "b, i, u { width: 100px }", [590.0, 490, 390]),
            ("display: flex", "b, i, u { width: 400px }", [106.0, 320, 533]),
            ("display: flex", "b, i, u { width: 100px } u { margin-left: auto }", [50.0, 150, 590]),
            ("display: grid; grid-template-columns: 100px 1fr 1fr", "a { color: red }", [50.0, 235, 505]),
            (
                "display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 20px", "a { color: red }",
                [100.0, 320, 540]
            ),
            (
                "display: grid; grid-template: 'x y z' / 1fr 1fr 1fr",
                "b { grid-area: z } i { grid-area: x } u { grid-area: y }", [533.0, 106, 320]
            ),
            (
                "display: -webkit-box; display: -ms-flexbox; display: flex", "b, i, u { width: 33.33% }",
                [106.0, 320, 533]
            ),
            ("display: inline-flex", "b, i, u { width: 100px }", [50.0, 150, 250]),
            (
                "display: grid; grid-template-columns: repeat(3, 100px); place-content: center", "a { color: red }",
                [220.0, 320, 420]
            ),
            (
                "display: grid; grid-template-columns: repeat(3, auto); justify-content: space-between",
                "b, i, u { width: 100px }", [50.0, 320, 590]
            ),
            ("display: flex; max-width: max-content", "b, i, u { width: 100px }", [50.0, 150, 250]),
            (
                "display: flex; min-width: min-content; width: -webkit-fill-available", "b, i, u { flex: 1 }",
                [106.0, 320, 533]
            ),
            ("display: flex; max-width: 75ch", "b, i, u { flex: 1 }", [100.0, 300, 500]),
            ("display: flex; width: 100dvw", "b, i, u { flex: 1 }", [106.0, 320, 533]),
        ])
    func rows(style: String, rules: String, places: [Double]) throws {
        let page = try boxes("\(style) } \(rules) div { color: black")
        #expect(page.has(255, 0, 0, x: places[0], y: 50) && page.has(0, 255, 0, x: places[1], y: 50), "\(style)")
        #expect(page.has(0, 0, 255, x: places[2], y: 50), "\(style)")
    }

    @Test("A column has its boxes in the middle of its height, and they are as wide as it or as they need")
    func columns() throws {
        let page = try boxes(
            "display: flex; flex-direction: column; height: 500px; justify-content: center; align-items: flex-end } i { width: 200px"
        )
        #expect(page.has(0, 255, 0, x: 540, y: 250) && page.has(255, 255, 255, x: 400, y: 250))
        let filled = try boxes("display: flex; flex-flow: column; height: 500px } i { flex: 1")
        #expect(
            filled.has(255, 0, 0, x: 320, y: 50) && filled.has(0, 255, 0, x: 320, y: 350)
                && filled.has(0, 0, 255, x: 320, y: 450))
    }

    @Test("Boxes that do not fit are in the next line, and boxes of a line are of one height")
    func lines() throws {
        let page = try boxes(
            "display: flex; flex-wrap: wrap; row-gap: 20px } b, i, u { width: 300px } i { height: auto")
        #expect(
            page.has(255, 0, 0, x: 150, y: 50) && page.has(0, 255, 0, x: 450, y: 90)
                && page.has(0, 0, 255, x: 150, y: 170))
        let grid = try boxes(
            "display: grid; grid-template-columns: 1fr 1fr } b { grid-column: span 2 } u { grid-row: 3; grid-column: 2")
        #expect(
            grid.has(255, 0, 0, x: 600, y: 50) && grid.has(0, 255, 0, x: 100, y: 150)
                && grid.has(0, 0, 255, x: 500, y: 250))
    }

    @Test("Rows of a grid are in the middle of its height")
    func middle() throws {
        let page = try boxes("display: grid; place-content: center; height: 700px } b, i, u { width: 100px")
        #expect(page.has(255, 0, 0, x: 320, y: 250) && page.has(0, 255, 0, x: 320, y: 350))
        #expect(page.has(0, 0, 255, x: 320, y: 450) && page.has(255, 255, 255, x: 200, y: 250))
        #expect(page.has(255, 255, 255, x: 320, y: 150) && page.has(255, 255, 255, x: 320, y: 550))
    }

    @Test("A grid has no more columns than are borne, however they are repeated")
    func bound() throws {
        let columns = String(repeating: "10px ", count: 40)
        let before = String(repeating: "<b></b>", count: 64)
        let page = try boxes(
            "display: grid; grid-template-columns: repeat(2, \(columns))", "<div>\(before)<u></u></div>")
        #expect(page.has(0, 0, 255, x: 5, y: 150))
    }

    @Test("A row that both sides of the window hold is as wide as it")
    func held() throws {
        let page = try boxes(
            "position: absolute; left: 0; right: 0; top: 0; display: flex; justify-content: center } i { display: none } b, u { width: 100px"
        )
        #expect(page.has(255, 0, 0, x: 270, y: 50))
        #expect(page.has(0, 0, 255, x: 370, y: 50))
    }

    @Test("Texts in a row are boxes, and boxes that are not shown are none")
    func texts() throws {
        let words =
            "<div>one <b style='width:9px'></b> two<i style='display:none'></i><u style='width:100px'></u></div>"
        let page = try boxes("display: flex; font-size: 20px; justify-content: space-between", words)
        #expect(page.has(0, 0, 255, x: 590, y: 50))
    }

    @Test("Cells of a table's head are side by side, and margins of boxes in one another are one")
    func heads() throws {
        let table = "<table cellspacing=0 cellpadding=0><col><col><thead><tr><th><b></b><th><u></u></thead></table>"
        let page = try boxes("color: red } table { width: 640px } b, u { display: block; width: 300px", table)
        #expect(page.has(255, 0, 0, x: 100, y: 50) && page.has(0, 0, 255, x: 560, y: 50))
        let nested = try boxes(
            "margin: 0 } b { display: block; margin-top: 100px", "<div><div><div><b></b></div></div></div>")
        #expect(nested.has(255, 255, 255, x: 320, y: 90) && nested.has(255, 0, 0, x: 320, y: 150))
    }

    @Test("What sticks to an edge is in its place, as wide as what it is in, and what it holds is placed by it")
    func sticky() throws {
        for style in [
            "position: sticky; top: 40px", "position: -webkit-sticky; inset: 40px 0 0 40px", "position: unset",
        ] {
            let page = try boxes("color: red } i, u { display: block } i { \(style)", "<div><i></i><u></u></div>")
            #expect(page.has(0, 255, 0, x: 10, y: 10) && page.has(0, 255, 0, x: 630, y: 90), "\(style)")
            #expect(page.has(0, 0, 255, x: 10, y: 110) && page.has(0, 0, 255, x: 630, y: 190), "\(style)")
        }
        let held = try boxes(
            "margin-top: 100px; position: sticky; height: 200px } u { position: absolute; top: 0; right: 0; width: 50px",
            "<div><u></u></div>")
        #expect(held.has(0, 0, 255, x: 600, y: 150) && held.has(255, 255, 255, x: 600, y: 50))
        let moved = try boxes("position: sticky; top: 50px } div { position: absolute", "<div><u>.</u></div>")
        #expect(try boxes("position: absolute; top: 50px", "<div><u>.</u></div>").bytesDiffer(from: moved) == false)
    }

    @Test(
        "Letters in lines that nothing else cuts are there",
        arguments: [
            "overflow: hidden", "overflow: hidden; white-space: nowrap; text-overflow: ellipsis",
            "display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden",
            "display: -webkit-box; overflow: hidden", "display: -webkit-flex; overflow: hidden",
            "display: -webkit-inline-box; overflow: hidden",
        ])
    func cut(style: String) throws {
        func page(_ word: String) throws -> RGBAPicture { try draw("<p>a <span style='\(style)'>\(word)</span>") }
        #expect(try page("word").bytesDiffer(from: try page("")), "\(style)")
    }

    @Test("A box of old is a row or a column, and one in which a text is cut is as high as its lines at most")
    func old() throws {
        let row = try boxes("display: -webkit-box } b, i, u { width: 100px")
        #expect(row.has(0, 255, 0, x: 150, y: 50) && row.has(0, 0, 255, x: 250, y: 50))
        let column = try boxes("display: -webkit-box; -webkit-box-orient: vertical } b, i, u { width: 100px")
        #expect(column.has(0, 255, 0, x: 50, y: 150) && column.has(0, 0, 255, x: 50, y: 250))
        let style = "display: -webkit-box; -webkit-line-clamp: 2; overflow: hidden; font-size: 50px; line-height: 100px"
        for (words, end) in [(100, 200.0), (1, 100)] {
            let text = String(repeating: "words ", count: words)
            let page = try boxes(style + "} u { display: block", "<div>\(text)</div><u></u>")
            #expect(page.has(0, 0, 255, x: 600, y: end + 10) && page.has(0, 0, 255, x: 600, y: end + 90))
        }
    }

    @Test(
        "Parts of the window are lengths everywhere",
        arguments: [
            "margin-left: 50vw", "padding-left: 50vw; background: none",
            "position: absolute; left: 50vw; width: 40vmin",
            "margin-inline: 50vw -0vw", "margin-left: 35.5555vmax",
        ])
    func window(style: String) throws {
        let page = try boxes(
            "color: red } b, i, u { width: 100% } div { \(style)", "<div><u style='display:block'></u></div>")
        #expect(page.has(255, 255, 255, x: 310, y: 50) && page.has(0, 0, 255, x: 330, y: 50), "\(style)")
        let below = try boxes("margin-top: 50vh } u { display: block", "<div><u></u></div>")
        #expect(below.has(255, 255, 255, x: 10, y: 440) && below.has(0, 0, 255, x: 10, y: 460))
        let away = "<a style='position:absolute;left:-100vw'>word</a>"
        #expect(try draw("<p>a\(away)").bytesDiffer(from: try draw("<p>a")) == false)
    }

    @Test("Lists are counted, from any number on")
    func numbers() throws {
        func list(_ attributes: String) throws -> RGBAPicture { try draw("<ol \(attributes)><li>word", box: 256) }
        #expect(try list("").bytesDiffer(from: try list("start=8")))
        #expect(try draw("<ol><li>a<li>b").bytesDiffer(from: try draw("<ol><li>a<li value=9>b")))
    }

    @Test(
        "Boxes in boxes in numbers that no page has end",
        arguments: [
            "div { display: flex }", "div { display: grid; grid-template-columns: repeat(99999999, 1px) }",
            "div { display: inline-flex; flex-wrap: wrap }", "div { display: table-cell }",
            "div { display: table-row-group }",
            "div { display: inline-table }", "div { display: inline-block }", "div { float: left }",
            "div { display: flex; gap: 1e30px; flex: 1e30 -1e30 1e30px; order: -1e40; margin: auto; width: 1e9% }",
            "div { display: grid; grid-row: 1999999999 / span 99999; grid-column: -99999 / 9999999 }",
        ])
    func depth(style: String) throws {
        let page = "<p>shown<style>\(style)</style>" + String(repeating: "<div>a <p>b</p>", count: 90)
        #expect(try draw(Array(page.utf8)).bitmap.width == 182)
    }
}

extension RGBAPicture {
    /// Whether any pixel is another.
    func bytesDiffer(from other: RGBAPicture) -> Bool {
        guard width == other.width, height == other.height else { return true }
        return (0..<height).contains { y in
            (0..<width).contains { x in
                let (one, two) = (pixel(x: x, y: y), other.pixel(x: x, y: y))
                return one.red != two.red || one.green != two.green || one.blue != two.blue
            }
        }
    }
}
