import Foundation
import GoldenPictures
import TestSupport
import Testing
import VitrineTesting

/// Formats, crops, sheets and loops of `vitrine get`, read by other programs.
@Suite struct PictureCommandTests {
    /// A picture in any format as ImageMagick reads it.
    private func read(_ file: String, in home: UserHome, frame: Int = 0) async throws -> RGBAPicture {
        let png = home.path + "/read.png"
        if file.hasSuffix(".avif") {
            // ImageMagick 6 reads no alpha of it.
            let run = try await home.run(program: ["/usr/bin/avifdec", file, png])
            #expect(run.exitCode == 0, "\(run.errors)")
            return try RGBAPicture(png: [UInt8](Data(contentsOf: URL(filePath: png))))
        }
        // Loops are read frame by frame, each on the whole canvas.
        let run = try await home.run(program: ["/usr/bin/convert", file, "-coalesce", "+adjoin", png])
        #expect(run.exitCode == 0, "\(run.errors)")
        let several = home.path + "/read-\(frame).png"
        let path = FileManager.default.fileExists(atPath: several) ? several : png
        return try RGBAPicture(png: [UInt8](Data(contentsOf: URL(filePath: path))))
    }

    private func path(_ run: FinishedRun) throws -> String {
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
        return try #require(run.text.split(separator: "\n").first.map(String.init))
    }

    @Test(arguments: [
        ("jpeg", "jpg", ["/usr/bin/djpeg", "-outfile", "/dev/null"]),
        ("webp", "webp", ["/usr/bin/webpinfo", "-quiet"]), ("avif", "avif", ["/usr/bin/avifdec", "--info"]),
    ])
    func everyFormatIsReadByItsOwnTool(_ format: String, _ suffix: String, _ tool: [String]) async throws {
        let home = try UserHome()
        let file = try home.copy("image/exif-6.jpg", as: "a private name.jpg")
        let entry = try path(try await home.run("get", "--format", format, file))
        #expect(entry.hasPrefix(home.cache + "/vitrine/previews/") && entry.hasSuffix("." + suffix))
        let output = "\(home.path)/copy.\(suffix)"
        #expect(try await home.run("get", "-o", output, file).exitCode == 0)
        for name in [entry, output] {
            let run = try await home.run(program: tool + [name])
            #expect(run.exitCode == 0, "\(run.errors)")
            let check = QuadrantCheck(try await read(name, in: home))
            #expect(check.arrangement == .upright && check.largestError < 0.05, "\(name) \(check) \(check.errors)")
        }
        // The entry is the copy, and keys that no copy has.
        let (bytes, copy) = (try Data(contentsOf: URL(filePath: entry)), try Data(contentsOf: URL(filePath: output)))
        #expect(bytes.starts(with: format == "avif" ? copy.dropLast(0) : copy) && bytes.count > copy.count)
        #expect(bytes.range(of: Data("private".utf8)) != nil && copy.range(of: Data("private".utf8)) == nil)
        for word in ["Exif", "http://ns.adobe.com", "ICC_PROFILE"] { #expect(copy.range(of: Data(word.utf8)) == nil) }
        // It is found again, counted, and sound; one byte that is wrong is found, too.
        let entries = home.cached
        #expect(try path(try await home.run("get", "--format", suffix, file)) == entry)
        #expect(home.cached == entries)
        #expect(try await home.run("cache", "verify").text.contains(": 0 not as they must be"))
        var damaged = bytes
        damaged[copy.count / 2] ^= 1
        try damaged.write(to: URL(filePath: entry))
        #expect(try await home.run("cache", "verify").text.contains(": 1 not as they must be, 1 deleted"))
        #expect(!FileManager.default.fileExists(atPath: entry))
        // What changed is made anew.
        _ = try path(try await home.run("get", "--format", format, file))
        try home.copy("image/exif-3.jpg", as: "a private name.jpg")
        utimes(file, [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)])
        #expect(try path(try await home.run("get", "--format", format, file)) == entry)
        #expect(try Data(contentsOf: URL(filePath: entry)) != bytes)
    }

