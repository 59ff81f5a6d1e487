import Foundation
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

/// LibreOffice starts once in a process and serves one thread: all tests share a renderer, on a thread of its own.
@Suite(.serialized) struct OfficeRendererTests {
    static let office = OfficeThread()

    func draw(
        _ bytes: [UInt8], _ suffix: String, box: Int = 256, page: Int = 0
    ) throws(PluginError) -> OfficeThread.Drawing {
        try Self.office.draw(bytes, RenderRequest(box: box, mimeType: Documents.types[suffix] ?? "", page: page))
    }

    func code(_ bytes: [UInt8], _ suffix: String) -> PluginError.Code? {
        do throws(PluginError) {
            _ = try draw(bytes, suffix)
            return nil
        } catch { return error.code }
    }

    @Test func keepsTheContract() throws {
        let samples = [
            RendererSample(
                "two pages", mimeType: Documents.types["fodt"] ?? "",
                bytes: Documents.text(pages: ["FF0000", "0000FF"]), pages: 2),
            RendererSample(
                "a note", mimeType: "application/rtf", bytes: Array("{\\rtf1\\ansi Hello\\par World}".utf8), pages: 1),
        ]
        let locked = RendererSample(
            "a locked text", mimeType: Documents.types["docx"] ?? "",
            bytes: compoundFile([("EncryptionInfo", [4]), ("EncryptedPackage", [1])]))
        let violations = try Self.office.run { renderer in
            RendererConformance(samples: samples, encrypted: locked, enlarges: true, scales: false) {
                _ throws(PluginError) in renderer
            }.violations()
        }
        #expect(violations == [])
    }

    @Test func drawsThePageThatIsAskedFor() throws {
        let text = Documents.text(pages: ["FF0000", "0000FF"])
        let first = try draw(text, "fodt")
        #expect(first.facts.pages == 2)
        #expect(first.width < first.height && first.height == 896)
        #expect(first.colors.contains(0xFF0000))
        #expect(!first.colors.contains(0x0000FF))
        #expect(try draw(text, "fodt", page: 1).colors.contains(0x0000FF))
        #expect(throws: PluginError.self) { try draw(text, "fodt", page: 2) }
    }

