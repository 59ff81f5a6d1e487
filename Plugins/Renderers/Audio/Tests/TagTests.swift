import AudioRenderer
import Foundation
import MediaSamples
import RendererFixtures
import Testing
import VitrineKit

/// Tags that libav passes over, or drops where it met others before.
@Suite struct TagTests {
    let samples = try? MediaSamples()

    private func folder() throws -> MediaSamples { try #require(samples) }

    /// A red picture, 90 pixels wide.
    private func picture() throws -> [UInt8] {
        try folder().bytes(folder().make("red.png", ["-f", "lavfi", "-i", "color=red:s=90x90", "-frames:v", "1"]))
    }

    /// Whether a file says all that the tags of these tests say, and shows their cover.
    private func check(_ path: String, type: String, _ place: SourceLocation = #_sourceLocation) throws {
        let rendering = try render(path, type: type)
        let facts = rendering.facts
        #expect(facts.title == "Élan Ω" && facts.text(.author) == "Ärtist", "\(facts)", sourceLocation: place)
        #expect(
            facts.text(.album) == "Album" && facts.text(.created) == "2003-04-05", "\(facts)", sourceLocation: place)
        #expect(rendering.bitmap.size == PixelSize(width: 90, height: 90), sourceLocation: place)
        #expect(rendering.bitmap.pixel(0.5, 0.5)[0] > 200, sourceLocation: place)
    }

    /// A tag of APE with text items and a cover; the header is there as programs write it, or is not.
    private func ape(
        _ texts: [(String, String)]? = nil, hasHeader: Bool = true, hasCover: Bool = true
    ) throws -> [UInt8] {
        let texts =
            texts ?? [("Title", "Élan Ω"), ("Artist", "Ärtist\0Another"), ("Album", "Album"), ("Year", "2003-04-05")]
        var items = texts.map { little($1.utf8.count, 4) + little(0, 4) + Array("\($0)\0\($1)".utf8) }
        let cover = try Array("a.png\0".utf8) + picture()
        if hasCover { items.append(little(cover.count, 4) + little(2, 4) + Array("Cover Art (Front)\0".utf8) + cover) }
        let length = items.joined().count + 32
        func end(_ flags: Int) -> [UInt8] {
            Array("APETAGEX".utf8) + little(2000, 4) + little(length, 4) + little(items.count, 4) + little(flags, 4)
                + little(0, 8)
        }
        return hasHeader ? end(0xA000_0000) + items.joined() + end(0x8000_0000) : items.joined() + end(0)
    }

