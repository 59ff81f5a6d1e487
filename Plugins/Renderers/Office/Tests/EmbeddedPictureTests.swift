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
        let root = "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
        let input = try FileInput(path: "\(root)/fixtures/image/\(name)")
        return try input.bytes(at: 0, count: Int(input.size))
    }

    private func embedded(
        _ files: [(name: String, bytes: [UInt8])], _ format: DocumentFormat, box: Int = 160, isPacked: Bool = false
    ) -> EmbeddedPicture? {
        EmbeddedPicture(in: BytesInput(zipFile(files, isPacked: isPacked)), format: format, box: box)
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
        let found = embedded(
            [
                ("Thumbnails/thumbnail.png", try picture("rgb-8.png")),
                ("meta.xml", Array("<meta:document-statistic meta:page-count=\"3\"/>".utf8)),
            ], Self.text, isPacked: isPacked)
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
        let shorter = zipFile([("docProps/thumbnail.jpeg", jpeg)], claimedSize: jpeg.count - 1, isPacked: true)
        #expect(EmbeddedPicture(in: BytesInput(shorter), format: Self.slides, box: 160) == nil)
        let enormous = zipFile([("docProps/thumbnail.jpeg", jpeg)], claimedSize: 0xFFFF_FFFE, isPacked: true)
        #expect(EmbeddedPicture(in: BytesInput(enormous), format: Self.slides, box: 160) == nil)
    }

    @Test func leavesEmptyPicturesAlone() throws {
        #expect(embedded([("docProps/thumbnail.png", try picture("one-pixel.png"))], Self.slides, box: 1) == nil)
    }
}
