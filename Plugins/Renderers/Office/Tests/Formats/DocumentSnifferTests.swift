import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

@Suite struct DocumentSnifferTests {
    static let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    static let excel = "application/vnd.ms-excel"
    static let openText = "application/vnd.oasis.opendocument.text"

    private func look(_ bytes: [UInt8], _ type: String = word) throws(PluginError) -> DocumentSniffer.Finding {
        try DocumentSniffer.look(at: BytesInput(bytes), mimeType: type)
    }

    private func code(_ bytes: [UInt8], _ type: String = word) -> PluginError.Code? {
        do throws(PluginError) {
            _ = try look(bytes, type)
            return nil
        } catch { return error.code }
    }

    @Test func aListThatIsTooLongIsToldFromOneThatCannotBe() {
        /// The end of a zip file, which says how many parts there are, and how long their list is.
        func end(parts: UInt8, bytes: UInt32) -> [UInt8] {
            var end: [UInt8] = [0x50, 0x4B, 5, 6, 0, 0, 0, 0, parts, 0, parts, 0]
            for shift in stride(from: 0, to: 32, by: 8) {
                end.append(UInt8(truncatingIfNeeded: bytes >> UInt32(shift)))
            }
            return end + [4, 0, 0, 0, 0, 0]
        }
        let beginning: [UInt8] = [0x50, 0x4B, 3, 4]
        #expect(code(beginning + end(parts: 1, bytes: 0xF000_0000)) == .corrupt, "it is longer than the file")
        #expect(code(beginning + [UInt8](repeating: 0, count: 92) + end(parts: 3, bytes: 92)) == .corrupt)
        let size = 33 << 20
        let long = beginning + [UInt8](repeating: 0, count: size) + end(parts: 1, bytes: UInt32(size))
        #expect(code(long) == .limitExceeded)
    }

    @Test func knowsWhatIsNoDocument() {
        #expect(code([]) == .empty)
        #expect(code([0x00, 0x01, 0x02, 0xFF]) == .corrupt)
        #expect(code(Array("<html><table><tr><td>1</td></tr></table></html>".utf8), Self.excel) == .unsupported)
        #expect(code(Array("a;b;c\n1;2;3\n".utf8), Self.excel) == .unsupported)
        #expect(code(zipPackage([("a.txt", [1])])) == .unsupported)
        #expect(code(zipPackage([])) == .empty)
        #expect(code(Array(zipPackage([("[Content_Types].xml", [1])]).dropLast(30))) == .corrupt)
        #expect(code(compoundFile([("Contents", [1])])) == .unsupported)
        #expect(code(Array(compoundFile([("WordDocument", [1])]).prefix(600)), "application/msword") == .corrupt)
    }

    @Test func knowsDocumentsByTheirContent() throws {
        let package = zipPackage([("[Content_Types].xml", [1]), ("xl/workbook.xml", [1])])
        #expect(try look(package).format.suffix == "xlsx")
        #expect(try look(package, "application/vnd.ms-excel.sheet.macroEnabled.12").format.suffix == "xlsm")
        // As the engine has the names of types.
        #expect(try look(package, "application/vnd.ms-excel.sheet.binary.macroenabled.12").format.suffix == "xlsb")
        let text = zipPackage([("mimetype", Array(Self.openText.utf8)), ("content.xml", Array("<?xml".utf8))])
        #expect(try look(text).format.suffix == "odt")
        #expect(try !look(text).isEncrypted)
        #expect(try look(Array("{\\rtf1 a}".utf8), "application/msword").format.suffix == "rtf")
        let flat = "<?xml version=\"1.0\"?><office:document office:mimetype=\"\(Self.openText)\">"
        #expect(try look(Array(flat.utf8)).format.suffix == "fodt")
        let book = "<?xml version=\"1.0\"?><Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\">"
        #expect(try look(Array(book.utf8), Self.excel).format.packing == .flatXML)
        #expect(try look([0x09, 0x02, 0x06, 0x00, 0, 0, 0x10, 0], Self.excel).format.suffix == "xls")
    }

