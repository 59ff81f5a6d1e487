import RendererFixtures
import Testing
import VitrineKit

@testable import OfficeRenderer

/// Documents of iWork: what they are known by, and which picture of theirs is taken.
@Suite struct WorkPackageTests {
    private static let pages = "application/vnd.apple.pages"
    private static let outer = "Letter.pages/"

    private func look(_ names: [String], _ type: String = pages) throws(PluginError) -> DocumentFormat {
        let bytes = zipPackage(names.map { ($0, [1]) })
        return try DocumentSniffer.look(at: BytesInput(bytes), mimeType: type).format
    }

    @Test(arguments: [
        "Index/Document.iwa", "Index.zip", "index.xml", "index.xml.gz", "index.apxl", "presentation.apxl.gz",
    ])
    func knowsThemByTheirContent(part: String) throws {
        for names in [
            ["buildVersionHistory.plist", part], [Self.outer, Self.outer + "Data/a.jpg", Self.outer + part],
            // As a Macintosh packs a folder.
            [Self.outer, Self.outer + part, "__MACOSX/", "__MACOSX/\(Self.outer)._\(part)"],
        ] {
            #expect(try look(names).suffix == "pages")
            #expect(try look(names, "application/vnd.apple.keynote").family == .presentation)
            #expect(try look(names, "application/vnd.apple.numbers").family == .spreadsheet)
        }
    }

    @Test func knowsWhatIsNone() {
        for names in [
            ["a.txt"], ["Other/a.txt", "Letter.pages/index.xml"], ["a/b/index.xml"], ["Index/Document.iwa.bak"],
        ] {
            #expect(RendererFixtures.failure { _ = try look(names) } == .unsupported, "\(names)")
        }
        // Whose type is another one.
        let zip = "application/vnd.oasis.opendocument.text"
        #expect(RendererFixtures.failure { _ = try look(["index.xml"], zip) } == .unsupported)
    }

    @Test func saysThatOneIsLocked() {
        for folder in ["", Self.outer] {
            let names = [".iwph", ".iwpv2", "Index/Document.iwa"].map { folder + $0 }
            #expect(RendererFixtures.failure { _ = try look(names) } == .locked)
        }
    }

    /// LibreOffice draws less of them than there is: the picture is taken however small it is, unless it is not wanted.
    @Test(arguments: ["", outer]) func takesThePictureOfTheirProgram(folder: String) throws {
        let format = try #require(DocumentFormat.named(Self.pages))
        func picture(_ name: String, _ use: EmbeddedUse = .auto, content: String = "Index/Document.iwa") throws -> Int?
        {
            let package = zipPackage([
                (folder + content, [1]), (folder + name, try Fixtures.bytes("image/plain.jpg")),
            ])
            return EmbeddedPicture(in: BytesInput(package), format: format, box: 1024, use)?.bitmap.width
        }
        #expect(try picture("preview.jpg") == 160)
        #expect(try picture("QuickLook/Thumbnail.jpg", content: "index.xml") == 160)
        #expect(try picture("preview.jpg", .never) == nil)
        #expect(try picture("Data/photo.jpg") == nil)
    }
}
