internal import VitrineKit

/// A song that is written down as notes, in a Standard MIDI File (MIDI Association, RP-001) or in one inside of RIFF (RP-029).
struct MIDISong {
    /// A note; times in seconds from the start of the song.
    struct Note {
        var start: Double
        var end: Double
        /// 0 to 127 in half tones; 60 is middle C.
        var key: Int
        /// 0 to 15.
        var channel: Int
    }

    /// In the order of their starts; never empty.
    let notes: [Note]
    /// What the first track is called, which is the song's name; those of the others are of instruments.
    let name: [UInt8]?
    let words: [MIDITrack.Words]

    /// The channel whose keys are drums (MIDI Association, RP-003).
    static let percussion = 9

    /// The part of a file that is read; songs have a few tens of kilobytes.
    static let reach = 8 << 20

    /// Whether a file begins like such a song.
    static func begins(_ head: [UInt8]) -> Bool {
        head.starts(with: mark) || head.starts(with: "RIFF".utf8) && head.dropFirst(8).starts(with: "RMID".utf8)
    }

    private static let mark = Array("MThd".utf8), trackMark = Array("MTrk".utf8)
    /// As many as the header can tell.
    private static let mostTracks = 65_535

    /// Reads a song.
    /// - Parameter bytes: the file, or its beginning.
    /// - Throws: `corrupt` for what is no song, `empty` for one without notes.
    init(_ bytes: [UInt8]) throws(PluginError) {
        guard let file = Self.file(in: bytes), case let header = file.dropFirst(8).prefix(6), header.count == 6
        else { throw PluginError(.corrupt, "the file is no song in notes, or its header is cut off") }
        let numbers = [0, 2, 4].map { Int(bigEndianBytes: header.dropFirst($0).prefix(2)) }
        let tracks = Self.tracks(file, inSequence: numbers[0] == 2)
        let clock = MIDIClock(tracks.flatMap(\.tempos), division: numbers[2])
        notes = tracks.flatMap(\.notes)
            .map { note in
                Note(
                    start: clock.seconds(at: note.start), end: clock.seconds(at: note.end), key: Int(note.key),
                    channel: Int(note.channel))
            }
            .sorted { ($0.start, $0.channel, $0.key) < ($1.start, $1.channel, $1.key) }
        words = tracks.flatMap(\.words)
        name = tracks.first?.words.lazy.compactMap { if case .name(let name) = $0 { name } else { nil } }
            .first { Facts.line(String(decoding: $0, as: UTF8.self)) != nil }
        guard !notes.isEmpty else { throw PluginError(.empty, "the song has no notes") }
    }

    /// The Standard MIDI File, which is all, or the chunk of RIFF that is called "data".
    private static func file(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard begins(bytes) else { return nil }
        var rest = bytes[...]
        guard !rest.starts(with: mark) else { return rest }
        rest = rest.dropFirst(12)
        while rest.count > 8 {
            if rest.starts(with: "data".utf8), rest.dropFirst(8).starts(with: mark) { return rest.dropFirst(8) }
            let length = Int(littleEndianBytes: rest.dropFirst(4).prefix(4))
            // Filled up to an even length.
            rest = rest.dropFirst(8 + length + length % 2)
        }
        // Not all programs fill up chunks, or know how long they are.
        return place(of: mark, in: bytes[...]).map { bytes[$0...] }
    }

    /// Where a mark begins for the first time. There may be megabytes without one, which `firstRange(of:)` takes seconds for.
    private static func place(of mark: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        while let first = rest.firstIndex(of: mark[0]) {
            if rest[first...].starts(with: mark) { return first }
            rest = rest[(first + 1)...]
        }
        return nil
    }

    /// Where the length of a chunk is wrong, so that none begins behind it, its content is what comes before the next track:
    /// events tell themselves where a track ends.
    /// - Parameter inSequence: whether each begins where the one before ends; otherwise all begin together.
    private static func tracks(_ bytes: ArraySlice<UInt8>, inSequence: Bool) -> [MIDITrack] {
        var (rest, tracks) = (bytes, [MIDITrack]())
        while rest.count > 8, tracks.count < mostTracks {
            let isTrack = rest.starts(with: trackMark)
            let length = Int(bigEndianBytes: rest.dropFirst(4).prefix(4))
            var content = rest.dropFirst(8)
            rest = content.dropFirst(length)
            if length > content.count || !mayBeChunk(rest) {
                let next = place(of: trackMark, in: content) ?? content.endIndex
                rest = content[next...]
                content = content[..<next]
            } else {
                content = content.prefix(length)
            }
            if isTrack { tracks.append(MIDITrack(content, from: inSequence ? tracks.last?.end ?? 0 : 0)) }
        }
        return tracks
    }

    /// Whether bytes begin with the name of a chunk, or are too few for one.
    private static func mayBeChunk(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count <= 8 || bytes.prefix(4).allSatisfy { 0x20...0x7E ~= $0 }
    }
}
