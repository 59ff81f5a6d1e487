import Foundation
import PluginHost
import TestSupport
import Testing

/// Films and pictures that the shared MIME database takes for something else, or does not know.
@Suite struct MediaTypeTests {
    private func type(_ head: [UInt8], _ name: String, renderer: String) throws -> String {
        let file = Products.checkout.appending(path: "Plugins/Renderers/\(renderer)/plugin.json")
        let magic = try PluginManifest(json: Array(Data(contentsOf: file)), file: file.path).magic
        return TypeSniffer(magic: magic).type(head: head, name: Array(name.utf8), size: Int64(head.count)).mimeType
    }

    /// Packets that begin as tables of fonts of TeX do: the database knows those by their third and fourth byte.
    private func stream(packet: Int, before: Int) -> [UInt8] {
        let one = [UInt8](repeating: 0, count: before) + [0x47, 0x40, 0, 0x11]
        return (0..<6).flatMap { _ in one + [UInt8](repeating: 0xFF, count: packet - one.count) }
    }

    @Test func aTransportStreamIsKnownByItsPackets() throws {
        for name in ["a.ts", "", "a.bin", "a.tfm"] {
            #expect(try type(stream(packet: 188, before: 0), name, renderer: "Video") == "video/mp2t", "\(name)")
            #expect(try type(stream(packet: 192, before: 4), name, renderer: "Video") == "video/mp2t", "\(name)")
        }
        let text = Array(String(repeating: "G is a letter. ", count: 80).utf8)
        #expect(try type(text, "a.ts", renderer: "Video") != "video/mp2t")
    }

    @Test func aTransportStreamThatBeginsInsideOfAPacketIsKnown() throws {
        let rest: [UInt8] = [0xB8, 0xDF, 0, 7, 0x6D, 0x40, 1, 0x83] + [UInt8](repeating: 0xA5, count: 53)
        for name in ["a.ts", "", "a.bin"] {
            for packet in [188, 192] {
                let whole = rest + stream(packet: packet, before: packet - 188)
                #expect(try type(whole, name, renderer: "Video") == "video/mp2t", "\(name)")
                var damaged = whole
                damaged[rest.count + packet - 188 + 2 * packet] = 0
                #expect(try type(damaged, name, renderer: "Video") != "video/mp2t" || name == "a.ts", "\(name)")
            }
        }
    }

    @Test func textWithTheBytesOfATransportStreamIsText() throws {
        // Lines of 47 or 48 bytes: four of them are as long as a packet.
        for (line, length) in [("G1 X10 Y10", 46), ("ABC,G", 47)] {
            let row = line.padding(toLength: length, withPad: " ", startingAt: 0) + "\n"
            let text = Array(String(repeating: row, count: 60).utf8)
            #expect(try type(text, "a.txt", renderer: "Video") == "text/plain")
            #expect(try type(text, "a.csv", renderer: "Video") == "text/csv")
            #expect(try type(text, "", renderer: "Video") == "text/plain")
        }
        let genes = Array(String(repeating: "G", count: 5000).utf8)
        #expect(try type(genes, "a.txt", renderer: "Video") == "text/plain")
    }

    @Test func aFontOfTeXIsNoPictureOfSGI() throws {
        // As long as SGI's number says, 474 words, with a head of two.
        let font: [UInt8] = [0x01, 0xDA, 0, 2, 0, 33, 0, 126] + [UInt8](repeating: 0, count: 1888)
        #expect(try type(font, "a.tfm", renderer: "Image") != "image/x-sgi")
    }

    @Test func aFilmOfJPEG2000IsNoPicture() throws {
        let start: [UInt8] = [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A, 0, 0, 0, 20]
        for name in ["a.mj2", "a.jp2", ""] {
            #expect(try type(start + Array("ftypmjp2".utf8), name, renderer: "Video") == "video/mj2")
            #expect(try type(start + Array("ftypjp2 ".utf8), name, renderer: "Video") != "video/mj2")
        }
    }

