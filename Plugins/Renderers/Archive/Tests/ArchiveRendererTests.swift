import ArchiveReading
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ArchiveRenderer

@Suite(.serialized) struct ArchiveRendererTests {
    private static func draw(
        _ bytes: [UInt8], type: String = "application/zip", box: Int = 256
    ) throws -> Rendering {
        let renderer = try ArchiveRenderer(RendererEnvironment(pluginFolder: "/"))
        var request = RenderRequest(box: box, mimeType: type)
        request.wantsText = true
        return try renderer.render(BytesInput(bytes), request)
    }

    private static func failure(_ bytes: [UInt8]) -> PluginError.Code? {
        RendererFixtures.failure { try draw(bytes) }
    }

    @Test(
        "It keeps the renderer's contract",
        arguments: ["project.zip", "project.tar.xz", "project.7z", "project.rar", "album.zip"])
    func conformance(name: String) throws {
        let sample = RendererSample(name, mimeType: "application/zip", bytes: try Fixtures.bytes("archive/\(name)"))
        let hidden = RendererSample(
            "hidden", mimeType: "application/x-7z-compressed", bytes: try Fixtures.bytes("archive/hidden.7z"))
        let suite = RendererConformance(samples: [sample], encrypted: hidden, enlarges: true) {
            environment throws(PluginError) in try ArchiveRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test(
        "A program's file is shown by the picture that the program left in it",
        arguments: [
            ("previews/preview.png", "document.json"), ("Thumbnails/thumbnail.png", "content.json"),
            ("Thumbnails/thumbnail.png", "song.mscx"), ("QuickLook/Thumbnail.png", "Document.archive"),
            ("geogebra_thumbnail.png", "geogebra.xml"), ("thumbnail.png", "canvas.fig"),
        ])
    func programs(preview: String, document: String) throws {
        let picture = (name: preview, bytes: try Fixtures.bytes("image/rgb-8.png"))
        let other = (name: document, bytes: Array("{}".utf8)),
            third = (name: "notes.txt", bytes: [UInt8](repeating: 65, count: 9))
        let rendering = try Self.draw(zipFile([other, third, third, picture]))
        #expect(rendering.embedded != nil && rendering.facts.text?.contains(document) == true)
        #expect(QuadrantCheck(RGBAPicture(rendering.bitmap)).arrangement == .upright)
        // Without what is beside it, and damaged, it is a file among others.
        #expect(try Self.draw(zipFile([third, third, third, third, picture])).embedded == nil)
        #expect(try Self.draw(zipFile([other, third, third, (name: preview, bytes: [1, 2, 3])])).embedded == nil)
    }

    @Test("The picture of a program is looked for in zip files alone, beside a file of exactly the program's name")
    func notPrograms() throws {
        let picture = try Fixtures.bytes("image/rgb-8.png")
        let third = (name: "notes.txt", bytes: [UInt8](repeating: 65, count: 9))
        func isPreview(beside name: String) throws -> Bool {
            let document = (name: name, bytes: Array("{}".utf8)),
                preview = (name: "previews/preview.png", bytes: picture)
            return try Self.draw(zipFile([document, third, third, preview])).embedded != nil
        }
        #expect(try !isPreview(beside: "x/mydocument.json"))
        #expect(try isPreview(beside: "x/document.json"))
        let tar = Self.tarMember("document.json", Array("{}".utf8)) + Self.tarMember("previews/preview.png", picture)
        #expect(try Self.draw(tar + [UInt8](repeating: 0, count: 1024)).embedded == nil)
    }

    /// A member of a tar file (POSIX.1-2017, pax, "ustar Interchange Format").
    private static func tarMember(_ name: String, _ content: [UInt8]) -> [UInt8] {
        func field(_ text: String, _ count: Int) -> [UInt8] {
            Array(text.utf8) + [UInt8](repeating: 0, count: count - text.utf8.count)
        }
        func octal(_ value: Int, _ count: Int) -> String {
            let digits = String(value, radix: 8)
            return String(repeating: "0", count: count - digits.count) + digits
        }
        var head = field(name, 100) + field("0000644", 8) + field("0000000", 8) + field("0000000", 8)
        head +=
            field(octal(content.count, 11), 12) + field("00000000000", 12) + Array("        0".utf8) + field("", 100)
        head += field("ustar", 6) + field("00", 249)
        let sum = head.reduce(0) { $0 + Int($1) }
        head.replaceSubrange(148..<156, with: field(octal(sum, 6), 7) + [0x20])
        return head + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }

    @Test(
        "Every kind of archive shows the same tree",
        arguments: [
            "project.tar", "project.tar.gz", "project.tar.zst", "project.tar.xz", "project.tar.bz2", "project.7z",
            "project.rar", "project.cpio",
        ])
    func kinds(name: String) throws {
        let expected = ArchiveContents(try Archive(BytesInput(try Fixtures.bytes("archive/project.zip"))))
        let seen = ArchiveContents(try Archive(BytesInput(try Fixtures.bytes("archive/\(name)"))))
        #expect(seen.root == "vitrine-1.0")
        #expect(seen.rows.map(\.name) == ["docs", "src", "LICENSE", "Makefile", "README.md"])
        #expect(seen.rows.map(\.size) == expected.rows.map(\.size) && seen.size == 7861 && seen.files == 6)
        #expect(seen.isWhole && seen.text?.contains("docs/Übersicht.txt") == true)
    }

    @Test("Pictures are shown where they are what it is about")
    func pictures() throws {
        let sheet = RGBAPicture(try Self.draw(try Fixtures.bytes("archive/album.zip")).bitmap)
        #expect(sheet.width == 256 && sheet.height > 200)
        let picture = (name: "logo.png", bytes: try Fixtures.bytes("image/rgb-8.png"))
        let texts = (1...20).map { (name: "\($0).txt", bytes: [UInt8](repeating: 65, count: 9)) }
        #expect(ArchiveContents(try Archive(BytesInput(zipFile([picture] + texts)))).pictures == nil)
        // A picture alone fills the sheet.
        #expect(ArchiveContents(try Archive(BytesInput(zipFile([picture])))).pictures?.count == 1)
        // Pictures that are none leave the list.
        let broken = zipFile([(name: "a.png", bytes: [1]), (name: "b.png", bytes: [2])])
        let page = try Self.draw(broken)
        #expect(page.bitmap.height == 256 && page.bitmap.width < 200)
    }

    @Test("Names that climb out are names, and names that are no text are shown as far as they are")
    func names() throws {
        let names = ["../../etc/passwd", "/etc/shadow", "a\u{202E}gpj.exe", "b\nc", ".", "", "x/../y", "C:\\d\\e"]
        let contents = ArchiveContents(try Archive(BytesInput(zipFile(names.map { (name: $0, bytes: [1]) }))))
        #expect(contents.rows.map(\.name).contains("a\\u{202E}gpj.exe"))
        #expect(contents.rows.contains { $0.name == ".." && $0.isFolder })
        #expect(contents.rows.contains { $0.name == "b\\nc" })
        #expect(try Self.draw(zipFile(names.map { (name: $0, bytes: [1]) })).bitmap.height == 256)
    }

    @Test("Names in zip files that are no UTF-8 are those of the program that wrote them")
    func localNames() {
        func shown(_ name: [UInt8], isZip: Bool = true) -> String { MemberNames([name], isZip: isZip).text(name) }
        #expect(
            shown([0x9A] + Array("bersicht".utf8)) == "Übersicht" && shown([0x6D, 0x81, 0xE1, 0x69, 0x67]) == "müßig")
        #expect(shown([0x8D, 0xAE, 0xA2, 0xA0, 0xEF, 0x20, 0x31]) == "Новая 1")
        #expect(shown(Array("Übersicht/Новая".utf8)) == "Übersicht/Новая" && shown([0x61, 0x0A]) == "a\\n")
        #expect(shown([0xFF, 0xB0]) == "\u{A0}░" && shown((0x80...0xFF).map { $0 }).unicodeScalars.count == 128)
        #expect(shown([0x9A, 0x62], isZip: false) == "\u{FFFD}b")
        // Letters that page 866 has behind those of Russian, and its sign of a number.
        #expect(shown([0x8A, 0xA8, 0xF5, 0xA2]) == "Київ" && shown([0xA5, 0xF7, 0xF3, 0xF4, 0xF2, 0xF6]) == "еўєЇЄЎ")
        let contract: [UInt8] = [0x84, 0xAE, 0xA3, 0xAE, 0xA2, 0xAE, 0xE0]
        #expect(shown(contract + [0x20, 0xFC] + Array("5.doc".utf8)) == "Договор №5.doc")
        #expect(shown(contract + [0xFF, 0x35]) == "Договор\u{A0}5")
    }

    @Test("All names of a zip file are in one code page, those too short to tell as well")
    func oneCodePage() throws {
        /// Files of a byte each. Marks stand for bytes, as a name of a test's file is text.
        func contents(_ names: [String], _ bytes: [Character: UInt8]) throws -> ArchiveContents {
            var file = zipFile(names.map { (name: $0, bytes: [1]) })
            let marks = Dictionary(uniqueKeysWithValues: bytes.map { ($0.key.asciiValue, $0.value) })
            file = file.map { marks[$0] ?? $0 }
            return ArchiveContents(try Archive(BytesInput(file)))
        }
        let bytes: [Character: UInt8] = ["{": 0x92, "|": 0x87, "}": 0x8D, "~": 0xAE]
        let deep = try contents(["{|/}~}~.txt", "{|/}~.txt"], bytes)
        #expect(deep.root == "ТЗ" && Set(deep.rows.map(\.name)) == ["НоНо.txt", "Но.txt"])
        #expect(deep.text == "ТЗ/НоНо.txt\nТЗ/Но.txt\n")
        let flat = try contents(["{|/a.txt", "}~}~.txt"], bytes)
        #expect(Set(flat.rows.map(\.name)) == ["ТЗ", "НоНо.txt"])
        // A sign that both pages have at the same place says nothing.
        let signs = try contents(["{|/a.txt", "}~}~.txt", "45^.txt"], bytes.merging(["^": 0xF8]) { $1 })
        #expect(Set(signs.rows.map(\.name)) == ["ТЗ", "НоНо.txt", "45°.txt"])
        // One word of three letters beyond ASCII among others with some is no Cyrillic.
        let western = try contents(["|bersicht.txt", "{}~.txt"], ["|": 0x9A, "{": 0x86, "}": 0x84, "~": 0x94])
        #expect(Set(western.rows.map(\.name)) == ["Übersicht.txt", "åäö.txt"])
    }

    @Test("Folders within folders are passed by where each of them is a member, too")
    func foldersAsMembers() throws {
        let names = ["a/", "a/b/", "a/b/c/", "a/b/c/1.txt", "a/b/c/2.txt"]
        let archive = zipFile(names.map { (name: $0, bytes: $0.hasSuffix("/") ? [] : [65]) })
        let contents = ArchiveContents(try Archive(BytesInput(archive)))
        #expect(contents.root == "c" && contents.rows.map(\.name) == ["1.txt", "2.txt"])
        #expect(try Self.draw(archive).bitmap.height == 256)
    }

    @Test("A hundred thousand members are listed in no time, and more are said to be more")
    func many() throws {
        let files = (0..<100_500).map { (name: "d\($0 % 300)/\($0)", bytes: [UInt8]()) }
        let bytes = zipFile(files, count: 0xFFFF)
        let time = try ProcessorTime.measure { _ = try Self.draw(bytes) }
        #expect(time < .seconds(9), "\(time)")
        var limits = ArchiveLimits()
        limits.members = 1000
        let archive = try Archive(BytesInput(bytes), limits: limits)
        #expect(archive.members.count == 1000 && !archive.isWhole)
        #expect(ArchiveContents(archive).summary.hasPrefix("more than 1000 files"))
    }

    @Test("What unpacks to more than is looked at is listed as far as it is, and not unpacked")
    func bomb() throws {
        var limits = ArchiveLimits()
        limits.unpacked = 4000
        let tar = try Fixtures.bytes("archive/project.tar.xz")
        let part = try Archive(BytesInput(tar), limits: limits)
        #expect(!part.isWhole && !part.members.isEmpty)
        limits.unpacked = 1 << 20
        limits.member = 100
        let archive = try Archive(BytesInput(tar), limits: limits)
        let large = try #require(archive.members.first { $0.name.suffix(6).elementsEqual("main.c".utf8) })
        #expect(throws: PluginError.self) { try archive.contents(of: large) }
    }

    @Test("What is no archive, or has nothing in it, says so")
    func bad() throws {
        #expect(Self.failure([]) == .empty && Self.failure(zipFile([])) == .empty)
        #expect(Self.failure(Array("words, words, words".utf8)) == .corrupt)
        #expect(Self.failure(try Fixtures.bytes("image/rgb-8.png")) == .corrupt)
        #expect(Self.failure(try Fixtures.bytes("comic/locked.cbz")) == .locked)
        // Documents are left to their own renderers, also when those cannot read them.
        for name in ["office/vitrine.docx", "office/vitrine.odt", "office/password.odt", "bad/truncated.docx"] {
            #expect(Self.failure(try Fixtures.bytes(name)) == .unsupported, "\(name)")
        }
        let inner = zipFile([(name: "a.zip", bytes: zipFile([(name: "b", bytes: [1])]))])
        #expect(ArchiveContents(try Archive(BytesInput(inner))).rows.map(\.name) == ["a.zip"])
        // A list that is its own beginning, and one that lies nowhere.
        let file = (name: "a.txt", bytes: [UInt8](repeating: 65, count: 50))
        for place in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFE] { #expect(Self.failure(zipFile([file], listAt: place)) == nil) }
    }

    @Test(
        "Bytes are counted as file managers count",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (9_949, "9.9 kB"), (9_999, "10 kB"), (999_499, "999 kB"),
            (999_500, "1.0 MB"), (Int64.max, "9.2 EB"),
        ])
    func bytes(count: Int64, text: String) { #expect(ByteCount.text(count) == text) }

    @Test(
        "A packed scene of Blender is shown by the picture in it, unless it is cut off before that",
        arguments: ["scene.blend.gz", "scene.blend.zst"])
    func packedScene(name: String) throws {
        let bytes = try Fixtures.bytes("package/\(name)")
        let shown = try Self.draw(bytes)
        #expect(shown.bitmap.width == 80 && shown.embedded != nil && shown.facts.text != nil)
        #expect(QuadrantCheck(RGBAPicture(shown.bitmap)).arrangement == .upright)
        #expect(Self.failure(Array(bytes.prefix(bytes.count / 4))) == .corrupt)
    }

    @Test("A file that is packed alone is not called an archive of the kind whose name is in its type's")
    func kinds() {
        for type in ["gzip", "x-bzip", "x-bzip2", "x-xz", "zstd", "x-lzip", "x-lz4", "x-lzma", "x-compress"] {
            #expect(ArchiveKind.name(of: "application/" + type) == "Packed file", "\(type)")
        }
        #expect(ArchiveKind.name(of: "application/zip") == "Zip archive")
        #expect(ArchiveKind.name(of: "application/x-zip-compressed") == "Zip archive")
        #expect(ArchiveKind.name(of: "application/x-bzip2-compressed-tar") == "Tar archive")
    }
}
