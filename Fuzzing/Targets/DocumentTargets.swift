import CompoundFiles
import EXIF
import VitrineKit
import XML

@testable import OfficeRenderer

extension FuzzTarget {
    /// What cameras write beside pictures.
    static let exif = FuzzTarget(
        name: "exif", maximumLength: 1 << 14, fixtures: ["image/exif-6.jpg"],
        seeds: {
            // One directory with a model, and one of places.
            let head: [UInt8] = Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8]
            return [
                head + [0, 2, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38]
                    + [0, 0, 0, 0] + [0, 2, 0, 1, 0, 2, 0, 0, 0, 2, 0x4E, 0, 0, 0, 0, 2, 0, 5, 0, 0, 0, 3, 0, 0, 0, 68]
                    + [0, 0, 0, 0] + [0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 1]
            ]
        },
        words: ["Exif\0\0MM\0*", "II*\0", "\u{1}\u{12}\0\u{3}", "2024:01:31 23:59:00", "+01:00"],
        check: { bytes in
            // Of a picture, what stands behind the mark.
            let mark = bytes.firstIndex { $0 == 0x45 } ?? 0
            guard let block = EXIFBlock(bytes[mark...]) else { return }
            var facts = Facts()
            facts.add(block, wantsPlace: true)
            if let orientation = block.orientation {
                try hold(1...8 ~= orientation, "it is held in no way that there is")
            }
            for text in [block.camera, block.artist, block.taken?.text] {
                try text?.mustBeShowable("what a camera wrote")
            }
            try hold((block.thumbnail?.count ?? 0) <= bytes.count, "the thumbnail is larger than the block")
            _ = block.isChanged
        })

    /// The properties of doc, xls and ppt, and the thumbnail among them.
    static let summaryInformation = FuzzTarget(
        name: "summary-information", maximumLength: 1 << 13,
        seeds: {
            func long(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
            let head: [UInt8] = [0xFE, 0xFF] + [UInt8](repeating: 0, count: 42) + long(48)
            let bitmap =
                long(40) + long(2) + long(2) + [1, 0, 24, 0] + [UInt8](repeating: 0, count: 24) + long(0) + long(0)
            let picture = long(0xFFFF_FFFF) + long(8) + bitmap + [UInt8](repeating: 9, count: 16)
            let title = long(30) + long(4) + Array("abc\0".utf8)
            let time = long(64) + long(0) + long(30_000_000)
            let thumbnail = long(71) + long(picture.count) + picture
            var places: [UInt8] = []
            var values: [UInt8] = []
            let table = 8 + 3 * 8
            for (id, value) in [(2, title), (12, time), (17, thumbnail)] {
                places += long(id) + long(table + values.count)
                values += value
            }
            return [head + long(0) + long(3) + places + values]
        },
        words: ["\u{1E}\0\0\0", "\u{1F}\0\0\0", "G\0\0\0", "(\0\0\0", "\u{18}\0"],
        check: { bytes in
            guard let summary = SummaryInformation(bytes) else { return }
            for text in [summary.text(.title), summary.text(.author), summary.time(.created)?.text] {
                try text?.mustBeShowable("a property")
                try hold(
                    (text?.utf8.count ?? 0) <= FactValue.textLimit, "a property has \(text?.utf8.count ?? 0) bytes")
            }
            try hold((summary.number(.pages) ?? 1) > 0, "there are less than no pages")
            guard let value = summary.thumbnail else { return }
            do throws(PluginError) {
                guard let bitmap = try ClipboardPicture.bitmap(value) else { return }
                if bitmap.width * bitmap.height * 3 > value.count {
                    throw PluginError(.invalidAnswer, "there are more pixels than bytes")
                }
            } catch { try error.mustBe(.limitExceeded) }
        })

    /// Formats of cells: of numbers, dates, percentages and times.
    private static let datesAndPercentages = NumberFormats(
        styles: [.start(XMLName("", "cellXfs"), attributes: [:])]
            + ["0", "14", "9", "21", "46"].map { .start(XMLName("", "xf"), attributes: ["numFmtId": $0]) })

    /// The XML of documents, of which the words are taken. The first byte says of which part, and the second how long the
    /// pieces are in which it is read.
    static let documentXML = FuzzTarget(
        name: "document-xml", maximumLength: 1 << 14,
        seeds: {
            [
                "0\u{1}<w:document xmlns:w='w'><w:p><w:r><w:t>a</w:t><w:tab/><w:lastRenderedPageBreak/></w:r></w:p></w:document>",
                "1\u{9}<p:sld xmlns:p='p' xmlns:a='a'><a:p><a:r><a:t>a</a:t></a:r></a:p></p:sld>",
                "2\u{5}<worksheet><row><c t='s'><v>0</v></c><c t='inlineStr'><is><t>b</t></is></c><c s='1'><v>5</v></c></row></worksheet>",
                "3\u{5}<sst><si><t>a</t></si><si><r><t>b</t></r></si></sst>",
                "4\u{7}<d xmlns:text='t'><text:p>a<text:s text:c='3'/><text:soft-page-break/>b</text:p></d>",
                "5\u{7}<d xmlns:table='t'><table:table><table:table-row><table:table-cell table:number-columns-repeated='9'/></table:table-row></table:table></d>",
                "6\u{7}<d xmlns:draw='t'><draw:page><text>a</text></draw:page><draw:page/></d>",
            ].map { Array($0.utf8) }
        },
        words: [
            "<w:t>", "</w:t>", "<w:p>", "<c t='s'><v>", "99999999999999999999", "-1", "text:c='999999999'",
            "number-columns-repeated='999999999'", "&#x0;", "<!DOCTYPE a [<!ENTITY b 'c'>]>", "<a:t>",
        ],
        check: { bytes in
            guard bytes.count > 2 else { return }
            let kinds: [TextGathering.Kind] = [
                .word, .slide, .sheet(["a", "b"], datesAndPercentages), .sharedStrings, .openDocument(.text),
                .openDocument(.spreadsheet),
                .openDocument(.presentation),
            ]
            let gathering = TextGathering(kinds[Int(bytes[0] & 15) % kinds.count])
            if bytes[1] & 0x80 != 0 { gathering.lastPage = Int(bytes[1] & 3) }
            let reader = XMLReader("the part", limits: XMLLimits(depth: 256, text: 1 << 20))
            let piece = Int(bytes[1] & 0x7F) + 1
            for start in stride(from: 2, to: bytes.count, by: piece) where !gathering.isFull {
                let end = min(start + piece, bytes.count)
                do throws(PluginError) {
                    for event in try reader.events(from: Array(bytes[start..<end]), isLast: end == bytes.count) {
                        gathering.take(event)
                    }
                } catch {
                    try error.mustBe(.corrupt, .limitExceeded, .unsupported)
                    break
                }
            }
            // What stands there once can be said more often than it is written: rows of cells, and blanks.
            let size = gathering.pages.reduce(0) { $0 + $1.utf8.count }
            try hold(size <= 8 << 20, "\(bytes.count) bytes became \(size) of text")
            try hold(gathering.pages.count <= 10_001, "\(gathering.pages.count) pages were made")
        })
}
