import Foundation
import TestSupport
import Testing
import VitrineTesting

/// `vitrine get`
@Suite struct GetTests {
    @Test func aFileThatIsNotThereIsNamedOnce() async throws {
        let home = try UserHome()
        for words in [["get"], ["text"], ["prebuild", "--progress=none"]] {
            let run = try await home.run(bytes: (words + [home.file("nosuch.pdf")]).map { Array($0.utf8) })
            #expect(
                run.exitCode == 1 && run.errors.hasSuffix("there is no '\(home.file("nosuch.pdf"))'\n"), "\(run.errors)"
            )
            #expect(run.errors.components(separatedBy: "nosuch.pdf").count == 2, "\(run.errors)")
        }
    }

    @Test func itPrintsThePathOfTheEntry() async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/plain.pdf", as: "plain.pdf")
        let first = try await home.run("get", file)
        #expect(first.exitCode == 0 && first.errors.isEmpty)
        let path = try #require(first.text.split(separator: "\n").first.map(String.init))
        #expect(first.text == path + "\n")
        #expect(path.hasPrefix(home.cache + "/thumbnails/large/"))
        #expect(try PNGFile(path).longerSide == 256)
        let entries = home.cached
        #expect(try await home.run("get", file).text == first.text)
        #expect(home.cached == entries)
        #expect(try await home.run("get", "--force", file).text == first.text)
        #expect(home.cached != entries)
        // From its own folder, by a relative name and by its URI it is the same.
        let script = "cd \"$1\" && \"$0\" get ./x/../plain.pdf && \"$0\" get \"file://$1/plain.pdf\""
        let others = try await home.run(program: ["/bin/sh", "-c", script, home.program, home.files])
        #expect(others.text == first.text + first.text)
    }

    @Test(arguments: ["3", "300", "1025"])
    func otherSizesLieInTheOwnLayout(_ size: String) async throws {
        let home = try UserHome()
        let run = try await home.run("get", "--size", size, try home.copy("pdf/plain.pdf", as: "plain.pdf"))
        #expect(run.exitCode == 0)
        let path = try #require(run.text.split(separator: "\n").first.map(String.init))
        #expect(path.hasPrefix(home.cache + "/vitrine/previews/"))
        #expect(try PNGFile(path).longerSide == Int(size))
    }

    @Test(arguments: [
        "pdf/three-pages.pdf", "image/pages.tiff", "office/vitrine.odp",
    ])
    func anotherPageIsAnotherPreview(_ fixture: String) async throws {
        let home = try UserHome()
        let file = try home.copy(fixture, as: "document")
        let first = try await home.run("get", file)
        let second = try await home.run("get", "--page=2", file)
        #expect(first.exitCode == 0 && second.exitCode == 0, "\(second.errors)")
        #expect(second.text.hasPrefix(home.cache + "/vitrine/previews/"))
        for (run, arrangement) in [(first, QuadrantCheck.Arrangement.upright), (second, .upsideDown)] {
            let path = try #require(run.text.split(separator: "\n").first.map(String.init))
            #expect(QuadrantCheck(try PNGFile(path).picture()).arrangement == arrangement)
        }
        let beyond = try await home.run("get", "--page=1000", file)
        #expect(beyond.exitCode == 1 && beyond.output.isEmpty)
        #expect(beyond.errors.contains(": there is no ") && beyond.errors.contains(" 1000: "), "\(beyond.errors)")
        // That a page is missing says nothing about the document.
        #expect(try await home.run("get", file).text == first.text)
    }

    @Test(arguments: ["office/vitrine.doc", "office/vitrine.ppt", "office/vitrine.xls", "html/manual.chm"])
    func documentsAreKnownWithoutTheirNames(_ fixture: String) async throws {
        let home = try UserHome()
        let run = try await home.run("get", try home.copy(fixture, as: "document"))
        #expect(run.exitCode == 0, "\(run.errors)")
        let path = try #require(run.text.split(separator: "\n").first.map(String.init))
        let frame = FixtureExpectation.frame(of: fixture)
        let picture = try PNGFile(path).picture()
        #expect(QuadrantCheck(picture, columns: frame.columns, rows: frame.rows).arrangement == .upright)
    }

    @Test(arguments: ["tis-620", "iso-8859-11", "windows-874"])
    func encodingsOfMailsAreKnownWhereNoFilesCanBeOpened(_ charset: String) async throws {
        let home = try UserHome()
        let mail = "Subject: =?\(charset)?Q?=E4=B7=C2?= one\nFrom: a@example.org\n\nGood morning.\n"
        try Data(mail.utf8).write(to: URL(filePath: home.file("thai.eml")))
        let run = try await home.run("get", "--json", home.file("thai.eml"))
        #expect(run.exitCode == 0 && run.text.contains("\"title\":\"ไทย one\""), "\(run.text)\(run.errors)")
    }

    @Test func songsInsideOfRIFFAreKnownWhateverTheirNames() async throws {
        let home = try UserHome()
        let song = try Data(contentsOf: URL(filePath: try home.copy("audio/scale.mid", as: "scale.mid")))
        let file = home.file("song")
        func length(_ count: Int) -> Data { withUnsafeBytes(of: UInt32(count).littleEndian) { Data($0) } }
        let chunks = Data("RMIDdata".utf8) + length(song.count) + song
        try (Data("RIFF".utf8) + length(chunks.count) + chunks).write(to: URL(filePath: file))
        let run = try await home.run("get", "--json", file)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.text.contains("audio/midi") && run.text.contains("duration"), "\(run.text)")
    }

    @Test(arguments: [
        ("pdf/plain.pdf", "--page=2", "there is no page 2: the PDF document has only one"),
        ("pdf/three-pages.pdf", "--page=4", "there is no page 4: the PDF document has 3 of them"),
        ("image/pages.tiff", "--page=3", "there is no page 3: the picture has 2 of them"),
        ("image/rgb-8.png", "--page=2", "there is no page 2: the picture has only one"),
        ("video/vp9.webm", "--page=2", "there is no page 2: the video has only one"),
        ("audio/tone.mp3", "--page=2", "there is no page 2: the sound has only one"),
        ("pdf/plain.pdf", "--at=1", "a PDF document has no moments to choose from"),
        ("image/animated.gif", "--at=1", "a picture has no moments to choose from"),
        ("audio/tone.mp3", "--at=0", "the picture of a sound has no moments to choose from"),
        ("office/vitrine.odt", "--at=1", "a document has no moments to choose from"),
        ("video/vp9.webm", "--at=100", "there is no second 100.0 in the video, which lasts 2.0 s"),
        ("video/one-frame.mp4", "--at=3", "there is no second 3.0 in the video, which lasts 0.1 s"),
    ])
    func whatIsNotThereIsNotReplacedBySomethingElse(_ fixture: String, _ option: String, _ sentence: String)
        async throws
    {
        let home = try UserHome()
        let file = try home.copy(fixture, as: String(fixture.drop { $0 != "/" }.dropFirst()))
        let run = try await home.run("get", option, file)
        #expect(run.exitCode == 1 && run.output.isEmpty)
        #expect(run.errors.contains(sentence), "\(run.errors)")
        // That it is missing says nothing about the file.
        #expect(try await home.run("failures").output.isEmpty)
    }

    @Test func aMomentOfAVideo() async throws {
        let home = try UserHome()
        let file = try home.copy("video/dark-start.mp4", as: "film.mp4")
        let dark = try await home.run("get", "--at", "1.5", file)
        let bright = try await home.run("get", "--at", "8", file)
        // The same moment in another spelling.
        #expect(try await home.run("get", "--at", "0:00:08.0", file).text == bright.text)
        var lightness: [Double] = []
        for run in [dark, bright] {
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.text.hasPrefix(home.cache + "/vitrine/previews/"))
            let path = try #require(run.text.split(separator: "\n").first.map(String.init))
            lightness.append(try PNGFile(path).picture().average(columns: 0...1, rows: 0...1).lightness)
        }
        #expect(lightness[0] < 0.1 && lightness[1] > 0.4, "\(lightness)")
    }

    @Test func standardInputIsNoFile() async throws {
        let home = try UserHome()
        for words in [["get", "-", "-o", "-"], ["text", "-"], ["explain", "-"]] {
            let run = try await home.run(program: [home.program] + words)
            #expect(run.exitCode == 2 && run.errors.contains("standard input is not read"), "\(run.errors)")
        }
    }

    @Test(arguments: ["get", "text", "explain", "prebuild"]) func aLinkThatLeadsNowhereIsCalledSo(_ command: String)
        async throws
    {
        let home = try UserHome()
        #expect(symlink(home.file("gone.pdf"), home.file("link.pdf")) == 0)
        let run = try await home.run(command, home.file("link.pdf"))
        #expect(run.exitCode == 1 && run.errors.contains("it is a symbolic link that leads nowhere"), "\(run.errors)")
    }

    @Test func theFileItselfIsNotReplaced() async throws {
        let home = try UserHome()
        let file = try home.copy("image/plain.jpg", as: "plain.jpg")
        let content = try Data(contentsOf: URL(filePath: file))
        let link = home.file("link.jpg")
        #expect(symlink(file, link) == 0)
        for output in [file, link, home.files + "/../files/plain.jpg"] {
            let run = try await home.run("get", file, "-o", output)
            #expect(run.exitCode == 2 && run.errors.contains("the file itself, which would be lost"), "\(run.errors)")
        }
        #expect(try Data(contentsOf: URL(filePath: file)) == content)
    }

    @Test func aCopyTellsNothingOfItsSource() async throws {
        let home = try UserHome()
        let file = try home.copy("image/plain.jpg", as: "private name.jpg")
        let output = home.path + "/copy.png"
        let written = try await home.run("get", "-o", output, file)
        #expect(written.exitCode == 0 && written.output.isEmpty)
        let copy = try PNGFile(output)
        #expect(copy.chunks.first == "IHDR" && Set(copy.chunks) == ["IHDR", "IDAT", "IEND"])
        #expect(QuadrantCheck(try copy.picture()).arrangement == .upright)
        let piped = try await home.run("get", "-o", "-", file)
        #expect(piped.output == copy.bytes)
        let entry = try #require(home.previews.first)
        #expect(try PNGFile("\(home.cache)/\(entry)").texts["Thumb::URI"]?.hasSuffix("private%20name.jpg") == true)
        // A file that was there is replaced as a whole, and nothing lies beside it.
        try Data("old".utf8).write(to: URL(filePath: output))
        #expect(try await home.run("get", "--output=\(output)", file).exitCode == 0)
        #expect(try PNGFile(output).bytes == copy.bytes)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.path).filter { $0.contains("copy") } == [
                "copy.png"
            ])
        let nowhere = try await home.run("get", "-o", home.path + "/missing/copy.png", file)
        #expect(nowhere.exitCode == 1 && nowhere.errors.contains("missing/copy.png"))
    }

    @Test(arguments: [
        ("bad/truncated.pdf", "cut off"), ("pdf/user-password.pdf", "password"), ("bad/empty.png", "empty"),
        ("missing", "missing"),
    ])
    func aFileWithoutPreviewSaysWhy(_ fixture: String, _ word: String) async throws {
        let home = try UserHome()
        let run = try await home.run("get", Products.fixtures.appending(path: fixture).path)
        #expect(run.exitCode == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains(word) && run.errors.contains(fixture), "\(run.errors)")
        #expect(home.previews.isEmpty)
    }
}
