import Foundation
import GoldenPictures
import Testing
import VitrineTesting

/// Where the fixtures lie, found from this file.
enum Fixtures {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures").path

    static func path(_ name: String) -> String { folder + "/" + name }

    /// The paths that PROVENANCE.md lists, each with its size.
    static func listed() throws -> [String: Int] {
        let text = try String(contentsOfFile: path("PROVENANCE.md"), encoding: .utf8)
        var sizes: [String: Int] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            sizes[cells[0].trimmingCharacters(in: ["`"])] = Int(cells[1])
        }
        return sizes
    }
}

@Suite struct FixtureTests {
    @Test func provenanceListsEveryFileAndItsSize() throws {
        let listed = try Fixtures.listed()
        #expect(listed.count > 100)
        var found: [String: Int] = [:]
        for kind in [
            "animation", "archive", "audio", "bad", "comic", "database", "djvu", "ebook", "font", "html", "icc",
            "image", "mail", "model", "notes", "office", "package", "pdf", "postscript", "program", "raw", "track",
            "video", "xps",
        ] {
            for name in try FileManager.default.contentsOfDirectory(atPath: Fixtures.path(kind)) {
                let attributes = try FileManager.default.attributesOfItem(atPath: Fixtures.path("\(kind)/\(name)"))
                found["\(kind)/\(name)"] = attributes[.size] as? Int
            }
        }
        #expect(found == listed)
        #expect(found.values.reduce(0, +) < 2 << 20)
    }

    @Test(arguments: ["rgb-8", "rgb-16", "palette", "alpha"])
    func thePNGFixturesShowTheMotifUpright(_ name: String) throws {
        let check = QuadrantCheck(try RGBAPicture(png: Fixtures.path("image/\(name).png")))
        #expect(check.arrangement == .upright)
        #expect(check.largestError < 0.01)
    }

    @Test func greyShowsNone() throws {
        let check = QuadrantCheck(try RGBAPicture(png: Fixtures.path("image/grey.png")))
        #expect(check.arrangement == .unknown)
    }
}
