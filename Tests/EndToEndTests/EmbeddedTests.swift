import Foundation
import GoldenPictures
import RendererFixtures
import TestSupport
import Testing
import VitrineTesting

/// Thumbnails inside of files: `--embedded`, the setting, and what the cache makes of it.
@Suite struct EmbeddedTests {
    /// A photograph whose thumbnail is upside down.
    private func photograph(in home: UserHome) throws -> String {
        var thumbnail = try UserHome.fixture("image/exif-3.jpg")
        // Smaller than the picture: the sides in the frame's header.
        let frame = try #require(thumbnail.indices.dropLast().first { thumbnail[$0...].starts(with: [0xFF, 0xC0]) })
        thumbnail.replaceSubrange(frame + 5..<frame + 9, with: [0, 108, 0, 144])
        let block = CameraBlock.make([CameraBlock.text(0x0110, "E-1")], thumbnail: thumbnail)
        return try home.write(
            "photograph.jpg", CameraBlock.insert(block, into: try UserHome.fixture("image/plain.jpg")))
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
        let file = try photograph(in: home)
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

    @Test func explainSaysWhatWasTaken() async throws {
        let home = try UserHome()
        let file = try photograph(in: home)
        let run = try await home.run("explain", "--size", "normal", file)
        #expect(run.text.contains("rendered by jpeg, which took the EXIF thumbnail inside the file"), "\(run.text)")
        let other = try await home.run("explain", "--size", "normal", "--embedded", "never", file)
        #expect(other.text.contains("rendered by jpeg\n"), "\(other.text)")
        #expect(try await home.run("explain", "--embedded", "often", file).exitCode == 2)
    }

    @Test func prebuildFollowsOptionAndSetting() async throws {
        let home = try UserHome()
        let file = try photograph(in: home)
        #expect(try await home.run("prebuild", "--size", "normal", home.files).exitCode == 0)
        #expect(try await isThumbnail(home, file))
        // An unchanged tree is done again for another rule.
        #expect(try await home.run("prebuild", "--size", "normal", "--embedded", "never", home.files).exitCode == 0)
        #expect(try await !isThumbnail(home, file))
    }
}
