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

    private static let mark = Array("MThd".utf8)

    /// Reads a song.
    /// - Parameter bytes: the file, or its beginning.
    /// - Throws: `corrupt` for what is no song, `empty` for one without notes.
    init(_ bytes: [UInt8]) throws(PluginError) {
        guard Self.begins(bytes), let start = bytes.prefix(4096).firstRange(of: Self.mark)?.lowerBound,
            case let header = bytes[start...].dropFirst(8).prefix(6), header.count == 6
        else { throw PluginError(.corrupt, "the file is no song in notes, or its header is cut off") }
        let numbers = [0, 2, 4].map {
            Int(header[header.startIndex + $0]) << 8 | Int(header[header.startIndex + $0 + 1])
        }
        let tracks = Self.tracks(bytes[start...], inSequence: numbers[0] == 2)
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

    /// - Parameter inSequence: whether each begins where the one before ends; otherwise all begin together.
    private static func tracks(_ bytes: ArraySlice<UInt8>, inSequence: Bool) -> [MIDITrack] {
        var (rest, tracks) = (bytes, [MIDITrack]())
        while rest.count > 8 {
            let kind = rest.prefix(4)
            let length = rest.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(8)
            if kind.elementsEqual("MTrk".utf8) {
                tracks.append(MIDITrack(rest.prefix(length), from: inSequence ? tracks.last?.end ?? 0 : 0))
            }
            rest = rest.dropFirst(length)
        }
        return tracks
    }

    /// What a program that lists files would say of it. Words are those that are sung, or, in a file for karaoke, shown.
    func facts(wantsText: Bool) -> Facts {
        let shown = words.compactMap { if case .text(let text) = $0 { text } else { nil } }
        let isKaraoke = shown.contains { $0.hasPrefix("@K") }
        let name = words.lazy.compactMap { if case .name(let name) = $0 { Facts.line(name) } else { nil } }.first
        let title = isKaraoke ? shown.first { $0.hasPrefix("@T") }.flatMap { Facts.line(String($0.dropFirst(2))) } : nil
        var facts = Facts(duration: notes.map(\.end).max(), title: title ?? name)
        facts.set(.codecs, ["midi"])
        guard wantsText else { return facts }
        let sung = words.compactMap { if case .lyric(let lyric) = $0 { lyric } else { nil } }
        let lines = sung.isEmpty && isKaraoke ? shown.filter { !$0.hasPrefix("@") } : sung
        let text = lines.joined().replacing("\\", with: "\n\n").replacing("/", with: "\n").replacing("\r", with: "\n")
        if !text.isEmpty { facts.text = Facts.bounded(text) }
        return facts
    }
}