    /// The library of encoders is found beside the worker, wherever the tree lies.
    @Test func anInstalledTreeKnowsAllFormats() async throws {
        let home = try await UserHome(tree: InstalledTree.shared())
        let file = try home.copy("image/plain.jpg", as: "plain.jpg")
        for format in ["jpeg", "webp", "avif"] {
            let entry = try path(try await home.run("get", "--format", format, file))
            let picture = try await read(entry, in: home)
            #expect(QuadrantCheck(picture).arrangement == .upright)
        }
    }

    /// Who renders needs no encoder, and the program itself no picture library at all.
    @Test func onlyTheFinisherMapsTheEncoders() async throws {
        let home = try UserHome()
        for program in [home.program, Products.program("vitrine-worker")] {
            let run = try await home.run(program: ["/usr/bin/ldd", program])
            #expect(run.exitCode == 0)
            for library in ["libavif", "libwebp", "turbojpeg", "libVitrineEncoders"] {
                #expect(!run.text.contains(library), "\(program) \(library)")
            }
        }
    }

    @Test func qualityAndBackgroundMatter() async throws {
        let home = try UserHome()
        let file = try home.copy("image/alpha.png", as: "alpha.png")
        func size(_ arguments: String...) async throws -> Int {
            let output = home.path + "/q.\(arguments[1])"
            let run = try await home.run(bytes: (["get", "-o", output, file] + arguments).map { Array($0.utf8) })
            #expect(run.exitCode == 0, "\(run.errors)")
            return try Data(contentsOf: URL(filePath: output)).count
        }
        for format in ["jpg", "webp", "avif"] {
            let (small, large) = (
                try await size("--format", format, "--quality", "5"),
                try await size("--format", format, "--quality", "98")
            )
            #expect(small < large, "\(format) \(small) \(large)")
        }
        // Whether it is transparent, and which colour shows where it was.
        let clear = try RGBAPicture(
            png: [UInt8](Data(contentsOf: URL(filePath: try path(try await home.run("get", file))))))
        let hole = try #require((0..<clear.width * clear.height).first { clear.pixels[$0 * 4 + 3] == 0 })
        for format in ["png", "jpg", "webp", "avif"] {
            let run = try await home.run("get", "--format", format, "--background", "#00f", file)
            let filled = try await read(try path(run), in: home)
            let pixel = filled.pixels[hole * 4..<hole * 4 + 4].map { Int($0) }
            #expect(pixel[0] < 40 && pixel[1] < 40 && pixel[2] > 215 && pixel[3] == 255, "\(format) \(pixel)")
        }
        let white = try await read(try path(try await home.run("get", "--format", "jpeg", file)), in: home)
        #expect(white.pixels[hole * 4..<hole * 4 + 3].allSatisfy { $0 > 240 })
        for format in ["webp", "avif"] {
            let kept = try await read(try path(try await home.run("get", "--format", format, file)), in: home)
            #expect(kept.pixels[hole * 4 + 3] < 16, "\(format)")
        }
    }

