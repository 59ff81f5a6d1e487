import Foundation
import GoldenPictures
import TestSupport
import Testing

/// Previews that a person has looked at and found right; `make goldens` writes them anew.
@Suite struct GoldenPreviewTests {
    /// Fixtures by what may differ elsewhere: text that another font set draws, or a codec's last bit.
    private static let tolerances: [(String, GoldenPicture.Tolerance)] = [
        ("pdf/transparency.pdf", .fonts), ("pdf/crop-box.pdf", .fonts), ("pdf/rotate-90.pdf", .fonts),
        ("office/vitrine.docx", .fonts), ("office/vitrine.odt", .fonts), ("office/vitrine.xlsx", .fonts),
        ("office/vitrine.pptx", .fonts), ("office/vitrine.rtf", .fonts),
        ("image/exif-6.jpg", .codec), ("image/alpha.png", .codec), ("image/plain.heic", .codec),
        ("image/icc-wide.jpg", .codec), ("image/grey.png", .codec), ("image/exif-6.jxl", .codec),
        ("image/window.dcm", .codec),
        ("archive/project.zip", .fonts), ("archive/album.zip", .fonts), ("database/library.sqlite", .fonts),
        ("comic/pages.cbr", .codec),
        ("djvu/pages.djvu", .codec), ("package/painting.kra", .codec), ("program/library.dll", .codec),
        ("postscript/drawing.eps", .fonts),
        ("ebook/cover-guide.epub", .codec), ("ebook/no-cover.epub", .fonts), ("font/latin.otf", .fonts),
        ("mail/both.eml", .fonts), ("raw/turned.dng", .codec), ("track/walk.gpx", .codec), ("track/lake.kml", .codec),
        ("video/h264.mp4", .codec), ("video/vp9.webm", .codec), ("video/anamorphic.mp4", .codec),
    ]

    @Test func previewsLookAsTheyDid() async throws {
        let home = try UserHome()
        let sources = Self.tolerances.map { Products.fixtures.path + "/" + $0.0 }
        let run = try await home.run(bytes: (["prebuild", "--progress=json"] + sources).map { Array($0.utf8) })
        let items = try run.items()
        for (name, tolerance) in Self.tolerances {
            let item = try #require(items.first { $0.uri.hasSuffix("/fixtures/" + name) })
            let path = try #require(item.previews["large"], "\(name): \(item.reason ?? "")")
            let golden = GoldenPicture("\(name)-256", tolerance: tolerance)
            #expect(throws: Never.self, "\(name)") { try golden.match(PNGFile(path).picture()) }
        }
    }
}
