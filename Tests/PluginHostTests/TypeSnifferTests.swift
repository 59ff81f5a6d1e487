import Foundation
import PluginHost
import Testing

@Suite("The content decides what a file is; the name only refines it")
struct TypeSnifferTests {
    private static let ooxml = "application/vnd.openxmlformats-officedocument."
    private static let ole: [UInt8] =
        [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + Array(repeating: 0, count: 504)
    private static let noise: [UInt8] = (0..<512).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ 7) }

    /// Local file headers with their data, stored, one after the other.
    private static func zip(_ entries: [(name: String, data: String)], streamed: Bool = false) -> [UInt8] {
        entries.flatMap { entry -> [UInt8] in
            func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
            let size = streamed ? 0 : entry.data.utf8.count
            let flags = streamed ? 8 : 0
            return [0x50, 0x4B, 3, 4, 20, 0] + little(flags, 2) + little(0, 10) + little(size, 4) + little(size, 4)
                + little(entry.name.utf8.count, 2) + little(0, 2) + Array(entry.name.utf8) + Array(entry.data.utf8)
        }
    }

    private func sniff(_ head: [UInt8], _ name: String, _ magic: [MagicPattern] = []) -> SniffedType {
        TypeSniffer(magic: magic).type(head: head, name: Array(name.utf8), size: Int64(head.count))
    }

    @Test(
        arguments: [
            ("%PDF-1.7\n", "", "application/pdf", .content), ("%PDF-1.7\n", "a.docx", "application/pdf", .content),
            ("plain words\n", "", "text/plain", .content), ("plain words\n", "notes.md", "text/markdown", .name),
            ("plain words\n", "notes.txt", "text/plain", .content),
            ("plain words\n", "report.pdf", "application/pdf", .name),
            ("<?xml version=\"1.0\"?><a/>", "", "application/xml", .content),
            ("<?xml version=\"1.0\"?><a/>", "a.svg", "image/svg+xml", .name),
            ("<?xml version=\"1.0\"?><COLLADA/>", "a.dae", "model/vnd.collada+xml", .name),
            ("<?xml version=\"1.0\"?><amf/>", "a.amf", "application/x-amf", .name),
            ("<?xml version=\"1.0\"?><a/>", "a.tcx", "application/vnd.garmin.tcx+xml", .name),
            ("<?xml version=\"1.0\"?><a/>", "a.fbx", "application/xml", .content),
            ("<html><body>not found</body></html>", "a.png", "text/html", .content),
            ("{\\rtf1 hello}", "letter.doc", "application/rtf", .content),
            ("", "a.pdf", "application/x-zerosize", .content),
        ] as [(String, String, String, SniffedType.Evidence)])
    func text(content: String, name: String, type: String, found: SniffedType.Evidence) {
        #expect(sniff(Array(content.utf8), name) == SniffedType(mimeType: type, found: found))
    }

    @Test(
        "A text is about what its name says, unless its content says more",
        arguments: [
            ("use strict;\n", "a.py", "text/x-python"), ("use strict;\n", "a.txt", "application/x-perl"),
            ("/* a */\np {}\n", "a.css", "text/css"), ("package main\n", "a.go", "text/x-go"),
            ("#!/usr/bin/python3\n", "a.py", "text/x-python3"), ("#!/usr/bin/python3\n", "a", "text/x-python3"),
            ("class a:\n  <svg", "a.svg", "image/svg+xml"), ("/* a */\n", "a.pdf", "text/x-csrc"),
        ])
    func about(content: String, name: String, type: String) {
        #expect(sniff(Array(content.utf8), name).mimeType == type)
    }

    @Test(
        "Notes and tables that are named as documents of Office are what those programs show",
        arguments: [
            ("Name\tAmount\nAnna\t3\n", "a.xls", "text/csv"), ("<table><tr><td>Anna", "a.xls", "text/html"),
            ("\u{FEFF}\n<style>td {}</style>", "a.XLS", "text/html"), ("< 3\n", "a.xls", "text/csv"),
            ("Dear all\n", "a.doc", "text/plain"), ("ssh-rsa AAAA me\n", "id.pub", "text/plain"),
            ("not found\n", "a.docx", Self.ooxml + "wordprocessingml.document"), ("export {}\n", "a.mts", "text/plain"),
            ("Module A\n", "a.vb", "text/plain"),
        ])
    func officeTexts(content: String, name: String, type: String) {
        #expect(sniff(Array(content.utf8), name).mimeType == type)
        let wide: [UInt8] = [0xFF, 0xFE] + "a\tb\n".utf8.flatMap { [$0, UInt8.zero] }
        #expect(sniff(wide, "a.xls").mimeType == "text/csv")
    }

    @Test(
        "Texts are drawn where their ending is that of an old program, which wrote none",
        arguments: [
            ("HEADER    OXIDOREDUCTASE\n", "1abc.pdb"), ("ID1 100\n", "a.cdr"), ("12.5 13\n", "a.pct"),
            ("1 2 3\n", "a.wk1"), ("role q {}\n", "Q.pm6"), ("notes\n", "a.wri"),
        ])
    func oldEndings(content: String, name: String) {
        #expect(sniff(Array(content.utf8), name).mimeType == "text/plain")
        #expect(!["text/plain", "application/octet-stream"].contains(sniff(Self.noise, name).mimeType))
    }

    @Test(
        "Pages and XML in UTF-16 that are named as documents of Office are no tables of commas",
        arguments: [
            ("<html><table>", "text/html"), ("<?xml version=\"1.0\"?>\n<Workbook>", "application/xml"),
        ])
    func wideOfficeTexts(content: String, type: String) {
        let units = Array(content.utf8)
        #expect(sniff([0xFF, 0xFE] + units.flatMap { [$0, 0] }, "a.xls").mimeType == type)
        #expect(sniff([0xFE, 0xFF] + units.flatMap { [0, $0] }, "a.xls").mimeType == type)
    }

    @Test(
        "What mentions a drawing is none",
        arguments: [
            ("ICON = '<svg/>'", "icon.py", "text/x-python"), ("# Title\n<svg/>", "a.md", "text/markdown"),
            ("<div><style>a { b: url('<svg>') }</style></div>", "a.html", "text/html"),
            ("<html><body><svg/></body></html>", "", "text/html"),
            ("<?xml version='1.0'?><a><svg/></a>", "", "application/xml"),
            ("words <svg", "", "text/plain"), ("\u{0}<svg", "", "application/octet-stream"),
            ("<svg xmlns='a'/>", "a.txt", "image/svg+xml"), ("<!-- a --> <svg xmlns='a'/>", "", "image/svg+xml"),
            ("<?xml version='1.0'?><!DOCTYPE svg [" + String(repeating: " ", count: 8192), "", "image/svg+xml"),
        ])
    func mentions(content: String, name: String, type: String) {
        #expect(sniff(Array(content.utf8), name).mimeType == type)
    }

    @Test(
        "What begins with a mark of comments in Matlab may be anything that its name says",
        arguments: [
            ("## Title\n", "README.md", "text/markdown"), ("% notes\n", "a.tex", "text/x-tex"),
            ("####\n# OBJ File\nv 0 0 0\n", "a.obj", "model/obj"), ("% a\n%PDF-1.4\n", "a.pdf", "application/pdf"),
            ("% a\n\u{0}%PDF-1.4\n", "a.pdf", "application/pdf"), ("% a\n", "a.m", "text/x-matlab"),
            ("## a\n", "notes", "text/plain"),
        ])
    func commentsOfMatlab(content: String, name: String, type: String) {
        #expect(sniff(Array(content.utf8), name).mimeType == type)
    }

    @Test(
        "What begins with a comment or a heading of HTML may be the XML or the text that its name says",
        arguments: [
            ("<!-- a -->\n<!-- b -->\n<abiword/>", "a.abw", "application/x-abiword"),
            ("<!-- a --><svg/>", "a.svg", "image/svg+xml"), ("<!-- a --><COLLADA/>", "a.dae", "model/vnd.collada+xml"),
            ("<!-- a comment without an end", "a.kml", "application/vnd.google-earth.kml+xml"),
            ("<!-- a --><p>b</p>", "a.html", "text/html"), ("<!-- a --><p>b</p>", "", "text/html"),
            ("<!-- a --><p>b</p>", "a.png", "text/html"), ("<!-- a --><HTML>not found", "a.svg", "text/html"),
            ("<!-- a -->\n<!DOCTYPE html>", "a.abw", "text/html"),
            ("<!-- a -->\n# b\n", "README.md", "text/markdown"), ("<h1>a</h1>\n\n* b\n", "a.md", "text/markdown"),
            ("<!-- a -->\n<html><p>b", "a.md", "text/html"), ("<!-- a -->\nb\n", "a.txt", "text/plain"),
            ("<!-- p {} -->", "a.css", "text/css"), ("PAGE = '<html>'", "a.py", "text/x-python"),
            ("a { content: '<!DOCTYPE HTML>' }", "a.css", "text/css"),
            ("<?xml version='1.0'?><a><head/></a>", "a.xml", "application/xml"), ("see <html>", "a.html", "text/html"),
        ])
    func commentsOfMarkup(content: String, name: String, type: String) {
        #expect(sniff(Array(content.utf8), name).mimeType == type)
    }

    @Test(
        "Endings that the database leaves open mean what nearly all such files are",
        arguments: [
            ("part.obj", "model/obj"), ("PART.OBJ", "model/obj"), ("scan.ply", "application/x-ply"),
            ("a.fbx", "application/vnd.autodesk.fbx"), ("a.dae", "model/vnd.collada+xml"), ("a.off", "model/x-off"),
            ("a.amf", "application/x-amf"), ("a.x3d", "model/x3d+xml"), ("a.ff", "image/x-farbfeld"),
            ("a.jxr", "image/jxr"), ("A.WDP", "image/jxr"), ("a.hdp", "image/jxr"),
            ("a.dfont", "application/x-dfont"), ("a.fon", "application/x-font-win"),
            ("a.tcx", "application/vnd.garmin.tcx+xml"),
            ("a.step", "model/step"), ("a.igs", "model/iges"), ("a.IFC", "application/x-extension-ifc"),
            ("obj", "application/octet-stream"), ("ply", "application/octet-stream"),
        ])
    func openEndings(name: String, type: String) {
        #expect(TypeSniffer(magic: []).type(name: Array(name.utf8)).mimeType == type)
    }

    @Test(
        "Resources of the Macintosh are what their name says, and no icons",
        arguments: [
            ("Times.dfont", "application/x-dfont"), ("Sounds.rsrc", "application/octet-stream"),
            ("Icon", "application/octet-stream"), ("a.ico", "image/vnd.microsoft.icon"),
        ])
    func resources(name: String, type: String) {
        let fork: [UInt8] = [0, 0, 1, 0, 0, 0, 0x12, 0x34, 0, 0, 0x11, 0x34] + Array(repeating: 0, count: 300)
        #expect(sniff(fork, name).mimeType == type)
        #expect(sniff([0, 0, 1, 0, 1, 0, 16, 16] + fork, name).mimeType == "image/vnd.microsoft.icon")
    }

    @Test(
        "Libraries of 16 bits with fonts alone are fonts, whatever their name is",
        arguments: ["VGAOEM.FON", "a.dll", ""])
    func windowsFonts(name: String) {
        func little(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
        func library(_ kinds: Int...) -> [UInt8] {
            let start = Array("MZ".utf8) + Array(repeating: 0, count: 0x3A) + little(0x40) + little(0)
            let header = Array("NE".utf8) + Array(repeating: 0, count: 0x22) + little(0x40) + little(0x80)
            let resources = kinds.flatMap { little($0) + little(1) + Array(repeating: 0, count: 4 + 12) }
            return start + header + Array(repeating: 0, count: 0x18) + little(4) + resources + little(0)
        }
        let font = "application/x-font-win"
        #expect(sniff(library(0x8007, 0x8008), name).mimeType == font)
        for other in [library(0x8008, 0x800E), library(0x8007), library(), Array(library(0x8008).prefix(0x80))] {
            #expect(sniff(other, name).mimeType != font)
        }
    }

    @Test func drawingsOfTgifStayWhatTheyAre() {
        #expect(sniff(Array("v 0 0 0\nv 1 0 0\nf 1 2 3\n".utf8), "a.obj").mimeType == "model/obj")
        #expect(sniff(Array("%TGIF 4.1.45\n".utf8), "a.obj").mimeType == "application/x-tgif")
    }

    @Test func unrecognisedContentLeadsToTheName() {
        #expect(
            sniff(Self.noise, "a.docx") == SniffedType(mimeType: Self.ooxml + "wordprocessingml.document", found: .name)
        )
        #expect(sniff(Self.noise, "a.pdf") == SniffedType(mimeType: "application/pdf", found: .name))
        #expect(sniff(Self.noise, "") == SniffedType(mimeType: "application/octet-stream", found: .content))
        #expect(sniff(Self.noise, "a.nobody-knows").mimeType == "application/octet-stream")
    }

    @Test func zipsTellByWhatIsInThem() {
        let word = Self.zip([
            ("[Content_Types].xml", "<Types/>"), ("_rels/.rels", "<R/>"), ("word/document.xml", "<w/>"),
        ])
        let expected = SniffedType(mimeType: Self.ooxml + "wordprocessingml.document", found: .content)
        #expect(sniff(word, "") == expected)
        #expect(sniff(word, "a.docx") == expected)
        #expect(sniff(word, "a.xlsx") == expected, "the content is trusted, not the name")
        #expect(sniff(word, "a.doc") == expected)
        #expect(sniff(word, "a.dotx").mimeType == Self.ooxml + "wordprocessingml.template")
        #expect(sniff(word, "a.docm").mimeType == "application/vnd.ms-word.document.macroenabled.12")
        let sheet = Self.zip([("[Content_Types].xml", "<Types/>"), ("xl/workbook.xml", "")], streamed: true)
        #expect(sniff(sheet, "").mimeType == Self.ooxml + "spreadsheetml.sheet")
        let slides = Self.zip([("docProps/app.xml", "<P/>"), ("ppt/presentation.xml", "")])
        #expect(sniff(slides, "download").mimeType == Self.ooxml + "presentationml.presentation")
    }

    @Test func zipsTellByTheirFirstEntry() {
        for type in ["application/vnd.oasis.opendocument.text", "application/epub+zip"] {
            let zip = Self.zip([("mimetype", type), ("content.xml", "<c/>")])
            #expect(sniff(zip, "") == SniffedType(mimeType: type, found: .content))
            #expect(sniff(zip, "a.zip").mimeType == type)
        }
        // Krita stores its type inside of a stream of Deflate.
        let (name, type) = (Array("mimetype".utf8), Array("application/x-krita".utf8))
        let size = UInt8(type.count)
        let start: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 8, 0] + [UInt8](repeating: 0, count: 8)
        let head = start + [size + 5, 0, 0, 0, size, 0, 0, 0, 8, 0, 0, 0] + name
        let painting = head + [1, size, 0, ~size, 0xFF] + type
        #expect(sniff(painting, "a.zip").mimeType == "application/x-krita")
        #expect(sniff(head + [1, size, 0, size, 0xFF] + type, "").mimeType == "application/zip")
        #expect(sniff(painting.dropLast(), "").mimeType == "application/zip")
        let lying = Self.zip([("mimetype", "not a type\u{0}"), ("x", "")])
        #expect(sniff(lying, "").mimeType == "application/zip")
    }

    @Test func zipsWithoutHintsAreRefinedByName() {
        let zip = Self.zip([("a.txt", "hello")])
        #expect(sniff(zip, "") == SniffedType(mimeType: "application/zip", found: .content))
        #expect(sniff(zip, "a.odt") == SniffedType(mimeType: "application/vnd.oasis.opendocument.text", found: .name))
        #expect(sniff(zip, "a.png").mimeType == "application/zip")
    }

    @Test func damagedZipsAreNoTrap() {
        let zip = Self.zip([("[Content_Types].xml", "<Types/>"), ("word/document.xml", "<w/>")])
        for count in 0...zip.count { _ = sniff(Array(zip[..<count]), "") }
        for index in zip.indices {
            var damaged = zip
            damaged[index] = 255
            _ = sniff(damaged, "a.docx")
        }
        #expect(sniff(Array(zip[..<40]), "a.docx").mimeType == Self.ooxml + "wordprocessingml.document")
    }

    @Test func zipFilesOfProgramsWhoseTypesAreNoZipFilesAreRefinedByName() {
        let zip: [UInt8] = [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 60)
        #expect(sniff(zip, "a.cdr") == SniffedType(mimeType: "application/vnd.corel-draw", found: .name))
        #expect(sniff(zip, "a.amf") == SniffedType(mimeType: "application/x-amf", found: .name))
        #expect(sniff(zip, "a.kra") == SniffedType(mimeType: "application/x-krita", found: .name))
        #expect(sniff(zip, "a.dwg").mimeType == "application/zip")
    }

    @Test func documentsOfIWorkAreToldApartByName() {
        let zip = Self.zip([("Index/Document.iwa", "")])
        for (name, program) in [("a.key", "keynote"), ("a.numbers", "numbers"), ("a.pages", "pages"), ("a", "pages")] {
            #expect(sniff(zip, name).mimeType == "application/vnd.apple." + program)
        }
        #expect(sniff(zip, "a.odt").mimeType == "application/vnd.apple.pages")
    }

    @Test func compoundFilesAreRefinedByName() {
        #expect(sniff(Self.ole, "").mimeType == "application/x-ole-storage")
        for (name, type) in [
            ("a.xls", "application/vnd.ms-excel"), ("a.ppt", "application/vnd.ms-powerpoint"),
            ("a.doc", "application/msword"), ("encrypted.docx", Self.ooxml + "wordprocessingml.document"),
        ] { #expect(sniff(Self.ole, name) == SniffedType(mimeType: type, found: .name)) }
        #expect(sniff(Self.ole, "a.png").mimeType == "application/x-ole-storage")
    }

    @Test func namesMayBeAnyBytes() {
        let sniffer = TypeSniffer(magic: [])
        for name in [[0xFF, 0xFE], [0x0A, 0x2D], Array(repeating: 0x2E, count: 255), [0x61, 0, 0x2E, 0x70], [0x2F]]
            as [[UInt8]]
        {
            #expect(sniffer.type(head: Self.noise, name: name, size: 512).mimeType == "application/octet-stream")
        }
        #expect(
            sniffer.type(head: Self.noise, name: [0xFF] + Array(".pdf".utf8), size: 512).mimeType == "application/pdf")
    }

    // MARK: Patterns of manifests

    /// The shared MIME database knows few of CorelDRAW's versions, and the others as RIFF.
    @Test func knowsCorelDrawByItsRenderersManifest() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = root + "/Plugins/Renderers/Office/plugin.json"
        let magic = try PluginManifest(json: Array(Data(contentsOf: URL(filePath: file))), file: file).magic
        for version in "345678ABv" {
            let head = Array("RIFF\u{10}\u{0}\u{0}\u{0}CDR\(version)vrsn".utf8)
            let expected = SniffedType(mimeType: "application/vnd.corel-draw", found: .magic)
            #expect(sniff(head, "a.cdr", magic) == expected && sniff(head, "a.wav", magic) == expected)
        }
        #expect(
            sniff(Array("RIFF\u{10}\u{0}\u{0}\u{0}WAVEfmt ".utf8), "a.cdr", magic).mimeType
                != "application/vnd.corel-draw")
    }

    @Test("Text may begin with the words of pictures", arguments: ["Image", "Package"])
    func knowsTextByMoreThanAWord(plugin: String) throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = "\(root)/Plugins/Renderers/\(plugin)/plugin.json"
        let magic = try PluginManifest(json: Array(Data(contentsOf: URL(filePath: file))), file: file).magic
        for text in ["icns are the icons of macOS\n", "qoif is a format\n", "BLENDER notes\n"] {
            let expected = SniffedType(mimeType: "text/plain", found: .content)
            #expect(
                sniff(Array(text.utf8), "", magic) == expected && sniff(Array(text.utf8), "a.txt", magic) == expected)
        }
        let pictures =
            plugin == "Image"
            ? [("icns\0\0\u{1}\0", "image/x-icns"), ("qoif\0\0\0\u{9}\0", "image/qoi")]
            : ["BLENDER-v402", "BLENDER_V279", "BLENDER_v279"].map { ($0, "application/x-blender") }
        for (head, type) in pictures {
            #expect(sniff(Array(head.utf8), "a.txt", magic) == SniffedType(mimeType: type, found: .magic))
        }
        // Blender's newer heads are the database's.
        #expect(sniff(Array("BLENDER17-01v0500TEST\0\0\0".utf8), "").mimeType == "application/x-blender")
    }

    @Test func knowsModelsByMoreThanAWord() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = "\(root)/Plugins/Renderers/Model/plugin.json"
        let magic = try PluginManifest(json: Array(Data(contentsOf: URL(filePath: file))), file: file).magic
        for head in [
            "; FBX 7.4.0 project file\n; a\n", "; FBX 6.1.0 project file\r\n", "Kaydara FBX Binary  \0\u{1A}\0",
        ] {
            let expected = SniffedType(mimeType: "application/vnd.autodesk.fbx", found: .magic)
            #expect(sniff(Array(head.utf8), "a.txt", magic) == expected)
        }
        for text in ["; FBX presets of my exporter\n", "Kaydara FBX is a format\n", "MM notes\n"] {
            #expect(sniff(Array(text.utf8), "a.txt", magic).mimeType == "text/plain")
        }
        // A TIFF's head that reads as one of 3D Studio as well.
        let tiff: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 2, 0, 0x0A, 0, 0, 0]
        #expect(sniff(tiff, "", magic).mimeType == "image/tiff")
        let studio: [UInt8] = [0x4D, 0x4D, 0x20, 1, 0, 0, 2, 0, 0x0A, 0, 0, 0, 3, 0, 0, 0]
        #expect(sniff(studio, "a.3ds", magic).mimeType == "image/x-3ds")
        #expect(sniff(Array("MM/DD/YYYY,sum\n".utf8), "a.csv", magic).mimeType == "text/csv")
    }

    @Test func savedPagesAreMessagesByTheirContent() {
        let head = Array(
            "From: \"Saved by a browser\"\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related\r\n".utf8)
        #expect(sniff(head, "a.mht").mimeType == "application/x-mimearchive")
        #expect(sniff(head, "a.eml").mimeType == "message/rfc822" && sniff(head, "a.pdf").mimeType == "message/rfc822")
    }

    @Test func textsAreNoMusicByTheirNames() {
        for name in ["go.mod", "hello.mod", "tutor.it"] {
            #expect(sniff(Array("module example.org/a\n".utf8), name).mimeType == "text/plain", "\(name)")
        }
        let module = [UInt8](repeating: 0, count: 1080) + Array("M.K.".utf8)
        #expect(sniff(module, "a.mod").mimeType == "audio/x-mod")
        // What one player's modules have in six places, any program that begins with a condition may have.
        let program = Array(("if a" + String(repeating: "\n", count: 400) + "end\n").utf8)
        #expect(sniff(program, "a.fish").mimeType == "text/plain")
        #expect(sniff(program + [0], "a.fish").mimeType == "audio/x-mod")
        // Nor brushes by a word that has its place in them.
        #expect(sniff(Array("0123456789 the tool GIMP is\n".utf8), "").mimeType == "text/plain")
    }

    @Test func textsAreNoProgramsByTheirNames() {
        let pointer = Array("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n".utf8)
        let names = [
            "a.exe", "a.dll", "a.apk", "a.AppImage", "a.dcm", "a.raw", "a.icc", "a.icm", "a.sqlite3", "a.jxr", "a.wdp",
            "a.hdp", "a.tgs",
        ]
        for name in names {
            #expect(sniff(pointer, name).mimeType == "text/plain", "\(name)")
        }
        #expect(sniff([0, 1, 2, 0xFF], "a.apk").mimeType == "application/vnd.android.package-archive")
    }
}
