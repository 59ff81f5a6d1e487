import Foundation
import Testing
import VitrineTesting

/// `vitrine get FOLDER`
@Suite struct FolderPictureTests {
    private func entry(_ home: UserHome, _ folder: String, _ arguments: String...) async throws -> String {
        let run = try await home.start(bytes: (["get", folder] + arguments).map { Array($0.utf8) }).finish()
        #expect(run.exitCode == 0, "\(run.errors)")
        return try #require(run.text.split(separator: "\n").first.map(String.init))
    }

    @Test func fourFilesShareASquareAndTheEntryIsTheFolders() async throws {
        let home = try UserHome()
        for name in ["plain.jpg", "rgb-8.png", "plain.bmp", "lossy.webp", "grey.jpg"] {
            try home.copy("image/\(name)", as: "album/\(name)")
        }
        let path = try await entry(home, home.file("album"))
        #expect(path.hasPrefix(home.cache + "/thumbnails/large/"))
        let picture = try PNGFile(path).picture()
        #expect(picture.width == 256 && picture.height == 256)
        // The gap between them is transparent.
        #expect(
            (0..<256).allSatisfy { picture.pixel(x: 127, y: $0).alpha == 0 && picture.pixel(x: $0, y: 127).alpha == 0 })
        let bytes = try Data(contentsOf: URL(filePath: path))
        #expect(bytes.range(of: Data("Thumb::URI\0file://\(home.file("album"))".utf8)) != nil)
        #expect(bytes.range(of: Data("inode/directory".utf8)) != nil)
        // A second time it is there already; a file more makes it untrue.
        let before = home.cached
        #expect(try await entry(home, home.file("album")) == path)
        #expect(home.cached == before)
        try home.copy("image/cmyk.jpg", as: "album/new.jpg")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: home.file("album"))
        _ = try await entry(home, home.file("album"))
        #expect(home.cached != before)
    }

    @Test func aFolderHasNeitherTextNorPlace() async throws {
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "album/a.jpg")
        let got = try await home.run("get", home.file("album"), "--json", "--place")
        #expect(
            got.exitCode == 0 && got.text.contains("inode/directory") && !got.text.contains("\"place\""),
            "\(got.errors)")
        let text = try await home.run("text", home.file("album"))
        #expect(text.exitCode == 1 && text.errors.contains("it is a folder, which has no text"), "\(text.errors)")
    }

    @Test func aPictureThatSomebodyChoseStandsAlone() async throws {
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "album/Folder.JPG")
        try home.copy("image/wide.png", as: "album/a.png")
        try home.copy("pdf/plain.pdf", as: "album/b.pdf")
        let path = try await entry(home, home.file("album"))
        #expect(QuadrantCheck(try PNGFile(path).picture()).arrangement == .upright)
    }

    @Test func whatLiesBelowCountsWhenThereIsTooLittle() async throws {
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "album/one/a.jpg")
        #expect(try await PNGFile(entry(home, home.file("album"))).longerSide > 1)
        try home.copy("image/plain.jpg", as: "deep/one/two/a.jpg")
        try home.write("hidden/.a.jpg", try UserHome.fixture("image/plain.jpg"))
        for name in ["deep", "hidden"] {
            let run = try await home.run("get", home.file(name))
            #expect(run.exitCode == 1 && run.errors.contains("nothing in the folder"), "\(run.errors)")
        }
    }

    @Test func whatIsLeftOutIsNotShownByItsFolderEither() async throws {
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "album/private-1.jpg")
        try home.copy("image/plain.jpg", as: "album/below/private-2.jpg")
        try home.copy("image/rgb-8.png", as: "album/open.png")
        let run = try await home.run("prebuild", home.files, "--folders", "--exclude", "private-*")
        #expect(run.exitCode == 0, "\(run.errors)")
        let entries = try home.cached.keys.filter { $0.hasSuffix(".png") }.map {
            String(decoding: try Data(contentsOf: URL(filePath: home.cache + "/" + $0)), as: UTF8.self)
        }
        #expect(entries.contains { $0.contains("open.png") } && entries.contains { $0.contains("inode/directory") })
        #expect(!entries.contains { $0.contains("private-") })
    }

    @Test func whatIsEncryptedOrBrokenMakesRoomForOthers() async throws {
        let home = try UserHome()
        try home.write("docs/a.pdf", Array("%PDF-1.4 nonsense".utf8))
        try home.copy("pdf/user-password.pdf", as: "docs/b.pdf")
        try home.copy("pdf/plain.pdf", as: "docs/c.pdf")
        try home.copy("image/one-pixel.png", as: "docs/d.png")
        let run = try await home.run(
            "get", home.file("docs"), "--password-command", "touch '\(home.path)/asked'; echo vitrine")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: home.path + "/asked"))
        let path = try #require(run.text.split(separator: "\n").first.map(String.init))
        // One page, whole.
        #expect(QuadrantCheck(try PNGFile(path).picture()).arrangement == .upright)
    }

    @Test func aRunMakesThemForAllFoldersThatHoldFiles() async throws {
        let home = try UserHome()
        for name in ["a/plain.jpg", "a/b/plain.jpg", "c/d/plain.jpg", "left/plain.jpg"] {
            try home.copy("image/plain.jpg", as: name)
        }
        try home.write("texts/a.xyz", Array([0, 1, 2, 3, 255]))
        let options = ["prebuild", home.files, "--folders", "--exclude", "left/", "--progress", "json"]
        let run = try await home.start(bytes: options.map { Array($0.utf8) }).finish()
        let made = try run.items().filter { $0.outcome == "made" }.map(\.uri)
        let folders = ["a", "a/b", "c/d"].map { "file://" + home.file($0) }
        #expect(Set(made).isSuperset(of: folders), "\(run.text)")
        #expect(!made.contains("file://" + home.file("c")) && !made.contains("file://" + home.file("left")))
        let again = try await home.start(bytes: options.map { Array($0.utf8) }).finish()
        #expect(try again.summary().made == 0, "\(again.text)")
    }

    @Test func theirFilesAreToldOnce() async throws {
        let home = try UserHome()
        for name in ["a.jpg", "b.jpg"] { try home.copy("image/plain.jpg", as: "album/\(name)") }
        try home.write("album/broken.pdf", Array("%PDF-1.4 nonsense".utf8))
        #expect(try await home.run("prebuild", home.files).exitCode == 0)
        // What stands in the catalog, and what is looked up.
        for options in [[], ["--force"]] {
            let run = try await home.start(
                bytes: (["prebuild", home.files, "--folders", "--progress", "json"] + options).map { Array($0.utf8) }
            ).finish()
            let items = try run.items()
            #expect(
                items.count == (options.isEmpty ? 2 : 4) && Set(items.map(\.uri)).count == items.count, "\(run.text)")
            #expect(try run.summary().found == 4)
        }
    }

    @Test(.enabled(if: Ability.mounts, "mounting a read-only file system needs root's rights"))
    func aRunSaysWhenTheyCannotBeKept() async throws {
        let home = try UserHome()
        try home.copy("image/plain.jpg", as: "album/plain.jpg")
        #expect(try await home.run("prebuild", home.files).exitCode == 0)
        // The catalog lies elsewhere: what cannot be written is the cache alone.
        let script = """
            mount --bind "$XDG_CACHE_HOME/thumbnails" "$XDG_CACHE_HOME/thumbnails" || exit 99
            mount -o remount,ro,bind "$XDG_CACHE_HOME/thumbnails" || exit 99
            exec "$0" prebuild --folders --progress=json "$1"
            """
        let run = try await home.run(
            program: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, home.program, home.files])
        let stopped = try #require(try run.summary().stopped)
        #expect(try run.items().isEmpty && stopped.contains("/thumbnails/large': Read-only"), "\(stopped)")
        #expect(run.exitCode == 1, "\(run.errors)")
    }

    @Test func otherFormatsAndOptionsWorkAsForFiles() async throws {
        let home = try UserHome()
        for name in ["plain.jpg", "rgb-8.png"] { try home.copy("image/\(name)", as: "album/\(name)") }
        let run = try await home.run("get", home.file("album"), "-o", home.path + "/a.jpg", "--size", "300")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(try Data(contentsOf: URL(filePath: home.path + "/a.jpg")).starts(with: [0xFF, 0xD8]))
        let page = try await home.run("get", home.file("album"), "--page", "2")
        #expect(page.exitCode == 1 && page.errors.contains("a folder has neither pages nor moments"), "\(page.errors)")
    }
}
