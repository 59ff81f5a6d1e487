import Foundation
import PluginHost
import Testing

@Suite("Texts that mention a type are not of that type")
struct MentionTests {
    /// The patterns of all renderers, as they are installed.
    private static let magic: [MagicPattern] = {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Plugins/Renderers"
        let plugins = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return plugins.sorted().flatMap { plugin -> [MagicPattern] in
            let file = "\(root)/\(plugin)/plugin.json"
            guard let json = FileManager.default.contents(atPath: file) else { return [] }
            return (try? PluginManifest(json: Array(json), file: file).magic) ?? []
        }
    }()

    private func type(_ head: [UInt8], _ name: String) -> String {
        TypeSniffer(magic: Self.magic).type(head: head, name: Array(name.utf8), size: Int64(head.count)).mimeType
    }

    @Test(
        "A text is what its name says",
        arguments: [
            ("# PDF notes\n\nA PDF file starts with `%PDF-1.7` and ends with `%%EOF`.\n", "a.md", "text/markdown"),
            ("%PDF-1.4 is a header\n", "a.md", "text/markdown"), ("%PDF-\n", "a.txt", "text/plain"),
            ("import x\nHEAD = b\"%PDF-1.4\"\n", "a.py", "text/x-python"), ("a\n%PDF-1.4\nb\n", "a.txt", "text/plain"),
            ("<p>%PDF-1.4</p>", "a.html", "text/html"), ("{\"a\": \"%PDF-1.4\"}", "a.json", "application/json"),
            ("const a = '%PDF-1.4'\n", "a.ts", "text/vnd.trolltech.linguist"),
            ("MZ is the magic of programs\n", "a.txt", "text/plain"), ("ID3 tags\nare\n", "a.txt", "text/plain"),
            ("solid gold is heavy\n", "a.txt", "text/plain"), ("P3 is a road\n", "a.txt", "text/plain"),
            ("P6\nroads of\n", "a.txt", "text/plain"), ("P1 2\n", "a.txt", "text/plain"),
            ("P7\nleads on\n", "a.txt", "text/plain"), ("RIFF files and WAVE\n", "a.txt", "text/plain"),
            ("SQLite format 3 is x\n", "a.txt", "text/plain"), ("GIF89a is a format\n", "a.md", "text/markdown"),
            ("OggS is the magic\n", "a.txt", "text/plain"), ("fLaC is the magic\n", "a.txt", "text/plain"),
            ("wOFF fonts\n", "a.txt", "text/plain"), ("SIMPLE  = life is good\n", "a.txt", "text/plain"),
            ("{\\rtf is the header of RTF}\n", "a.txt", "text/plain"), ("<svg> is a tag\n", "a.md", "text/markdown"),
            ("<svg xmlns='a'>\n<g/></svg>\n\n# Heading\n", "a.md", "text/markdown"),
            ("<svg xmlns='a'/>\n\nwords\n", "a.md", "text/markdown"),
            ("Books begin with `<FictionBook`.\n", "a.md", "text/markdown"),
            ("GIF89a est un format défini\n", "a.txt", "text/plain"),
        ])
    func names(content: String, name: String, type: String) {
        #expect(self.type(Array(content.utf8), name) == type)
    }

    @Test func textsMayBeInAnyEncodingOfEightBits() {
        #expect(type(Array("GIF89a est d".utf8) + [0xE9] + Array("fini\n".utf8), "a.txt") == "text/plain")
        #expect(type(Array("P3 ".utf8) + [0x83, 0x65, 0x83, 0x58, 0x0A], "a.txt") == "text/plain")
    }

    @Test(
        "A document with a wrong name is what it is, also of types that may be text throughout",
        arguments: [
            ("%PDF-1.4\n1 0 obj\n", "application/pdf"), ("%PDF-2.0 \r\n1 0 obj\r\n", "application/pdf"),
            ("%!PS-Adobe-3.0\n", "application/postscript"), ("<svg xmlns='a'/>", "image/svg+xml"),
            ("<svg xmlns='a'><g><svg/></g></svg>\n<!-- b -->\n", "image/svg+xml"),
            ("<?xml version='1.0'?>\n<svg xmlns='a'></svg>\n", "image/svg+xml"),
            ("<svg xmlns='a'>" + String(repeating: "<g></g>", count: 700), "image/svg+xml"),
            ("{\\rtf1 a}", "application/rtf"), ("{\\rtf\\ansi a}", "application/rtf"),
            ("P3\n# a\n2 1\n255\n1 2 3 4 5 6\n", "image/x-portable-pixmap"), ("P1 1 1 0\n", "image/x-portable-bitmap"),
            ("P6 1 1 255 abc", "image/x-portable-pixmap"), ("PF\n3 2\n-1.0\n", "image/x-portable-anymap"),
            ("P7\nWIDTH 1\n", "image/x-portable-anymap"), ("solid a\nfacet normal 0 0 1\n", "model/stl"),
            ("SIMPLE  =                    T / a\n", "application/fits"),
            ("/* XPM */\nstatic char *a[] = {\n", "image/x-xpixmap"), ("ply\nformat ascii 1.0\n", "application/x-ply"),
            ("; FBX 7.4.0 project file\n", "application/vnd.autodesk.fbx"),
            ("  0\nSECTION\n  2\nHEADER\n", "image/vnd.dxf"),
            ("<?xml version='1.0'?>\n<FictionBook/>", "application/x-fictionbook+xml"),
            ("<?xml version='1.0'?><gpx/>", "application/gpx+xml"),
            ("<TrainingCenterDatabase>", "application/vnd.garmin.tcx+xml"),
            ("From: <Saved by a browser>\r\nMIME-Version: 1.0\r\n", "application/x-mimearchive"),
            (
                "<svg xmlns='a'><svg></svg><rect/>" + String(repeating: "<g></g>", count: 700) + "</svg>",
                "image/svg+xml"
            ),
            // What no text has: NUL, and other control characters.
            ("GIF89a\u{1}\u{0}\u{1}\u{0}\u{0}", "image/gif"), ("a\n%PDF-1.4\n\u{1}", "application/pdf"),
            ("MZ\u{0}\u{0}", "application/x-ms-dos-executable"), ("ID3\u{3}\u{0}", "audio/mpeg"),
        ])
    func documents(content: String, type: String) {
        for name in ["a.txt", "a.md", "a.py"] { #expect(self.type(Array(content.utf8), name) == type, "\(name)") }
    }

    @Test(
        "Names of other kinds, and none at all, leave the content's type", arguments: ["a.pdf", "a.docx", "a.png", ""])
    func otherNames(name: String) {
        #expect(type(Array("words\n%PDF-1.4\n".utf8), name) == "application/pdf")
    }
}
