import Testing
import VitrineKit
import VitrineTesting

import enum RendererFixtures.Fixtures

@testable import OfficeRenderer

@Suite struct EmptyFieldsTests {
    private static let slides = DocumentFormat(packing: .openXML, family: .presentation, suffix: "pptx")
    private static let open = DocumentFormat(packing: .openDocument, family: .presentation, suffix: "odp")

    private func shape(_ field: String, _ text: String) -> String {
        "<p:sp><p:nvSpPr><p:nvPr>\(field)</p:nvPr></p:nvSpPr><p:txBody><a:p>\(text)</a:p></p:txBody></p:sp>"
    }

    /// A presentation of two slides, the first of which is sound.
    private func package(_ second: String) -> BytesInput {
        func part(_ content: String) -> [UInt8] {
            Array("<p:sld xmlns:p=\"urn:p\" xmlns:a=\"urn:a\" xmlns:r=\"urn:r\">\(content)</p:sld>".utf8)
        }
        let list = "<p:sldIdLst><p:sldId id=\"256\" r:id=\"a\"/><p:sldId id=\"257\" r:id=\"b\"/></p:sldIdLst>"
        let relations = ["a", "b"].map { "<Relationship Id=\"\($0)\" Target=\"slides/\($0).xml\"/>" }.joined()
        return BytesInput(
            zipPackage([
                ("ppt/presentation.xml", part(list)),
                ("ppt/_rels/presentation.xml.rels", Array("<Relationships>\(relations)</Relationships>".utf8)),
                ("ppt/slides/a.xml", part(shape("<p:ph type=\"title\"/>", "<a:r><a:t>Hello</a:t></a:r>"))),
                ("ppt/slides/b.xml", part(second)),
            ]))
    }

    @Test func areFieldsWithoutWords() {
        let empty = package(shape("<p:ph type=\"title\"/>", ""))
        #expect(EmptyFields.are(on: 1, of: empty, Self.slides))
        #expect(!EmptyFields.are(on: 0, of: empty, Self.slides))
        #expect(!EmptyFields.are(on: 2, of: empty, Self.slides))
        // A shape that is none of the layout's, and the number of the slide.
        #expect(!EmptyFields.are(on: 1, of: package(shape("", "")), Self.slides))
        let number = shape("<p:ph type=\"sldNum\"/>", "<a:fld type=\"slidenum\"/>")
        #expect(!EmptyFields.are(on: 1, of: package(number), Self.slides))
    }

    @Test func areThoseThatOpenDocumentMarks() {
        let package = BytesInput(zipPackage([("content.xml", Documents.slides(["FF0000", nil, "00FF00"]))]))
        #expect((0..<4).map { EmptyFields.are(on: $0, of: package, Self.open) } == [false, true, false, false])
    }

    @Test func areNotThoseOfNotes() throws {
        // As Impress wrote it: each slide without notes has an empty field for them.
        let deck = BytesInput(try Fixtures.bytes("office/vitrine.odp"))
        let content = try ZipDirectory(deck).unpacked("content.xml", limit: 1 << 20, in: deck)
        #expect(String(decoding: content ?? [], as: UTF8.self).contains("presentation:placeholder=\"true\""))
        #expect(!EmptyFields.are(on: 0, of: deck, Self.open))
    }

    @Test func areNotFoundInWhatIsDamaged() {
        #expect(!EmptyFields.are(on: 1, of: package("<p:sp><p:ph/></p:sp"), Self.slides))
        #expect(!EmptyFields.are(on: 0, of: BytesInput([0x50, 0x4B, 5, 6]), Self.open))
        #expect(!EmptyFields.are(on: 0, of: BytesInput([]), Self.open))
    }
}
