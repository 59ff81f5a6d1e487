import AudioRenderer
import Foundation
import MediaSamples
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@Suite struct AudioRendererTests {
    let samples = try? MediaSamples()

    private func folder() throws -> MediaSamples { try #require(samples) }

    @Test("It keeps the renderer's contract for waveforms")
    func conformanceOfWaveforms() throws {
        let folder = try folder()
        let files = [("a.wav", "audio/x-wav"), ("a.mp3", "audio/mpeg"), ("a.ogg", "audio/x-vorbis+ogg")]
        let samples = try files.map { name, type in
            RendererSample(name, mimeType: type, bytes: try folder.bytes(folder.swell(name, seconds: 1)))
        }
        let suite = RendererConformance(samples: samples, enlarges: true) { environment throws(PluginError) in
            try AudioRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("It keeps the renderer's contract for covers")
    func conformanceOfCovers() throws {
        let folder = try folder()
        let bytes = try folder.bytes(folder.covered("a.mp3"))
        // What is left of a damaged file may be drawn as a waveform, at any size.
        let suite = RendererConformance(samples: [RendererSample("a cover", mimeType: "audio/mpeg", bytes: bytes)]) {
            environment throws(PluginError) in try AudioRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("The cover is the picture", arguments: ["a.mp3", "a.m4a", "a.flac", "a.aiff"], ["png", "jpg"])
    func covers(name: String, picture: String) throws {
        let options = name.hasSuffix("aiff") ? ["-write_id3v2", "1"] : []
        let path = try folder().make(
            name, coverArguments(picture) + ["-c:v", "copy", "-disposition:v", "attached_pic"] + options)
        let rendering = try render(path, box: 100)
        #expect(rendering.bitmap.size == PixelSize(width: 100, height: 100))
        #expect(rendering.facts.size == nil && abs((rendering.facts.duration ?? 0) - 1) < 0.2)
        let (left, right) = (rendering.bitmap.pixel(0.2, 0.5), rendering.bitmap.pixel(0.8, 0.5))
        #expect(left[0] > 200 && left[2] < 60 && right[0] < 60 && right[2] > 200, "\(left) \(right)")
        #expect(try render(path, box: 512).bitmap.size == PixelSize(width: 200, height: 200))
    }

    private func coverArguments(_ picture: String) throws -> [String] {
        let cover = try folder().make(
            "cover.\(picture)",
            ["-f", "lavfi", "-i", "color=red:s=100x200,pad=200:200:0:0:blue", "-frames:v", "1", "-q:v", "1"])
        return ["-f", "lavfi", "-i", "sine=d=1", "-i", cover, "-map", "0", "-map", "1"]
    }

    @Test("The cover of an Ogg file is among its comments", arguments: ["a.ogg", "a.opus"])
    func coverInComments(name: String) throws {
        let picture = try folder().bytes(
            folder().make("c.png", ["-f", "lavfi", "-i", "color=red:s=90x90", "-frames:v", "1"]))
        // The block as FLAC defines it (RFC 9639, section 8.8), in base64.
        func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) } }
        let type = Array("image/png".utf8)
        let sizes = number(90) + number(90) + number(24) + number(0) + number(picture.count)
        let block = number(3) + number(type.count) + type + number(0) + sizes + picture
        let encoded = Data(block).base64EncodedString()
        let path = try folder().swell(name, seconds: 1, "-metadata:s:a", "METADATA_BLOCK_PICTURE=\(encoded)")
        let bitmap = try render(path, type: "audio/ogg").bitmap
        #expect(bitmap.size == PixelSize(width: 90, height: 90) && bitmap.pixel(0.5, 0.5)[0] > 200)
    }

    @Test("The front is chosen before the back")
    func front() throws {
        let folder = try folder()
        let back = try folder.make("back.png", ["-f", "lavfi", "-i", "color=lime:s=300x300", "-frames:v", "1"])
        let front = try folder.make("front.png", ["-f", "lavfi", "-i", "color=red:s=80x80", "-frames:v", "1"])
        let path = try folder.make(
            "two.mp3",
            [
                "-f", "lavfi", "-i", "sine=d=1", "-i", back, "-i", front, "-map", "0", "-map", "1", "-map", "2",
                "-c:v", "copy", "-metadata:s:v:0", "comment=Cover (back)", "-metadata:s:v:1", "comment=Cover (front)",
            ])
        let bitmap = try render(path).bitmap
        #expect(bitmap.size == PixelSize(width: 80, height: 80))
        #expect(bitmap.pixel(0.5, 0.5)[0] > 200)
    }

    @Test("A cover of a few pixels shows nothing, so the sound is drawn")
    func tinyCover() throws {
        let path = try folder().make(
            "tiny.mp3",
            [
                "-f", "lavfi", "-i", "sine=d=1", "-f", "lavfi", "-i", "color=red:s=4x4", "-frames:v", "1", "-c:v",
                "png", "-disposition:v", "attached_pic",
            ])
        #expect(try render(path).bitmap.size == PixelSize(width: 256, height: 256))
    }

    @Test(
        "A waveform grows with the sound, whether short or long",
        arguments: [
            "short.wav", "short.mp3", "short.ogg", "short.opus", "short.flac", "short.m4a", "short.wma", "short.aiff",
            "short.ac3", "short.mka", "short.caf", "short.w64", "short.webm", "short.mp4", "short.tta", "short.wv",
            "short.au", "long.wav", "long.mp3", "long.ogg", "long.flac", "long.m4a", "long.mka", "long.aac", "long.wma",
            "long.caf", "long.w64",
        ])
    func growing(name: String) throws {
        let seconds = name.hasPrefix("long") ? 90 : 4
        let rendering = try render(folder().swell(name, seconds: seconds))
        let heights = rendering.bitmap.barHeights
        // A stream of AAC does not say how long it is.
        let duration = rendering.facts.duration ?? (name.hasSuffix("aac") ? Double(seconds) : 0)
        #expect(abs(duration - Double(seconds)) < 0.5)
        #expect(heights[2] < 0.25 && heights[25] > 0.5, "\(heights)")
        let steps = zip(heights, heights.dropFirst(4))
        #expect(steps.allSatisfy { $0 <= $1 + 0.03 }, "\(heights)")
    }

    @Test("The module of a tracker is played")
    func module() throws {
        let bytes = try Fixtures.bytes("audio/tide.mod")
        let rendering = try render(folder().write("tide.mod", bytes), type: "audio/x-mod")
        let heights = rendering.bitmap.barHeights
        #expect(rendering.facts.title == "Slow tide" && abs((rendering.facts.duration ?? 0) - 7.7) < 0.2)
        #expect(heights[2] < 0.25 && heights[25] > 0.5, "\(heights)")
        #expect(zip(heights, heights.dropFirst(4)).allSatisfy { $0 <= $1 + 0.03 }, "\(heights)")
        let cut = try folder().write("cut.mod", bytes.prefix(1500))
        #expect(try render(cut, type: "audio/x-mod").bitmap.size == PixelSize(width: 256, height: 256))
        let empty = try folder().write("head.mod", bytes.prefix(900))
        #expect(try failure(empty, type: "audio/x-mod")?.code == .corrupt)
    }

    @Test("Every form of samples is read", arguments: ["u8", "s16le", "s24be", "s32le", "f32le", "f64le"])
    func sampleFormats(format: String) throws {
        let path = try folder().swell("a.mov", seconds: 2, "-c:a", "pcm_\(format)", "-ac", "3")
        let heights = try render(path).bitmap.barHeights
        #expect(heights[2] < 0.25 && heights[25] > 0.5, "\(heights)")
    }

    @Test("Streams of TrueHD and recordings of speech (NIST SPHERE) are read")
    func rareFormats() throws {
        let stream = try folder().swell("a.thd", seconds: 2, "-strict", "-2", "-ar", "48000")
        // A second of a square wave that grows.
        let samples = (0..<8000).flatMap { (index: Int) -> [UInt8] in
            let isHigh = index / 20 % 2 == 0
            return little(isHigh ? index * 4 : index * -4, 2)
        }
        let fields = "sample_count -i 8000\nsample_n_bytes -i 2\nchannel_count -i 1\nsample_byte_format -s2 01\n"
        let head = Array("NIST_1A\n   1024\n\(fields)sample_rate -i 8000\nsample_coding -s3 pcm\nend_head\n".utf8)
        let speech = head + [UInt8](repeating: 0x20, count: 1024 - head.count) + samples
        for path in [stream, try folder().write("a.sph", speech)] {
            let heights = try render(path).bitmap.barHeights
            #expect(heights[2] < 0.25 && heights[25] > 0.5, "\(path): \(heights)")
        }
    }

    @Test("Silence is a line of dots, and the tile's corners are clear")
    func silence() throws {
        let bitmap = try render(folder().make("a.wav", ["-f", "lavfi", "-i", "anullsrc", "-t", "1"])).bitmap
        let heights = bitmap.barHeights
        #expect(heights.allSatisfy { $0 > 0 && $0 < 0.03 }, "\(heights)")
        #expect(bitmap.pixel(0, 0) == [0, 0, 0, 0] && bitmap.pixel(0.999, 0.999) == [0, 0, 0, 0])
        #expect(bitmap.pixel(0.5, 0.1)[3] == 255)
    }

    @Test("The length of what has many rates and does not say how long it is comes from all of it", arguments: [3, 60])
    func unsaidLength(seconds: Int) throws {
        let loud = ["-f", "lavfi", "-i", "anoisesrc=d=\(seconds):c=pink:a=0.8", "-f", "lavfi", "-i", "anullsrc"]
        let both = "[1]atrim=0:\(seconds)[s];[0][s]concat=v=0:a=1"
        let path = try folder().make(
            "vbr.mp3", loud + ["-filter_complex", both, "-q:a", "2", "-write_xing", "0", "-id3v2_version", "0"])
        let duration = try #require(try render(path, type: "audio/mpeg").facts.duration)
        let (whole, error) = (Double(2 * seconds), seconds < 24 ? 0.2 : 3)
        #expect(abs(duration - whole) < error, "\(duration)")
    }

    @Test(
        "Frames of one size say how long they last",
        arguments: [["a.mp3", "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0"], ["a.ac3"], ["a.eac3"]])
    func frames(options: [String]) throws {
        let path = try folder().make(
            options[0], ["-f", "lavfi", "-i", "aevalsrc=sin(2000*t):s=44100:d=60"] + options.dropFirst())
        let duration = try #require(try render(path, type: "audio/mpeg").facts.duration)
        #expect(abs(duration - 60) < 0.3, "\(duration)")
    }

    @Test("Blocks of one size say how long they last")
    func blocks() throws {
        let path = try folder().swell("a.caf", seconds: 40, "-c:a", "adpcm_ima_qt")
        let duration = try #require(try render(path, type: "audio/x-caf").facts.duration)
        #expect(abs(duration - 40) < 0.2, "\(duration)")
    }

    @Test("Facts: the length and the title")
    func facts() throws {
        let path = try folder().swell("a.mp3", seconds: 3, "-metadata", "title=Élan")
        let facts = try render(path, type: "audio/mpeg").facts
        #expect(facts.title == "Élan" && abs((facts.duration ?? 0) - 3) < 0.2)
    }

    @Test("Sound that a browser records does not say how long it lasts, and begins when it likes")
    func recorded() throws {
        let path = try folder().swell("live.webm", seconds: 3, "-c:a", "libopus", "-live", "1")
        #expect(abs(try #require(render(path, type: "audio/webm").facts.duration) - 3) < 0.1)
        let late = try folder().swell("late.mka", seconds: 3, "-c:a", "libopus", "-output_ts_offset", "36000")
        let rendering = try render(late, type: "audio/x-matroska")
        #expect(abs(try #require(rendering.facts.duration) - 3) < 0.1)
        let bars = rendering.bitmap.barHeights
        #expect(bars[2] < bars[14] && bars[14] < bars[26])
    }
}
