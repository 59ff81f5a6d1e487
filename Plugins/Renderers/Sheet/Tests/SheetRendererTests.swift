import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import SheetRenderer

@Suite(.serialized) struct SheetRendererTests {
    static let type = "application/vnd.vitrine.sheet"

    /// A sheet with two files of which one has no picture.
    static func sheet(_ name: String = "a name.png", _ detail: String = "40 B") throws -> [UInt8] {
        let png = try Fixtures.bytes("image/palette.png")
        let lines = [
            "vitrine-sheet 1", "title\tHolidays", "note\t1 Pictures · 1 PDF documents",
            "folder\tHolidays\t2 files, 50 B",
            "kind\tPictures", "file\t\(name)\t\(detail)\t\(png.count)", "kind\tPDF documents",
            "failure\tletter.pdf\t10 B\tthe file is damaged", "end\tThat is all.",
        ]
        return Array((lines.joined(separator: "\n") + "\n\n").utf8) + png
    }

    static func draw(_ bytes: [UInt8], box: Int = 4000) throws -> Rendering {
        let renderer = try SheetRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: 4_000_000))
        return try renderer.render(BytesInput(bytes), RenderRequest(box: box, mimeType: type))
    }

    static func pixels(_ rendering: Rendering) -> [UInt8] { rendering.bitmap.withUnsafeMutableBytes { Array($0) } }

    @Test("It keeps the renderer's contract")
    func conformance() throws {
        let sample = RendererSample("a sheet", mimeType: Self.type, bytes: try Self.sheet())
        let suite = RendererConformance(samples: [sample]) { environment throws(PluginError) in
            try SheetRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("A sheet is as wide as its columns, and everything on it is seen")
    func everything() throws {
        let whole = try Self.draw(try Self.sheet())
        #expect(whole.bitmap.width == 2 * 44 + 5 * 200 - 16 && whole.bitmap.isOpaque)
        #expect(whole.facts.details[.members] == .number(2))
        // Each word makes a difference.
        let text = String(decoding: try Self.sheet().prefix { $0 != 0x89 }, as: UTF8.self)
        for (word, other) in [
            ("title\tHolidays", "title\tHoliday"), ("note\t1", "note\t2"), ("folder\tHolidays", "folder\tHoliday"),
            ("50 B", "51 B"), ("kind\tPictures", "kind\tFilms"), ("a name", "b name"), ("40 B", "41 B"),
            ("letter", "better"), ("10 B", "11 B"), ("damaged", "gone"), ("all.", "it."),
        ] {
            let changed = text.replacing(word, with: other)
            #expect(changed != text)
            let bytes = Array(changed.utf8) + (try Fixtures.bytes("image/palette.png"))
            #expect(try Self.pixels(Self.draw(bytes)) != Self.pixels(whole), "\(word)")
        }
    }

    @Test("A long name ends in an ellipsis, and what lies beside it stays as it is")
    func longName() throws {
        let short = try Self.draw(try Self.sheet())
        let long = try Self.draw(try Self.sheet(String(repeating: "WordsWithoutEnd", count: 40)))
        #expect(long.bitmap.width == short.bitmap.width && long.bitmap.height == short.bitmap.height)
        let (row, cell) = (short.bitmap.bytesPerRow, (44 + 184 + 16) * 4)
        let (one, other) = (Self.pixels(short), Self.pixels(long))
        for y in 0..<short.bitmap.height {
            #expect(one[y * row + cell..<(y + 1) * row] == other[y * row + cell..<(y + 1) * row])
        }
    }

    @Test("That files have no room is said, and so is what is said at the end")
    func noRoom() throws {
        // A folder for each file needs more height than a row of files.
        let files = (0..<400).flatMap { ["folder\tA\t", "failure\tfile \($0)\t\tit is damaged"] }
        let lines = files + ["end\tone", "end\ttwo"]
        let bytes = Array((["vitrine-sheet 1"] + lines).joined(separator: "\n").utf8) + [10, 10]
        let description = try bytes.withUnsafeBytes { raw in
            try Result { () throws(PluginError) in try SheetDescription(raw) }.get()
        }
        let small = SheetPlan(description, longest: 3400)
        #expect(small.height <= 3400 && 1..<400 ~= small.shown && small.places.count == 2 * small.shown + 3)
        let more = SheetDescription.Part.end("There are more files, for which this sheet has no room.")
        #expect(small.places.suffix(3).map(\.part) == [more, .end("one"), .end("two")])
        let large = SheetPlan(description, longest: 200_000)
        #expect(large.shown == 400 && large.places.suffix(2).map(\.part) == [.end("one"), .end("two")])
    }
}