    @Test(arguments: ["center", "attention", "entropy"])
    func cropsFillTheSquare(_ crop: String) async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/portrait.pdf", as: "portrait.pdf")
        let picture = try PNGFile(try path(try await home.run("get", "--crop", crop, "--size", "100", file)))
        #expect(picture.width == 100 && picture.height == 100)
        // Of what is extremely long, no preview is made that is large enough; the square is smaller then.
        let tall = try home.copy("pdf/tall.pdf", as: "tall.pdf")
        let sliver = try PNGFile(try path(try await home.run("get", "--crop", crop, "--size", "100", tall)))
        #expect(sliver.width == sliver.height && sliver.width < 100)
        let photo = try home.copy("image/plain.jpg", as: "plain.jpg")
        let small = try PNGFile(try path(try await home.run("get", "--crop", crop, "--size", "1000", photo)))
        let whole = try PNGFile(try path(try await home.run("get", "--size", "1000", photo)))
        #expect(small.width == small.height && small.height == min(whole.width, whole.height))
    }

    @Test func aFocusChoosesTheSide() async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/plain.pdf", as: "plain.pdf")
        for (focus, hues) in [("0,0.5", [QuadrantCheck.Hue.red, .blue]), ("1,0.5", [.green, .yellow])] {
            let run = try await home.run("get", "--focus", focus, "--size", "64", file)
            let picture = try PNGFile(try path(run)).picture()
            // At that edge, the upper and the lower colour.
            let x = focus.hasPrefix("0") ? 0.0...0.2 : 0.8...1.0
            for (hue, rows) in zip(hues, [0.1...0.3, 0.7...0.9]) {
                let colour = try #require(hue.color)
                #expect(picture.average(columns: x, rows: rows).distance(to: colour) < 0.05)
            }
        }
    }

    @Test func denseScreensGetMorePixels() async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/plain.pdf", as: "plain.pdf")
        #expect(
            try PNGFile(try path(try await home.run("get", "--scale", "2", "--size", "100", file))).longerSide == 200)
        for (name, side) in [("a@2x.png", 200), ("a@3x.png", 300), ("a@x.png", 100), ("@2x", 100)] {
            let output = home.path + "/" + name
            #expect(try await home.run("get", "--size", "100", "-o", output, file).exitCode == 0)
            #expect(try PNGFile(output).longerSide == side, "\(name)")
        }
    }

    @Test func pagesMakeASheet() async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/three-pages.pdf", as: "three.pdf")
        let run = try await home.run("get", "--pages", "1-9", "--sheet", "3x3", "--numbers", "--size", "600", file)
        let sheet = try PNGFile(try path(run)).picture()
        #expect(sheet.width <= 600 && sheet.height < sheet.width)
        // Three pages of three columns: the first is upright, the second upside down.
        #expect(QuadrantCheck(sheet, columns: 0.02...0.325, rows: 0.05...0.85).arrangement == .upright)
        #expect(QuadrantCheck(sheet, columns: 0.345...0.655, rows: 0.05...0.85).arrangement == .upsideDown)
        let second = try PNGFile(try path(try await home.run("get", "--pages", "2", "--size", "600", file))).picture()
        #expect(QuadrantCheck(second, columns: 0.05...0.95, rows: 0.05...0.95).arrangement == .upsideDown)
        let beyond = try await home.run("get", "--pages", "4-6", file)
        #expect(beyond.exitCode == 1 && beyond.errors.contains("there is no page 4: the PDF document has 3 of them"))
    }

    private func words(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func framesMakeASheetOrALoop() async throws {
        let home = try UserHome()
        let file = try home.copy("video/dark-start.mp4", as: "film.mp4")
        let strip = try PNGFile(try path(try await home.run("get", "--frames", "4", "--sheet", "4x1", file))).picture()
        // It is dark at first, and bright at the end.
        #expect(strip.average(columns: 0.03...0.2, rows: 0.3...0.6).lightness < 0.1)
        #expect(QuadrantCheck(strip, columns: 0.765...0.985, rows: 0.12...0.88).arrangement == .upright)
        // Without columns and rows the sheet is as square as can be, whatever stands behind it.
        let four = ["get", "--frames", "4"]
        let square = try PNGFile(try path(try await home.run(bytes: words(four + ["--sheet", "2x2", file])))).picture()
        for rest in [["--sheet", "--size", "xx-large", file], ["--sheet", file], [file, "--sheet"]] {
            let sheet = try PNGFile(try path(try await home.run(bytes: words(four + rest)))).picture()
            #expect(sheet.width == square.width && sheet.height == square.height, "\(rest)")
        }
        let output = home.path + "/loop.webp"
        let made = try await home.run("get", "--animate", "--frames", "6", "--size", "100", "-o", output, file)
        #expect(made.exitCode == 0, "\(made.errors)")
        let info = try await home.run(program: ["/usr/bin/webpinfo", output])
        #expect(info.exitCode == 0 && info.text.contains("Animation: 1") && info.text.contains("Canvas size 100 x 75"))
        #expect(try await read(output, in: home).average(columns: 0...1, rows: 0...1).lightness < 0.1)
        let last = try await read(output, in: home, frame: 1)
        #expect(QuadrantCheck(last).arrangement == .upright)
        for option in ["--frames=3", "--animate"] {
            let still = try await home.run("get", option, try home.copy("pdf/plain.pdf", as: "plain.pdf"))
            #expect(still.exitCode == 1 && still.errors.contains("it has no duration to take frames of"))
        }
    }

    @Test func whatIsKnownIsToldAsJSON() async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/three-pages.pdf", as: "three.pdf")
        for _ in 1...2 {
            let run = try await home.run("get", "--json", "--format", "webp", "--size", "200", file)
            #expect(run.exitCode == 0 && run.text.hasSuffix("}\n") && run.text.filter { $0 == "\n" }.count == 1)
            let line = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
            #expect(line["uri"] as? String == "file://" + file && line["type"] as? String == "application/pdf")
            #expect(line["pages"] as? Int == 3 && line["format"] as? String == "webp" && line["size"] as? Int == 200)
            #expect(line["width"] as? Int == 200 && line["height"] as? Int == 150)
            let hash = try #require((line["thumbhash"] as? String).flatMap { Data(base64Encoded: $0) })
            #expect(18...25 ~= hash.count)
            let entry = try #require(line["path"] as? String)
            #expect(FileManager.default.fileExists(atPath: entry))
        }
        let items = try await home.run("prebuild", "--size", "64", "--progress", "json", home.files).items()
        #expect(items.count == 1 && items.allSatisfy { $0.fields.contains("thumbhash") })
    }

    @Test(arguments: [
        (["--format", "gif"], "'gif' is no format: write png, jpeg, webp or avif"),
        (["--format", "jpeg", "--quality", "0"], "'0' is no value for --quality: write a whole number from 1 to 100"),
        (["--quality", "50"], "PNG loses nothing and has no --quality"),
        (["--background", "red"], "'red' is no colour: write it as #ffffff"),
        (["--fit", "stretch"], "'stretch' is no way to fit: write contain or cover"),
        (["--crop", "faces"], "'faces' is nothing to crop by: write center, attention or entropy"),
        (["--fit", "contain", "--crop", "center"], "--fit contain cuts nothing off"),
        (["--focus", "2,0"], "'2,0' is no point: write two numbers from 0 to 1"),
        (["--focus", "0,0", "--crop", "center"], "--focus and --crop both say what to keep"),
        (["--pages", "9-1"], "'9-1' are no pages: write the first and the last"),
        (["--pages", "1-65"], "a picture is made of 1 to 64 pages or frames, not of 65"),
        (["--pages", "1-5", "--sheet", "2x2"], "5 pictures do not fit into a sheet of 2 × 2"),
        (["--sheet", "2x2"], "--sheet and --numbers need --pages or --frames"),
        (["--pages", "1-2", "--sheet", "17x1"], "'17x1' is no sheet: write columns and rows"),
        (["--pages", "1-2", "--sheet", "3"], "'3' is no sheet: write columns and rows"),
        (["--pages", "1-2", "--sheet="], "nothing stands behind '--sheet='"),
        (["--sheet"], "--sheet and --numbers need --pages or --frames"),
        (["--pages", "1-2", "--animate"], "--pages are of documents"),
        (["--pages", "1-2", "--page", "1"], "--page and --at name one picture, --pages and --frames several"),
        (["--animate", "--format", "png"], "a loop is written as WebP only"),
        (["--pages", "1-64", "--size", "8"], "a sheet of 8 pixels has no room"),
        (["--scale", "5"], "'5' is no value for --scale: write a whole number from 1 to 4"),
        (["--size", "9000", "--scale", "2"], "a preview has 1 to 16384 pixels a side, not 18000"),
        (["-o", "/tmp/a.gif"], "'/tmp/a.gif' is to be GIF, which is not written"),
        (["--at", "1:60"], "'1:60' is no value for --at"), (["--at", "1:2:3:4"], "'1:2:3:4' is no value for --at"),
        (["--at", "1.5:00"], "'1.5:00' is no value for --at"), (["--at", ":5"], "':5' is no value for --at"),
        (["--at", "-1"], "'-1' is no value for --at"),
        (["--json", "-o", "-"], "--json and -o - both write to standard output"),
    ])
    func whatCannotBeIsSaid(_ options: [String], _ sentence: String) async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/plain.pdf", as: "plain.pdf")
        let run = try await home.run(bytes: (["get", file] + options).map { Array($0.utf8) })
        #expect([1, 2].contains(run.exitCode) && run.output.isEmpty)
        #expect(run.errors.contains(sentence), "\(run.errors)")
    }
}