    /// LibreOffice's library ends where it is to draw a master document.
    @Test(arguments: ["odm", "otm", "oth"]) func drawsRelativesOfTexts(suffix: String) throws {
        let type = try #require(Documents.types[suffix])
        let text = String(decoding: Documents.text(pages: ["FF0000", "0000FF"]), as: UTF8.self)
        let content = text.replacing("office:document ", with: "office:document-content ")
            .replacing("</office:document>", with: "</office:document-content>")
        let list = """
            <m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="/" \
            m:media-type="\(type)"/><m:file-entry m:full-path="content.xml" m:media-type="text/xml"/></m:manifest>
            """
        let parts = [("META-INF/manifest.xml", Array(list.utf8)), ("content.xml", Array(content.utf8))]
        let single = [("META-INF/manifest.xml", Array(list.replacing("\"", with: "'").utf8)), parts[1]]
        for package in [zipPackage([("mimetype", Array(type.utf8))] + parts), zipPackage(parts), zipPackage(single)] {
            let drawn = try draw(package, suffix)
            // A page of the web has no end.
            #expect(drawn.colors.contains(0xFF0000) && drawn.facts.pages == (suffix == "oth" ? 1 : 2))
            if suffix != "oth" { #expect(try draw(package, suffix, page: 1).colors.contains(0x0000FF)) }
        }
    }

    /// LibreOffice has a right page without a size before the first one, if that is a left one.
    @Test func leavesOutPagesThatAreNotPrinted() throws {
        let drawn = try draw(Documents.leftPage("FF0000"), "fodt")
        #expect(drawn.facts.pages == 1 && drawn.colors.contains(0xFF0000))
    }

    /// LibreOffice would try to load what is not there for as long as it may compute.
    @Test func loadsNoOtherDocument() throws {
        let text = String(decoding: Documents.text(pages: ["FF0000"]), as: UTF8.self)
        let (meta, link) = ("urn:oasis:names:tc:opendocument:xmlns:meta:1.0", "http://www.w3.org/1999/xlink")
        let order = """
            <office:meta><m:auto-reload xmlns:m="\(meta)" xmlns:xlink="\(link)" xlink:href="../other.odt" m:delay="PT0S"/>\
            </office:meta>
            """
        let flat = text.replacing("<office:automatic-styles>", with: order + "<office:automatic-styles>")
        #expect(try draw(Array(flat.utf8), "fodt").colors.contains(0xFF0000))

        func part(_ name: String, _ text: String) -> (String, [UInt8]) {
            (name + ".xml", Array(text.replacing("office:document", with: "office:document-" + name).utf8))
        }
        let about =
            #"<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:version="1.3">"#
        let package = zipPackage([
            ("mimetype", Array("application/vnd.oasis.opendocument.text".utf8)), part("content", text),
            part("meta", about + order + "</office:document>"),
        ])
        #expect(try draw(package, "odt").colors.contains(0xFF0000))
    }

    @Test func leavesOutTheGrid() throws {
        let slides = String(decoding: Documents.slides(["FF0000"]), as: UTF8.self)
            .replacing("svg:height=\"15.75cm\"", with: "svg:height=\"5cm\"")
        func shown(_ isVisible: Bool) throws -> Set<UInt32> {
            let settings = """
                <office:settings xmlns:c="urn:oasis:names:tc:opendocument:xmlns:config:1.0" \
                xmlns:ooo="http://openoffice.org/2004/office">\
                <c:config-item-set c:name="ooo:view-settings"><c:config-item-map-indexed c:name="Views">\
                <c:config-item-map-entry><c:config-item c:name="ViewId" c:type="string">view1</c:config-item>\
                <c:config-item c:name="GridIsVisible" c:type="boolean">\(isVisible)</c:config-item>\
                </c:config-item-map-entry></c:config-item-map-indexed></c:config-item-set></office:settings>
                """
            let text = slides.replacing("<office:automatic-styles>", with: settings + "<office:automatic-styles>")
            return Set(try draw(Array(text.utf8), "fodp").colors)
        }
        let colors = try shown(true)
        #expect(colors == (try shown(false)) && colors.contains(0xFF0000))
    }

    /// Smaller ones are left to the scaler, larger ones and sheets are drawn as large as they are wanted.
    @Test(arguments: [(16, 56), (256, 896), (257, 257), (1024, 1024)]) func drawsSmallPagesFiner(box: Int, height: Int)
        throws
    {
        #expect(try draw(Documents.text(pages: ["FF0000"]), "fodt", box: box).height == height)
        let sheet = try draw(Documents.sheets(["FF0000"]), "fods", box: box)
        #expect(max(sheet.width, sheet.height) <= box)
        #expect(try draw(Documents.slides(["FF0000"]), "fodp", box: box).width == height)
    }

    @Test func drawsWhatOfficeWroteInOneFileOfXML() throws {
        #expect(try draw(Documents.workbook2003("FF0000"), "xls").colors.contains(0xFF0000))
        let text = try draw(Documents.text2003, "doc")
        #expect(text.colors.count > 1 && text.width < text.height)
    }

    @Test func drawsTheFirstSheetWithContent() throws {
        let book = Documents.sheets([nil, "FF0000"])
        let drawn = try draw(book, "fods")
        #expect(drawn.facts.pages == 2)
        #expect(drawn.colors.contains(0xFF0000))
        #expect(drawn.width > drawn.height)
    }

    /// Where a cell lies in twips depends on the size of the drawing, the more the farther away it is.
    @Test(arguments: [(30, 500), (2, 40), (12, 1), (200, 100_000)])
    func drawsCellsThatAreFarFromTheFirstOne(column: Int, row: Int) throws {
        let bytes = Documents.farCells("FF0000", column: column, row: row)
        let request = RenderRequest(box: 256, mimeType: Documents.types["fods"] ?? "")
        let red = try Self.office.run { renderer throws(PluginError) in
            let bitmap = try renderer.render(BytesInput(bytes), request).bitmap
            return bitmap.withUnsafeMutableBytes { bytes in
                (0..<bitmap.width * bitmap.height).map { (x: $0 % bitmap.width, y: $0 / bitmap.width) }.filter {
                    let at = $0.y * bitmap.bytesPerRow + $0.x * 4
                    return bytes[at] < 0x40 && bytes[at + 1] < 0x40 && bytes[at + 2] > 0xC0
                }
            }
        }
        let (left, right) = (red.map(\.x).min() ?? 0, red.map(\.x).max() ?? 0)
        // A column is a fifth of the smallest picture, and a row a sixteenth.
        #expect((column < 5 ? 90...110 : 40...60) ~= left && 45...56 ~= right - left, "\(left) \(right)")
        let top = red.map(\.y).min() ?? .max
        #expect(row == 1 ? 8...14 ~= top : top < 2, "\(top)")
        #expect(
            [0, 25, 26, 701, 702].map { OfficeDocument.Cell(column: $0, row: 8).name } == [
                "A9", "Z9", "AA9", "ZZ9", "AAA9",
            ])
    }

