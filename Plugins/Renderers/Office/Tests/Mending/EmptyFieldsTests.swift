import Testing
import VitrineKit
import VitrineTesting

import enum RendererFixtures.Fixtures
import func RendererFixtures.compoundFile
import func RendererFixtures.little

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
        let flat = DocumentFormat(packing: .flatXML, family: .presentation, suffix: "fodp")
        let file = BytesInput(Documents.slides(["FF0000", nil, "00FF00"]))
        #expect((0..<4).map { EmptyFields.are(on: $0, of: file, flat) } == [false, true, false, false])
    }

    @Test func areFoundInOldSlides() {
        let old = DocumentFormat(packing: .compound, family: .presentation, suffix: "ppt")
        // [MS-PPT]: a head of a version, a type and a length, then the content.
        func record(_ type: Int, _ content: [UInt8], isContainer: Bool = true, instance: Int = 0) -> [UInt8] {
            little(instance << 4 | (isContainer ? 0xF : 0), 2) + little(type, 2) + little(content.count, 4) + content
        }
        func slide(_ field: UInt8, _ text: [UInt8]) -> [UInt8] {
            let place = record(0xBC3, [0, 0, 0, 0, field, 0, 0, 0], isContainer: false)
            let shape = record(0xF004, record(0xF011, place) + record(0xF00D, text))
            return record(0x3EE, record(0x40C, record(0xF002, record(0xF003, shape))))
        }
        let head = record(0xF9F, [0, 0, 0, 0], isContainer: false), words = record(0xFA8, [65], isContainer: false)
        let slides = [
            slide(0x0D, head + words), slide(0x0D, head), slide(0x08, head), slide(0x10, []),
            slide(0x0E, record(0xF9E, [0, 0, 0, 0], isContainer: false)),
        ]
        let document = record(0x3E8, head) + slides.flatMap { $0 }
        let input = BytesInput(compoundFile([("PowerPoint Document", document)]))
        #expect((0..<6).map { EmptyFields.are(on: $0, of: input, old) } == [false, true, false, true, false, false])
        // Their words in the outline: of the first slide the second text has none, of the second slide the first.
        func pointer(_ number: Int) -> [UInt8] { record(0xF9E, little(number, 4), isContainer: false) }
        let start = record(0x3F3, [0], isContainer: false)
        let outline = start + head + words + head + start + head + head + words
        let masters = record(0xFF0, start + head + head + words, instance: 1)
        for (number, areEmpty) in [(0, [false, true]), (1, [true, false]), (2, [false, false])] {
            let pair = slide(0x0D, pointer(number))
            let bytes = record(0x3E8, masters + record(0xFF0, outline)) + pair + pair
            let input = BytesInput(compoundFile([("PowerPoint Document", bytes)]))
            #expect((0..<2).map { EmptyFields.are(on: $0, of: input, old) } == areEmpty)
        }
        var deep = words
        for _ in 0..<1000 { deep = record(0xF003, deep) }
        for bytes in [Array(document.prefix(200)), [], [15, 0, 0xEE, 3, 255, 255, 255, 255], record(0x3EE, deep)] {
            let input = BytesInput(compoundFile([("PowerPoint Document", bytes)]))
            #expect(!EmptyFields.are(on: 0, of: input, old))
        }
    }

    @Test func presentationsMayHaveNoSlides() {
        let old = DocumentFormat(packing: .compound, family: .presentation, suffix: "ppt")
        func file(_ records: [UInt8]) -> BytesInput { BytesInput(compoundFile([("PowerPoint Document", records)])) }
        let document: [UInt8] = [0x0F, 0, 0xE8, 3, 0, 0, 0, 0], slide: [UInt8] = [0x0F, 0, 0xEE, 3, 0, 0, 0, 0]
        #expect(PresentationState.hasNoSlides(file(document), old))
        #expect(!PresentationState.hasNoSlides(file(document + slide), old))
        // Damaged: a record is longer than what is left of the file.
        #expect(!PresentationState.hasNoSlides(file([0x0F, 0, 0xE8, 3, 9, 0, 0, 0]), old))
        #expect(!PresentationState.hasNoSlides(file(document + [0x0F, 0, 0xEF, 3, 255, 255, 0, 0]), old))
        #expect(!PresentationState.hasNoSlides(file([]), old))
        #expect(!PresentationState.hasNoSlides(BytesInput([]), old))
        #expect(PresentationState.hasNoSlides(BytesInput(SlidesPackage([]).bytes), Self.slides))
        #expect(!PresentationState.hasNoSlides(BytesInput(SlidesPackage(["FF0000"]).bytes), Self.slides))
        #expect(!PresentationState.hasNoSlides(BytesInput(zipPackage([("ppt/presentation.xml", [60])])), Self.slides))
    }

    @Test func presentationsMayShowTheirMasters() {
        let old = DocumentFormat(packing: .compound, family: .presentation, suffix: "ppt")
        func isShown(_ view: Int, type: Int = 0xFF5, at place: Int = 8) -> Bool {
            let user = [UInt8](repeating: 0, count: 16) + little(place, 4)
            let edit =
                little(0, 2) + little(type, 2) + little(28, 4) + [UInt8](repeating: 0, count: 24) + little(view, 4)
            let records = [0x0F, 0, 0xE8, 3, 0, 0, 0, 0] + edit
            let file = compoundFile([("Current User", user), ("PowerPoint Document", records)])
            return PresentationState.showsMasters(BytesInput(file), old)
        }
        #expect(isShown(2) && isShown(10))
        #expect(!isShown(1) && !isShown(3))
        #expect(
            !isShown(2, type: 0xFF6) && !isShown(2, at: 9) && !isShown(2, at: 100_000) && !isShown(2, at: 0xFFFF_FFF0))
        #expect(!PresentationState.showsMasters(BytesInput([]), old))
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
