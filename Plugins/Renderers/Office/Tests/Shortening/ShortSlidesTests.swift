import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

@Suite struct ShortSlidesTests {
    private static let slides = DocumentFormat(packing: .openXML, family: .presentation, suffix: "pptx")

    private func list(_ part: [UInt8]) -> (count: Int, text: String)? {
        SlideList(of: part).map { ($0.count, String(decoding: $0.shortened, as: UTF8.self)) }
    }

    @Test func keepTheFirstSlideOfTheList() throws {
        let found = try #require(list(SlidesPackage.main(12)))
        #expect(found.count == 12)
        #expect(found.text == String(decoding: SlidesPackage.main(1), as: UTF8.self))
        // Sections stay as they are.
        let sections = SlidesPackage.sections(0..<12)
        let divided = try #require(list(SlidesPackage.main(12, behind: sections)))
        #expect(divided.count == 12)
        #expect(divided.text == String(decoding: SlidesPackage.main(1, behind: sections), as: UTF8.self))
        #expect(list(SlidesPackage.main(1, behind: sections)) == nil)
        #expect(list(SlidesPackage.main(1)) == nil && list(SlidesPackage.main(0)) == nil)
    }

    @Test func areNotMadeWhereTheListIsNotUnderstood() {
        let show = "<p:custShowLst><p:custShow><p:sldLst><p:sld r:id=\"s1\"/></p:sldLst></p:custShow></p:custShowLst>"
        #expect(list(SlidesPackage.main(3, behind: show)) == nil)
        #expect(list(SlidesPackage.main(3, behind: "<p:sldIdLst/>"))?.count == 3)
        #expect(list(SlidesPackage.main(3, behind: "<p:sldIdLst></p:sldIdLst>")) == nil)
        #expect(list(SlidesPackage.main(3, behind: "<!-- a comment -->")) == nil)
        #expect(list(SlidesPackage.main(3, behind: "</p:presentation>")) == nil)
        let whole = SlidesPackage.main(3)
        for count in stride(from: 0, to: whole.count - 1, by: 7) { #expect(list(Array(whole.prefix(count))) == nil) }
        #expect(list((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7919) }) == nil)
    }

    @Test func areNotMadeOfTooMuch() throws {
        var bytes = SlidesPackage(["FF0000", "00FF00"]).bytes
        // The list names the part last, 22 bytes behind its size.
        let name = Array("ppt/slides/slide1.xml".utf8)
        let named = try #require(bytes.indices.last { bytes[$0...].starts(with: name) })
        bytes[named - 22 + 3] = 0x20
        #expect(ShortSlides(of: BytesInput(bytes), Self.slides) == nil)
    }

    @Test func areMadeOfPresentationsOnly() {
        let package = BytesInput(SlidesPackage(["FF0000", "00FF00"]).bytes)
        let short = ShortSlides(of: package, Self.slides)
        #expect([0, 1, 2].map { short?.allPages(whenShown: $0) } == [nil, 2, nil])
        for format in [
            DocumentFormat(packing: .openDocument, family: .presentation, suffix: "odp"),
            DocumentFormat(packing: .openXML, family: .text, suffix: "docx"),
        ] { #expect(ShortSlides(of: package, format) == nil) }
        for bytes in [[], [0x50, 0x4B, 5, 6], zipPackage([("ppt/slides/slide1.xml", [1])])] {
            #expect(ShortSlides(of: BytesInput(bytes), Self.slides) == nil)
        }
    }
}