    /// A tag of ID3v2.4 with texts in UTF-8, and with a cover.
    private func id3(_ texts: [(String, String)]? = nil) throws -> [UInt8] {
        func sevenths(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(number >> (7 * $0) & 0x7F) } }
        func frame(_ name: String, _ value: [UInt8]) -> [UInt8] {
            Array(name.utf8) + sevenths(value.count) + [0, 0] + value
        }
        let texts = texts ?? [("TIT2", "Élan Ω"), ("TPE1", "Ärtist"), ("TALB", "Album"), ("TDRC", "2003-04-05")]
        let frames = texts.flatMap { frame($0, [3] + Array($1.utf8)) }
        let cover = try frame("APIC", [0] + Array("image/png\0\u{3}\0".utf8) + picture())
        return Array("ID3".utf8) + [4, 0, 0] + sevenths(frames.count + cover.count) + frames + cover
    }

    /// A tag of ID3v1.
    private func old(_ title: [UInt8] = Array("Old".utf8)) -> [UInt8] {
        Array("TAG".utf8) + title + [UInt8](repeating: 0, count: 30 - title.count) + Array("Nobody".utf8)
            + [UInt8](repeating: 0, count: 95 - 6)
    }

    /// Sound without a tag.
    private func sound(_ name: String, _ options: String...) throws -> [UInt8] {
        let source = ["-f", "lavfi", "-i", "aevalsrc=sin(2000*t):s=44100:d=1", "-bitexact"]
        return try folder().bytes(folder().make(name, source + options))
    }

    @Test("A tag of APE is found at the end and before what older programs wrote behind it", arguments: [true, false])
    func endsOfMP3(hasHeader: Bool) throws {
        let start = try sound("a.mp3", "-id3v2_version", "0") + ape(hasHeader: hasHeader)
        let lyrics = Array("LYRICSBEGININD0000200000021LYRICS200".utf8)
        for end in [[], old(), lyrics + old()] {
            try check(folder().write("ape.mp3", start + end), type: "audio/mpeg")
        }
    }

    @Test("A tag of APE goes before one of ID3v1", arguments: ["wv", "tta", "mp2"])
    func apeBeforeOld(suffix: String) throws {
        let bytes = try sound("a.\(suffix)", "-id3v2_version", "0")
        try check(folder().write("b.\(suffix)", bytes + ape() + old()), type: "audio/mpeg")
    }

    @Test("A tag of ID3v2 goes before one of APE, which adds what is missing")
    func both() throws {
        let folder = try folder()
        let tagged = try folder.swell("a.mp3", seconds: 1, "-metadata", "title=Élan Ω", "-metadata", "artist=Ärtist")
        let other = try ape([("Title", "No"), ("Artist", "No"), ("Album", "Album"), ("Year", "2003-04-05")])
        try check(folder.write("b.mp3", folder.bytes(tagged) + other), type: "audio/mpeg")
    }

    @Test("ID3 in a chunk goes before the list of words beside it", arguments: ["auto", "always"])
    func wave(long: String) throws {
        let folder = try folder()
        let path = try folder.swell("a.wav", seconds: 1, "-metadata", "title=Old", "-rf64", long)
        let tag = try id3()
        let chunk = Array("id3 ".utf8) + little(tag.count, 4) + tag
        try check(folder.write("b.wav", folder.bytes(path) + chunk), type: "audio/x-wav")
    }

    @Test("ID3 is found in DSDIFF")
    func dsdiff() throws {
        func chunk(_ name: String, _ value: [UInt8]) -> [UInt8] {
            Array(name.utf8) + little(value.count, 8).reversed() + value + (value.count % 2 == 0 ? [] : [0])
        }
        let form = chunk("CMPR", Array("DSD \u{E}not compressed\0".utf8)) + chunk("CHNL", [0, 1] + Array("C000".utf8))
        let properties = chunk("PROP", Array("SND ".utf8) + chunk("FS  ", [0, 0x2B, 0x11, 0]) + form)
        let sound = chunk("DSD ", [UInt8](repeating: 0x69, count: 40_000))
        let body = try Array("DSD ".utf8) + chunk("FVER", [1, 5, 0, 0]) + properties + sound + chunk("ID3 ", id3())
        let path = try folder().write("a.dff", Array("FRM8".utf8) + little(body.count, 8).reversed() + body)
        try check(path, type: "audio/x-dff")
    }

    @Test("What FLAC says itself goes before the tag in front of it, which adds what is missing")
    func flac() throws {
        let own = try sound("a.flac", "-metadata", "title=Élan Ω", "-metadata", "artist=Ärtist")
        let tag = try id3([("TIT2", "No"), ("TPE1", "No"), ("TALB", "Album"), ("TDRC", "2003-04-05")])
        try check(folder().write("b.flac", tag + own), type: "audio/flac")
    }

    @Test(
        "A tag of APE goes before one of ID3v2 where it is the format's own, and in TTA", arguments: ["wv", "tta"],
        [true, false])
    func firstAPE(suffix: String, hasCover: Bool) throws {
        // With a cover, libav finds all that is looked for by itself.
        let tag = try id3([("TIT2", "No"), ("TPE1", "No"), ("TALB", "Album"), ("TDRC", "2003-04-05")])
        let front = hasCover ? tag : tag.replacing(Array("APIC".utf8), with: Array("PRIV".utf8))
        let own = try ape([("Title", "Élan Ω"), ("Artist", "Ärtist")], hasCover: !hasCover)
        for end in [[], old()] {
            let path = try folder().write("a.\(suffix)", front + sound("b.\(suffix)") + own + end)
            try check(path, type: "audio/x-\(suffix)")
        }
    }

    @Test("The bytes of tags are no sound", arguments: [20, 60], [true, false])
    func lengths(seconds: Int, hasCover: Bool) throws {
        let folder = try folder()
        let words = String(repeating: "la ", count: 270_000)
        let front = try id3([("TIT2", "Élan Ω"), ("USLT", words)]).replacing(
            Array("APIC".utf8), with: Array("PRIV".utf8))
        let end = try ape([("Lyrics", words)], hasCover: hasCover)
        let path = try folder.swell("a.mp3", seconds: seconds, "-write_xing", "0", "-id3v2_version", "0")
        for (name, tag) in [("end.mp3", []), ("both.mp3", front)] {
            let rendering = try render(folder.write(name, tag + folder.bytes(path) + end), type: "audio/mpeg")
            let duration = try #require(rendering.facts.duration)
            #expect(abs(duration - Double(seconds)) < 0.3, "\(name): \(duration)")
            #expect(rendering.bitmap.size.width == (hasCover ? 90 : 256))
        }
    }

    @Test("The cover of an old Ogg file is in a comment of its own", arguments: ["a.ogg", "a.opus"])
    func oldCoverOfOgg(name: String) throws {
        let encoded = try Data(picture()).base64EncodedString()
        let path = try folder().swell(
            name, seconds: 1, "-metadata:s:a", "COVERART=\(encoded)", "-metadata:s:a", "COVERARTMIME=image/png")
        let bitmap = try render(path, type: "audio/ogg").bitmap
        #expect(bitmap.size == PixelSize(width: 90, height: 90) && bitmap.pixel(0.5, 0.5)[0] > 200)
        let damaged = try folder().swell(name, seconds: 1, "-metadata:s:a", "COVERART=\(encoded.prefix(60))")
        #expect(try render(damaged, type: "audio/ogg").bitmap.size == PixelSize(width: 256, height: 256))
    }

    @Test("Words without an encoding are read as Windows wrote them, or not at all")
    func encodings() throws {
        let start = try sound("a.mp3", "-id3v2_version", "0")
        func title(_ bytes: [UInt8]) throws -> String? {
            try render(folder().write("old.mp3", start + old(bytes)), type: "audio/mpeg").facts.title
        }
        #expect(try title([0xC9, 0x6C, 0x61, 0x6E, 0x20, 0x80]) == "Élan €")
        #expect(try title(Array("Élan".utf8)) == "Élan")
        // Zvezda, in Cyrillic letters of Windows-1251, then of KOI8-R.
        #expect(try title([0xC7, 0xE2, 0xE5, 0xE7, 0xE4, 0xE0]) == "Звезда")
        #expect(try title([0xFA, 0xD7, 0xC5, 0xDA, 0xC4, 0xC1]) == nil)
    }

    /// A file whose title ID3v2.3 calls Latin letters.
    private func song(_ title: [UInt8]) throws -> String {
        let content = [0] + title
        let frame = Array("TIT2".utf8) + little(content.count, 4).reversed() + [0, 0] + content
        let start = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
        return try folder().write("song.mp3", start + sound("a.mp3", "-id3v2_version", "0"))
    }

    @Test(
        "Words that a tag calls Latin are read in Cyrillic and Japanese letters where they can be nothing else",
        arguments: [
            ("cfe5f1edff2028fee1e8ebe5e9ede0ff29202d204c697665", "Песня (юбилейная) - Live"), ("cae8edee", "Кино"),
            ("c4c4d22d323030352c20abc7e8ece0bb", "ДДТ-2005, «Зима»"), ("cfb3f1edff20f3eaf0bfedb3", "Пісня укрїні"),
            ("82b382ad82e72054687265653f", "さくら Three?"), ("93fa967b82cc834a8369", "日本のカナ"),
            // Letters that are Latin: of names, of an alphabet, alone, in capitals, and signs.
            ("4d6f74f67268656164", "Motörhead"), ("c6d8c5", "ÆØÅ"), ("c4d6dcdf", "ÄÖÜß"), ("e020e920ea20f4", "à é ê ô"),
            ("c9c0204c41204dca4d45", "ÉÀ LA MÊME"), ("5369677572205273f3", "Sigur Rsó"), ("bfbfa1a1", "¿¿¡¡"),
            // Windows-1252, which has letters where Latin-1 has none.
            ("8e699e656b", "Žižek"),
            ("53696775722052f373209620c167e67469732062797269756e", "Sigur Rós – Ágætis byriun"),
            ("83756e6b208375736f6e", "ƒunk ƒuson"),
        ])
    func oldLetters(hex: String, expected: String) throws {
        let digits = hex.map { UInt8($0.hexDigitValue ?? 0) }
        let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        #expect(try render(song(bytes), type: "audio/mpeg").facts.title == expected)
    }

    @Test("Damaged tags leave the sound to be drawn")
    func damagedTags() throws {
        let (mp3, wave) = (try sound("a.mp3", "-id3v2_version", "0"), try sound("a.wav"))
        let (ape, tag) = (try ape(hasHeader: false), try id3())
        let chunk = Array("id3 ".utf8) + little(tag.count, 4)
        let tooLong = Array("APETAGEX".utf8) + little(2000, 4) + little(0x7FFF_FFFF, 4) + little(1, 4) + little(0, 12)
        let files: [(String, [UInt8])] = [
            ("a.mp3", mp3 + ape.suffix(32)), ("b.mp3", mp3 + tooLong), ("c.mp3", mp3 + ape.dropFirst(3)),
            ("d.wav", wave + chunk + tag.prefix(100)),
            ("e.wav", wave + chunk + [UInt8](repeating: 0, count: tag.count)),
            ("f.wav", wave + Array("id3 ".utf8) + little(-1, 4) + tag.prefix(100)),
            ("g.mp3", mp3 + Array("LYRICS200".utf8) + old()),
            ("h.mp3", mp3 + Array("999999LYRICS200".utf8) + old()),
        ]
        for (name, bytes) in files {
            let path = try folder().write(name, bytes)
            let size = try render(path, type: name.hasSuffix("wav") ? "audio/x-wav" : "audio/mpeg").bitmap.size
            #expect(size == PixelSize(width: 256, height: 256), "\(name)")
        }
    }
}
