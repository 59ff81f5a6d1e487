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

    @Test("A cover is what its bytes are, whatever the tag calls it", arguments: ["jpg", "png"])
    func wrongName(suffix: String) throws {
        let folder = try folder()
        let name = suffix == "jpg" ? "image/png" : "image/jpeg"
        let content = try [0] + Array(name.utf8) + [0, 3, 0] + folder.bytes(picture("a.\(suffix)", "red"))
        let frame = Array("APIC".utf8) + little(content.count, 4).reversed() + [0, 0] + content
        let length = (0..<4).reversed().map { UInt8(frame.count >> (7 * $0) & 0x7F) }
        let sound = try folder.bytes(folder.swell("a.mp3", seconds: 1, "-id3v2_version", "0"))
        let path = try folder.write("wrong.mp3", Array("ID3".utf8) + [3, 0, 0] + length + frame + sound)
        #expect(try isRed(path, type: "audio/mpeg"))
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
