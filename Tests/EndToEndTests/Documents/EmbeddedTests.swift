import Foundation
import GoldenPictures
import RendererFixtures
import Testing
import VitrineTesting

/// Thumbnails inside of files: `--embedded`, the setting, and what the cache makes of it.
@Suite struct EmbeddedTests {
    /// The motif of all fixtures, to be drawn at any size.
    private static let drawing = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path fill="#d63031" d="M0 0h2v1.5H0z"/>
        <path fill="#2ea44f" d="M2 0h2v1.5H2z"/><path fill="#2d5cce" d="M0 1.5h2V3H0z"/>
        <path fill="#f1cd37" d="M2 1.5h2V3H2z"/></svg>
        """

    /// A photograph, so large that decoding takes time, whose thumbnail is upside down.
    private func photograph(in home: UserHome) async throws -> String {
        let drawing = try home.write("../picture.svg", Array(Self.drawing.utf8))
        let drawn = drawing + ".jpg"
        let run = try await home.run("get", drawing, "--size", "2400", "-o", drawn)
        #expect(run.exitCode == 0, "\(run.errors)")
        let picture = [UInt8](try Data(contentsOf: URL(filePath: drawn)))
        let block = CameraBlock.make(
            [CameraBlock.text(0x0110, "E-1")], thumbnail: try UserHome.fixture("image/exif-3.jpg"))
        return try home.write("photograph.jpg", CameraBlock.insert(block, into: picture))
    }

    private func isThumbnail(_ home: UserHome, _ arguments: String...) async throws -> Bool {
        let run = try await home.run(program: [home.program, "get", "--size", "normal"] + arguments)
        #expect(run.exitCode == 0, "\(run.errors)")
        let path = try #require(run.text.split(separator: "\n").first.map(String.init))
        let picture = try RGBAPicture(png: [UInt8](Data(contentsOf: URL(filePath: path))))
        return QuadrantCheck(picture).arrangement != .upright
    }

    @Test func theCacheKeepsOneEntryForAllRules() async throws {
        let home = try UserHome()
        let file = try await photograph(in: home)
        #expect(try await isThumbnail(home, file))
        let entries = home.cached.keys.sorted()
        #expect(try await !isThumbnail(home, "--embedded", "never", file))
        // What was drawn is good for all; what there is to be preferred is not looked for.
        #expect(try await !isThumbnail(home, file))
        #expect(try await !isThumbnail(home, "--embedded", "prefer", file))
        #expect(try await isThumbnail(home, "--embedded", "prefer", "--force", file))
        // And what is only preferred is not good enough otherwise.
        let run = try await home.run("explain", "--size", "normal", file)
        #expect(run.text.contains("out of date"), "\(run.text)")
        #expect(home.cached.keys.sorted() == entries)
    }

    private static let officeSettings = "/etc/libreoffice/registry"

    /// As in the sandbox in which GNOME starts thumbnailers: there is no `/etc`, where Debian keeps LibreOffice's settings.
    @Test(
        .enabled(if: Ability.mounts, "hiding a folder from a program needs root's rights"),
        .enabled(if: access(officeSettings, R_OK) == 0, "LibreOffice keeps its settings elsewhere here"))
    func whatDocumentsCarryIsShownWithoutTheSettingsOfLibreOffice() async throws {
        let home = try UserHome()
        for name in ["vitrine.odt", "vitrine.ods", "vitrine.docx"] { try home.copy("office/\(name)", as: name) }
        let script = """
            mount -t tmpfs none \(Self.officeSettings)
            for name in vitrine.odt vitrine.ods; do "$0" get "$1/$name" -o "\(home.output)/$name.png" || exit 9; done
            "$0" get "$1/vitrine.docx" -o "\(home.output)/none.png"
            """
        let run = try await home.run(program: [
            "/usr/bin/unshare", "-m", "/bin/sh", "-c", script, home.program, home.files,
        ])
        #expect(run.exitCode == 1, "\(run.text) \(run.errors)")
        #expect(run.errors.contains("does not start without its settings"), "\(run.errors)")
        #expect(!run.errors.contains("signal"), "\(run.errors)")
        for name in ["vitrine.odt.png", "vitrine.ods.png"] {
            #expect(try PNGFile("\(home.output)/\(name)").width > 0, "\(name)")
        }
    }

    @Test func explainSaysWhatWasTaken() async throws {
        let home = try UserHome()
        let file = try await photograph(in: home)
        let run = try await home.run("explain", "--size", "normal", file)
        #expect(run.text.contains("rendered by jpeg, which took the EXIF thumbnail inside the file"), "\(run.text)")
        let other = try await home.run("explain", "--size", "normal", "--embedded", "never", file)
        #expect(other.text.contains("rendered by jpeg\n"), "\(other.text)")
        #expect(try await home.run("explain", "--embedded", "often", file).exitCode == 2)
    }

    @Test func prebuildFollowsOptionAndSetting() async throws {
        let home = try UserHome()
        let file = try await photograph(in: home)
        #expect(try await home.run("prebuild", "--size", "normal", home.files).exitCode == 0)
        #expect(try await isThumbnail(home, file))
        // An unchanged tree is done again for another rule.
        #expect(try await home.run("prebuild", "--size", "normal", "--embedded", "never", home.files).exitCode == 0)
        #expect(try await !isThumbnail(home, file))
    }
}
