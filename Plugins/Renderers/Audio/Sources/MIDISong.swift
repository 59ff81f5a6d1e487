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
    private let words: [MIDITrack.Words]

    /// The channel whose keys are drums (MIDI Association, RP-003).
    static let percussion = 9

    /// The part of a file that is read; songs have a few tens of kilobytes.
    static let reach = 8 << 20

    /// Whether a file begins like such a song.
    static func begins(_ head: [UInt8]) -> Bool {
        head.starts(with: mark) || head.starts(with: "RIFF".utf8) && head.dropFirst(8).starts(with: "RMID".utf8)
    }

    private static let mark = Array("MThd".utf8), trackMark = Array("MTrk".utf8)

    /// Reads a song.
    /// - Parameter bytes: the file, or its beginning.
    /// - Throws: `corrupt` for what is no song, `empty` for one without notes.
    init(_ bytes: [UInt8]) throws(PluginError) {
        guard let file = Self.file(in: bytes), case let header = file.dropFirst(8).prefix(6), header.count == 6
        else { throw PluginError(.corrupt, "the file is no song in notes, or its header is cut off") }
        let numbers = [0, 2, 4].map {
            Int(header[header.startIndex + $0]) << 8 | Int(header[header.startIndex + $0 + 1])
        }
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
        guard !notes.isEmpty else { throw PluginError(.empty, "the song has no notes") }
    }

    /// The Standard MIDI File, which is all, or the chunk of RIFF that is called "data".
    private static func file(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard begins(bytes) else { return nil }
        var rest = bytes[...]
        guard !rest.starts(with: mark) else { return rest }
        rest = rest.dropFirst(12)
        while rest.count > 8 {
            if rest.starts(with: "data".utf8) { return rest.dropFirst(8).starts(with: mark) ? rest.dropFirst(8) : nil }
            let length = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            // Filled up to an even length.
            rest = rest.dropFirst(8 + length + length % 2)
        }
        return nil
    }

    /// - Parameter inSequence: whether each begins where the one before ends; otherwise all begin together.
    private static func tracks(_ bytes: ArraySlice<UInt8>, inSequence: Bool) -> [MIDITrack] {
        var (rest, tracks) = (bytes, [MIDITrack]())
        while rest.count > 8 {
            let kind = rest.prefix(4)
            let length = rest.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(8)
            guard kind.elementsEqual(trackMark) else {
                rest = rest.dropFirst(length)
                continue
            }
            let track = MIDITrack(rest.prefix(length), from: inSequence ? tracks.last?.end ?? 0 : 0)
            tracks.append(track)
            if length <= rest.count {
                rest = rest.dropFirst(length)
            } else {
                // Where a length is wrong, the next track is somewhere behind the events.
                let next = track.unread.firstRange(of: trackMark)
                rest = next.map { track.unread[$0.lowerBound...] } ?? []
            }
        }
        return tracks
    }

    /// What a program that lists files would say of it. Words are those that are sung, or, in a file for karaoke, shown.
    func facts(wantsText: Bool) -> Facts {
        let shown = words.compactMap { if case .text(let text) = $0 { text } else { nil } }
        let isKaraoke = shown.contains { $0.starts(with: "@K".utf8) }
        let names = words.lazy.compactMap { if case .name(let name) = $0 { Self.line(name) } else { nil } }
        let title = isKaraoke ? shown.first { $0.starts(with: "@T".utf8) }.flatMap { Self.line($0.dropFirst(2)) } : nil
        var facts = Facts(duration: notes.map(\.end).max(), title: title ?? names.first)
        facts.set(.codecs, ["midi"])
        guard wantsText else { return facts }
        let sung = words.compactMap { if case .lyric(let lyric) = $0 { lyric } else { nil } }
        let isShown = sung.isEmpty && isKaraoke
        // Together, since a letter of several bytes may be sung in parts.
        guard var text = Self.text((isShown ? shown.filter { !$0.starts(with: "@".utf8) } : sung).joined()) else {
            return facts
        }
        if isShown { text = text.replacing("\\", with: "\n\n").replacing("/", with: "\n") }
        text = text.replacing("\r", with: "\n")
        if !text.isEmpty { facts.text = Facts.bounded(text) }
        return facts
    }

    private static func line(_ bytes: some Sequence<UInt8>) -> String? { text(bytes).flatMap { Facts.line($0) } }

    /// Words in UTF-8, or else in Latin-1.
    /// - Returns: `nil` for those with more letters beyond ASCII than in it, as no language has that is written in Latin-1:
    ///   they are in some encoding that nothing tells.
    private static func text(_ bytes: some Sequence<UInt8>) -> String? {
        let bytes = Array(bytes)
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let plain = bytes.count { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        guard bytes.count(where: { $0 >= 0x80 }) <= plain else { return nil }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
