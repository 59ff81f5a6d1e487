import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

/// Presentations in PowerPoint's own format, of which the first slide alone is listed.
@Suite struct ShortSlideRecordsTests {
    private static let old = DocumentFormat(packing: .compound, family: .presentation, suffix: "ppt")

    private static func record(_ type: Int, _ content: [UInt8], version: Int = 0) -> [UInt8] {
        little(version, 2) + little(type, 2) + little(content.count, 4) + content
    }

    /// A list of slides, each with a text behind it.
    private static func slides(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { record(0x3F3, little($0, 4)) + record(0xFA8, [65, 66]) }
    }

    /// A file whose document lists slides, behind masters and other records.
    /// - Parameters:
    ///   - list: what is in the list.
    ///   - padding: bytes before the document.
    ///   - later: further edits that have other objects only.
    ///   - isTurned: whether the first edit lies behind one of these.
    private static func file(
        _ list: [UInt8], padding: Int = 4096, later: Int = 0, isTurned: Bool = false, root: Int = 0x3E8
    ) -> [UInt8] {
        let masters = record(0xFF0, record(0x3F3, [1]), version: 0x1F)
        let document = record(root, record(0x3E9, [1]) + masters + record(0xFF0, list, version: 0xF), version: 0xF)
        var stream = record(0x40A, [UInt8](repeating: 7, count: padding - 8)) + document
        func edit(_ directory: Int, before: Int) -> [UInt8] {
            let numbers = [0, 3, before, directory, 2].flatMap { little($0, 4) }
            return record(0xFF5, numbers + little(0, 8))
        }
        // Objects 1 and 2, or object 9.
        let runs = [little(1 | 2 << 20, 4) + little(5, 4) + little(padding, 4), little(9 | 1 << 20, 4) + little(0, 4)]
        var last = 0
        if isTurned {
            let directory = stream.count
            stream += record(0x1772, runs[0])
            let other = stream.count
            stream += record(0x1772, runs[1])
            last = stream.count
            stream += edit(other, before: last + 36) + edit(directory, before: 0)
        } else {
            for number in 0...later {
                let directory = stream.count
                stream += record(0x1772, runs[min(1, number)])
                let place = stream.count
                stream += edit(directory, before: last)
                last = place
            }
        }
        let user = [UInt8](repeating: 0, count: 16) + little(last, 4)
        return compoundFile([("Current User", user), ("PowerPoint Document", stream)])
    }

    private static func list(_ bytes: [UInt8]) -> SlideRecordList? { try? SlideRecordList(of: BytesInput(bytes)) }

    /// The head of the record behind the first slide's may lie in two sectors.
    @Test(arguments: [4096, 4570, 4574, 4577], [0, 2]) func listTheFirstSlideAlone(padding: Int, later: Int) throws {
        var bytes = Self.file(Self.slides(12), padding: padding, later: later)
        let found = try #require(Self.list(bytes))
        #expect(found.count == 12 && found.changes.count == 8)
        for (place, byte) in found.changes { bytes[Int(place)] = byte }
        let slides = Self.slides(12)
        let expected = Self.file(
            slides.prefix(22) + Self.record(0xFFF, Array(slides[30...])), padding: padding, later: later)
        #expect(bytes == expected)
        #expect(Self.list(bytes) == nil)
    }

    @Test func areNotMadeOfOneSlideOrOfWhatIsNotUnderstood() {
        let slides = Self.slides(3)
        #expect(Self.list(Self.file(slides)) != nil)
        for bytes in [
            Self.file(Self.slides(1)), Self.file([]), Self.file(Array(slides.dropLast())), Self.file(slides, root: 9),
        ] {
            #expect(Self.list(bytes) == nil)
        }
        let whole = Self.file(slides, later: 1)
        for count in stride(from: 0, to: whole.count, by: 97) { _ = Self.list(Array(whole.prefix(count))) }
        for place in whole.indices.dropFirst(1536) where whole[place] != 7 {
            var damaged = whole
            damaged[place] ^= 0xFF
            // Never more than a head is changed, and within the file.
            guard let list = Self.list(damaged) else { continue }
            #expect(list.changes.count == 8 && list.changes.keys.allSatisfy { 0..<Int64(whole.count) ~= $0 })
        }
        for format in [
            DocumentFormat(packing: .compound, family: .text, suffix: "doc"),
            DocumentFormat(packing: .openXML, family: .presentation, suffix: "pptx"),
        ] { #expect(ShortSlideRecords(of: BytesInput(whole), format) == nil) }
    }

    /// The older one says nothing new, and might be the newer one itself.
    @Test func areNotMadeOfEditsThatLieBehindNewerOnes() {
        #expect(Self.list(Self.file(Self.slides(3), later: 1)) != nil)
        #expect(Self.list(Self.file(Self.slides(3), later: 1, isTurned: true)) == nil)
    }

    @Test func ofAFileOfLibreOffice() throws {
        let input = BytesInput(try Fixtures.bytes("office/vitrine.ppt"))
        let short = try #require(ShortSlideRecords(of: input, Self.old))
        #expect([0, 1, 2].map { short.allPages(whenShown: $0) } == [nil, 2, nil])
        let list = try #require(try SlideRecordList(of: input))
        var expected = try Fixtures.bytes("office/vitrine.ppt")
        for (place, byte) in list.changes { expected[Int(place)] = byte }
        let folder = try ScratchFolder("short-slides")
        let copy = try short.copy(in: folder.path, suffix: "ppt")
        let copied = try FileInput(path: folder.path + "/doc.ppt")
        #expect(try copied.bytes(at: 0, count: expected.count + 1) == expected)
        withExtendedLifetime(copy) {}
        // Where its masters were shown last, LibreOffice counts these.
        let edit = try #require(expected.firstRange(of: [0, 0, 0xF5, 0x0F, 28, 0, 0, 0]))
        var masters = try Fixtures.bytes("office/vitrine.ppt")
        masters[edit.upperBound + 24] = 2
        #expect(ShortSlideRecords(of: BytesInput(masters), Self.old) == nil)
    }
}
