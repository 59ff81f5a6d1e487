import Foundation
import MediaSamples
import Testing
import VitrineKit
import VitrineTesting

@testable import VideoRenderer

@Suite struct VideoRendererTests {
    let samples = try? MediaSamples()

    private func folder() throws -> MediaSamples { try #require(samples) }

    @Test(arguments: ["mp4", "mov", "mkv", "avi", "flv", "ts", "mxf"])
    func drawsWhatContainersHold(suffix: String) throws {
        let path = try folder().make(
            "a.\(suffix)",
            [
                "-f", "lavfi", "-i", "testsrc=s=320x180:r=25", "-t", "2", "-pix_fmt", "yuv420p", "-c:v",
                suffix == "mxf" ? "mpeg2video" : "libx264",
            ])
        let rendering = try render(path, box: 160)
        #expect(rendering.bitmap.size == PixelSize(width: 160, height: 90))
        #expect(rendering.facts.size == PixelSize(width: 320, height: 180))
        #expect(abs((rendering.facts.duration ?? 0) - 2) < 0.2)
        guard case .list(let codecs) = rendering.facts.details[.codecs],
            case .number(let rate) = rendering.facts.details[.frameRate]
        else {
            Issue.record("codecs or frame rate are not told: \(rendering.facts)")
            return
        }
        #expect(!codecs.isEmpty && codecs.allSatisfy { !$0.isEmpty } && 1...120 ~= rate)
        #expect(rendering.bitmap.variety > 1000)
    }

    /// Containers that few programs write, and streams without one, which do not say how long they are.
    @Test(arguments: [
        ("a.nut", ["-c:v", "libx264"]), ("a.wtv", ["-c:v", "mpeg2video"]), ("a.ivf", ["-c:v", "libvpx"]),
        ("a.ismv", ["-c:v", "libx264"]), ("a.y4m", []), ("a.h264", ["-c:v", "libx264"]), ("a.drc", ["-c:v", "vc2"]),
        ("a.h264", ["-c:v", "libx264", "-x264-params", "aud=1"]),
        ("a.hevc", ["-c:v", "libx265", "-x265-params", "log-level=none"]),
        ("a.hevc", ["-c:v", "libx265", "-x265-params", "aud=1:log-level=none"]),
        ("a.obu", ["-c:v", "libaom-av1", "-cpu-used", "8"]),
    ])
    func drawsRareContainersAndStreams(name: String, codec: [String]) throws {
        let source = ["-f", "lavfi", "-i", "testsrc=s=320x180:r=25", "-t", "0.5", "-pix_fmt", "yuv420p"]
        let path = try folder().make(name, source + codec)
        let rendering = try render(path, box: 160)
        #expect(rendering.bitmap.size == PixelSize(width: 160, height: 90) && rendering.bitmap.variety > 1000)
        #expect(rendering.facts.size == PixelSize(width: 320, height: 180))
    }

    @Test func neverEnlarges() throws {
        let rendering = try render(folder().video("a.mp4", "testsrc=s=64x32"), box: 512)
        #expect(rendering.bitmap.size == PixelSize(width: 64, height: 32))
    }

    /// Red on the left, blue on the right. ffmpeg writes the angle counter-clockwise, so 270 puts red on top, as its
    /// own `-autorotate` shows it.
    @Test(arguments: [("270", [0.5, 0.1]), ("90", [0.5, 0.9]), ("180", [0.9, 0.5])])
    func turnsUpright(degrees: String, redAt: [Double]) throws {
        let stored = try folder().video(
            "stored.mp4", "color=red:s=64x64,pad=128:64:0:0:blue", "-metadata:s:v", "rotate=0")
        let path = try folder().make(
            "turned.mp4", ["-i", stored, "-c", "copy", "-metadata:s:v:0", "rotate=\(degrees)"])
        let rendering = try render(path)
        let upright = degrees == "180" ? PixelSize(width: 128, height: 64) : PixelSize(width: 64, height: 128)
        #expect(rendering.facts.size == upright)
        #expect(rendering.bitmap.size == upright)
        #expect(alike(rendering.bitmap.color(redAt[0], redAt[1]), red))
        #expect(alike(rendering.bitmap.color(1 - redAt[0], 1 - redAt[1]), blue))
    }

    @Test(arguments: ["mp4", "mkv", "avi"]) func drawsSquarePixels(suffix: String) throws {
        let path = try folder().video("wide.\(suffix)", "testsrc=s=64x64", "-vf", "setsar=2/1")
        #expect(try render(path).facts.size == PixelSize(width: 128, height: 64))
    }

    /// The same colour comes out whatever matrix and range it was stored with.
    @Test(arguments: ["bt709", "smpte170m", "bt2020nc"], ["tv", "pc"])
    func keepsColours(matrix: String, range: String) throws {
        let name = matrix == "smpte170m" ? "bt601" : matrix == "bt2020nc" ? "bt2020" : matrix
        let path = try folder().video(
            "\(matrix)-\(range).mp4", "color=0x20C040:s=64x64,format=gbrp", "-vf",
            "scale=out_color_matrix=\(name):out_range=\(range),format=yuv420p", "-colorspace", matrix, "-color_range",
            range)
        let color = try render(path).bitmap.color(0.5, 0.5)
        #expect(alike(color, SIMD3(0x20, 0xC0, 0x40), tolerance: 8), "\(color)")
    }

    /// White of a page, which would be grey: three quarters of hybrid log-gamma, and 58 % of the perceptual quantizer.
    @Test(arguments: [("arib-std-b67", "0xBFBFBF"), ("smpte2084", "0x949494")])
    func showsHighDynamicRange(transfer: String, grey: String) throws {
        let path = try folder().video(
            "\(transfer).mp4", "color=\(grey):s=64x64,format=gbrp", "-vf",
            "scale=out_color_matrix=bt2020:out_range=tv,format=yuv420p", "-colorspace", "bt2020nc", "-color_primaries",
            "bt2020", "-color_trc", transfer)
        let color = try render(path).bitmap.color(0.5, 0.5)
        #expect(alike(color, SIMD3(230, 230, 230), tolerance: 10), "\(color)")
    }

    /// Fragments bring the description of their pictures, and their times one by one.
    @Test(arguments: ["frag_keyframe+empty_moov", "frag_every_frame+empty_moov+default_base_moof"])
    func measuresFragments(flags: String) throws {
        let source = "color=red:s=64x64,pad=128:64:0:0:blue"
        let path = try folder().video("parts.mp4", source, seconds: 3, "-g", "5", "-movflags", flags)
        let rendering = try render(path)
        #expect(rendering.facts.size == PixelSize(width: 128, height: 64))
        #expect(alike(rendering.bitmap.color(0.2, 0.5), red) && alike(rendering.bitmap.color(0.8, 0.5), blue))
        #expect(abs((rendering.facts.duration ?? 0) - 3) < 0.2, "\(rendering.facts)")
    }

    /// The pictures of a transport stream bring their own size, shape and description.
    @Test(arguments: [("libx264", 2), ("libx265", 2), ("mpeg2video", 1)])
    func readsStreamsThatDescribeThemselves(codec: String, shape: Int) throws {
        let path = try folder().make(
            "wide.ts",
            [
                "-f", "lavfi", "-i", "color=red:s=64x64:d=2,pad=128:64:0:0:blue,setsar=\(shape)", "-c:v", codec,
                "-pix_fmt", "yuv420p",
            ])
        let rendering = try render(path)
        #expect(rendering.facts.size == PixelSize(width: 128 * shape, height: 64))
        #expect(alike(rendering.bitmap.color(0.2, 0.5), red) && alike(rendering.bitmap.color(0.8, 0.5), blue))
        #expect(abs((rendering.facts.duration ?? 0) - 2) < 0.2)
    }

    /// Six of ten seconds are black, and the first key frame is the only one.
    @Test(arguments: ["mp4", "mkv", "avi"]) func looksFurtherWhenAFrameIsOneColour(suffix: String) throws {
        let path = try folder().make(
            "fade.\(suffix)",
            [
                "-f", "lavfi", "-i", "color=black:s=160x90:d=4:r=10", "-f", "lavfi", "-i",
                "testsrc=s=160x90:d=6:r=10", "-filter_complex", "concat", "-c:v", "libx264", "-g", "1000",
                "-sc_threshold", "0", "-pix_fmt", "yuv420p",
            ])
        #expect(try render(path).bitmap.variety > 1000)
        #expect(try render(path, time: 1).bitmap.variety < 1)
    }

    /// What comes late and without a key frame may be small: a white bar on black, in a packet of some eighty bytes.
    @Test(arguments: ["mp4", "mkv"]) func looksFurtherForWhatIsSmall(suffix: String) throws {
        let path = try folder().make(
            "bar.\(suffix)",
            [
                "-f", "lavfi", "-i", "color=black:s=160x90:d=10:r=10", "-vf",
                "drawbox=x=20:y=40:w=40:h=8:color=white:t=fill:enable='gte(t,4)'", "-c:v", "libx264", "-g", "1000",
                "-sc_threshold", "0", "-pix_fmt", "yuv420p",
            ])
        #expect(try render(path).bitmap.variety > 500)
        #expect(try render(path, time: 1).bitmap.variety < 1)
    }

    @Test func settlesForOneColourWhenThereIsNoOther() throws {
        #expect(try render(folder().video("black.mp4", "color=black:s=64x64")).bitmap.variety < 1)
    }

    @Test func drawsTheMomentThatIsAskedFor() throws {
        let path = try folder().make(
            "two.mp4",
            [
                "-f", "lavfi", "-i", "color=red:s=64x64:d=2", "-f", "lavfi", "-i", "color=0x00FF00:s=64x64:d=2",
                "-filter_complex", "concat", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-force_key_frames", "2",
            ])
        #expect(alike(try render(path, time: 0.5).bitmap.color(0.5, 0.5), red))
        #expect(alike(try render(path, time: 3).bitmap.color(0.5, 0.5), green))
        for time in [5, 1e300, .infinity, -1, .nan] {
            let error = #expect(throws: PluginError.self) { try render(path, time: time) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains("lasts 4.0 s") == true, "\(error?.message ?? "")")
        }
    }

    @Test func keepsTransparency() throws {
        let path = try folder().make(
            "alpha.mov",
            [
                "-f", "lavfi", "-i", "color=red@0.5:s=64x64:d=1,format=argb", "-c:v", "qtrle", "-pix_fmt", "argb",
            ])
        let bitmap = try render(path).bitmap
        #expect(bitmap.format == .rgba)
        let alpha = bitmap.withUnsafeMutableBytes { $0[3] }
        #expect(abs(Int(alpha) - 128) < 4)
    }

    @Test(arguments: ["libvpx", "libvpx-vp9"])
    func keepsTransparencyBesideTheFrames(coder: String) throws {
        let path = try folder().make(
            "alpha.webm",
            [
                "-f", "lavfi", "-i", "color=red@0.5:s=64x64:d=1,format=yuva420p", "-c:v", coder, "-auto-alt-ref", "0",
            ])
        let bitmap = try render(path).bitmap
        #expect(bitmap.format == .rgba)
        let alpha = bitmap.withUnsafeMutableBytes { $0[3] }
        #expect(abs(Int(alpha) - 128) < 4)
    }

    @Test func takesACoverOfAnotherShapeOnlyWhenThereIsNothingElse() throws {
        let cover = try folder().make("cover.jpg", ["-f", "lavfi", "-i", "color=blue:s=300x300", "-frames:v", "1"])
        let sound = ["-f", "lavfi", "-i", "sine=d=1"]
        let audio = try folder().make(
            "audio.mp4",
            sound + ["-i", cover, "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v:0", "attached_pic"])
        #expect(alike(try render(audio).bitmap.color(0.5, 0.5), blue))
        let movie = try folder().video("movie.mp4", "color=red:s=64x48")
        let both = try folder().make(
            "both.mp4",
            ["-i", cover, "-i", movie, "-map", "0", "-map", "1", "-c", "copy", "-disposition:v:0", "attached_pic"])
        #expect(alike(try render(both).bitmap.color(0.5, 0.5), red))
    }

    @Test func takesACoverOfTheFilmsShape() throws {
        let cover = try folder().make("wide.jpg", ["-f", "lavfi", "-i", "color=blue:s=320x180", "-frames:v", "1"])
        let movie = try folder().video("film.mp4", "color=red:s=640x360")
        let both = try folder().make(
            "covered.mp4",
            ["-i", cover, "-i", movie, "-map", "0", "-map", "1", "-c", "copy", "-disposition:v:0", "attached_pic"])
        func rendering(_ box: Int, _ use: EmbeddedUse, time: Double? = nil) throws -> Rendering {
            var request = RenderRequest(box: box, mimeType: "video/mp4", time: time)
            request.embedded = use
            let renderer = try VideoRenderer(RendererEnvironment(pluginFolder: "/"))
            return try renderer.render(FileInput(path: both), request)
        }
        let taken = try rendering(256, .auto)
        #expect(taken.embedded == "cover" && alike(taken.bitmap.color(0.5, 0.5), blue))
        #expect(taken.facts.size == PixelSize(width: 640, height: 360))
        // Too small for the preview, forbidden, or not the moment that was asked for.
        #expect(alike(try rendering(512, .auto).bitmap.color(0.5, 0.5), red))
        #expect(alike(try rendering(512, .prefer).bitmap.color(0.5, 0.5), blue))
        #expect(alike(try rendering(256, .never).bitmap.color(0.5, 0.5), red))
        #expect(alike(try rendering(256, .prefer, time: 0).bitmap.color(0.5, 0.5), red))
    }

    @Test func keepsTheContract() throws {
        let samples = try ["mp4", "mkv", "avi", "ts"].map { suffix in
            let path = try folder().video("small.\(suffix)", "testsrc=s=128x96:r=10", seconds: 1)
            return RendererSample(
                suffix, mimeType: "video/mp4", bytes: [UInt8](try Data(contentsOf: URL(filePath: path))))
        }
        let suite = RendererConformance(samples: samples) { environment throws(PluginError) in
            try VideoRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test func readsNoMoreThanItNeeds() throws {
        let path = try folder().make(
            "noise.mp4",
            [
                "-f", "lavfi", "-i", "nullsrc=s=320x180:r=25,geq=random(1)*255:128:128", "-t", "4", "-c:v",
                "libx264", "-preset", "ultrafast", "-g", "25", "-pix_fmt", "yuv420p",
            ])
        let input = try WatchedInput(path)
        _ = try render(input)
        #expect(Int64(input.bytesRead) < input.size / 4, "\(input.bytesRead) of \(input.size)")
    }

    /// Recordings of a screen may have no other key frame than the first: those after it are not looked for in all of the file.
    @Test(arguments: [nil, 3.0]) func readsNoMoreThanItNeedsBehindTheLastKeyFrame(time: Double?) throws {
        let path = try folder().make(
            "noise.mkv",
            [
                "-f", "lavfi", "-i", "nullsrc=s=320x180:r=25,geq=random(1)*255:128:128", "-t", "20", "-c:v",
                "libx264", "-preset", "ultrafast", "-g", "1000", "-sc_threshold", "0", "-pix_fmt", "yuv420p",
            ])
        let input = try WatchedInput(path)
        #expect(try render(input, time: time).bitmap.variety > 144)
        #expect(Int64(input.bytesRead) < input.size / 4, "\(input.bytesRead) of \(input.size)")
    }

    @Test func passesOnWhatTheInputFailsWith() throws {
        let input = try WatchedInput(folder().video("a.mp4", "testsrc=s=64x64"))
        input.failure = PluginError(.offline, "the server is gone")
        #expect(throws: PluginError(.offline, "the server is gone")) { try render(input) }
    }
}
