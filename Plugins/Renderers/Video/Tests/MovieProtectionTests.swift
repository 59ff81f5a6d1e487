import Foundation
import MediaSamples
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import VideoRenderer

/// What MP4 files say of their protection, and what is said of those without a picture.
@Suite struct MovieProtectionTests {
    private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let size = content.count + 8
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(name.utf8) + content
    }

    /// A header with a track of one kind of sample, behind one of another.
    private func header(_ kinds: String..., content: [UInt8] = [1, 2, 3]) -> [UInt8] {
        let tracks = kinds.map { kind in
            let list = box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + box(kind, content))
            return box("trak", box("tkhd", [1]) + box("mdia", box("minf", box("stbl", list))))
        }
        return box("moov", box("mvhd", [1, 2]) + tracks.joined())
    }

    @Test func isFoundInTheHeaderAlone() {
        let media = box("mdat", Array("encv".utf8) + [UInt8](repeating: 7, count: 100))
        let sound = header("enca", "avc1")
        let video = header("enca", "encv")
        let start = box("ftyp", Array("isom".utf8))
        #expect(MovieProtection.isSaid(in: BytesInput(start + media + video)))
        #expect(!MovieProtection.isSaid(in: BytesInput(start + media + sound)))
        // Words that only look like it.
        let title = box("moov", box("udta", Array("encv".utf8)) + box("trak", box("encv", [1, 2, 3])))
        #expect(!MovieProtection.isSaid(in: BytesInput(start + title)))
        // Beyond the end, without an end, too small, and none at all.
        #expect(!MovieProtection.isSaid(in: BytesInput(start + Array(video.dropLast(4)))))
        #expect(MovieProtection.isSaid(in: BytesInput(start + [0, 0, 0, 0] + Array(video.dropFirst(4)))))
        #expect(!MovieProtection.isSaid(in: BytesInput([0, 0, 0, 4] + Array("moovencv".utf8))))
        #expect(!MovieProtection.isSaid(in: BytesInput([])))
    }

    @Test func isTheReasonOfWhatCannotBeOpened() throws {
        let header = header("encv", content: [UInt8](repeating: 0xFF, count: 60))
        let file = BytesInput(box("ftyp", Array("isom".utf8) + [0, 0, 2, 0] + Array("isom".utf8)) + header)
        let renderer = try VideoRenderer(RendererEnvironment(pluginFolder: "/"))
        let error = #expect(throws: PluginError.self) {
            try renderer.render(file, RenderRequest(box: 64, mimeType: "video/mp4"))
        }
        #expect(error?.code == .locked, "\(String(describing: error))")
    }

    /// Decoders make grey frames of ciphertext. Of a film that begins in clear others are shown.
    @Test(arguments: [("color=c=gray:s=160x120", false), ("testsrc=s=160x120", true)])
    func isTheReasonOfFramesThatShowNothing(source: String, isShown: Bool) throws {
        // Where libav tells that a stream in Matroska is enciphered.
        let folder = try MediaSamples()
        defer { withExtendedLifetime(folder) {} }
        let path = try folder.video("a.mkv", source, "-metadata:s:v:0", "enc_key_id=76a6c65c")
        let renderer = try VideoRenderer(RendererEnvironment(pluginFolder: "/"))
        do throws(PluginError) {
            _ = try renderer.render(FileInput(path: path), RenderRequest(box: 64, mimeType: "video/x-matroska"))
            #expect(isShown)
        } catch {
            #expect(!isShown && error.code == .locked, "\(error)")
        }
    }

    /// Nothing in raw frames tells a decoder that they are noise, as little as headers in clear do, which films in AV1 have.
    @Test func isTheReasonOfFramesThatAreNoise() throws {
        let folder = try MediaSamples()
        defer { withExtendedLifetime(folder) {} }
        let key = "00112233445566778899aabbccddeeff"
        let path = try folder.make(
            "a.mov",
            [
                "-f", "lavfi", "-i", "testsrc=s=160x120:r=5", "-t", "1", "-c:v", "rawvideo", "-pix_fmt", "yuyv422",
                "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", key, "-encryption_kid", key,
            ])
        #expect(try failure(path)?.code == .locked)
        let error = #expect(throws: PluginError.self) { try render(path, time: 0.5) }
        #expect(error?.code == .locked)
    }

    /// Programs that decipher films leave what says how to get their keys.
    @Test func isNotTheReasonOfAPlainFilmThatNamesKeys() throws {
        let folder = try MediaSamples()
        defer { withExtendedLifetime(folder) {} }
        let path = try folder.video("a.mp4", "color=c=gray:s=160x120")
        let film = [UInt8](try Data(contentsOf: URL(filePath: path)))
        // The header is the last box; a part is added to its end.
        let name = try #require(film.indices.last { film[$0...].starts(with: "moov".utf8) })
        let header = box("moov", film[(name + 4)...] + box("pssh", [UInt8](repeating: 0, count: 24)))
        let input = BytesInput(film[..<(name - 4)] + header)
        let renderer = try VideoRenderer(RendererEnvironment(pluginFolder: "/"))
        _ = try renderer.render(input, RenderRequest(box: 64, mimeType: "video/mp4"))
    }

    @Test func aFileWithoutVideoIsNamedWithWhatItHolds() throws {
        let renderer = try VideoRenderer(RendererEnvironment(pluginFolder: "/"))
        let input = BytesInput(try Fixtures.bytes("video/no-picture.mp4"))
        let error = #expect(throws: PluginError.self) {
            try renderer.render(input, RenderRequest(box: 64, mimeType: "video/mp4"))
        }
        #expect(error?.code == .empty)
        #expect(error?.message == "the file has no picture: it holds only sound ('aac')")
    }
}
