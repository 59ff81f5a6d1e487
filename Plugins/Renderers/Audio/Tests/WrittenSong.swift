/// A song in notes, as the bytes of a Standard MIDI File.
struct WrittenSong {
    var format: UInt8 = 1
    /// Ticks of a quarter, of which there are two in a second as long as nothing else is said.
    var division: UInt16 = 96
    /// The events of each track, each behind its time, without the one that ends a track.
    var tracks: [[UInt8]]

    var bytes: [UInt8] {
        let header: [UInt8] = [0, format, 0, UInt8(tracks.count), UInt8(division >> 8), UInt8(division & 0xFF)]
        return Self.chunk("MThd", header) + tracks.flatMap { Self.chunk(of: $0) }
    }

    /// A track, with the event that ends it.
    static func chunk(of events: [UInt8]) -> [UInt8] { chunk("MTrk", events + [0, 0xFF, 0x2F, 0]) }

    /// A note that begins right away.
    /// - Parameter ticks: at most 127.
    static func note(_ key: UInt8, channel: UInt8 = 0, ticks: UInt8 = 96) -> [UInt8] {
        [0, 0x90 | channel, key, 90, ticks, 0x80 | channel, key, 0]
    }

    /// Words, right away.
    /// - Parameter kind: 1 for a text, 3 for a name, 5 for what is sung.
    static func words(_ kind: UInt8, _ text: String) -> [UInt8] { words(kind, Array(text.utf8)) }

    /// Words in an encoding of one's own.
    static func words(_ kind: UInt8, _ letters: [UInt8]) -> [UInt8] { [0, 0xFF, kind, UInt8(letters.count)] + letters }

    /// A song inside of RIFF, behind a chunk of what is said about it.
    static func riff(_ song: [UInt8], behind said: [UInt8] = []) -> [UInt8] {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + withUnsafeBytes(of: UInt32(content.count).littleEndian) { Array($0) } + content
                + [UInt8](repeating: 0, count: content.count % 2)
        }
        return chunk("RIFF", Array("RMID".utf8) + (said.isEmpty ? [] : chunk("LIST", said)) + chunk("data", song))
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0) } + content
    }
}