    @Test func knowsDocumentsOfOtherPrograms() throws {
        #expect(try look(compoundFile([("VisioDocument", [1])]), "application/vnd.visio").format.suffix == "vsd")
        #expect(try look(compoundFile([("MatOST", [1])])).format.suffix == "wps")
        #expect(try look(compoundFile([("Quill", [1])]), "application/vnd.ms-publisher").format.suffix == "pub")
        #expect(try look(compoundFile([("PageMaker", [1])]), "application/x-ole-storage").format.suffix == "pmd")
        #expect(try look(compoundFile([("Workbook", [1])]), "application/x-ole-storage").format.suffix == "xls")
        #expect(code(compoundFile([("Contents", [1])]), "application/x-ole-storage") == .unsupported)
        #expect(try look(compoundFile([("CONTENTS", [1])]), "application/vnd.ms-works").format.suffix == "wps")
        #expect(try look(compoundFile([("WORKBOOK", [1])]), Self.excel).format.suffix == "xls")
        for (part, type, suffix) in [
            ("StarWriterDocument", "writer", "sdw"), ("StarCalcDocument", "calc", "sdc"),
            ("StarDrawDocument3", "impress", "sdd"), ("StarDrawDocument", "draw", "sdd"),
        ] {
            let found = try look(compoundFile([(part, [1])]), "application/vnd.stardivision.\(type)")
            #expect(found.format.suffix == suffix && !found.isEncrypted)
        }
        // Names that may be those of something embedded.
        for name in ["CONTENTS", "Quill", "MatOST", "VisioDocument"] {
            let locked: [UInt8] = [0xEC, 0xA5, 0xC1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
            let text = try look(compoundFile([(name, [1]), ("WordDocument", locked)]), "application/msword")
            #expect(text.format.suffix == "doc" && text.isEncrypted, "\(name)")
            #expect(try look(compoundFile([(name, [1]), ("Workbook", [1])]), Self.excel).format.suffix == "xls")
            let slides = try look(
                compoundFile([(name, [1]), ("PowerPoint Document", [1])]), "application/vnd.ms-powerpoint")
            #expect(slides.format.suffix == "ppt", "\(name)")
        }
        let drawing = zipPackage([("[Content_Types].xml", [1]), ("visio/document.xml", [1])])
        #expect(try look(drawing).format.suffix == "vsdx")
        let heads: [(OwnFormat, [UInt8])] = [
            (.wmf, Pictures.metafile()), (.wmf, Array(Pictures.metafile().dropFirst(22))),
            (.emf, [1] + [UInt8](repeating: 0, count: 39) + Array(" EMF".utf8)),
            (.pict, [UInt8](repeating: 0, count: 522) + [0x00, 0x11, 0x02, 0xFF]),
            // As clipboards have it.
            (.pict, [UInt8](repeating: 0, count: 10) + [0x00, 0x11, 0x02, 0xFF]),
            (.cdr, Array("RIFF....CDRA".utf8)), (.dxf, Array("999\r\nby hand\r\n  0\r\nSECTION\r\n".utf8)),
            (.wpd, Pictures.wordPerfect()), (.wpd, Pictures.wordPerfect(kind: 0x2C)),
            (.wri, [0x31, 0xBE, 0, 0, 0, 0xAB]), (.wri, [0x32, 0xBE, 0, 0, 0, 0xAB]),
            (.oldHangul, Array("HWP Document File V3.00 \u{1A}\u{1}".utf8)), (.lotus, [0, 0, 2, 0, 6, 4]),
            (.wordPro, Array("WordPro\0".utf8)), (.quattroPro, [0, 0, 2, 0, 1, 16]),
            (.quattroPro, [0, 0, 2, 0, 2, 16]), (.quattroPro, [0, 0, 2, 0, 0x20, 0x51]),
            (.wpg, Pictures.wordPerfect(kind: 0x16)), (.sylk, Array("ID;PVitrine\r\nC;X1;Y1;K7\r\n".utf8)),
            (.palm, [UInt8](repeating: 0x41, count: 60) + Array("TEXtREAd".utf8)),
            (.palm, [UInt8](repeating: 0x41, count: 60) + Array("DataPlkr".utf8)),
            (.appleWorks, [6, 7, 0xBD, 0] + Array("BOBO".utf8)),
            (.starView, Array("VCLMTF".utf8) + [1, 0]), (.met, [0x00, 0x20, 0xD3, 0xA8, 0xA8, 0]),
            (.corelExchange, Array("RIFF\u{1}\u{1}\u{1}\u{1}CMX1cont".utf8)),
            (.quarkXPress, [0, 0] + Array("MMXPR3".utf8)), (.text602, Array("@CT 1\r\n".utf8)),
            (.pocketWord, Array("{\\pwi\u{15}\0\0\u{1}\u{1}".utf8)),
            (.lotus, [0, 0, 26, 0, 3, 16]), (.lotus, [0xFF, 0, 2, 0, 4, 4]),
            (.abw, Array("<?xml version=\"1.0\"?>\n<!DOCTYPE abiword>\n<abiword>".utf8)),
        ]
        for (type, format) in OwnFormat.types {
            for (other, head) in heads {
                // LibreOffice would take another one for text, and draw that.
                if other == format {
                    #expect(try look(head, type).format.suffix == format.rawValue)
                } else {
                    #expect([.corrupt, .unsupported].contains(code(head, type)))
                }
            }
        }
    }

    @Test func knowsWordBeforeCompoundFiles() throws {
        let macintosh: [[UInt8]] = [
            [0xFE, 0x32, 0, 0], [0xFE, 0x34, 0, 0], [0xFE, 0x37, 0, 0x1C], [0xFE, 0x37, 0, 0x23],
        ]
        for start: [UInt8] in [[0xDB, 0xA5, 0x2D, 0], [0x9B, 0xA5, 0x21, 0]] + macintosh {
            let found = try look(start + [UInt8](repeating: 0, count: 300), "application/msword").format
            #expect(found.suffix == "doc" && found.packing == .own && found.family == .text && !found.isPicture)
            #expect(code(start + [UInt8](repeating: 0, count: 100), "application/msword") == .corrupt)
        }
        // Word for DOS.
        #expect(code([0x31, 0xBE, 0, 0, 0, 0xAB] + [UInt8](repeating: 0, count: 300), "application/msword") == nil)
        #expect(code([0xDB, 0xA5, 0x2E, 0] + [UInt8](repeating: 0, count: 300), "application/msword") == .corrupt)
    }

    @Test func knowsPowerPointBeforeItsPresentFormat() throws {
        let type = "application/vnd.ms-powerpoint"
        for start: [UInt8] in [[0xED, 0xDE, 0xAD, 0x0B], [0x0B, 0xAD, 0xDE, 0xED]] {
            let found = try look(start + [UInt8](repeating: 0, count: 60), type).format
            #expect(found.suffix == "ppt" && found.packing == .own && found.family == .presentation)
            #expect(code(start + [UInt8](repeating: 0, count: 20), type) == .corrupt)
        }
        // Version 4 has a compound file, but no stream of the later names.
        let found = try look(compoundFile([("PP40", [1])]), type)
        #expect(found.format.suffix == "ppt" && found.format.packing == .compound && !found.isEncrypted)
    }

    /// LibreOffice would draw the text, or a white page.
    @Test func knowsTextBehindASignature() {
        #expect(code(Array("ID;Price;Name\n1;2;apple\n".utf8), "text/spreadsheet") == .unsupported)
        let text = Array(" and then some lines of text, as anybody writes them".utf8)
        let perfect = "application/vnd.wordperfect"
        func isRefused(_ bytes: [UInt8], _ type: String) -> Bool {
            code(bytes, type).map { [.corrupt, .unsupported].contains($0) } ?? false
        }
        #expect(isRefused([0xFF] + Array("WPC".utf8) + text, perfect))
        for start in [0, 15, 21, 0xFFFF_FFFF] {
            #expect(isRefused(Pictures.wordPerfect(start: start), perfect), "\(start)")
        }
        #expect(isRefused(Pictures.wordPerfect(kind: 0x0B), perfect))
        for count in 4...16 { #expect(isRefused(Array(Pictures.wordPerfect().prefix(count)), perfect)) }
        for signature: [UInt8] in [
            [1, 0, 9, 0], [2, 0, 9, 0], [0xD7, 0xCD, 0xC6, 0x9A], [1, 0, 9, 0, 0, 3, 1, 0, 0, 0],
        ] {
            #expect(isRefused(signature + text, "image/wmf"))
            #expect(isRefused(signature, "image/wmf"))
        }
    }

    @Test func knowsDrawingsOfCorelInZipFiles() throws {
        let type = "application/vnd.corel-draw"
        let newer = "application/x-vnd.corel.zcf.draw.document+zip"
        for part in ["content/riffData.cdr", "content/root.dat"] {
            #expect(try look(zipPackage([(part, [1])]), type).format.suffix == "cdr")
            #expect(code(zipPackage([(part, [1])]), "image/vnd.dxf") == .unsupported)
        }
        #expect(try look(zipPackage([("mimetype", Array(newer.utf8)), ("a", [1])]), newer).format.suffix == "cdr")
        #expect(code(zipPackage([("content/other.dat", [1])]), type) == .unsupported)
    }

    @Test func seesPasswords() throws {
        #expect(try look(compoundFile([("EncryptionInfo", [4]), ("EncryptedPackage", [1])])).isEncrypted)
        let excel: [UInt8] = [0x09, 0x08, 4, 0, 0, 6, 5, 0]
        #expect(try look(compoundFile([("Workbook", excel + [0x2F, 0, 2, 0, 0, 0])]), Self.excel).isEncrypted)
        #expect(try !look(compoundFile([("Workbook", excel + [0x85, 0, 0, 0, 0x2F, 0])]), Self.excel).isEncrypted)
        func file(_ flags: UInt8) -> [UInt8] { [0xEC, 0xA5, 0xC1, 0, 0, 0, 0, 0, 0, 0, 0, flags] }
        #expect(try look(compoundFile([("WordDocument", file(1))])).isEncrypted)
        #expect(try !look(compoundFile([("WordDocument", file(0))])).isEncrypted)
        let locked = zipPackage([("mimetype", Array(Self.openText.utf8)), ("content.xml", [0x17, 0x80, 0x33])])
        #expect(try look(locked).isEncrypted)
    }

    @Test func refusesWhatUnpacksToTooMuch() throws {
        let files = (0..<2).map { ("xl/\($0)", [UInt8(1)]) }
        let bomb = zipPackage([("[Content_Types].xml", [1])] + files, claimedSize: 0x2000_0000)
        #expect(code(bomb) == .limitExceeded)
        let parsed = zipPackage([("[Content_Types].xml", [1]), ("xl/workbook.xml", [1])], claimedSize: 0x0C00_0000)
        #expect(try look(parsed).excess?.code == .limitExceeded)
        #expect(try look(zipPackage([("[Content_Types].xml", [1]), ("xl/workbook.xml", [1])])).excess == nil)
    }

    /// Every sector that the directory names is somewhere else, or nowhere.
    @Test func endsOnLoops() {
        let good = compoundFile([("WordDocument", [1]), ("Table", [2])])
        for at in stride(from: 512, to: 2048, by: 4) {
            for value: UInt8 in [0, 1, 2, 0x7F, 0xFF] {
                var bytes = good
                for byte in 0..<4 { bytes[at + byte] = byte == 0 || value > 2 ? value : 0 }
                if let code = code(bytes) { #expect([.corrupt, .unsupported].contains(code)) }
            }
        }
    }
}
