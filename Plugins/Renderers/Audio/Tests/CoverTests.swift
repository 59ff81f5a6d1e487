import AudioRenderer
import MediaSamples
import RendererFixtures
import Testing
import VitrineKit

/// Which of several covers is shown, and what they say of themselves.
@Suite struct CoverTests {
    let samples = try? MediaSamples()

    private func folder() throws -> MediaSamples { try #require(samples) }

    /// A picture of one colour, 90 pixels wide.
    private func picture(_ name: String, _ color: String) throws -> String {
        try folder().make(name, ["-f", "lavfi", "-i", "color=\(color):s=90x90", "-frames:v", "1"])
    }

    private func isRed(_ path: String, type: String) throws -> Bool {
        let bitmap = try render(path, type: type).bitmap
        return bitmap.size == PixelSize(width: 90, height: 90) && bitmap.pixel(0.5, 0.5)[0] > 200
            && bitmap.pixel(0.5, 0.5)[1] < 60
    }

    @Test("Matroska names the file of the front")
    func matroska() throws {
        let (back, front) = (try picture("back.png", "lime"), try picture("Cover.png", "red"))
        let path = try folder().make(
            "two.mka",
            [
                "-f", "lavfi", "-i", "sine=d=1", "-attach", back, "-attach", front, "-metadata:s:t",
                "mimetype=image/png", "-metadata:s:t:0", "filename=back.png", "-metadata:s:t:1", "filename=Cover.png",
            ])
        #expect(try isRed(path, type: "audio/x-matroska"))
    }

    @Test("APE has a name for the front")
    func ape() throws {
        let folder = try folder()
        let items = try [
            ("Cover Art (Back)", picture("b.png", "lime")), ("Cover Art (Front)", picture("f.png", "red")),
        ]
        .map { name, path in
            let value = Array("a.png\0".utf8) + (try folder.bytes(path))
            return little(value.count, 4) + little(2, 4) + Array("\(name)\0".utf8) + value
        }
        let body = Array(items.joined())
        let footer =
            Array("APETAGEX".utf8) + little(2000, 4) + little(body.count + 32, 4) + little(items.count, 4)
            + little(0, 12)
        let sound = try folder.bytes(folder.swell("a.wv", seconds: 1))
        #expect(try isRed(folder.write("two.wv", sound + body + footer), type: "audio/x-wavpack"))
    }

    /// A tag of ID3v2.3 with one frame.
    private func tag(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let frame = Array(name.utf8) + little(content.count, 4).reversed() + [0, 0] + content
        return Array("ID3".utf8) + [3, 0, 0] + sevenBits(frame.count) + frame
    }

    private func sevenBits(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(number >> (7 * $0) & 0x7F) } }

    /// Writes a file of MP3 behind a tag.
    private func song(_ name: String, _ tag: [UInt8]) throws -> String {
        let sound = try folder().bytes(folder().swell("a.mp3", seconds: 1, "-id3v2_version", "0"))
        return try folder().write(name, tag + sound)
    }

    @Test(
        "A cover is what its bytes are, whatever the tag calls it",
        arguments: [
            ("jpg", "image/png"), ("png", "image/jpeg"), ("webp", "image/jpeg"), ("webp", "image/webp"), ("jpg", ""),
            ("png", "image/"),
        ])
    func wrongName(suffix: String, type: String) throws {
        let picture = try folder().bytes(picture("a.\(suffix)", "red"))
        let back = try tag(
            "APIC", [0] + Array(type.utf8) + [0, 4, 0] + folder().bytes(self.picture("b.\(suffix)", "lime")))
        let front = tag("APIC", [0] + Array(type.utf8) + [0, 3, 0] + picture)
        #expect(try isRed(song("wrong.mp3", front), type: "audio/mpeg"))
        // Two frames in one tag.
        let both = back.dropFirst(10) + front.dropFirst(10)
        #expect(try isRed(song("two.mp3", Array(back.prefix(6)) + sevenBits(both.count) + both), type: "audio/mpeg"))
    }