    /// Where bytes begin, and the type that they mean to a plugin.
    @Test(arguments: [
        ("000000186674797058415643", "video/mp4"), ("0000001866747970 69736d6c", "video/mp4"),
        ("444b494600002000 56503830", "video/x-ivf"), ("595556344d5045473220573332302048", "video/x-yuv4mpeg"),
        ("b7d800203749da11a64e0007e95ead8d8cc3d2c2", "video/x-wtv"), ("424243440000000019", "video/x-dirac"),
        ("524946467856340043445841 666d742010000000", "video/mpeg"),
        ("0000000001bc0000015800000000e1e2e0ff", "application/gxf"),
        ("8410ffffffff1e000110", "video/x-roq"), ("000a534d4a50454700000000", "video/x-smjpeg"),
        ("46494c4d00000490312e303900000000 46445343", "video/x-sega-film"),
        ("44484156fd000000", "video/x-dhav"), ("44484156fc000000", "video/x-dhav"),
        ("000000016764000dacd94141fb01100000", "video/h264"), ("00000001091000000001274d000d", "video/h264"),
        ("000000010605ffff50dc45e9bde6d948b7962cd820d923eeef", "video/h264"),
        ("0000000140010c01ffff016000", "video/h265"), ("000000014601100000000140010c01ffff", "video/h265"),
        ("12000a0b000000043cffbcff", "video/av1"), ("63616666000100006465736300000000 00000020", "audio/x-caf"),
        ("726966662e91cf11a5d628db04c1000078b10200", "audio/x-w64"), ("65613303000000001776", "audio/x-oma"),
    ])
    func filmsAndSoundThatTheDatabaseDoesNotKnow(bytes: String, expected: String) throws {
        let digits = bytes.filter { $0 != " " }.map { UInt8($0.hexDigitValue ?? 0) }
        let start = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        let renderer = expected.hasPrefix("audio") ? "Audio" : "Video"
        for name in ["", "a", "a.bin"] {
            #expect(try type(start + [UInt8](repeating: 0xAA, count: 600), name, renderer: renderer) == expected)
        }
    }

    @Test func aFilmInOggIsOneWhateverComesFirst() throws {
        let page = Array("OggS".utf8) + [0, 2] + [UInt8](repeating: 0, count: 20) + [1, 64]
        let skeleton = page + Array("fishead\0".utf8) + [UInt8](repeating: 0, count: 56)
        let film = skeleton + page + [0x80] + Array("theora".utf8)
        let sound = skeleton + page + [1] + Array("vorbis".utf8) + [UInt8](repeating: 0, count: 300)
        for name in ["a.ogg", "a.ogv", "a"] {
            #expect(try type(film, name, renderer: "Video") == "video/x-theora+ogg", "\(name)")
            #expect(try type(sound, name, renderer: "Video") != "video/x-theora+ogg", "\(name)")
            // Films that the database takes for sound, alone and behind it.
            for packet in [Array("BBCD".utf8) + [0, 0, 0, 0, 31], Array("OVP80".utf8) + [1, 1, 0]] {
                #expect(try type(page + packet + sound, name, renderer: "Video") == "video/ogg", "\(name)")
                #expect(try type(sound + page + packet, name, renderer: "Video") == "video/ogg", "\(name)")
            }
            #expect(try type(sound, name, renderer: "Video") != "video/ogg" || name == "a.ogv", "\(name)")
        }
    }

    /// The database knows WebM by the word in its head, and Matroska of another name not as a film.
    @Test(arguments: ["a.webm", "a", "a.bin", "a.mkv"]) func matroskaIsAskedForFilmsWhateverItsName(name: String) throws
    {
        let head = [0x1A, 0x45, 0xDF, 0xA3, 0x93, 0x42, 0x82, 0x88] + Array("matroska".utf8)
        let found = try type(head + [0x42, 0x87, 0x81, 2] + [UInt8](repeating: 0, count: 300), name, renderer: "Video")
        let file = Products.checkout.appending(path: "Plugins/Renderers/Video/plugin.json")
        #expect(
            try PluginManifest(json: Array(Data(contentsOf: file)), file: file.path).types.contains(found), "\(found)")
    }

    @Test(arguments: ["a.bw", "a.rgba", "a.sgi", "a"]) func aPictureOfSGIIsKnownByItsHead(name: String) throws {
        for (packing, depth) in [(0, 1), (1, 1), (0, 2), (1, 2)] as [(UInt8, UInt8)] {
            let head = [0x01, 0xDA, packing, depth, 0, 2, 0, 10] + [UInt8](repeating: 0, count: 600)
            #expect(try type(head, name, renderer: "Image") == "image/x-sgi")
        }
    }
}
