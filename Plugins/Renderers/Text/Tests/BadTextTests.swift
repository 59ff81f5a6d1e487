import Testing
import VitrineKit
import VitrineTesting

@testable import TextRenderer

@Suite(.serialized) struct BadTextTests {
    @Test("Nothing, or nothing but blanks, is empty", arguments: ["", "\n", " \t\r\n\u{0C}\n", "\u{FEFF}", "\u{A0}\n"])
    func empty(text: String) { #expect(failure(text.utf8)?.code == .empty) }

    @Test(
        "A private key is not drawn, wherever in a text it is",
        arguments: ["PRIVATE", "RSA PRIVATE", "ENCRYPTED PRIVATE", "OPENSSH PRIVATE", "PGP PRIVATE"])
    func privateKeys(kind: String) {
        let letters = String(repeating: "QUJD", count: 12)
        func block(_ name: String, _ content: String = letters) -> String {
            "-----BEGIN \(name)-----\n\(content)\n-----END \(name)-----\n"
        }
        let name = kind + (kind.hasPrefix("PGP") ? " KEY BLOCK" : " KEY")
        for before in [
            "", "\u{FEFF}\r\n", block("CERTIFICATE"), "Bag Attributes\n    localKeyID: 01\n", "subject=CN = a\n",
            "# mine\n",
            "<key>\n",
        ] {
            let error = failure((before + block(name)).utf8)
            #expect(error?.code == .empty && error?.message.contains("private key") == true, "\(before)")
        }
        let json = "{\"key\": \"" + block(name).replacing("\n", with: "\\n") + "\"}"
        #expect(failure(json.utf8)?.code == .empty)
        #expect(
            failure(block(name, "Proc-Type: 4,ENCRYPTED\n\n" + letters).replacing("\n", with: "\r\n").utf8)?.code
                == .empty)
        // What speaks of keys is a text, and so are those that are for everybody.
        #expect(failure(("How to make a key:\n\n" + block(name, "MIIE…")).utf8) == nil)
        #expect(failure("It begins with -----BEGIN \(name)----- and ends so.\n".utf8) == nil)
        let prose = "-----BEGIN \(name)----- marks where the key begins which nobody else may ever see or copy\n"
        #expect(failure(prose.utf8) == nil)
        #expect(failure((block("CERTIFICATE") + block("PUBLIC KEY") + "a PRIVATE KEY\n").utf8) == nil)
    }

    @Test("Nor are private keys in other forms")
    func otherPrivateKeys() {
        let key = String(repeating: "Ab1/", count: 10) + "abc="
        for text in [
            "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n", "[Interface]\nPrivateKey = \(key)\nPort = 1\n",
            "# created: 2024\nAGE-SECRET-KEY-1" + String(repeating: "QPZ7", count: 14) + "\n",
            "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: \"a\"\n" + String(repeating: "QUJD", count: 12)
                + "\n",
        ] { #expect(failure(text.utf8)?.code == .empty, "\(text)") }
        #expect(failure("[Peer]\nPublicKey = \(key)\n".utf8) == nil && failure("PrivateKey = the file\n".utf8) == nil)
        // Without an end of a line.
        #expect(failure(String(repeating: "PRIVATE KEY----", count: 4000).utf8) == nil)
    }

    @Test("What is meant for a printer is not drawn as the text that is in it")
    func printers() throws {
        let words = String(repeating: "some plain words\n", count: 20)
        for start in ["\u{1B}%-12345X@PJL JOB\n", "@PJL COMMENT\n", "\u{1B}E\u{1B}&l1O", "\u{1B}E\u{1B}*t300R"] {
            let error = failure((start + words).utf8)
            #expect(error?.code == .unsupported && error?.message.contains("printer") == true, "\(start)")
        }
        // Output of terminals, and notes about printers.
        for start in ["\u{1B}E", "\u{1B}[1m", "\u{1B}E\u{1B}[1m", "PJL: @PJL JOB\n"] {
            #expect(failure((start + words).utf8) == nil, "\(start)")
        }
    }

    @Test("What begins as a text and is none is not called damaged")
    func laterBytes() {
        let head = Array("id=ImageMagick version=1.0\nclass=DirectClass\n".utf8)
        let error = failure(head + (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ 7) })
        #expect(error?.code == .unsupported && error?.message.contains("no text") == true)
    }

