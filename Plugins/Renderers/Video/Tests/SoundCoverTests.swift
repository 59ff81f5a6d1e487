import MediaSamples
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

/// Files of films that hold sound and its covers only.
@Suite struct SoundCoverTests {
    let samples = try? MediaSamples()

    private func covered(_ name: String, _ covers: [String]) throws -> String {
        let samples = try #require(samples)
        let pictures = try covers.enumerated().flatMap { index, cover in
            ["-i", try samples.make("\(index).png", ["-f", "lavfi", "-i", "color=\(cover)", "-frames:v", "1"])]
        }
        let chosen = covers.indices.flatMap { ["-map", "\($0 + 1)", "-disposition:v:\($0)", "attached_pic"] }
        return try samples.make(
            name, ["-f", "lavfi", "-i", "sine=d=1"] + pictures + ["-map", "0"] + chosen + ["-c:v", "copy"])
    }

    @Test("The first cover is shown, though others are larger, and its size is not that of a film")
    func first() throws {
        let rendering = try render(covered("a.mp4", ["red:s=90x90", "lime:s=300x300"]))
        #expect(rendering.bitmap.size == PixelSize(width: 90, height: 90))
        #expect(alike(rendering.bitmap.color(0.5, 0.5), red) && rendering.facts.size == nil)
        #expect(rendering.facts.details[.codecs] == .list(["aac"]))
    }

    @Test("Where no cover shows anything, the sound is left to others")
    func tiny() throws {
        #expect(try failure(covered("a.mp4", ["red:s=4x4", "lime:s=2x2"]))?.code == .empty)
    }
}