    /// LibreOffice shows another one in the stead of a hidden sheet.
    @Test func drawsAHiddenSheetThatIsAskedFor() throws {
        let colors = ["FF0000", "00FF00", "0000FF"]
        // What XML has for a quotation mark stands for itself in a command.
        let book = Documents.sheets(colors, hidden: "a &quot;b&quot; &amp; 'c'")
        for (page, color) in [0xFF0000, 0x00FF00, 0x0000FF].enumerated() {
            let drawn = try draw(book, "fods", page: page)
            #expect(drawn.colors.contains(UInt32(color)) && drawn.facts.pages == 3, "\(page)")
        }
        let error = #expect(throws: PluginError.self) {
            try draw(Documents.sheets(colors, hidden: "Secret", isProtected: true), "fods", page: 1)
        }
        #expect(error?.code == .unsupported && error?.message.contains("'Secret', is hidden") == true)
        #expect(OfficeDocument.escaped("a\"\\\n\u{1F}ü") == "a\\\"\\\\\\u000a\\u001fü")
    }

    @Test func tellsTheTextOfWhatIsNoPackageWhenItMust() throws {
        func facts(_ bytes: [UInt8], _ suffix: String, page: Int = 0, mustTell: Bool = true) throws -> Facts {
            var request = RenderRequest(box: 64, mimeType: Documents.types[suffix] ?? "", page: page)
            (request.wantsText, request.wantsPageText) = (true, mustTell)
            return try Self.office.draw(bytes, request).facts
        }
        let rich = Array("{\\rtf1\\ansi Hello\\page World}".utf8)
        let text = try #require(try facts(rich, "rtf").text)
        #expect(text.hasPrefix("Hello") && text.contains("World"))
        // Only what is cheap, and a page whose beginning LibreOffice does not tell.
        #expect(try facts(rich, "rtf", mustTell: false).text == nil)
        #expect(try facts(rich, "rtf", page: 1).text == nil)
        let changed = #"{\rtf1{\*\revtbl{A;}}Stays {\deleted\revauthdel0 goes }{\revised\revauth0 comes}}"#
        // More than once, since LibreOffice may do what it is told on another thread.
        for _ in 0..<5 { #expect(try facts(Array(changed.utf8), "rtf").text?.hasPrefix("Stays comes") == true) }
        let name = "table:table table:name=\"S1\""
        let book = String(decoding: Documents.sheets(["FF0000", "0000FF"]), as: UTF8.self)
            .replacing(
                "<\(name)>",
                with:
                    "<\(name)><table:table-row><table:table-cell office:value-type=\"string\"><text:p>Second</text:p></table:table-cell></table:table-row>"
            )
        let found = try facts(Array(book.utf8), "fods", page: 1)
        #expect(found.text == "Second\n" && found.details[.sheetNames] == .list(["S0", "S1"]))
    }

    /// Not what is there for people who edit: lines around tables, the edge of a slide, and invitations to click.
    @Test func drawsWhatIsPrinted() throws {
        func isBare(_ drawing: OfficeThread.Drawing) -> Bool {
            // Half a step of the scaler's rounding off white.
            drawing.colors.allSatisfy { color in [16, 8, 0].allSatisfy { color >> $0 & 0xFF > 0xF8 } }
        }
        #expect(isBare(try draw(Documents.bareTable(), "fodt")))
        let slides = Documents.slides(["FF0000", nil])
        let first = try draw(slides, "fodp")
        #expect(first.colors == [0xFF0000])
        #expect(first.facts.pages == 2 && first.width > first.height)
        let package = zipPackage([
            ("mimetype", Array((Documents.types["odp"] ?? "").utf8)), ("content.xml", slides), ("styles.xml", slides),
        ])
        #expect(isBare(try draw(package, "odp", page: 1)))
        #expect(isBare(try draw(slides, "fodp", page: 1)))
    }

    @Test func drawsRichText() throws {
        #expect(try draw(Array("{\\rtf1\\ansi Hello\\page World}".utf8), "rtf").facts.pages == 2)
    }

    @Test func tellsWhyItDoesNotDraw() {
        #expect(code([], "docx") == .empty)
        #expect(code((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 7919) }, "docx") == .corrupt)
        #expect(code(Array("<html><body><table><tr><td>1</table>".utf8), "xls") == .unsupported)
        #expect(code(compoundFile([("EncryptionInfo", [4]), ("EncryptedPackage", [1])]), "docx") == .encrypted)
        #expect(code(zipPackage([("[Content_Types].xml", [1]), ("word/document.xml", [1])]), "docx") == .corrupt)
    }

    @Test func takesAPictureThatTheDocumentCarriesForItsFirstPageOnly() throws {
        let document = zipPackage([
            ("[Content_Types].xml", [1]), ("word/document.xml", [1]),
            ("docProps/thumbnail.jpeg", try Fixtures.bytes("image/plain.jpg")),
        ])
        #expect(try draw(document, "docx", box: 160).width == 160)
        // Without it LibreOffice is asked, which cannot open this.
        for (box, page) in [(161, 0), (160, 1)] {
            #expect(throws: PluginError.self) { try draw(document, "docx", box: box, page: page) }
        }
    }

    /// Of a long text LibreOffice gets the beginning only, unless another page than the first is wanted.
    @Test func drawsTheFirstPageOfALongTextAlone() throws {
        let first = WordDocument.paragraph("One", properties: "<w:shd w:val=\"clear\" w:fill=\"FF0000\"/>")
        let part = WordDocument.long(first: first, last: WordDocument.section(width: 16_838, height: 11_906))
        let drawn = try draw(WordDocument.package(part, pages: 4321), "docx")
        #expect(drawn.facts.pages == 4321)
        #expect(drawn.colors.contains(0xFF0000) && drawn.width > drawn.height)
        let whole = try draw(WordDocument.package(part, pages: 4321), "docx", page: 1)
        let pages = try #require(whole.facts.pages)
        #expect(100..<4321 ~= pages)
        #expect(!whole.colors.contains(0xFF0000))
        // Where nobody says how many pages there are, or it cannot be right, about as many are told.
        for stated in [nil, 2] {
            let short = try draw(WordDocument.package(part, pages: stated), "docx")
            #expect(abs((short.facts.pages ?? 0) - pages) < pages / 4, "\(short.facts.pages ?? 0) of \(pages)")
        }
    }

    /// Of a presentation too.
    @Test func drawsTheFirstSlideAlone() throws {
        let slides = SlidesPackage(["FF0000", "00FF00", "0000FF"])
        for page in 0..<3 {
            let drawn = try draw(slides.bytes, "pptx", page: page)
            #expect(drawn.facts.pages == 3 && drawn.colors.contains([0xFF0000, 0x00FF00, 0x0000FF][page]), "\(page)")
        }
        // The others are not read, whatever they hold.
        let damaged = try draw(slides.damaged(1).bytes, "pptx")
        #expect(damaged.facts.pages == 3 && damaged.colors.contains(0xFF0000))
        #expect(try draw(SlidesPackage(["FF0000"]).bytes, "pptx").facts.pages == 1)
        // Nor are they missed by sections that name them.
        let divided = SlidesPackage(["FF0000", "00FF00", "0000FF"], behind: SlidesPackage.sections(0..<3)).damaged(1)
        let drawing = try draw(divided.bytes, "pptx")
        #expect(drawing.facts.pages == 3 && drawing.colors.contains(0xFF0000))
    }

    @Test func tellsThatThereAreNoSlides() { #expect(code(SlidesPackage([]).bytes, "pptx") == .empty) }

    /// LibreOffice opens such documents with their masters, as it would for people.
    @Test func drawsSlidesWhereMastersWereSeenLast() throws {
        // Green, whichever of red and blue comes first in the picture.
        var slides = try Self.office.converted(Documents.slides(["00FF00"]), from: "fodp", to: "ppt")
        // `UserEditAtom` ([MS-PPT] 2.3.3), 28 bytes behind its head; `lastView` stands behind 24 of them, 2 being masters.
        let edit = try #require(slides.firstRange(of: [0, 0, 0xF5, 0x0F, 28, 0, 0, 0]))
        slides[edit.upperBound + 24] = 2
        var request = RenderRequest(box: 256, mimeType: Documents.types["ppt"] ?? "")
        request.embedded = .never
        #expect(try Self.office.draw(slides, request).colors == [0x00FF00])
    }

    /// And of a long sheet its beginning, which looks the same.
    @Test func drawsTheFirstRowsOfALongSheet() throws {
        let long = try draw(WorkbookPackage.workbook(WorkbookPackage.sheet(rows: 20_000)), "xlsx")
        let short = try draw(WorkbookPackage.workbook(WorkbookPackage.sheet(rows: 200)), "xlsx")
        #expect(long.facts.pages == 2)
        #expect((long.width, long.height) == (short.width, short.height) && long.colors == short.colors)
    }

    /// LibreOffice itself draws what a mirror shows of it.
    @Test(arguments: [false, true]) func drawsSheetsFromRightToLeftAsTheyAreRead(isRightToLeft: Bool) throws {
        let view =
            "<sheetViews><sheetView \(isRightToLeft ? "rightToLeft=\"1\"" : "") workbookViewId=\"0\"/></sheetViews>"
        let sheet = WorkbookPackage.workbook(WorkbookPackage.sheet(rows: 8, cells: 1, before: view))
        let request = RenderRequest(box: 256, mimeType: Documents.types["xlsx"] ?? "")
        let dark = try Self.office.run { renderer throws(PluginError) in
            let bitmap = try renderer.render(BytesInput(sheet), request).bitmap
            return bitmap.withUnsafeMutableBytes { bytes in
                (0..<bitmap.width).filter { x in
                    (0..<bitmap.height).contains { bytes[$0 * bitmap.bytesPerRow + x * 4 + 1] < SheetProbe.blank / 2 }
                }.map { Double($0) / Double(bitmap.width) }
            }
        }
        #expect(!dark.isEmpty && dark.allSatisfy { isRightToLeft ? $0 > 0.5 : $0 < 0.5 })
    }

    /// Its tables of languages are empty, which is no matter for a drawing.
    @Test func drawsALanguageThatIsNotRegistered() throws {
        let text =
            "<w:p><w:pPr><w:shd w:val=\"clear\" w:fill=\"00FF00\"/></w:pPr><w:r><w:rPr><w:lang "
            + "w:val=\"tlh-Latn-x-note\"/></w:rPr><w:t>nuqneH</w:t></w:r></w:p>"
        #expect(try draw(WordDocument.package(WordDocument.part(text)), "docx").colors.contains(0x00FF00))
        let folder = OfficeProfile.languages(in: Self.office.folder)
        let tables = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(tables.sorted() == ["common", "language-subtag-registry.xml"])
    }

    @Test func drawsAfterThePagesOfItsLibrariesAreReturned() throws {
        _ = try draw(Documents.text(pages: ["FF0000"]), "fodt")
        let (before, after) = try Self.office.run { _ in
            let before = LibraryPages.mapped
            LibraryPages.returnAll()
            return (before, LibraryPages.mapped)
        }
        // The drawing before may have returned them already.
        #expect(try #require(after) <= min(try #require(before), LibraryPages.kept))
        #expect(try draw(Documents.text(pages: ["0000FF"]), "fodt").colors.contains(0x0000FF))
    }

    @Test func leavesNoFileBehind() throws {
        _ = try draw(Documents.text(pages: ["FF0000"]), "fodt")
        _ = code(compoundFile([("WordDocument", [1])]), "doc")
        let left = try FileManager.default.contentsOfDirectory(atPath: Self.office.folder)
        #expect(left.contains("profile"))
        #expect(!left.contains { $0.hasPrefix("doc") || $0.hasPrefix(".~lock") }, "\(left)")
    }

    /// What LibreOffice builds for each document though nobody sees it.
    @Test func leavesOutControls() throws {
        _ = try draw(Documents.text(pages: ["FF0000"]), "fodt")
        let user = Self.office.folder + "/profile/user"
        let settings = try String(contentsOfFile: user + "/registrymodifications.xcu", encoding: .utf8)
        for module in ["swriter", "scalc", "simpress", "sdraw"] {
            #expect(settings.contains("oor:name=\"\(module)/10336\""))
            for bar in ["menubar", "statusbar"] {
                let file = "\(user)/config/soffice.cfg/modules/\(module)/\(bar)/\(bar).xml"
                #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix("/>\n"))
            }
        }
    }

    /// LibreOffice takes its settings from a folder without those of its windows.
    @Test func leavesOutSettingsOfWindows() throws {
        _ = try draw(Documents.text(pages: ["FF0000"]), "fodt")
        let folder = Self.office.folder + "/registry"
        let layers = try #require(ProcessInfo.processInfo.environment["CONFIGURATION_LAYERS"])
        #expect(layers.contains("xcsxcu:\(OfficeProfile.url(folder)) ") && layers.contains("user:"))
        let main = try String(contentsOfFile: folder + "/main.xcd", encoding: .utf8)
        #expect(main.contains("<oor:component-data ") && main.utf8.count < 1_600_000)
        #expect(OfficeProfile.url("/tmp/a b$c") == "file:///tmp/a%20b%24c")
    }

    /// A crash of LibreOffice has to end a worker by its signal: nothing may be listed as caught.
    @Test func leavesCrashesToTheSystem() throws {
        _ = try draw(Documents.text(pages: ["FF0000"]), "fodt")
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") })
        let caught = try #require(UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16))
        for signal in [SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE] {
            #expect(caught & 1 << UInt64(signal - 1) == 0, "\(signal)")
        }
    }
}