    @Test("What is no text is not drawn as one", arguments: 0..<20)
    func binary(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        let noise = (0..<4096).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 40)
        }
        #expect(failure(noise)?.code == .unsupported)
        let program = [0x7F] + Array("ELF".utf8) + [2, 1, 1] + [UInt8](repeating: 0, count: 500)
        #expect(failure(program)?.code == .unsupported)
    }

    @Test("Control characters do no harm and leave no mark")
    func controls() throws {
        let coloured = "\u{1B}[1;31mred\u{1B}[0m \u{1B}]0;title\u{07}words\u{08}\n"
        #expect(PlainText.cleaned(coloured) == "red words\n")
        #expect(PlainText.cleaned("a\r\nb\rc\u{202E}d\u{0}e\u{FEFF}") == "a\nb\ncde")
        #expect(PlainText.cleaned("\u{1B}") == "" && PlainText.cleaned("\u{1B}[") == "")
        #expect(PlainText.cleaned("\u{1B}]0;a\u{1B}\\b\u{1B}]c\nd") == "b\nd")
        let words = String(repeating: "plain words ", count: 20)
        #expect(try Drawn(words + "\u{1}").pixels == Drawn(words).pixels)
        // A manual's table of nodes.
        #expect(failure(Array(String(repeating: "Node: a\u{7F}1\n\u{1F}\n", count: 9).utf8)) == nil)
    }

    @Test("Zeros in a text that is sound but for them are passed over")
    func zeros() throws {
        let words = String(repeating: "plain words ü\n", count: 20)
        let block = String(repeating: "\0", count: 4500)
        for text in [block + words, words + block, words.replacing("p", with: "\0p")] {
            #expect(try Drawn(text).pixels == Drawn(words).pixels)
        }
        // Nothing but zeros, hardly a word, a program, and letters of no encoding in particular.
        let bytes = Array(block.utf8)
        for rest in [[], Array("words".utf8), Array(words.utf8) + [1, 2, 3], Array(words.utf8) + [0xFF, 0xE4, 0xFC]] {
            #expect(failure(bytes + rest)?.code == .unsupported, "\(rest.count)")
        }
    }

    @Test(
        "Drawings and documents that are written in letters are left to their own renderers",
        arguments: [
            "{\\rtf1 hello}", "%!PS-Adobe-3.0\n", "<svg xmlns='a'><g/></svg>",
            "<?xml version='1.0'?>\n<!-- a <b> -->\n<svg/>",
            "<!DOCTYPE svg PUBLIC '' ''><svg/>", "<svg:svg/>", "<?xml version='1.0'?><office:document/>",
            "<?xml version='1.0'?><gpx version='1.1'/>", "<kml/>", "<TrainingCenterDatabase>",
            "{ \"type\": \"FeatureCollection\", \"features\": [] }",
        ])
    func foreign(text: String) { #expect(failure(text.utf8, type: "application/xml")?.code == .unsupported) }

    @Test(
        "What looks like them in its middle is a text, and so is a part of an OpenDocument package",
        arguments: [
            "<html><svg/></html>", "<", "<!--", "a <svg>", "<office:document-styles>a</office:document-styles>",
        ])
    func ownMarkup(text: String) { #expect(failure(text.utf8, type: "application/xml") == nil) }

    @Test(
        "Notes that begin with their marks are texts",
        arguments: [
            ("%PDF-1.4 is a header\n", "text/plain"), ("{\\rtf is the header of RTF}\n", "text/plain"),
            ("<svg> is a tag\n", "text/markdown"), ("<svg xmlns='a'>\n<g/></svg>\n\n# Heading\n", "text/markdown"),
        ])
    func mentions(text: String, type: String) { #expect(failure(text.utf8, type: type) == nil) }

    @Test(
        "Texts that are made to be hard are drawn in no time",
        arguments: ["text/plain", "text/markdown", "text/csv", "application/json", "text/x-log", "text/x-csrc"])
    func bombs(type: String) throws {
        let size = 200_000
        let texts = [
            String(repeating: "x", count: size), String(repeating: "x ", count: size),
            "a" + String(repeating: "\u{301}", count: size), String(repeating: "[", count: size),
            String(repeating: "](", count: size), String(repeating: "<", count: size),
            String(repeating: "\"", count: size),
            String(repeating: ">", count: size), String(repeating: "* ", count: size),
            String(repeating: ",", count: size),
            String(repeating: "\n", count: size) + "a", String(repeating: "a\n", count: size),
            String(repeating: "# a\n", count: size), String(repeating: "ا\u{2067}b", count: size),
            String(repeating: "👨‍👩‍👧‍👦", count: size), String(repeating: "`", count: size),
            String(repeating: "\t", count: size) + "a",
            String(repeating: "{\"a\":[", count: size), String(repeating: "-\n", count: size),
        ]
        for text in texts {
            let time = ProcessorTime.measure {
                if let error = failure(text.utf8, type: type) {
                    #expect(error.code == .empty, "\(text.prefix(8)): \(error)")
                }
            }
            #expect(time < .seconds(8), "\(text.prefix(8)) took \(time)")
        }
    }

    @Test("Only the beginning is read")
    func reach() throws {
        let input = HugeInput()
        let renderer = try TextRenderer(RendererEnvironment(pluginFolder: "/"))
        _ = try renderer.render(input, RenderRequest(box: 64, mimeType: "text/plain"))
        #expect(input.furthest <= 64 << 10)
    }

    /// A terabyte of words.
    private final class HugeInput: RandomAccessInput {
        private(set) var furthest: Int64 = 0
        var size: Int64 { 1 << 40 }
        var fileDescriptor: CInt? { nil }

        func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
            furthest = max(furthest, offset + Int64(buffer.count))
            let words = Array("words ".utf8)
            for index in buffer.indices { buffer[index] = words[(Int(offset) + index) % words.count] }
            return buffer.count
        }
    }
}
