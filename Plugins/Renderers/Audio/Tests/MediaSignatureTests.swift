import AVMedia
import MediaSamples
import Testing
import VitrineKit
import VitrineTesting

/// What libav takes for files by their first bytes, found out without it.
@Suite("Files are known by their first bytes")
struct MediaSignatureTests {
    let samples = try? MediaSamples()

    /// Counts the bytes that are looked at.
    private func signature(_ bytes: [UInt8], _ read: inout Int) -> String? {
        var count = 0
        let signature = MediaSignature { offset, wanted in
            guard offset < bytes.count else { return [] }
            let found = Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + wanted)])
            count += found.count
            return found
        }
        read += count
        return signature?.demuxer
    }

    private func signature(_ bytes: [UInt8]) -> String? {
        var read = 0
        return signature(bytes, &read)
    }

    @Test(
        "As ffmpeg writes them",
        arguments: [
            ("a.m4a", "mov"), ("a.mka", "matroska"), ("a.webm", "matroska"), ("a.wav", "wav"), ("a.ogg", "ogg"),
            ("a.opus", "ogg"), ("a.flac", "flac"), ("a.wma", "asf"), ("a.mp3", "mp3"), ("a.ts", "mpegts"),
            ("a.avi", "avi"),
        ])
    func known(name: String, demuxer: String) throws {
        let samples = try #require(samples)
        #expect(signature(try samples.bytes(samples.swell(name, seconds: 1))) == demuxer)
    }

    @Test("MP3 of every rate", arguments: [8000, 11_025, 16_000, 24_000, 32_000, 48_000], ["8k", "32k", "128k"])
    func rates(frequency: Int, rate: String) throws {
        let samples = try #require(samples)
        let path = try samples.swell("a.mp3", seconds: 1, "-ar", "\(frequency)", "-b:a", rate, "-id3v2_version", "0")
        #expect(signature(try samples.bytes(path)) == "mp3")
    }

    @Test("A tag is stepped over, however long it is")
    func tags() throws {
        let samples = try #require(samples)
        let sound = try samples.bytes(samples.swell("a.mp3", seconds: 1, "-id3v2_version", "0"))
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0x40, 0, 0] + [UInt8](repeating: 0, count: 1 << 20)
        var read = 0
        #expect(signature(tag + sound, &read) == "mp3")
        #expect(signature(tag + tag + sound) == "mp3")
        #expect(read < 1024)
        // FLAC and AAC have such tags, too.
        #expect(signature(tag + Array("fLaC".utf8) + [UInt8](repeating: 0, count: 900)) == nil)
    }

    @Test("What is cut off, or only looks like it, leaves a doubt")
    func doubts() throws {
        let samples = try #require(samples)
        let sound = try samples.bytes(samples.swell("a.mp3", seconds: 1, "-id3v2_version", "0"))
        let stream = try samples.bytes(samples.swell("a.ts", seconds: 1))
        for bytes in [[], [0xFF], Array(sound.prefix(400)), Array(stream.prefix(700)), Array(stream.dropFirst())] {
            #expect(signature(bytes) == nil)
        }
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<200 {
            let bytes = numbers.bytes(2000)
            #expect(signature(bytes) == nil)
            // A tag that says it is longer than the file.
            #expect(signature(Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F] + bytes) == nil)
        }
    }
}
