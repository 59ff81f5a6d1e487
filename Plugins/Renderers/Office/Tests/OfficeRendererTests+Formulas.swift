import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

// Formulas in texts, and by themselves.
extension OfficeRendererTests {
    /// A fraction in MathML.
    private static let fraction =
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"
    private static let formula = "application/vnd.oasis.opendocument.formula"

    private static func package(_ content: String) -> [UInt8] {
        let list = """
            <m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="/" \
            m:media-type="\(formula)"/><m:file-entry m:full-path="content.xml" m:media-type="text/xml"/></m:manifest>
            """
        return zipPackage([
            ("mimetype", Array(formula.utf8)), ("META-INF/manifest.xml", Array(list.utf8)),
            ("content.xml", Array(content.utf8)),
        ])
    }

    private func draw(formula content: String) throws(PluginError) -> OfficeThread.Drawing {
        let request = RenderRequest(box: 256, mimeType: Self.formula)
        return try Self.office.draw(Self.package(content), request)
    }

    /// LibreOffice draws nothing where they stand, unless its part for formulas is installed.
    @Test func drawsFormulasInTextsOfWord() throws {
        let name = "http://schemas.openxmlformats.org/officeDocument/2006/math"
        func ink(_ sign: String) throws -> Bool {
            let sum = "<m:oMath xmlns:m=\"\(name)\"><m:r><m:t>\(sign)</m:t></m:r></m:oMath>"
            let part = WordDocument.part("<w:p>\(sum)</w:p>" + WordDocument.section(width: 2000, height: 2000))
            return try draw(WordDocument.package(part), "docx").colors.contains { channels($0)[0] < 0x80 }
        }
        #expect(try ink("x+y"))
        #expect(try !ink(""))
    }

    @Test func drawsFormulasAsLargeAsTheyAre() throws {
        let drawn = try draw(formula: Self.fraction)
        // As a page it would be as high as wide, with hardly any ink.
        #expect(drawn.width * 4 < drawn.height * 3 && drawn.facts.pages == 1)
        #expect(drawn.colors.contains { channels($0)[0] < 0x40 })
        let type = "<!DOCTYPE math:math PUBLIC \"-//OpenOffice.org//DTD Modified W3C MathML 1.01//EN\" \"math.dtd\">"
        let old = try draw(formula: "<?xml version=\"1.0\"?>\n" + type + Self.fraction)
        #expect(old.width == drawn.width && old.height == drawn.height)
    }

    @Test func drawsFormulasThatAreNothingButMathML() throws {
        let request = RenderRequest(box: 256, mimeType: "application/mathml+xml")
        let packed = try draw(formula: Self.fraction)
        let bare = try Self.office.draw(Array(Self.fraction.utf8), request)
        #expect(bare.width == packed.width && bare.height == packed.height && bare.colors == packed.colors)
        func code(_ text: String) -> PluginError.Code? {
            RendererFixtures.failure { try Self.office.draw(Array(text.utf8), request) }
        }
        #expect(code("<mathematics/>") == .unsupported)
        let error = #expect(throws: PluginError.self) {
            try Self.office.draw(Array("<mathematics/>".utf8), request)
        }
        #expect(error?.message.contains("'.mml'") == true, "\(String(describing: error))")
        #expect(code("<math xmlns=\"http://www.w3.org/1998/Math/MathML\"/>") == .empty)
        // For what is no XML LibreOffice draws a picture of its own.
        for rest in ["<mi>a", "<mi>&alpha;</mi></math>"] {
            #expect(code("<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mi>x</mi>" + rest) == .corrupt)
        }
        let long = Self.fraction + String(repeating: " ", count: 4 << 20)
        #expect(code(long) == .limitExceeded)
    }

    /// As programs write them that pack nothing, with the formula's tag as the first one in the file.
    @Test func drawsPackagesThatBeginWithTheFormula() throws {
        let package = zipPackage([("mimetype", Array(Self.formula.utf8)), ("content.xml", Array(Self.fraction.utf8))])
        let drawn = try Self.office.draw(package, RenderRequest(box: 256, mimeType: Self.formula))
        let other = try draw(formula: Self.fraction)
        #expect(drawn.width == other.width && drawn.height == other.height && drawn.colors == other.colors)
    }

    /// LibreOffice takes each for a line.
    @Test func drawsWhatHasNoRowInOne() throws {
        let sum = "<m:mi>a</m:mi><m:mo>+</m:mo><m:mi>b</m:mi>"
        func formula(_ content: String) -> String {
            "<m:math xmlns:m=\"http://www.w3.org/1998/Math/MathML\">\(content)</m:math>"
        }
        let bare = try draw(formula: formula(sum))
        #expect(bare.height < bare.width)
        let row = try draw(formula: formula("<m:mrow>\(sum)</m:mrow>"))
        #expect(bare.width == row.width && bare.height == row.height && bare.colors == row.colors)
        // As programs write it that say who they are.
        let remarked = "<!-- a -->\n" + formula("<!-- b -->" + sum) + "\n<!-- c -->"
        #expect(FormulaMarkup.begins(Array(remarked.utf8)))
        let other = try draw(formula: remarked)
        #expect(other.width == row.width && other.height == row.height && other.colors == row.colors)
    }

    @Test func tellsWhatTheAuthorWrote() throws {
        let content = Self.fraction.replacing("<mfrac>", with: "<semantics><mfrac>")
            .replacing(
                "</math>", with: "<annotation encoding=\"StarMath 5.0\">a over b</annotation></semantics></math>")
        var request = RenderRequest(box: 64, mimeType: Self.formula)
        request.wantsText = true
        #expect(try Self.office.draw(Self.package(content), request).facts.text == "a over b")
    }

    @Test func showsTheBeginningOfLongFormulas() throws {
        let row = (0..<400).map { "<mi>a</mi><mo>+</mo><mn>\($0)</mn><mo>+</mo>" }.joined()
        let long = try draw(
            formula: "<!-- long --><math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mrow>\(row)</mrow></math>")
        #expect(long.width > 3 * long.height && long.height * 8 > long.width)
        #expect(long.colors.contains { channels($0)[0] < 0x40 })
    }

    @Test func refusesWhatIsNoFormula() {
        func code(_ content: String) -> PluginError.Code? {
            RendererFixtures.failure { try draw(formula: content) }
        }
        for content in ["", "<html/>", "</math>", "<!DOCTYPE math ["] {
            #expect(code(content) == .corrupt, "\(content)")
        }
        #expect(code("<math xmlns=\"http://www.w3.org/1998/Math/MathML\"/>") == .empty)
        // What is encrypted looks like noise.
        #expect(code("\u{1}\u{2}\u{3}\u{4}") == .locked)
    }

    /// LibreOffice may take longer for it than a text may, and writes sheets in another way.
    @Test func leavesWhatNobodyComputedOutOfTheText() throws {
        let sheet = WorkbookPackage.sheet(rows: 2, cells: 2, first: "<f>A2*20+B2</f>")
        let zeros = Array(String(decoding: sheet, as: UTF8.self).replacing("</f><v>1</v>", with: "</f><v>0</v>").utf8)
        let book = WorkbookPackage.workbook(zeros, names: "<calcPr fullCalcOnLoad=\"1\"/>")
        var request = RenderRequest(box: 64, mimeType: Documents.types["xlsx"] ?? "")
        (request.wantsText, request.wantsPageText) = (true, true)
        #expect(try Self.office.draw(book, request).facts.text == "\t1\n2\t2\n")
        request.wantsPageText = false
        #expect(try Self.office.draw(book, request).facts.text?.hasPrefix("\t1\n2\t2\n") == true)
    }
}
