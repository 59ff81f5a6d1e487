import Foundation
import Testing
import VitrineTesting

/// Files that go and come back as others, with the same content.
@Suite struct ComebackTests {
    @Test func aFileThatIsMadeAnewAtItsPlaceHasAPreview() async throws {
        let home = try UserHome()
        // The other one keeps the number of the inode from being given again.
        try home.copy("image/rgb-8.png", as: "a.png")
        #expect(try await home.run("prebuild", "--size=large,300", home.files).exitCode == 0)
        #expect(home.previews.count == 2)
        try FileManager.default.removeItem(atPath: home.file("a.png"))
        #expect(try await home.run("prebuild", "--size=large,300", home.files).exitCode == 0)
        try home.write("other", [1])
        try home.copy("image/rgb-8.png", as: "a.png")
        utimes(home.file("a.png"), [timeval(tv_sec: 9, tv_usec: 0), timeval(tv_sec: 9, tv_usec: 0)])
        let run = try await home.run("prebuild", "--progress=json", "--size=large,300", home.files)
        #expect(try run.summary().made == 1)
        #expect(try run.progress().allSatisfy { $0.event != "moved" })
        #expect(home.previews.count == 2)
    }

    @Test func filesThatDifferOnlyBetweenSamplesHaveTheirOwnPreviews() async throws {
        let home = try UserHome()
        // A bitmap of 512 × 512 pixels, 24 bits each: 786,486 bytes, of which 131,072 are looked at.
        var header: [UInt8] = Array("BM".utf8)
        func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        header += number(786_486) + number(0) + number(54) + number(40) + number(512) + number(512)
        header += [1, 0, 24, 0] + number(0) + number(786_432) + number(2835) + number(2835) + number(0) + number(0)
        let black = header + [UInt8](repeating: 0, count: 786_432)
        var white = black
        // Well between two of the 32 blocks, which lie 25,000 bytes apart.
        for start in stride(from: 8000, to: 780_000, by: 25_238) {
            for offset in start..<(start + 12_000) where offset < white.count { white[offset] = 0xFF }
        }
        for (name, bytes) in [("black.bmp", black), ("white.bmp", white)] {
            try home.write(name, bytes)
            utimes(home.file(name), [timeval(tv_sec: 9, tv_usec: 0), timeval(tv_sec: 9, tv_usec: 0)])
        }
        #expect(try await home.run("prebuild", home.files).exitCode == 0)
        let pictures = try home.previews.map { try PNGFile("\(home.cache)/\($0)").picture() }
        #expect(pictures.count == 2)
        #expect(pictures.first?.pixels != pictures.last?.pixels)
    }
}
