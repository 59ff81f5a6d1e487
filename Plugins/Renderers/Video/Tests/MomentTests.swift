import AVMedia
import Foundation
import MediaSamples
import Testing
import VitrineKit
import VitrineTesting

@testable import VideoRenderer

/// The frame of a moment that somebody names, wherever key frames are.
@Suite struct MomentTests {
    let samples = try? MediaSamples()

    /// Of two seconds at 25 frames a second each frame has a grey of its own.
    private func film(_ name: String, _ options: [String], filter: String = "null") throws -> String {
        try #require(samples).make(
            name,
            [
                "-f", "lavfi", "-i", "color=black:s=64x64:r=25:d=2,format=gray,geq=lum=16+N*4,\(filter)", "-pix_fmt",
                "yuv420p", "-color_range", "tv",
            ] + options)
    }

    /// Which frame a picture is.
    private func frame(_ bitmap: Bitmap) -> Int {
        Int(((Double(bitmap.color(0.5, 0.5).y) - 16) / 4).rounded())
    }

    private static let x264 = ["-c:v", "libx264", "-qp", "4", "-bf", "3", "-sc_threshold", "0", "-g"]

    @Test(arguments: [
        ("one.mp4", x264 + ["1000"]), ("one.mkv", x264 + ["1000"]), ("one.ts", x264 + ["1000"]),
        ("one.flv", x264 + ["1000"]), ("one.h264", x264 + ["1000"]), ("groups.mp4", x264 + ["10"]),
        ("groups.mkv", x264 + ["10"]), ("groups.ts", x264 + ["10"]), ("groups.h264", x264 + ["10"]),
        ("open.mp4", x264 + ["10", "-x264-params", "open-gop=1"]),
        ("open.ts", x264 + ["10", "-x264-params", "open-gop=1"]),
        ("open.mkv", x264 + ["10", "-x264-params", "open-gop=1"]),
        ("one.avi", ["-c:v", "mpeg4", "-q:v", "1", "-g", "300"]),
        ("groups-2.ts", ["-c:v", "mpeg2video", "-q:v", "1", "-g", "12", "-bf", "2"]),
        ("one.webm", ["-c:v", "libvpx-vp9", "-lossless", "1", "-g", "1000"]),
        ("one.ogv", ["-c:v", "libtheora", "-q:v", "10", "-g", "1000"]), ("each.y4m", []),
        ("one.hevc", ["-c:v", "libx265", "-x265-params", "qp=4:keyint=1000:log-level=none"]),
        ("late.mp4", x264 + ["10", "-output_ts_offset", "3"]),
        ("late.mkv", x264 + ["10", "-output_ts_offset", "36000"]), ("live.mkv", x264 + ["10", "-live", "1"]),
        ("parts.mp4", x264 + ["20", "-movflags", "frag_keyframe+empty_moov"]),
    ])
    func showsTheFrameOfTheMoment(name: String, options: [String]) throws {
        let path = try film(name, options)
        for (time, number) in [(0.0, 0), (0.04, 1), (0.39, 9), (0.43, 10), (0.9, 22), (1.28, 32), (1.959, 48)] {
            let shown = frame(try render(path, time: time).bitmap)
            #expect(shown == number, "at \(time)")
        }
        // The last one is seen to the end, and as long as the length in whole seconds says.
        #expect(frame(try render(path, time: 2).bitmap) == 49)
    }

    /// Of some frames it is told when they are decoded, at best.
    @Test(arguments: ["m2v", "mpg"]) func comesNearWhereLittleTellsTheMoment(suffix: String) throws {
        let path = try film("groups.\(suffix)", ["-c:v", "mpeg2video", "-q:v", "1", "-g", "12", "-bf", "2"])
        for (time, number) in [(0.0, 0), (0.39, 9), (0.43, 10), (0.9, 22), (1.28, 32), (1.959, 48)] {
            let shown = frame(try render(path, time: time).bitmap)
            #expect(abs(shown - number) <= 1, "\(shown) at \(time)")
        }
    }

    /// Every other frame is left out, as where nothing changes.
    @Test(arguments: ["mp4", "mkv"]) func showsWhatIsSeenWhereFramesLastLonger(suffix: String) throws {
        let path = try film(
            "sparse.\(suffix)", ["-fps_mode", "vfr"] + Self.x264 + ["1000"], filter: "select=mod(n\\,10)-5")
        #expect(frame(try render(path, time: 0.23).bitmap) == 4)
        #expect(frame(try render(path, time: 0.24).bitmap) == 6)
    }

    @Test func takesTheLastFrameThatWasDecodedInTime() throws {
        let container = try Container(video: FileInput(path: film("long.mp4", Self.x264 + ["1000"])), probing: false)
        let video = try container.pictureStream()
        let search = try FrameSearch(container, video, maximumPixels: 1 << 20) { (frame) throws(PluginError) in
            try FrameScaler.scale(frame, to: PixelSize(width: 64, height: 64))
        }
        search.momentSeconds = 0
        #expect(frame(try search.bitmap(at: 1.9)) == 0)
        search.momentSeconds = 1000
        #expect(frame(try search.bitmap(at: 1.9)) == 47)
    }

    /// The choice of moment is the renderer's where none is named, and looks at key frames only.
    @Test func decodesKeyFramesOnlyWhereNoMomentIsNamed() throws {
        let path = try film("key.mp4", Self.x264 + ["1000", "-bf", "0"])
        #expect([0, 7, 17, 30, 42].contains(frame(try render(path).bitmap)))
    }

    /// As browsers and broken recordings leave them, and as cameras that never stop do.
    @Test(arguments: [["-live", "1"], ["-output_ts_offset", "36000"], ["-output_ts_offset", "5", "-live", "1"]])
    func matroskaLastsFromItsFirstMomentToItsLast(options: [String]) throws {
        let path = try film("times.mkv", Self.x264 + ["10"] + options)
        #expect(abs(try #require(render(path).facts.duration) - 2) < 0.1)
    }

    @Test func doesNotStopAtADarkMomentWhereLaterOnesAreBright() throws {
        let path = try #require(samples).video(
            "fade.mp4", "testsrc=s=64x64:r=25", seconds: 8, "-vf", "fade=in:0:150", "-g", "25")
        let bitmap = try render(path).bitmap
        #expect(!bitmap.isDim && bitmap.variety > 1000)
        let dark = try #require(samples).video("dark.mp4", "testsrc=s=64x64:r=25", seconds: 8, "-vf", "fade=in:0:2000")
        #expect(try render(dark).bitmap.isDim)
    }

    @Test func aBrightFrameIsBetterThanADarkOneThatDiffersMoreWithinItself() throws {
        let bitmap = try Bitmap(width: 1, height: 1, format: .rgba)
        func frame(_ variety: Double, isDim: Bool, isDamaged: Bool = false) -> FrameSearch.Candidate {
            FrameSearch.Candidate(bitmap: bitmap, variety: variety, isDamaged: isDamaged, isDim: isDim)
        }
        #expect(frame(200, isDim: false).isBetter(than: frame(300, isDim: true)))
        #expect(!frame(300, isDim: true).isBetter(than: frame(200, isDim: false)))
        // One that is nearly of one colour is not, nor one that is damaged.
        #expect(!frame(10, isDim: false).isBetter(than: frame(300, isDim: true)))
        #expect(!frame(200, isDim: false, isDamaged: true).isBetter(than: frame(300, isDim: true)))
        #expect(frame(300, isDim: true).isBetter(than: frame(200, isDim: true)))
    }
}
