import Foundation
import MediaSamples
import RendererFixtures
import Testing
import VitrineKit

@testable import VideoRenderer

/// Films in containers of broadcasters, games, surveillance cameras and video CDs.
@Suite struct RareContainerTests {
    let samples = try? MediaSamples()

    private func folder() throws -> MediaSamples { try #require(samples) }

    private static let film = ["-f", "lavfi", "-i", "testsrc=s=320x240:d=1"]

    @Test(arguments: [
        ("gxf", ["-c:v", "mpeg2video", "-s", "720x576", "-r", "25"]), ("roq", ["-c:v", "roqvideo", "-r", "30"]),
        ("smjpeg", ["-c:v", "mjpeg"]), ("film_cpk", ["-c:v", "cinepak", "-t", "0.2"]),
    ])
    func ofBroadcastersAndGames(format: String, options: [String]) throws {
        let path = try folder().make("a.\(format)", Self.film + options + ["-f", format])
        #expect(try render(path).bitmap.variety > 1000)
    }

    @Test("A film that was copied from a video CD lies in the sectors of the disc")
    func videoCD() throws {
        let path = try folder().make("a.mpg", Self.film + ["-target", "pal-vcd"])
        let film = try folder().bytes(path)
        let sectors = stride(from: 0, to: film.count, by: 2324).flatMap { at in
            let content = film[at...].prefix(2324)
            return [0] + [UInt8](repeating: 0xFF, count: 10) + [0, 0, 2, 0, 2] + [1, 1, 0x62, 15, 1, 1, 0x62, 15]
                + content
                + [UInt8](repeating: 0, count: 2328 - content.count)
        }
        let head = Array("CDXAfmt ".utf8) + little(16, 4) + [0, 0, 0, 0, 0x55, 0x55] + Array("XA".utf8) + little(1, 8)
        let body = head + Array("data".utf8) + little(sectors.count, 4) + sectors
        let disc = try folder().write("AVSEQ01.DAT", Array("RIFF".utf8) + little(body.count, 4) + body)
        #expect(try render(disc).bitmap.variety > 1000)
    }

    @Test("A film of a surveillance camera has a head and an end at each frame")
    func surveillance() throws {
        let film = try folder().bytes(
            folder().make("a.h264", Self.film + ["-frames:v", "1", "-c:v", "libx264", "-f", "h264"]))
        // Width and height in blocks of 8, then the codec and the rate.
        let size: [UInt8] = [0x80, 0, 40, 30, 0x81, 0, 2, 25]
        let frames = (0..<3).flatMap { number in
            let length = 24 + size.count + film.count + 8
            return Array("DHAV".utf8) + [0xFD, 0, 0, 0] + little(number, 4) + little(length, 4) + little(0x62D9_C000, 4)
                + little(number * 40, 2) + [UInt8(size.count), 0] + size + film + Array("dhav".utf8) + little(length, 4)
        }
        #expect(try render(folder().write("a.dav", frames)).bitmap.variety > 1000)
    }
}
