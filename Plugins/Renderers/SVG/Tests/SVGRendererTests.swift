import Foundation
import Testing
import VitrineKit
import VitrineTesting

@testable import SVGRenderer

@Suite(.serialized) struct SVGRendererTests {
    @Test("It keeps the renderer's contract")
    func conformance() {
        let plain = Array(SampleDrawings.drawing(SampleDrawings.quarters + "<text y='40'>Vitrine</text>").utf8)
        let suite = RendererConformance(
            samples: [
                RendererSample("a drawing", mimeType: "image/svg+xml", bytes: plain),
                RendererSample(
                    "a compressed drawing", mimeType: "image/svg+xml-compressed",
                    bytes: SampleDrawings.compressed(plain)),
            ],
            enlarges: true
        ) { environment throws(PluginError) in try SVGRenderer(environment) }
        #expect(suite.violations() == [])
    }

    @Test("Colours lie where the drawing has them, and what it leaves transparent stays so")
    func colours() throws {
        let rendering = try Drawn(SampleDrawings.drawing(SampleDrawings.quarters), box: 400)
        #expect(rendering.size == PixelSize(width: 400, height: 200))
        #expect(rendering.original == PixelSize(width: 200, height: 100))
        #expect(rendering.bitmap.format == .bgraPremultiplied)
        #expect(rendering[100, 150] == .red)
        #expect(rendering[300, 50] == .blue)
        #expect(rendering[100, 50] == .clear)
        // Drawn at this size, not enlarged: the edge is sharp.
        #expect(rendering[199, 101] == .red && rendering[200, 101] == .clear)
    }

