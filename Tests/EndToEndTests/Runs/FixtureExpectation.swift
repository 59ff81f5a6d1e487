import Foundation
import TestSupport

/// What must come of a fixture, whatever machine the tests run on.
enum FixtureExpectation: Equatable {
    /// Previews that show the motif upright, in its own colours.
    case motif
    /// Previews that show something else, such as greys, a line or a part.
    case picture
    /// No preview, for the reason with this code.
    case failed(String)
    /// None is wanted.
    case skipped(String)

    /// What is expected of a file below `fixtures/`: what its folder says, unless it is named here.
    static func of(_ name: String) -> FixtureExpectation {
        if let exception = exceptions[name] { return exception }
        switch name.split(separator: "/").first {
        case "animation", "image", "office", "pdf", "video", "comic", "djvu", "ebook", "html", "package", "postscript",
            "program", "raw", "xps":
            return .motif
        case "bad" where name.hasPrefix("bad/empty."): return .failed("empty")
        case "bad" where name.hasPrefix("bad/random."): return .failed("corrupt")
        case "bad" where name.hasPrefix("bad/truncated."): return .failed("corrupt")
        case "audio", "archive", "database", "font", "icc", "mail", "model", "track": return .picture
        // Texts beside the fixtures are none.
        default: return .skipped("unsupported")
        }
    }

    private static let exceptions: [String: FixtureExpectation] = [
        "bad/docx-named.pdf": .motif, "bad/pdf-named.jpg": .motif, "bad/png-named.docx": .motif,
        "bad/text-bomb.png": .motif, "bad/html-named.xls": .picture, "bad/playlist-named.mp4": .picture,
        "bad/truncated.jpg": .picture, "bad/truncated.xcf": .picture, "bad/truncated.gpx": .picture,
        "bad/truncated.igs": .picture, "bad/truncated.gif": .picture,
        "bad/huge-claim.png": .failed("limit-exceeded"), "bad/huge-claim.jxl": .failed("limit-exceeded"),
        "bad/huge-claim.xcf": .failed("limit-exceeded"), "bad/huge-claim.dcm": .failed("limit-exceeded"),
        "bad/text-named.mp4": .failed("corrupt"),
        "image/grey.jpg": .picture, "image/grey.png": .picture, "image/grey.jxl": .picture,
        "image/grey.xcf": .picture, "image/window.dcm": .picture,
        "image/heights.tiff": .picture, "image/plain.fits": .picture, "image/plain.xbm": .picture,
        "image/plain.wbmp": .picture, "office/vitrine.wpd": .picture, "office/vitrine.abw": .picture,
        "office/vitrine.slk": .picture, "office/vitrine.pdb": .picture, "office/vitrine.gnumeric": .picture,
        "image/one-pixel.png": .picture, "image/premultiplied.avif": .picture, "image/bare-grid.heic": .picture,
        "image/wide.png": .picture, "pdf/tall.pdf": .picture, "pdf/giant-page.pdf": .picture,
        "office/password.docx": .failed("encrypted"), "office/password.odt": .failed("encrypted"),
        "office/password.doc": .failed("encrypted"), "office/password.xls": .failed("encrypted"),
        "office/password.odp": .failed("encrypted"),
        "pdf/user-password.pdf": .failed("encrypted"), "pdf/zero-pages.pdf": .failed("empty"),
        "video/no-picture.mp4": .picture,
        "ebook/no-cover.epub": .picture, "html/story.html": .picture,
        "djvu/black.djvu": .picture,
        "program/tool.exe": .skipped("empty"),
        "archive/report.pdf.gz": .motif, "database/map.mbtiles": .motif, "archive/picture.ppm.xz": .motif,
        "comic/locked.cbz": .failed("locked"), "archive/hidden.7z": .failed("locked"),
    ]

    /// The part of the picture's width and height that the motif fills.
    static func frame(of name: String) -> (columns: ClosedRange<Double>, rows: ClosedRange<Double>) {
        switch name {
        case "office/vitrine.ods", "office/vitrine.xls", "office/vitrine.xlsx": (0...0.95, 0...0.96)
        case "office/vitrine.rtf": (0.03...1, 0.04...1)
        default: (0...1, 0...1)
        }
    }

    /// Whether a preview would be made of it.
    var isPicture: Bool { self == .motif || self == .picture }

    /// All files below `fixtures/` but the golden pictures and what Python keeps.
    static func names() throws -> [String] {
        let root = Products.fixtures.path
        let all = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return all.filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isFolder)
                && !isFolder.boolValue
                && !name.hasPrefix("golden/") && !name.contains("__pycache__")
        }
    }
}
