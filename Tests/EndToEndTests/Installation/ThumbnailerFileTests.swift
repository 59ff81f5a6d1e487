import Foundation
import Testing
import VitrineTesting

/// The file by which desktops without a thumbnail daemon start Vitrine.
@Suite struct ThumbnailerFileTests {
    /// The keys of the file's one group.
    private static func keys(_ path: String) throws -> [String: String] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        try #require(lines.first == "[Thumbnailer Entry]")
        return Dictionary(
            lines.dropFirst().compactMap { line in
                line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
            }, uniquingKeysWith: { first, _ in first })
    }

    @Test func itsCommandMakesThePictureThatIsAskedFor() async throws {
        let tree = try await InstalledTree.shared()
        let keys = try Self.keys(tree.path + "/share/thumbnailers/vitrine.thumbnailer")
        let program = try #require(keys["TryExec"])
        #expect(program == tree.path + "/bin/vitrine" && access(program, X_OK) == 0)
        let types = try #require(keys["MimeType"]).split(separator: ";").map(String.init)
        #expect(
            Set(types).isSuperset(of: [
                "application/pdf", "font/ttf", "message/rfc822", "video/mp4", "image/x-adobe-dng",
            ]))
        #expect(types == types.sorted() && Set(types).count == types.count)

        // As desktops do it: quoted values for the signs, then words as a shell reads them.
        let home = try UserHome()
        try home.copy("image/rgb-8.png", as: "a b%25 'c'.png")
        let file = URL(filePath: home.files + "/a b%25 'c'.png").absoluteString
        let target = home.file("made here.png")
        func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'"'"'"#) + "'" }
        let command = try #require(keys["Exec"]).replacing("%u", with: quoted(file)).replacing("%s", with: "128")
            .replacing("%o", with: quoted(target)).replacing("%%", with: "%")
        let run = try await home.run(program: ["/bin/sh", "-c", command])
        #expect(run.exitCode == 0, "\(run.errors)")
        let picture = try PNGFile(target).picture()
        #expect(QuadrantCheck(picture).arrangement == .upright && picture.width == 128)
    }
}
