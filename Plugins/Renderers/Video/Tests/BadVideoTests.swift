import Foundation
import MediaSamples
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import VideoRenderer

@Suite struct BadVideoTests {
    let samples = try? MediaSamples()

    private func folder() throws -> MediaSamples { try #require(samples) }

    @Test func saysThatThereIsNoPicture() throws {
        let path = try folder().make("sound.mp4", ["-f", "lavfi", "-i", "sine", "-t", "1"])
        let error = try #require(try failure(path))
        #expect(error.code == .empty)
        #expect(error.message.contains("has no picture"))
    }

    @Test func tellsEmptyFromCorrupt() throws {
        #expect(try failure(folder().write("empty.mp4", []))?.code == .empty)
        var noise = SeededNumbers(seed: 1)
        let code = try #require(try failure(folder().write("random.mp4", noise.bytes(65_536)))?.code)
        #expect([.corrupt, .empty, .unsupported].contains(code))
    }

    @Test func drawsWhatIsLeftOfACutFile() throws {
        let whole = try folder().video(
            "whole.mp4", "testsrc=s=320x180", seconds: 8, "-g", "25", "-movflags", "+faststart")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: whole)))
        for part in [0.9, 0.5, 0.15] {
            let cut = try folder().write("cut.mp4", bytes.prefix(Int(Double(bytes.count) * part)))
            #expect(try render(cut).bitmap.variety > 1000, "\(part)")
        }
    }

    @Test func refusesAFileCutBeforeItsIndex() throws {
        let whole = try folder().video("whole.mp4", "testsrc=s=320x180")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: whole)))
        let error = try #require(try failure(folder().write("cut.mp4", bytes.prefix(bytes.count / 2))))
        #expect(error.code == .corrupt && error.message.contains("('moov')"), "\(error)")
    }

    @Test("A film in fragments is drawn up to the one in which it was broken off")
    func cutFragments() throws {
        let whole = try folder().video(
            "whole.mp4", "testsrc=s=320x180", seconds: 6, "-g", "25", "-movflags", "frag_keyframe+empty_moov")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: whole)))
        let fragments = bytes.indices.dropLast(4).filter { bytes[$0...].starts(with: "moof".utf8) }
        try #require(fragments.count >= 5)
        for place in [fragments[1], fragments[4]] {
            // Inside of the length, and of the name, then of what follows.
            for more in [-2, 2, 20, 60, 200] {
                let cut = try folder().write("cut.mp4", bytes.prefix(place + more))
                #expect(try render(cut).bitmap.variety > 1000, "\(place) + \(more)")
            }
        }
        for more in [-2, 2, 60] {
            let error = try failure(folder().write("cut.mp4", bytes.prefix(fragments[0] + more)))
            #expect(
                error?.code == .corrupt && error?.message.contains("cut off") == true, "\(String(describing: error))")
        }
    }

    @Test("A film that is cut off before its first frame is no empty one", arguments: ["mp4", "webm"])
    func cutBeforeFrames(suffix: String) throws {
        let codec = suffix == "mp4" ? "libx264" : "libvpx"
        let path = try folder().make(
            "whole.\(suffix)", ["-f", "lavfi", "-i", "testsrc=s=320x180:d=2", "-c:v", codec, "-movflags", "faststart"])
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let mark: [UInt8] = suffix == "mp4" ? Array("mdat".utf8) : [0x1F, 0x43, 0xB6, 0x75]
        let start = try #require(bytes.firstRange(of: mark))
        let error = try failure(folder().write("cut.\(suffix)", bytes.prefix(start.upperBound)))
        #expect(error?.code == .corrupt && error?.message.contains("cut off") == true, "\(String(describing: error))")
    }

    @Test("Grey that stands for a frame whose bytes are missing is no picture", arguments: ["flv", "mpeg4.avi", "ts"])
    func nothingLeft(name: String) throws {
        let codec = ["flv": "flv", "ts": "libx264"][name] ?? "mpeg4"
        let path = try folder().make(
            "whole.\(name)", ["-f", "lavfi", "-i", "testsrc2=s=320x240:d=2", "-c:v", codec])
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let start = name.hasSuffix("avi") ? try #require(bytes.firstRange(of: Array("00dc".utf8))).upperBound : 300
        let error = try failure(folder().write("cut.\(name)", bytes.prefix(name == "ts" ? 1500 : start + 40)))
        #expect(error?.code == .corrupt, "\(String(describing: error))")
    }

    @Test("What cannot be read is not told as a file that was cut")
    func failsWhereTheIndexIsLookedFor() throws {
        /// A file whose boxes cannot be looked at: reads of a few bytes from behind its start on fail.
        final class LostInput: RandomAccessInput {
            private let whole: BytesInput
            var size: Int64 { whole.size }
            let fileDescriptor: CInt? = nil

            init(_ bytes: [UInt8]) { whole = BytesInput(bytes) }

            func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
                if offset > 0, buffer.count <= 16 { throw PluginError(.io, "the disk is gone") }
                return try whole.read(at: offset, into: buffer)
            }
        }
        let whole = try folder().video("whole.mp4", "testsrc=s=320x180")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: whole)))
        let error = #expect(throws: PluginError.self) {
            try VideoRenderer(RendererEnvironment(pluginFolder: "/")).render(
                LostInput(Array(bytes.prefix(bytes.count / 2))), RenderRequest(box: 64, mimeType: "video/mp4"))
        }
        #expect(error?.code == .io, "\(String(describing: error))")
    }

    @Test("The only key frame of a film in AVI is found when its index and the rest are cut off")
    func cutsAVI() throws {
        let whole = try folder().video("whole.avi", "testsrc=s=320x180:d=4", seconds: 4, "-g", "500", "-bf", "0")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: whole)))
        for part in [0.5, 0.7, 0.9] {
            let cut = try folder().write("cut.avi", bytes.prefix(Int(Double(bytes.count) * part)))
            #expect(try render(cut).bitmap.variety > 1000, "\(part)")
        }
    }

    @Test(arguments: 0..<40) func survivesDamage(seed: Int) throws {
        let suffix = ["mp4", "mkv", "avi", "ts"][seed % 4]
        let whole = try folder().video("whole.\(suffix)", "testsrc=s=64x64", seconds: 1)
        let bytes = damaged([UInt8](try Data(contentsOf: URL(filePath: whole))), seed: seed, changes: 50)
        if let error = try failure(folder().write("damaged.\(suffix)", bytes)) {
            #expect(error.isPermanent, "\(error)")
        }
    }

    /// Playlists name other files. The one named here would make a fine picture.
    @Test func opensNoOtherFile() throws {
        let other = try folder().video("other.ts", "testsrc=s=64x64")
        #expect(try failure(other) == nil)
        let playlists = [
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\n\(other)\n#EXT-X-ENDLIST\n",
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10.0,\nfile://\(other)\n#EXT-X-ENDLIST\n",
            "ffconcat version 1.0\nfile '\(other)'\n",
            """
            <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" \
            mediaPresentationDuration="PT2S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period>\
            <AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>\(other)</BaseURL>\
            <SegmentBase/></Representation></AdaptationSet></Period></MPD>
            """,
            "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 18998 RTP/AVP 96\n",
        ]
        for (number, text) in playlists.enumerated() {
            let error = try #require(try failure(folder().write("list\(number).mp4", text.utf8)))
            #expect(error.code == .unsupported || error.code == .corrupt, "\(error)")
        }
    }

    /// A header that announces a picture of 32,000 by 32,000 pixels.
    @Test func refusesTooManyPixels() throws {
        let path = try folder().video("a.mp4", "testsrc=s=640x480")
        let renderer = try VideoRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: 100_000))
        #expect(throws: PluginError.self) {
            try renderer.render(FileInput(path: path), RenderRequest(box: 256, mimeType: "video/mp4"))
        }
    }
}
