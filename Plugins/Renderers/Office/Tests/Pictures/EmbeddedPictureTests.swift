import CompoundFiles
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

/// Which pictures that documents carry are taken, and which are not.
@Suite struct EmbeddedPictureTests {
    private static let slides = DocumentFormat(packing: .openXML, family: .presentation, suffix: "pptx")
    private static let text = DocumentFormat(packing: .openDocument, family: .text, suffix: "odt")
    private static let book = DocumentFormat(packing: .openDocument, family: .spreadsheet, suffix: "ods")

    /// A picture of the project's own, 160 × 120.
    private func picture(_ name: String) throws -> [UInt8] {
        try Fixtures.bytes("image/\(name)")
    }

    private func embedded(
        _ files: [(name: String, bytes: [UInt8])], _ format: DocumentFormat, box: Int = 160, isPacked: Bool = false
    ) -> EmbeddedPicture? {
        EmbeddedPicture(in: BytesInput(zipPackage(files, isPacked: isPacked)), format: format, box: box)
    }

    private func colors(_ found: EmbeddedPicture?) throws -> RGBAPicture { RGBAPicture(try #require(found).bitmap) }

    @Test(arguments: [false, true]) func takesTheJPEGOfSlides(isPacked: Bool) throws {
        let found = embedded(
            [
                ("docProps/thumbnail.jpeg", try picture("plain.jpg")),
                ("docProps/app.xml", Array("<Properties><Slides>12</Slides></Properties>".utf8)),
            ], Self.slides, isPacked: isPacked)
        #expect(found?.pages == 12)
        let picture = try colors(found)
        #expect((picture.width, picture.height) == (160, 120))
        // The motif's top left quadrant is red.
        #expect(picture.pixels[0] > 180 && picture.pixels[1] < 80 && picture.pixels[2] < 80)
    }

    @Test(arguments: [false, true]) func takesThePNGOfATextAndCountsItsPages(isPacked: Bool) throws {
        let names = ["Thumbnails/thumbnail.png", "content.xml"]
        let package = Self.dated(
            [
                (names[0], try picture("rgb-8.png")), (names[1], Array("<a/>".utf8)),
                ("meta.xml", Self.meta("LibreOffice/24.8", pages: 3)),
            ], [names[0]: Self.now, names[1]: Self.now], isPacked: isPacked)
        let found = EmbeddedPicture(in: BytesInput(package), format: Self.text, box: 160)
        #expect(found?.pages == 3)
        let picture = try colors(found)
        #expect((picture.width, picture.height) == (160, 120))
        #expect(picture.pixels[0] > 180 && picture.pixels[1] < 80 && picture.pixels[3] == 255)
    }

    @Test func decodesNoLargerThanNeeded() throws {
        let found = embedded([("docProps/thumbnail.jpeg", try picture("plain.jpg"))], Self.slides, box: 80)
        #expect(found?.bitmap.width == 80)
        #expect(found?.pages == nil)
    }

    @Test func leavesSmallPicturesAlone() throws {
        #expect(embedded([("docProps/thumbnail.jpeg", try picture("plain.jpg"))], Self.slides, box: 161) == nil)
    }

    @Test func leavesSlidesThatInviteToFillThemAlone() throws {
        let slides = DocumentFormat(packing: .openDocument, family: .presentation, suffix: "odp")
        let picture = ("Thumbnails/thumbnail.png", try picture("rgb-8.png"))
        func embedded(_ colors: [String?], _ use: EmbeddedUse = .auto) -> EmbeddedPicture? {
            let package = Self.dated(
                [("content.xml", Documents.slides(colors)), picture, ("meta.xml", Self.meta("LibreOffice/24.8"))],
                ["content.xml": Self.now, picture.0: Self.now])
            return EmbeddedPicture(in: BytesInput(package), format: slides, box: 160, use)
        }
        #expect(embedded([nil, "FF0000"]) == nil)
        #expect(embedded([nil, "FF0000"], .prefer) != nil)
        #expect(embedded(["FF0000", nil]) != nil)
    }

    private static func meta(_ generator: String, pages: Int = 1) -> [UInt8] {
        let statistic = "<meta:document-statistic meta:page-count=\"\(pages)\"/>"
        return Array("<office:meta><meta:generator>\(generator)</meta:generator>\(statistic)</office:meta>".utf8)
    }

    /// 2026-03-04, 10:20.
    private static let now = 0x5C64_5280

    /// A package whose parts were written at these moments, in DOS's form; the others have no date.
    private static func dated(
        _ files: [(name: String, bytes: [UInt8])], _ moments: [String: Int], isPacked: Bool = false
    ) -> [UInt8] {
        var package = zipPackage(files, isPacked: isPacked)
        for (name, moment) in moments {
            let entries = package.indices.dropLast(46 + name.utf8.count).filter {
                package[$0...].starts(with: [0x50, 0x4B, 1, 2]) && package[($0 + 46)...].starts(with: name.utf8)
            }
            for at in entries { package.replaceSubrange(at + 12..<at + 16, with: little(moment, 4)) }
        }
        return package
    }

    @Test func leavesPicturesOfTemplatesAlone() throws {
        let picture = ("docProps/thumbnail.jpeg", try picture("plain.jpg"))
        let slide = ("ppt/slides/slide1.xml", Array("<p:sld/>".utf8))
        let (now, never) = (Self.now, 0x0021_0000)
        func slides(_ moments: [String: Int], _ use: EmbeddedUse = .auto) -> EmbeddedPicture? {
            let package = BytesInput(Self.dated([picture, slide], moments))
            return EmbeddedPicture(in: package, format: Self.slides, box: 160, use)
        }
        #expect(slides([picture.0: never, slide.0: never]) != nil)
        #expect(slides([slide.0: now]) == nil && slides([picture.0: now, slide.0: now]) == nil)
        #expect(slides([slide.0: now], .prefer) != nil)
    }

    @Test func leavesPicturesOfTemplatesOfOpenDocumentAlone() throws {
        let picture = ("Thumbnails/thumbnail.png", try picture("rgb-8.png"))
        func text(_ generator: String, _ moments: [String: Int] = [:]) -> EmbeddedPicture? {
            let files = [("content.xml", Array("<a/>".utf8)), ("meta.xml", Self.meta(generator)), picture]
            return EmbeddedPicture(in: BytesInput(Self.dated(files, moments)), format: Self.text, box: 160)
        }
        let (now, name) = (Self.now, picture.0)
        let dates = [name: now, "content.xml": now + 4]
        #expect(text("LibreOffice/24.8$Linux_X86_64", dates) != nil)
        #expect(text("LibreOffice/5.1.6.2$Linux", dates) != nil && text("Calligra/3.2", dates) != nil)
        // They leave out points where they make a page small.
        let coarse = [
            "OpenOffice.org/3.4$Win32", "OpenOffice/4.1.1$Win32", "LibreOffice/4.0.2.2$MacOSX_x86", "LibreOffice",
        ]
        #expect(coarse.allSatisfy { text($0, dates) == nil })
        // From 10:59 to 11:00, and to 11:01.
        #expect(text("LibreOffice/24.8", [name: 0x5C64_5760, "content.xml": 0x5C64_5800]) != nil)
        #expect(text("LibreOffice/24.8", [name: 0x5C64_5760, "content.xml": 0x5C64_5820]) == nil)
        // Without dates.
        #expect(text("LibreOffice/24.8") == nil && text("LibreOffice/24.8", ["content.xml": now]) == nil)
        #expect(text("Pandoc/3.1", dates) == nil && text("ODFPY/1.4.1", dates) == nil)
    }

    @Test func leavesPrintedPagesOfWorkbooksAlone() throws {
        #expect(embedded([("Thumbnails/thumbnail.png", try picture("rgb-8.png"))], Self.book) == nil)
    }

    @Test func leavesDamagedPicturesAlone() throws {
        let jpeg = try picture("plain.jpg")
        let png = try picture("rgb-8.png")
        for bytes in [[], [0xFF, 0xD8, 0xFF], Array(jpeg.prefix(jpeg.count / 2)), Array(png.prefix(png.count / 2))] {
            #expect(embedded([("docProps/thumbnail.jpeg", bytes)], Self.slides) == nil)
        }
        #expect(embedded([("docProps/thumbnail.jpeg", try picture("cmyk.jpg"))], Self.slides) == nil)
        let shorter = zipPackage([("docProps/thumbnail.jpeg", jpeg)], claimedSize: jpeg.count - 1, isPacked: true)
        #expect(EmbeddedPicture(in: BytesInput(shorter), format: Self.slides, box: 160) == nil)
        let enormous = zipPackage([("docProps/thumbnail.jpeg", jpeg)], claimedSize: 0xFFFF_FFFE, isPacked: true)
        #expect(EmbeddedPicture(in: BytesInput(enormous), format: Self.slides, box: 160) == nil)
    }

    @Test func leavesEmptyPicturesAlone() throws {
        #expect(embedded([("docProps/thumbnail.png", try picture("one-pixel.png"))], Self.slides, box: 1) == nil)
    }

    @Test func takesAsMuchAsItMay() throws {
        let slides = BytesInput(zipPackage([("docProps/thumbnail.jpeg", try picture("plain.jpg"))]))
        #expect(EmbeddedPicture(in: slides, format: Self.slides, box: 1024, .prefer)?.bitmap.width == 160)
        #expect(EmbeddedPicture(in: slides, format: Self.slides, box: 16, .never) == nil)
        let book = BytesInput(zipPackage([("Thumbnails/thumbnail.png", try picture("rgb-8.png"))]))
        #expect(EmbeddedPicture(in: book, format: Self.book, box: 128, .prefer) != nil)
    }

    /// A bitmap as the properties of compound files hold it: red above, blue below.
    private func clipboard(width: Int, height: Int, bits: Int = 24, isDownward: Bool = false) -> [UInt8] {
        let row = (width * 3 + 3) & ~3
        var rows = (0..<height).map { y in
            let pixel: [UInt8] = y < height / 2 ? [0, 0, 255] : [255, 0, 0]
            return (0..<width).flatMap { _ in pixel } + [UInt8](repeating: 0, count: row - width * 3)
        }
        if !isDownward { rows.reverse() }
        return little(-1, 4) + little(8, 4) + little(40, 4) + little(width, 4)
            + little(isDownward ? -height : height, 4) + little(1, 2) + little(bits, 2) + little(0, 24)
            + rows.flatMap(\.self)
    }

    @Test(arguments: [false, true]) func takesTheBitmapOfACompoundFile(isDownward: Bool) throws {
        let value = clipboard(width: 161, height: 121, isDownward: isDownward)
        let bitmap = try #require(try ClipboardPicture.bitmap(value))
        let picture = RGBAPicture(bitmap)
        #expect((picture.width, picture.height) == (161, 121))
        #expect(Array(picture.pixels.prefix(4)) == [255, 0, 0, 255])
        #expect(Array(picture.pixels.suffix(4)) == [0, 0, 255, 255])
        for count in [0, 8, 40, 48, value.count - 1] {
            #expect(try ClipboardPicture.bitmap(Array(value.prefix(count))) == nil)
        }
        #expect(try ClipboardPicture.bitmap(clipboard(width: 4, height: 4, bits: 16)) == nil)
        // Sizes that are not there, and a metafile.
        var bad = value
        bad.replaceSubrange(12..<16, with: [255, 255, 255, 127])
        #expect(try ClipboardPicture.bitmap(bad) == nil)
        bad = value
        bad[4] = 3
        #expect(try ClipboardPicture.bitmap(bad) == nil)
    }

    /// A metafile of 8 × 6 pixels, red but for its last row, which is blue, in a palette of two colours.
    /// - Parameter extra: a record before the bitmap.
    private func metafile(function: Int = 0x0B41, extra: [UInt8] = [], sourceWidth: Int = 8) -> [UInt8] {
        let pixels = [UInt8](repeating: 1, count: 8) + [UInt8](repeating: 0, count: 40)
        let header = little(40, 4) + little(8, 4) + little(6, 4) + little(1, 2) + little(8, 2) + little(0, 16)
        let dib = header + little(2, 4) + little(0, 4) + [0, 0, 255, 0, 255, 0, 0, 0] + pixels
        let usage = function == 0x0F43 ? little(0, 2) : []
        let place = little(0xCC0020, 4) + usage + little(6, 2) + little(sourceWidth, 2) + little(0, 12)
        let record = little((6 + place.count + dib.count) / 2, 4) + little(function, 2) + place + dib
        let start = little(1, 2) + little(9, 2) + little(0x300, 2) + little(0, 12)
        return start + little(5, 4) + little(0x20B, 2) + little(0, 4) + extra + record + little(3, 4) + little(0, 2)
    }

    @Test(arguments: [0x0B41, 0x0F43]) func takesTheBitmapOfAMetafile(function: Int) throws {
        let file = metafile(function: function)
        let place = little(0x9AC6_CDD7, 4) + [UInt8](repeating: 0, count: 18)
        for bytes in [file, place + file] {
            let picture = RGBAPicture(try #require(try MetafilePicture.bitmap(bytes)))
            #expect((picture.width, picture.height) == (8, 6))
            #expect(Array(picture.pixels.prefix(4)) == [255, 0, 0, 255])
            #expect(Array(picture.pixels.suffix(4)) == [0, 0, 255, 255])
        }
        let property = little(-1, 4) + little(3, 4) + little(8, 8) + file
        #expect(try ClipboardPicture.bitmap(property)?.width == 8)
        let package = zipPackage([("docProps/thumbnail.wmf", place + file)])
        #expect(EmbeddedPicture(in: BytesInput(package), format: Self.slides, box: 8)?.bitmap.width == 8)
        for count in 0..<(file.count - 6) { #expect(try MetafilePicture.bitmap(Array(file.prefix(count))) == nil) }
    }

    @Test func leavesMetafilesThatDrawAlone() throws {
        let text = little(4, 4) + little(0x0521, 2) + little(0, 2)
        #expect(try MetafilePicture.bitmap(metafile(extra: text)) == nil)
        // A part of a bitmap, and records without an end.
        #expect(try MetafilePicture.bitmap(metafile(sourceWidth: 7)) == nil)
        #expect(try MetafilePicture.bitmap(metafile(extra: little(0, 4) + little(0x20B, 2))) == nil)
        let many = (0..<300).flatMap { _ in little(3, 4) + little(0x0035, 2) }
        #expect(try MetafilePicture.bitmap(metafile(extra: many)) == nil)
    }

    /// LibreOffice invites people in its pictures, too, to fill empty fields.
    @Test(arguments: [true, false]) func leavesEmptyFieldsOfOldSlidesAlone(namesProgram: Bool) {
        func record(_ type: Int, _ content: [UInt8], isContainer: Bool = true) -> [UInt8] {
            little(isContainer ? 0xF : 0, 2) + little(type, 2) + little(content.count, 4) + content
        }
        let place = record(0xBC3, [0, 0, 0, 0, 0x0D, 0, 0, 0], isContainer: false)
        let document = record(0x3E8, []) + record(0x3EE, record(0xF004, record(0xF011, place) + record(0xF00D, [])))
        let picture = clipboard(width: 161, height: 121, bits: 24)
        let program = little(30, 4) + little(4, 4) + Array("PPT\0".utf8)
        // Unless the program is named, what has its place says something else.
        let list = little(2, 4) + little(namesProgram ? 18 : 99, 4) + little(24, 4) + little(17, 4) + little(36, 4)
        let stream =
            little(0xFFFE, 2) + [UInt8](repeating: 0, count: 42) + little(48, 4) + little(0, 4) + list + program
            + little(71, 4) + little(picture.count, 4) + picture
        let file = BytesInput(
            compoundFile([("PowerPoint Document", document), ("\u{5}SummaryInformation", stream)]))
        let old = DocumentFormat(packing: .compound, family: .presentation, suffix: "ppt")
        #expect((EmbeddedPicture(in: file, format: old, box: 128) != nil) == namesProgram)
        #expect(EmbeddedPicture(in: file, format: old, box: 128, .prefer) != nil)
    }

    @Test func leavesFramesAlone() throws {
        let (width, height) = (160, 120)
        func property(_ pixel: (Int, Int) -> UInt8) -> [UInt8] {
            var rows: [UInt8] = []
            for y in 0..<height { for x in 0..<width { rows += [UInt8](repeating: pixel(x, y), count: 3) } }
            return little(-1, 4) + little(8, 4) + little(40, 4) + little(width, 4) + little(height, 4) + little(1, 2)
                + little(24, 2) + little(0, 24) + rows
        }
        func isTaken(_ pixel: (Int, Int) -> UInt8) -> Bool {
            let value = property(pixel)
            let stream =
                little(0xFFFE, 2) + [UInt8](repeating: 0, count: 42) + little(48, 4) + little(0, 4)
                + little(1, 4) + little(17, 4) + little(16, 4) + little(71, 4) + little(value.count, 4) + value
            let doc = DocumentFormat(packing: .compound, family: .text, suffix: "doc")
            let file = BytesInput(compoundFile([("\u{5}SummaryInformation", stream), ("WordDocument", [])]))
            return EmbeddedPicture(in: file, format: doc, box: 128) != nil
        }
        func isEdge(_ x: Int, _ y: Int) -> Bool { x == 0 || y == 0 || x == width - 1 || y == height - 1 }
        #expect(isTaken { x, y in x == 80 ? 0 : 255 })
        #expect(!isTaken { x, y in (x == 80 && y == 60) || isEdge(x, y) ? 0 : 255 })
        // A dark slide.
        #expect(isTaken { x, y in x == 80 ? 255 : 0 })
    }

    @Test func takesItFromTheProperties() throws {
        let value = clipboard(width: 160, height: 120)
        let list = little(0, 4) + little(1, 4) + little(17, 4) + little(16, 4)
        let stream =
            little(0xFFFE, 2) + [UInt8](repeating: 0, count: 42) + little(48, 4) + list + little(71, 4)
            + little(value.count, 4) + value
        let doc = DocumentFormat(packing: .compound, family: .text, suffix: "doc")
        // More sectors than the maker's table has; the properties are read from the stream itself.
        #expect(SummaryInformation(stream)?.thumbnail == value)
        let small = clipboard(width: 64, height: 48)
        let short = Array(stream.dropLast(value.count + 4)) + little(small.count, 4) + small
        let file = BytesInput(compoundFile([("\u{5}SummaryInformation", short), ("WordDocument", [])]))
        #expect(EmbeddedPicture(in: file, format: doc, box: 64)?.bitmap.width == 64)
        #expect(EmbeddedPicture(in: file, format: doc, box: 65) == nil)
        #expect(EmbeddedPicture(in: file, format: doc, box: 64, .never) == nil)
    }
}
