import Foundation
import GoldenPictures
import Testing
import VitrineTesting

/// `vitrine prebuild --sheet`
@Suite struct SheetTests {
    @Test func thePageHoldsEverythingAndNeedsNothing() async throws {
        let home = try UserHome()
        try home.copy("pdf/three-pages.pdf", as: "Reports/three.pdf")
        try home.copy("video/h264.mp4", as: "film.mp4")
        try home.copy("bad/truncated.pdf", as: "Reports/broken.pdf")
        let odd = "<img src=x onerror=alert(1)> & \"quotes\" 'here'.jpg"
        try home.copy("image/plain.jpg", as: odd)
        try home.write("unknown.bin", [0, 1, 2])
        let output = home.path + "/sheet.html"
        for _ in 1...2 {
            let made = try await home.run("prebuild", home.files, "--sheet", output)
            #expect(
                made.exitCode == 0 && made.text.contains("4 of 4 files are on the sheet"), "\(made.text) \(made.errors)"
            )
            let page = try String(contentsOf: URL(filePath: output), encoding: .utf8)
            // Names mean nothing to the browser, whatever is in them.
            #expect(page.contains("&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quotes&quot; &#39;here&#39;.jpg"))
            #expect(!page.contains("<img src=x") && !page.contains("<script"))
            // No address but those of data.
            for mark in ["http:", "https:", "url(", "@import", "<link", "<iframe"] { #expect(!page.contains(mark)) }
            #expect(page.components(separatedBy: " src=\"").dropFirst().allSatisfy { $0.hasPrefix("data:") })
            #expect(page.components(separatedBy: " href=\"").dropFirst().allSatisfy { $0.hasPrefix("#") })
            #expect(page.components(separatedBy: "src=\"data:image/webp;base64,").count == 4)
            #expect(page.components(separatedBy: "alt=\"Preview of ").count == 4)
            for text in ["three.pdf", "3 pages", "film.mp4", "Reports", "PDF documents", "broken.pdf", "cut off"] {
                #expect(page.contains(text), "\(text)")
            }
            #expect(page.contains("Others, which get no preview <b>1</b>"))
            #expect(page.contains("<th scope=\"row\">unknown.bin</th><td>no plugin renders files of type"))
            #expect(!page.contains("Preview of unknown.bin") && !page.contains("more.</p>"))
            try await pictures(of: page, in: home)
        }
    }

    @Test func filesOfUnknownTypesAreNamedWithinBounds() async throws {
        let home = try UserHome()
        for number in 1...203 { try home.write("\(number).unknown", [0, 1, 2]) }
        // Who leaves something out does not want it to be named.
        try home.write(".hidden.unknown", [0, 1, 2])
        try home.write("secret.unknown", [0, 1, 2])
        let output = home.path + "/sheet.html"
        let made = try await home.run("prebuild", home.files, "--exclude", "secret.*", "--sheet", output)
        #expect(made.exitCode == 0, "\(made.errors)")
        let page = try String(contentsOf: URL(filePath: output), encoding: .utf8)
        #expect(page.components(separatedBy: "<th scope=\"row\">").count == 201)
        #expect(page.contains("Others, which get no preview <small>203 files</small>"))
        #expect(page.contains("… and 3 more.") && !page.contains("hidden.unknown") && !page.contains("secret"))
    }

