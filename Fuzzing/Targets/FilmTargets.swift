import VitrineKit

@testable import AVMedia
@testable import AudioRenderer

extension FuzzTarget {
    /// The first `count` bytes from an offset on, as readers of media ask for them.
    private static func part(_ bytes: [UInt8], _ offset: Int64, _ count: Int) -> [UInt8] {
        0..<Int64(bytes.count) ~= offset && count > 0 ? Array(bytes[Int(offset)...].prefix(count)) : []
    }

    /// How long films say that they are, in MP4 and Matroska, and by which bytes films and sound are known.
    static let filmLengths = FuzzTarget(
        name: "film-lengths", maximumLength: 1 << 13,
        fixtures: ["video/one-frame.mp4", "video/h264.mkv", "video/vp9.webm", "video/mpeg2.ts", "audio/tone.mp3"],
        seeds: {
            let boxes = Array("\0\0\0\u{10}ftypisom\0\0\0\0\0\0\0\u{8}moov\0\0\0\u{8}moof\0\0\0\u{10}mdat".utf8)
            let long = Array("\0\0\0\u{1}mdat\0\0\0\0\0\0\0\u{10}".utf8)
            // A segment, the list of parts in it with an entry for the index, and the index.
            let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x9F, 0x11, 0x4D, 0x9B, 0x74, 0x8E, 0x4D, 0xBB, 0x8B]
            let entry: [UInt8] = [0x53, 0xAB, 0x84, 0x1C, 0x53, 0xBB, 0x6B, 0x53, 0xAC, 0x81, 0x13]
            let index: [UInt8] = [0x1C, 0x53, 0xBB, 0x6B, 0x83, 0, 0, 0, 0, 0, 0, 0]
            // A cluster with a checksum, its time, a block, and a group of one.
            let times: [UInt8] = [0x1F, 0x43, 0xB6, 0x75, 0x97, 0xBF, 0x81, 0, 0xE7, 0x81, 5]
            let blocks: [UInt8] = [0xA3, 0x84, 0x81, 0, 9, 0x80, 0xA0, 0x86, 0xA1, 0x84, 0x81, 0, 12, 0]
            return [
                segment + entry + index, segment, entry, boxes, times + blocks, segment + times + blocks + times,
                boxes + [UInt8](repeating: 0, count: 8) + Array("\0\0\0\u{20}moof".utf8), long + boxes,
            ]
        },
        words: ["moov", "moof", "mdat", "\0\0\0\u{8}", "\0\0\0\u{1}"],
        check: { bytes in
            let size = Int64(bytes.count)
            var reads = 0, isOutside = false
            func read(_ offset: Int64, _ count: Int) -> [UInt8] {
                reads += 1
                if offset < 0 || count < 0 { isOutside = true }
                return part(bytes, offset, count)
            }
            if let cut = MovieHeader.cutBox(size, read) {
                try hold(0..<size ~= cut.offset, "the box that is cut off begins outside of the file")
                try hold(
                    MovieHeader.cutBox(cut.offset, read) == nil,
                    "what comes before a box that is cut off is cut off, too")
            }
            _ = MovieHeader.isMissing(size, read)
            if let length = MatroskaCues.length(read) { try hold(length >= 0, "an index has \(length) bytes") }
            _ = MatroskaCues.isCutOff(size, read)
            _ = MatroskaTimes.first(near: 0, read)
            if MatroskaTimes.last(size, read) == nil {
                try hold(MatroskaTimes.first(near: 0, read) == nil, "a file with a first cluster has no last one")
            }
            if let signature = MediaSignature(read) { try hold(!signature.demuxer.isEmpty, "a demuxer has no name") }
            try hold(!isOutside, "something before the beginning was read")
            try hold(reads < 3 * bytes.count + 100, "\(reads) reads of \(size) bytes")
        })

    /// Words of tags in encodings that nothing tells.
    static let tagWords = FuzzTarget(
        name: "tag-words", maximumLength: 1 << 10,
        seeds: {
            [
                [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x20, 0x2D, 0x20, 0x41], [0x82, 0xB3, 0x82, 0xAD, 0x82, 0xE7],
                [0x4D, 0x6F, 0x74, 0xF6, 0x72], Array("Ïðèâåò".utf8), [0x82, 0xB3], [0x83, 0x50],
            ]
        },
        words: ["Ïðè"],
        check: { bytes in
            if let text = OldLetters.text(bytes) {
                try hold(bytes.contains { $0 >= 0x80 }, "words in ASCII were read in another encoding")
                try hold(
                    !text.isEmpty && !text.unicodeScalars.contains("\u{FFFD}"), "words were read that mean nothing")
            }
            _ = TagText.text(bytes)
        })

    /// The first block of a WavPack file.
    static let correctionBlock = FuzzTarget(
        name: "wavpack-block", maximumLength: 1 << 9,
        seeds: {
            let head = Array("wvpk".utf8) + [40, 0, 0, 0] + [UInt8](repeating: 0, count: 24)
            return [
                head + [0x0B, 2, 1, 2, 3, 4], head + [0x8B, 2, 0, 0, 1, 2, 3, 4, 0x0A, 0], head + [0x4B, 1, 7, 7],
            ]
        },
        words: ["wvpk", "\u{B}\u{1}", "\u{A}\u{1}"],
        check: { bytes in
            let isCorrection = WavPackBlock.isCorrection(bytes)
            try hold(!isCorrection || bytes.contains { $0 & 0x3F == 0x0B }, "a block corrects that has no corrections")
        })

    /// A song that is written down in notes.
    static let song = FuzzTarget(
        name: "song", maximumLength: 1 << 13, fixtures: ["audio/scale.mid"],
        seeds: {
            [Array("RIFF\u{30}\0\0\0RMIDdata\u{20}\0\0\0MThd\0\0\0\u{6}\0\0\0\u{1}\0\u{60}MTrk\0\0\0\u{4}\0".utf8)]
        },
        words: ["MThd", "MTrk", "RMID", "data", "\u{7F}\u{7F}", "\0\0\0\u{6}"],
        check: { bytes in
            let song: MIDISong
            do throws(PluginError) { song = try MIDISong(bytes) } catch { return try error.mustBe(.corrupt, .empty) }
            try hold(!song.notes.isEmpty, "a song has no notes")
            for note in song.notes {
                try hold(note.start.isFinite && note.start >= 0, "a note begins at \(note.start)")
                try hold(note.end.isFinite && note.end >= note.start, "a note ends at \(note.end), before it begins")
                try hold(
                    0...127 ~= note.key && 0...15 ~= note.channel, "a note has the key \(note.key) and \(note.channel)")
            }
            let isSorted = zip(song.notes, song.notes.dropFirst()).allSatisfy { $0.start <= $1.start }
            try hold(isSorted, "notes are not in their order")
            _ = song.facts(wantsText: true)
        })
}
