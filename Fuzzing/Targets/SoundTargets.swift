@testable import AVMedia

extension FuzzTarget {
    /// Where tags lie in a file of sound.
    static let soundTags = FuzzTarget(
        name: "sound-tags", maximumLength: 1 << 12,
        seeds: {
            let chunk =
                Array("ID3 ".utf8) + [20, 0, 0, 0] + Array("ID3\u{4}\0\0\0\0\0\u{A}".utf8)
                + [UInt8](repeating: 0, count: 10)
            let long = [UInt8](repeating: 0xFF, count: 12) + [0, 0, 0, 0]
            let footer =
                Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 32, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
                + [UInt8](repeating: 0, count: 8)
            let old = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
            return [
                Array("RIFF\u{1}\0\0\0WAVEdata\u{2}\0\0\0ab".utf8) + chunk,
                Array("RF64".utf8) + long.prefix(4)
                    + Array("WAVEds64\u{18}\0\0\0".utf8) + [UInt8](repeating: 0, count: 24) + chunk,
                Array("FRM8\0\0\0\0\0\0\0\0DSD ID3 \0\0\0\0\0\0\0\u{14}".utf8) + chunk.dropFirst(8),
                Array("ID3\u{4}\0\u{10}\0\0\0\0".utf8) + [UInt8](repeating: 0, count: 40) + footer,
                footer + Array("LYRICSBEGIN000011LYRICS200".utf8) + old,
            ]
        },
        words: [
            "ID3", "id3 ", "ID3 ", "ds64", "data", "RIFF", "RF64", "WAVE", "FRM8", "DSD ", "TAG", "APETAGEX",
            "LYRICS200",
        ],
        check: { bytes in
            let size = Int64(bytes.count)
            var reads = 0
            let places = TagPlaces.all(size: size) { offset, count in
                reads += 1
                guard offset >= 0, offset < size, count >= 0 else { return [] }
                return Array(bytes[Int(offset)...].prefix(count))
            }
            try hold(reads < 300, "\(reads) reads")
            try hold(places.count <= 2, "more than two tags")
            for place in places {
                let tag = place.bytes
                try hold(tag.lowerBound >= 0 && tag.upperBound <= size, "a tag lies outside of the file")
                let at = place.form == .id3 ? tag.lowerBound : tag.upperBound - 32
                try hold(at >= tag.lowerBound, "a tag is shorter than its footer")
                let sign = Array((place.form == .id3 ? "ID3" : "APETAGEX").utf8)
                try hold(bytes[Int(at)...].starts(with: sign), "what is no tag was taken for one")
            }
        })

    /// Covers in tags that libav passes over.
    static let tagPictures = FuzzTarget(
        name: "tag-pictures", maximumLength: 1 << 10,
        seeds: {
            let png = [0x89] + Array("PNG\r\n".utf8)
            let frame = Array("APIC\0\0\0\u{A}\0\0\0\0\u{3}\0".utf8) + png
            let boxes = Array("\0\0\0\u{1E}covr\0\0\0\u{16}data".utf8) + [UInt8](repeating: 0, count: 8) + png
            let list = Array("\0\0\0\u{32}meta\0\0\0\0\0\0\0\u{26}ilst".utf8)
            return [
                Array("ID3\u{3}\0\0\0\0\0\u{14}".utf8) + frame,
                Array("ID3\u{4}\0".utf8) + [0xC0, 0, 0, 0, 26, 0, 0, 0, 6, 0, 0] + frame,
                Array("ID3\u{2}\0\0\0\0\0\u{12}PIC\0\0\u{C}\0PNG\u{3}\0".utf8) + png,
                Array("fLaC\u{6}\0\0\u{A}\0\0\0\u{3}".utf8) + png + [0x86, 0, 0, 4, 0, 0, 0, 4],
                Array("\0\0\0\u{42}moov\0\0\0\u{3A}udta".utf8) + list + boxes,
            ]
        },
        words: [
            "ID3", "APIC", "PIC", "fLaC", "moov", "udta", "meta", "hdlr", "ilst", "covr", "data", "RIFF", "WEBPVP8",
        ],
        check: { bytes in
            let size = Int64(bytes.count)
            var reads = 0
            func read(_ offset: Int64, _ count: Int) -> [UInt8] {
                reads += 1
                guard offset >= 0, offset < size, count >= 0 else { return [] }
                return Array(bytes[Int(offset)...].prefix(count))
            }
            let found = [
                TagPictures.inID3(bytes), TagPictures.inFLAC(from: 0, read), TagPictures.inMP4(size: size, read),
            ]
            for picture in found.compactMap(\.self) {
                try hold(CoverFormat.codec(of: picture) != nil, "what is no picture was taken for one")
                try hold(picture.count < bytes.count, "a picture is larger than its tag")
            }
            try hold(reads < 2000, "\(reads) reads")
        })
}