    @Test("A cover of an unknown kind is found in the older and the newer version of ID3")
    func otherVersions() throws {
        let webp = try folder().bytes(picture("a.webp", "red"))
        let old = [0] + Array("WEB".utf8) + [3, 0] + webp
        let frame = Array("PIC".utf8) + little(old.count, 4).reversed().dropFirst() + old
        let tag = Array("ID3".utf8) + [2, 0, 0] + sevenBits(frame.count) + frame
        #expect(try isRed(song("old.mp3", tag), type: "audio/mpeg"))
        // Zeros keep what is in the tag from being taken for frames of MP3.
        func part(_ kind: UInt8, _ name: String, _ color: String, saysLength: Bool) throws -> [UInt8] {
            let content = try [0] + Array("image/".utf8) + [0, kind, 0] + folder().bytes(picture(name, color))
            let safe = (saysLength ? sevenBits(content.count) : []) + content.flatMap { $0 == 0xFF ? [$0, 0] : [$0] }
            return Array("APIC".utf8) + sevenBits(safe.count) + [0, saysLength ? 3 : 2] + safe
        }
        for saysLength in [false, true] {
            let new =
                try part(4, "b.jpg", "lime", saysLength: saysLength) + part(3, "a.jpg", "red", saysLength: saysLength)
            let tagged = Array("ID3".utf8) + [4, 0, 0] + sevenBits(new.count) + new
            #expect(try isRed(song("new.mp3", tagged), type: "audio/mpeg"))
        }
    }

    @Test("Covers of unknown kinds are found in FLAC, MP4 and Matroska", arguments: ["flac", "m4a", "mka"])
    func unknownKind(suffix: String) throws {
        let (folder, cover) = (try folder(), try picture(suffix == "mka" ? "cover.webp" : "a.png", "red"))
        let sound = ["-f", "lavfi", "-i", "sine=d=1"]
        let added =
            suffix == "mka"
            ? ["-attach", cover, "-metadata:s:t", "mimetype=image/webp"]
            : ["-i", cover, "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v", "attached_pic"]
        var bytes = try folder.bytes(folder.make("a.\(suffix)", sound + added))
        func place(of word: String) throws -> Int {
            try #require(bytes.indices.first { bytes[$0...].starts(with: word.utf8) })
        }
        // What a cover is in MP4 stands behind the header of the box in that of the cover, in four bytes.
        if suffix == "m4a" { bytes[try place(of: "covr") + 15] = 0 }
        if suffix == "flac" { bytes[try place(of: "image/png") + 6] = UInt8(ascii: "x") }
        let type = ["flac": "audio/flac", "m4a": "audio/mp4", "mka": "audio/x-matroska"][suffix]
        #expect(try isRed(folder.write("b.\(suffix)", bytes), type: #require(type)))
    }

    @Test("What a cover, or a track, is called is no title")
    func titles() throws {
        let covered = try folder().covered("cover.mp3", "-metadata:s:v", "title=The front")
        #expect(try render(covered, type: "audio/mpeg").facts.title == nil)
        let track = try folder().swell("track.mka", seconds: 1, "-metadata:s:a", "title=Stereo")
        #expect(try render(track, type: "audio/x-matroska").facts.title == nil)
        let song = try folder().swell("song.ogg", seconds: 1, "-metadata", "title=Élan")
        #expect(try render(song, type: "audio/ogg").facts.title == "Élan")
    }

    @Test("The year that Windows writes is that of the sound, and the date of music goes before that of the file")
    func year() throws {
        let dates = ["-metadata", "date=2019-05-04", "-metadata", "creation_time=2024-01-02T03:04:05Z"]
        let song = try folder().make("a.m4a", ["-f", "lavfi", "-i", "sine=d=1"] + dates)
        #expect(try render(song, type: "audio/mp4").facts.text(.created) == "2019-05-04")
        let path = try folder().swell("a.wma", seconds: 1, "-metadata", "WM/Year=2019")
        #expect(try render(path, type: "audio/x-ms-wma").facts.text(.created) == "2019")
    }
}
