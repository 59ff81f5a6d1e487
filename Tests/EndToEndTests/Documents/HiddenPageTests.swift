import Foundation
import Testing
import VitrineTesting

/// Pages that stand for no file, and are shown when they are asked for.
@Suite(.timeLimit(.minutes(10))) struct HiddenPageTests {
    let home: UserHome

    init() throws { home = try UserHome() }

    /// A workbook with a hidden sheet before another one.
    private static let workbook = """
        <?xml version="1.0"?>
        <office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" \
        xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" \
        xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" \
        xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3" \
        office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles><style:style \
        style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style>\
        </office:automatic-styles><office:body><office:spreadsheet>\
        <table:table table:name="A" table:style-name="h"><table:table-row><table:table-cell office:value-type="string">\
        <text:p>Behind the curtain</text:p></table:table-cell></table:table-row></table:table>\
        <table:table table:name="B"><table:table-row><table:table-cell office:value-type="string"><text:p>Shown</text:p>\
        </table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document>
        """

    @Test func `page 1 is the first one, also where another stands for the file`() async throws {
        let file = try home.write("book.fods", Array(Self.workbook.utf8))
        func entry(_ arguments: String...) async throws -> String {
            let run = try await home.run(program: [home.program, "get", file] + arguments)
            #expect(run.exitCode == 0, "\(run.errors)")
            return String(run.text.dropLast())
        }
        // The cache has the one when the other is asked for.
        let usual = try await entry()
        let (first, second) = (try await entry("--page", "1"), try await entry("--page", "2"))
        #expect(Set([usual, first, second]).count == 3 && usual.contains("/thumbnails/large/"))
        let pixels = try [usual, first, second].map { try PNGFile($0).picture().pixels }
        #expect(pixels[0] == pixels[2] && pixels[0] != pixels[1])

        func text(_ arguments: String...) async throws -> String {
            try await home.run(program: [home.program, "text", file] + arguments).text
        }
        #expect(try await text() == "Shown\n")
        #expect(try await text("--pages", "1") == "Behind the curtain\n")
        #expect(try await text("--pages", "2") == "Behind the curtain\n\u{C}\nShown\n")
    }
}
