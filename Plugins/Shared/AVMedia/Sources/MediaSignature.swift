/// What a file is by its first bytes alone, where these leave no doubt. It saves asking each of libav's some three hundred
/// demuxers, which read up to a MiB to find out that they are not meant, longest where a cover lies before the sound.
package struct MediaSignature: Hashable {
    /// The name of libav's demuxer.
    package let demuxer: String

    /// Bytes in front, and what they mean. ISO/IEC 14496-12 (4.3), RFC 8794, RFC 3533, RFC 9639, and Microsoft's formats.
    private static let known: [(offset: Int, bytes: [UInt8], demuxer: String)] = [
        (4, Array("ftyp".utf8), "mov"),
        (0, [0x1A, 0x45, 0xDF, 0xA3], "matroska"),
        (8, Array("AVI LIST".utf8), "avi"),
        (8, Array("WAVEfmt ".utf8), "wav"),
        (0, Array("OggS".utf8), "ogg"),
        (0, Array("fLaC".utf8), "flac"),
        (
            0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C], "asf"
        ),
    ]

    /// Bytes of a packet of a transport stream (ISO/IEC 13818-1, 2.4.3.2), each of which begins with a `G`.
    private static let packetLength = 188
    /// Packets, and frames of MP3, that have to follow one another to be believed.
    private static let believed = 5

    /// Looks at a file's first bytes.
    /// - Parameter read: gives so many bytes from an offset on, fewer at the end of the file.
    /// - Returns: `nil` where they leave a doubt.
    package init?(_ read: (_ offset: Int64, _ count: Int) -> [UInt8]) {
        let start = read(0, Self.packetLength * (Self.believed - 1) + 1)
        if let found = Self.known.first(where: { start.dropFirst($0.offset).starts(with: $0.bytes) }) {
            demuxer = found.demuxer
        } else if start.count > Self.packetLength * (Self.believed - 1),
            (0..<Self.believed).allSatisfy({ start[$0 * Self.packetLength] == UInt8(ascii: "G") })
        {
            demuxer = "mpegts"
        } else if Self.isMP3(start, read) {
            demuxer = "mp3"
        } else {
            return nil
        }
    }

    /// Whether frames of MP3 follow one another, from the first byte on or behind tags of ID3.
    private static func isMP3(_ start: [UInt8], _ read: (Int64, Int) -> [UInt8]) -> Bool {
        var offset: Int64 = 0
        // Some writers put a tag before the one that was there.
        for _ in 0..<4 {
            let header = offset == 0 ? Array(start.prefix(10)) : read(offset, 10)
            guard let length = TagPlaces.length(ofID3: header) else { break }
            offset += length
        }
        for _ in 0..<believed {
            let header = offset + 4 <= start.count ? Array(start[Int(offset)..<Int(offset) + 4]) : read(offset, 4)
            guard let length = MP3Frame(header)?.length else { return false }
            offset += Int64(length)
        }
        return true
    }
}

/// The header of a frame of MP3: ISO/IEC 11172-3 and 13818-3, 2.4.2.3, and the half rates that are called MPEG 2.5.
struct MP3Frame {
    /// Bytes from this header to the next one.
    let length: Int

    /// Reads a header.
    /// - Parameter header: four bytes.
    /// - Returns: `nil` for anything else, and for frames of no fixed rate.
    init?(_ header: [UInt8]) {
        guard header.count == 4, header[0] == 0xFF, header[1] & 0xE0 == 0xE0 else { return nil }
        let version = Int(header[1] >> 3 & 3)
        let (rate, frequency) = (Int(header[2] >> 4), Int(header[2] >> 2 & 3))
        // Layer 3 is written as 1, and version 1 is kept free.
        guard header[1] >> 1 & 3 == 1, version != 1, 1..<15 ~= rate, frequency < 3 else { return nil }
        let isFirst = version == 3
        let kilobits = (isFirst ? Self.rates : Self.ratesOfHalves)[rate - 1]
        let hertz = Self.frequencies[frequency] >> (isFirst ? 0 : version == 2 ? 1 : 2)
        length = (isFirst ? 144_000 : 72_000) * kilobits / hertz + Int(header[2] >> 1 & 1)
    }

    private static let rates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let ratesOfHalves = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    private static let frequencies = [44_100, 48_000, 32_000]
}
