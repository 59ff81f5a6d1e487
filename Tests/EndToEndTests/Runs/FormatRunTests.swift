import Foundation
import Testing

/// `vitrine prebuild` in other formats and shapes than file managers read.
@Suite struct FormatRunTests {
    private func homeWithFiles() throws -> UserHome {
        let home = try UserHome()
        try home.copy("pdf/plain.pdf", as: "a/plain.pdf")
        try home.copy("image/plain.jpg", as: "photo.jpg")
        try home.copy("bad/truncated.pdf", as: "broken.pdf")
        return home
    }

    private func finished(in home: UserHome, _ suffix: String) -> [String] {
        home.cached.keys.filter { $0.hasPrefix("vitrine/previews/") && $0.hasSuffix("." + suffix) }.sorted()
    }

    private func summary(_ home: UserHome, _ arguments: String...) async throws -> ProgressLine {
        let run = try await home.run(
            bytes: (["prebuild", "--progress=json", home.files] + arguments).map { Array($0.utf8) })
        #expect(run.exitCode == 0, "\(run.errors)")
        return try run.summary()
    }

    @Test(arguments: [("jpeg", "jpg"), ("webp", "webp"), ("avif", "avif")])
    func aRunMakesEachFormatOnce(_ format: String, _ suffix: String) async throws {
        let home = try homeWithFiles()
        let first = try await summary(home, "--format", format)
        #expect(first.made == 2 && first.failed == 1)
        let entries = finished(in: home, suffix)
        // Nothing else is kept: what file managers read is made when somebody asks for it.
        #expect(entries.count == 2 && home.previews.isEmpty)
        let before = home.cached
        let again = try await summary(home, "--format", format)
        #expect(again.made == 0 && again.valid == 2 && again.failed == 1 && home.cached == before)
        // What somebody asks for is what was made, and is counted, sound, and found by its place.
        let got = try await home.run("get", "--format", format, home.file("photo.jpg"))
        #expect(entries.contains { got.text == "\(home.cache)/\($0)\n" }, "\(got.text) \(got.errors)")
        #expect(try await home.run("cache", "verify").text.contains(": 0 not as they must be"))
        // Previews that are there are not rendered anew.
        #expect(try await summary(home).made == 2)
        #expect(home.previews.count == 2)
        #expect(try await home.run("cache", "clear", "--yes", home.files).exitCode == 0)
        #expect(finished(in: home, suffix).isEmpty && home.previews.isEmpty)
        #expect(try await summary(home, "--format", format).made == 2)
    }

    @Test func whatWasDeletedOrMovedIsNoticed() async throws {
        let home = try homeWithFiles()
        #expect(try await summary(home, "--format=webp").made == 2)
        let entries = finished(in: home, "webp")
        try FileManager.default.removeItem(atPath: "\(home.cache)/\(entries[0])")
        #expect(try await summary(home, "--format=webp").made == 1)
        #expect(finished(in: home, "webp") == entries)
        // A file at another place takes its picture along.
        try FileManager.default.moveItem(atPath: home.file("photo.jpg"), toPath: home.file("a/moved.jpg"))
        let moved = try await summary(home, "--format=webp")
        #expect(moved.made == 0 && moved.valid == 2)
        #expect(finished(in: home, "webp").count == 2)
        let got = try await home.run("get", "--format=webp", home.file("a/moved.jpg"))
        #expect(finished(in: home, "webp").contains { got.text == "\(home.cache)/\($0)\n" })
        // Other wishes are other pictures.
        #expect(try await summary(home, "--format=webp", "--quality=30").made == 2)
        #expect(finished(in: home, "webp").count == 4)
    }

    @Test func squaresAndDenseScreens() async throws {
        let home = try homeWithFiles()
        try home.copy("image/plain.jpg", as: "other.jpg")
        let made = try await summary(
            home, "--format=jpg", "--fit=cover", "--crop=attention", "--size=40", "--scale=1,2", "--folders")
        // Three files and two folders.
        #expect(made.made == 5)
        var sides: [Int] = []
        for name in finished(in: home, "jpg") {
            let run = try await home.run(program: [
                "/usr/bin/identify", "-format", "%w %h", "\(home.cache)/\(name)",
            ])
            let size = run.text.split(separator: " ").compactMap { Int($0) }
            #expect(size.count == 2 && size.first == size.last, "\(run.text) \(run.errors)")
            sides += size.prefix(1)
        }
        #expect(sides.sorted() == Array(repeating: 40, count: 5) + Array(repeating: 80, count: 5))
        // The same as what is made of one file.
        let before = home.cached.keys.sorted()
        for scale in ["1", "2"] {
            let got = try await home.run(
                "get", "--format=jpg", "--crop=attention", "--size=40", "--scale", scale, home.file("photo.jpg"))
            #expect(got.exitCode == 0, "\(got.errors)")
        }
        #expect(home.cached.keys.sorted() == before)
        let again = try await summary(
            home, "--format=jpg", "--fit=cover", "--crop=attention", "--size=40", "--scale=1,2", "--folders")
        #expect(again.made == 0 && again.valid == 5)
    }

    @Test func previewsThatAreThereAreUsed() async throws {
        let home = try homeWithFiles()
        #expect(try await summary(home).made == 2)
        // What file managers were given lies there; it is read, and stays.
        let before = home.previews
        let run = try await home.run("prebuild", "--progress=json", "--format=avif", home.files)
        #expect(try run.summary().made == 2)
        #expect(home.previews.sorted() == before.sorted() && finished(in: home, "avif").count == 2)
        // The text of documents stays known.
        let found = try await home.run("find", "Vitrine")
        #expect(found.text.contains("plain.pdf"), "\(found.text) \(found.errors)")
    }

    @Test func aSheetShowsThemAsTheyAre() async throws {
        let home = try homeWithFiles()
        let output = home.path + "/sheet.html"
        let run = try await home.run("prebuild", "--format=avif", "--sheet", output, home.files)
        #expect(run.exitCode == 0 && run.text.contains("3 of 3 files are on the sheet"), "\(run.errors)")
        let page = try String(contentsOf: URL(filePath: output), encoding: .utf8)
        #expect(page.components(separatedBy: "src=\"data:image/avif;base64,").count == 3)
        // Nothing of the keys is in it.
        for part in page.components(separatedBy: "src=\"data:image/avif;base64,").dropFirst() {
            let text = try #require(part.split(separator: "\"").first)
            let bytes = try #require(Data(base64Encoded: String(text)))
            #expect(bytes.range(of: Data("Thumb::".utf8)) == nil)
        }
    }

    @Test(arguments: [
        (["--format=gif"], "is no format"), (["--quality=50"], "PNG loses nothing"), (["--scale=0"], "is no scale"),
        (["--scale=1,x"], "is no scale"), (["--size=16384", "--scale=2"], "pixels a side"),
        (["--fit=contain", "--crop=center"], "cuts nothing off"), (["--background=red"], "is no colour"),
    ])
    func wrongWishesAreRefused(_ arguments: [String], _ message: String) async throws {
        let home = try homeWithFiles()
        let run = try await home.run(bytes: (["prebuild", home.files] + arguments).map { Array($0.utf8) })
        #expect(run.exitCode == 2 && run.errors.contains(message), "\(run.errors)")
        #expect(home.cached.isEmpty)
    }
}