    @Test("What lies outside of the view box is not shown")
    func viewBox() throws {
        let rendering = try Drawn(SampleDrawings.drawing(SampleDrawings.quarters, #"viewBox="110 10 80 40""#))
        #expect(rendering.original == PixelSize(width: 80, height: 40))
        #expect(rendering[0, 0] == .blue && rendering[199, 99] == .blue)
    }

    @Test("Half transparent red is multiplied by its alpha")
    func transparency() throws {
        let rendering = try Drawn(SampleDrawings.drawing(#"<g opacity="0.5">\#(SampleDrawings.red)</g>"#))
        guard case .other(let pixel) = rendering[100, 50] else {
            Issue.record("the pixel is a plain colour")
            return
        }
        #expect(pixel[0] == 0 && pixel[1] == 0 && pixel[2] == pixel[3] && abs(Int(pixel[3]) - 128) <= 1)
    }

    @Test(
        "A drawing says in many ways how large it is",
        arguments: [
            (#"width="30" height="60""#, 30, 60), (#"width="1in" height="2in""#, 96, 192),
            (#"width="25.4mm" height="1.27cm""#, 96, 48), (#"width="72pt" height="12pc""#, 96, 192),
            (#"style="width:40px;height:20px""#, 40, 20),
            (#"viewBox="0 0 20 40""#, 20, 40), (#"viewBox="0 0 20 40" width="100%" height="50%""#, 20, 40),
            (#"viewBox="0 0 20 40" width="10""#, 10, 20), (#"viewBox="0 0 20 40" height="1in""#, 48, 96),
            (#"viewBox="0 0 20 40" width="300" height="300""#, 300, 300),
            (#"width="100%" height="100%""#, 300, 150), ("", 300, 150), (#"width="60""#, 60, 150),
            (#"width="-5" height="60""#, 300, 60), (#"width="0.25" height="0.5""#, 1, 1),
            (#"width="1000000000" height="500000000""#, 1_000_000_000, 500_000_000),
        ])
    func sizes(attributes: String, width: Int, height: Int) throws {
        let rendering = try Drawn(SampleDrawings.drawing(SampleDrawings.red, attributes), box: 64)
        #expect(rendering.original == PixelSize(width: width, height: height))
        #expect(max(rendering.size.width, rendering.size.height) == 64)
        // The drawing reaches every corner.
        let (right, bottom) = (rendering.size.width - 1, rendering.size.height - 1)
        for (x, y) in [(0, 0), (right, 0), (0, bottom), (right, bottom)] where !attributes.contains("300\"") {
            #expect(rendering[x, y] == .red, "at \(x), \(y)")
        }
    }

    @Test("A drawing without any size is as large as what is in it")
    func noSize() throws {
        let circle = try Drawn(SampleDrawings.drawing(#"<circle cx="50" cy="50" r="50" fill="red"/>"#, ""), box: 100)
        #expect(circle.original == PixelSize(width: 100, height: 100))
        #expect(circle[50, 50] == .red && circle[97, 50] == .red && circle[1, 1] == .clear)
        let nothing = try Drawn(SampleDrawings.drawing("", ""), box: 60)
        #expect(nothing.original == PixelSize(width: 300, height: 150))
        let beyond = SampleDrawings.drawing(SampleDrawings.red, #"width="1e12" height="1e12""#)
        #expect(try Drawn(beyond).original == nil)
    }

    @Test("A very flat drawing has a row of its own colour", arguments: [(5000, 1, 200, 1), (1, 5000, 1, 200)])
    func flat(width: Int, height: Int, shownWidth: Int, shownHeight: Int) throws {
        let rendering = try Drawn(
            SampleDrawings.drawing(SampleDrawings.red, #"width="\#(width)" height="\#(height)""#))
        #expect(rendering.size == PixelSize(width: shownWidth, height: shownHeight))
        #expect(rendering[0, 0] == .red)
    }

    @Test("Text is drawn, and pictures that lie inside the drawing are", arguments: ["image/png", ""])
    func contents(type: String) throws {
        let picture = SampleDrawings.picture("data:\(type);base64,\(SampleDrawings.pixel)")
        #expect(try Drawn(SampleDrawings.drawing(picture))[100, 50] == .red)
        let text = #"<text x="100" y="120" font-size="150" text-anchor="middle">\#u{25A0}</text>"#
        #expect(try Drawn(SampleDrawings.drawing(text)).isBlank == false)
    }

    @Test(
        "A picture inside of a drawing is drawn whatever its link calls it",
        arguments: ["image/jpg", "image/jpeg", "IMAGE/x-png", "img/png", "application/octet-stream;charset=utf-8"])
    func wrongTypes(type: String) throws {
        let pictures = ["", " ", "\n  "].map {
            SampleDrawings.picture("data:\(type);base64,\($0)\(SampleDrawings.pixel)")
        }
        for picture in pictures {
            #expect(try Drawn(SampleDrawings.drawing("<g id='data:'>\(picture)</g>"))[100, 50] == .red)
        }
        let blue = #"<rect width="100" height="100" fill="blue"/>"#
        let both = try Drawn(SampleDrawings.drawing(pictures[0] + blue + "<a:b/>"))
        #expect(both[50, 50] == .blue && both[150, 50] == .red)
    }

    @Test(
        "What is no picture, or has its own type, stays as it is",
        arguments: [
            "data:image/png;base64,\(SampleDrawings.pixel)", "data:;base64,\(SampleDrawings.pixel)",
            "data:image/jpg;base64,",
            "data:image/jpg,\(SampleDrawings.pixel)", "data:a b;base64,\(SampleDrawings.pixel)", "data:", "data",
            "xdata:font/woff;base64,d09GRgABAAAAA", "data:image/svg+xml;base64,PHN2Zy8+",
        ])
    func rightTypes(link: String) {
        let corrected = Array(link.utf8).withUnsafeBytes { PictureTypes.corrected(in: $0) }
        #expect(corrected == nil)
    }

    @Test("A drawing inside of a drawing is drawn")
    func drawingInside() throws {
        let inner = Data(SampleDrawings.drawing(SampleDrawings.red).utf8).base64EncodedString()
        let picture = SampleDrawings.picture("data:image/svg+xml;base64,\(inner)")
        #expect(try Drawn(SampleDrawings.drawing(picture))[100, 50] == .red)
    }

    @Test(
        "A drawing in another encoding than UTF-8 is read",
        arguments: [
            ("ISO-8859-1", [0xE9] as [UInt8]), ("windows-1252", [0xE9]), ("UTF-8", [0xC3, 0xA9]),
            ("IBM850", [0x82]), ("GB18030", [0xA8, 0xA6]),
        ])
    func encodings(name: String, letter: [UInt8]) throws {
        // The letter names the style that colours the drawing: all is red only when it is read the same twice, and
        // as a letter.
        let content = "<style>.a~{fill:red}</style><rect class='a~' width='100%' height='100%'/>"
        let text = SampleDrawings.drawing(content, prolog: "<?xml version='1.0' encoding='\(name)'?>")
        let bytes = text.utf8.flatMap { $0 == UInt8(ascii: "~") ? letter : [$0] }
        #expect(try Drawn(bytes)[100, 50] == .red)
    }

    @Test("A drawing in UTF-16 is read", arguments: [false, true])
    func utf16(bigEndian: Bool) throws {
        let units = [0xFEFF] + Array(SampleDrawings.drawing(SampleDrawings.red).utf16)
        let bytes = units.flatMap { unit in
            let pair = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
            return bigEndian ? pair.reversed() : pair
        }
        #expect(try Drawn(bytes)[100, 50] == .red)
    }

    @Test(
        "Prefixes that nothing declares do not keep a drawing from being drawn",
        arguments: [
            "<sodipodi:namedview id='a'/>", "<g inkscape:label='a' b:c = \"d>\" />", "<g><x:y xmlns:z='a'/><z:a/></g>",
            "<!-- <a:b> --><?c <e:f>?><g é:l='m'/>", "<style><![CDATA[ <a:b xmlns:c='d'> ]]></style><c:d/>",
        ])
    func prefixes(content: String) throws {
        #expect(try Drawn(SampleDrawings.drawing(content + SampleDrawings.red))[100, 50] == .red)
        #expect(
            try Drawn(SampleDrawings.compressed(Array(SampleDrawings.drawing(content + SampleDrawings.red).utf8)))[
                100, 50] == .red)
    }

    @Test("A drawing out of a page of the web has its links")
    func linksWithoutDeclaration() throws {
        let root =
            "<!DOCTYPE svg [<!ENTITY a '<b/>'>]>\n<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100'>"
        let use = "<defs><g id='a'>\(SampleDrawings.red)</g></defs><use xlink:href='#a'/></svg>"
        #expect(try Drawn(root + use)[100, 50] == .red)
        #expect(
            try Drawn("<svg:svg width='200' height='100'><svg:rect width='200' height='100' fill='red'/></svg:svg>")[
                100, 50] == .red)
    }

    @Test(
        "What is damaged otherwise stays refused",
        arguments: ["<a:b>", "<a:b", "<a:b c='", "<", "<a:b c=d'/>", "&a;<a:b/>"])
    func damage(content: String) {
        #expect(throws: PluginError.self) { try Drawn(SampleDrawings.drawing(content)) }
    }

    @Test(
        "The drawing's own title is told, and not that of a part",
        arguments: [
            ("<title>A &amp;\n B</title>", "A & B"), ("<g><title>part</title></g>", nil), ("<title/>", nil),
            ("<title>\u{7}", nil), ("<titl", nil), ("", nil),
        ] as [(String, String?)])
    func title(content: String, title: String?) {
        let bytes = Array("<svg xmlns='http://www.w3.org/2000/svg'>\(content)</svg>".utf8)
        #expect(bytes.withUnsafeBytes { SVGTitle.of($0) } == title)
    }
}
