import AudioRenderer
import Foundation
import MediaSamples
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@Suite struct BadSoundTests {
    let samples = try? MediaSamples()

    private func folder() throws -> MediaSamples { try #require(samples) }

    @Test("A file without a byte is empty, noise is corrupt", arguments: ["audio/x-wav", "audio/mpeg"])
    func emptyAndNoise(type: String) throws {
        #expect(try failure(folder().write("empty", []), type: type)?.code == .empty)
        var noise = SeededNumbers(seed: 1)
        let random = noise.bytes(65_536)
        // What looks like a frame of sound may be anywhere in noise; then noise is what is drawn.
        if let error = try failure(folder().write("random", random), type: type) {
            #expect([.corrupt, .unsupported, .empty].contains(error.code), "\(error)")
        }
        #expect(try failure(folder().write("text", "words and more words\n".utf8), type: type)?.code == .corrupt)
    }

    @Test("A video without sound has no picture here")
    func noSound() throws {
        let path = try folder().make("mute.mp4", ["-f", "lavfi", "-i", "testsrc=s=64x64", "-t", "1"])
        let error = try #require(try failure(path))
        #expect(error.code == .empty && error.message.contains("neither sound nor a cover"))
    }

    @Test("A variety that libav does not read is called that")
    func variety() throws {
        // Numbers with their highest byte first, and a description of 40 bytes.
        let format: [UInt8] = [
            0xFF, 0xFE, 0, 2, 0, 0, 0x1F, 0x40, 0, 0, 0xFA, 0, 0, 8, 0, 32, 0, 22, 0, 32, 0, 0, 0, 3,
        ]
        let body = Array("WAVEfmt ".utf8) + [0, 0, 0, 40] + format + [UInt8](repeating: 0, count: 16)
        let bytes = Array("RIFX".utf8) + [0, 0, 1, 0] + body + Array("data".utf8) + [0, 0, 0, 64] + [UInt8](0..<64)
        let error = try #require(try failure(folder().write("a.wav", bytes)))
        #expect(error.code == .unsupported && error.message.contains("variety"), "\(error)")
    }

    @Test("What is left of a cut file is drawn", arguments: ["a.mp3", "a.wav", "a.ogg", "a.flac"])
    func cut(name: String) throws {
        let bytes = try folder().bytes(folder().swell(name, seconds: 60))
        for part in [0.9, 0.5, 0.1] {
            let path = try folder().write("cut", bytes.prefix(Int(Double(bytes.count) * part)))
            #expect(try render(path).bitmap.barHeights.max() ?? 0 > 0.5, "\(part)")
        }
    }

    @Test("A file that says it is longer than it is shows what there is")
    func lyingLength() throws {
        var bytes = try folder().bytes(folder().swell("a.wav", seconds: 2))
        // The sizes of the RIFF and the data chunk, as a recording that was cut off leaves them.
        for at in [4, 74] { bytes.replaceSubrange(at..<at + 4, with: [0xFF, 0xFF, 0xFF, 0x7F]) }
        let heights = try render(folder().write("lie.wav", bytes)).bitmap.barHeights
        #expect(heights[25] > 0.5, "\(heights)")
    }

    @Test("Damage never ends in anything but a picture or a reason", arguments: 0..<40)
    func damage(seed: Int) throws {
        let suffix = ["mp3", "m4a", "ogg", "flac", "wma", "wav", "opus", "wv"][seed % 8]
        let whole = try folder().bytes(
            suffix == "mp3" ? folder().covered("a.mp3") : folder().swell("a.\(suffix)", seconds: 1))
        let bytes = damaged(whole, seed: seed, changes: 50)
        if let error = try failure(folder().write("damaged.\(suffix)", bytes)) {
            #expect(error.isPermanent, "\(error)")
        }
    }

    @Test("A cover that claims more pixels than are allowed is not decoded")
    func coverBomb() throws {
        let path = try folder().covered("a.mp3")
        let renderer = try AudioRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: 1000))
        let request = RenderRequest(box: 64, mimeType: "audio/mpeg")
        // 64 pixels wide because the sound is drawn; the cover has 200 × 200.
        let drawn = try renderer.render(FileInput(path: path), request)
        #expect(drawn.bitmap.pixel(0, 0) == [0, 0, 0, 0])
        // Not a cover at all, whatever the tag says.
        let claim = try folder().write(
            "claim.mp3", try folder().bytes(path).replacing(Array("IHDR".utf8), with: Array("JUNK".utf8)))
        #expect(try render(claim, type: "audio/mpeg").bitmap.size == PixelSize(width: 256, height: 256))
    }

    @Test("Hours of sound take no longer than a minute")
    func bounded() throws {
        // Two hours of 8-bit samples that are not there: a hole in the file.
        let path = try folder().swell("a.wav", seconds: 1, "-c:a", "pcm_u8", "-ar", "8000")
        let size = 8000 * 7200
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: 74)
        try file.write(contentsOf: withUnsafeBytes(of: UInt32(size).littleEndian) { Data($0) })
        try file.truncate(atOffset: UInt64(size + 78))
        try file.close()
        let input = CountingInput(try folder().bytes(path))
        let renderer = try AudioRenderer(RendererEnvironment(pluginFolder: "/"))
        let rendering = try renderer.render(input, RenderRequest(box: 64, mimeType: "audio/x-wav"))
        #expect(abs((rendering.facts.duration ?? 0) - 7200) < 1)
        #expect(input.bytesRead < 8 << 20, "\(input.bytesRead)")
    }

    /// Playlists name other files. The one named here would make a fine picture.
    @Test func opensNoOtherFile() throws {
        let other = try folder().swell("other.mp3", seconds: 1)
        #expect(try failure(other) == nil)
        let playlists = [
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\n\(other)\n#EXT-X-ENDLIST\n",
            "ffconcat version 1.0\nfile '\(other)'\n", "[playlist]\nFile1=\(other)\nNumberOfEntries=1\n",
        ]
        for (number, text) in playlists.enumerated() {
            let error = try #require(try failure(folder().write("list\(number).mp3", text.utf8), type: "audio/mpeg"))
            #expect(error.code == .unsupported || error.code == .corrupt, "\(error)")
        }
    }

    @Test("What corrects a file of WavPack is no sound")
    func correction() throws {
        let whole = try folder().swell("a.wv", seconds: 1)
        var bytes = try folder().bytes(whole)
        // The samples of each block become corrections, in which no decoder finds samples.
        var block = 0
        while block + 32 <= bytes.count, bytes[block...].starts(with: "wvpk".utf8) {
            let end = block + 8 + bytes[block + 4..<block + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            var at = block + 32
            while at + 4 <= min(end, bytes.count) {
                let isLong = bytes[at] & 0x80 != 0
                let words = bytes[at + 1..<at + (isLong ? 4 : 2)].reversed().reduce(0) { $0 << 8 | Int($1) }
                if bytes[at] & 0x3F == 0x0A { bytes[at] ^= 1 }
                at += (isLong ? 4 : 2) + 2 * words
            }
            block = end
        }
        let error = try #require(try failure(folder().write("a.wvc", bytes), type: "audio/x-wavpack"))
        #expect(error.code == .empty && error.message.contains("WavPack"), "\(error)")
        #expect(try failure(whole, type: "audio/x-wavpack") == nil)
    }
}