    @Test func filesStandInTheOrderOfFileManagers() async throws {
        let home = try UserHome()
        let names = ["img2.jpg", "IMG10.jpg", "a b.jpg", "ab.jpg", "img1.jpg", "Z.jpg", "img20.jpg", "Äb.jpg"]
        for name in names { try home.copy("image/plain.jpg", as: name) }
        let output = home.path + "/sheet.html"
        #expect(try await home.run("prebuild", home.files, "--sheet", output).exitCode == 0)
        let page = try String(contentsOf: URL(filePath: output), encoding: .utf8)
        let order = names.sorted { one, other in
            let places = [one, other].map { page.range(of: "Preview of \($0)\"")?.lowerBound ?? page.endIndex }
            return places[0] < places[1]
        }
        #expect(
            order == ["a b.jpg", "Äb.jpg", "ab.jpg", "img1.jpg", "img2.jpg", "IMG10.jpg", "img20.jpg", "Z.jpg"],
            "\(order)")
    }

    @Test func foldersStandInTheOrderOfFileManagers() async throws {
        let home = try UserHome()
        let folders = ["img2", "IMG10", "Z", "a b", "b", "b/c", "b d", "Äb", "文書"]
        for folder in folders { try home.copy("image/plain.jpg", as: folder + "/1.jpg") }
        let output = home.path + "/sheet.html"
        #expect(try await home.run("prebuild", home.files, "--sheet", output).exitCode == 0)
        let page = try String(contentsOf: URL(filePath: output), encoding: .utf8)
        let headings = page.components(separatedBy: "<h2").dropFirst().compactMap { part in
            part.split(separator: ">", maxSplits: 1).last?.split(separator: "<").first?.components(separatedBy: " / ")
                .dropFirst()
                .joined(separator: "/").trimmingCharacters(in: .whitespaces)
        }
        #expect(headings == ["a b", "Äb", "b", "b/c", "b d", "img2", "IMG10", "Z", "文書"], "\(headings)")
    }

    @Test func kindsHaveHeadingsOnlyWhereTheyFillRows() async throws {
        let home = try UserHome()
        let output = home.path + "/sheet.html"
        func headings(_ page: String) -> [String] {
            page.components(separatedBy: "<h3>").dropFirst().map { String($0.prefix { $0 != "<" }) }
        }
        func sheet() async throws -> String {
            _ = try await home.run("prebuild", home.files, "--sheet", output)
            return try String(contentsOf: URL(filePath: output), encoding: .utf8)
        }
        for number in 1...5 { try home.copy("image/plain.jpg", as: "\(number).jpg") }
        try home.copy("pdf/plain.pdf", as: "a.pdf")
        let few = try await sheet()
        #expect(headings(few) == [] && few.components(separatedBy: "<ul class=\"grid\">").count == 2)
        #expect(few.contains("Pictures <b>5</b>") && few.contains("PDF documents <b>1</b>"))
        for number in 6...11 { try home.copy("image/plain.jpg", as: "\(number).jpg") }
        let many = try await sheet()
        #expect(headings(many) == ["PDF documents", "Pictures"])
        #expect(many.components(separatedBy: "<ul class=\"grid\">").count == 3)
        #expect(many.components(separatedBy: "<figure>").count == 13)
    }

    /// The pictures inside are what the files show.
    private func pictures(of page: String, in home: UserHome) async throws {
        for part in page.components(separatedBy: "src=\"data:image/webp;base64,").dropFirst() {
            let text = try #require(part.split(separator: "\"").first)
            let (webp, png) = (home.path + "/inside.webp", home.path + "/inside.png")
            try #require(Data(base64Encoded: String(text))).write(to: URL(filePath: webp))
            let run = try await home.run(program: ["/usr/bin/dwebp", "-quiet", webp, "-o", png])
            #expect(run.exitCode == 0, "\(run.errors)")
            let picture = try RGBAPicture(png: [UInt8](Data(contentsOf: URL(filePath: png))))
            #expect(QuadrantCheck(picture).arrangement == .upright)
        }
    }

    @Test func filesAreAmongThoseThatTheirRendererDraws() async throws {
        let home = try UserHome()
        // Of the type of many documents, mails among them.
        try home.copy("package/part.sldprt", as: "parts/part.sldprt")
        let output = home.path + "/sheet.html"
        for _ in 1...2 {
            let made = try await home.run("prebuild", home.files, "--sheet", output)
            #expect(made.exitCode == 0, "\(made.errors)")
            let page = try String(contentsOf: URL(filePath: output), encoding: .utf8)
            #expect(page.contains("Previews in packages <b>1</b>") && !page.contains("Mails"))
        }
    }

    @Test func thePictureHoldsPreviewsWithTheirNames() async throws {
        let home = try UserHome()
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try home.copy("image/plain.jpg", as: name) }
        let output = home.path + "/sheet.png"
        func sheet(_ arguments: String...) async throws -> RGBAPicture {
            let made = try await home.run(
                bytes: (["prebuild", home.files, "--sheet", output] + arguments).map { Array($0.utf8) })
            #expect(made.exitCode == 0 && made.text.contains("files are on the sheet"), "\(made.errors)")
            return try PNGFile(output).picture()
        }
        let plain = try await sheet()
        // The first two of five columns, below title, counts and the folder's name.
        let rows = part(194...310, of: plain.height)
        for left in [44.0, 244] {
            let columns = part(left + 14...left + 170, of: plain.width)
            #expect(QuadrantCheck(plain, columns: columns, rows: rows).arrangement == .upright)
        }
        // Larger previews are on it, too, and are as small.
        let large = try await sheet("--size", "2000")
        #expect(QuadrantCheck(large, columns: part(58...214, of: large.width), rows: rows).arrangement == .upright)
        // Another name is written in the same place, and a failure beside it in red.
        try FileManager.default.moveItem(atPath: home.file("a.jpg"), toPath: home.file("A great day at sea.jpg"))
        let renamed = try await sheet()
        #expect(renamed.width == plain.width && renamed.height == plain.height && renamed != plain)
        try home.copy("bad/truncated.pdf", as: "broken.pdf")
        let failed = try await sheet()
        #expect(failed.height == plain.height)
        #expect(reddish(failed) > 100 + reddish(plain))
    }

    private func part(_ range: ClosedRange<Double>, of side: Int) -> ClosedRange<Double> {
        range.lowerBound / Double(side)...range.upperBound / Double(side)
    }

    /// Pixels of the colour that reasons are written in.
    private func reddish(_ picture: RGBAPicture) -> Int {
        (0..<picture.height).reduce(0) { sum, y in
            sum
                + (0..<picture.width).count { x in
                    let pixel = picture.pixel(x: x, y: y)
                    return 140...190 ~= pixel.red && 40...90 ~= pixel.green && 15...70 ~= pixel.blue
                }
        }
    }

    @Test func whatCannotBeWrittenIsSaid() async throws {
        let home = try UserHome()
        try home.write("unknown.bin", [0, 1, 2])
        let unknown = try await home.run("prebuild", home.files, "--sheet", home.path + "/sheet.pdf")
        #expect(unknown.exitCode == 2 && unknown.errors.contains("let its name end in .html or .png"))
        let empty = try await home.run("prebuild", home.files, "--sheet", home.path + "/sheet.png")
        #expect(empty.exitCode == 0 && empty.text.contains("0 of 0 files are on the sheet"))
        let webp = try await home.run(
            "prebuild", home.files, "--format", "webp", "--sheet", home.path + "/sheet.png")
        #expect(webp.exitCode == 2 && webp.errors.contains("let its name end in .html"))
        try home.configure("[plugin sheet]\nenabled = false\n")
        let off = try await home.run("prebuild", home.files, "--sheet", home.path + "/sheet.png")
        #expect(off.exitCode == 1 && off.errors.contains("'sheet' is not installed or switched off"))
        try home.configure("")
        let nowhere = try await home.run("prebuild", home.files, "--sheet", home.path + "/missing/sheet.html")
        #expect(nowhere.exitCode == 1 && nowhere.errors.contains("missing/sheet.html"))
        // That is said before the work, not after it.
        #expect(nowhere.text.isEmpty, "\(nowhere.text)")
        #expect(try await home.run("prebuild", home.files, "--sheet", home.path + "/s.html").exitCode == 0)
        let page = try String(contentsOf: URL(filePath: home.path + "/s.html"), encoding: .utf8)
        #expect(page.contains("No file here gets a preview"))
    }
}
