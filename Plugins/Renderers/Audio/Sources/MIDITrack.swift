internal import VitrineKit

/// The events of one track of a Standard MIDI File that tell when which note sounds, and what is said of them.
///
/// Source of the format: MIDI Association, RP-001, "Standard MIDI Files 1.0". What follows a damaged event is left out, as
/// what is cut off is.
struct MIDITrack {
    /// A note; times in ticks from the start of the song.
    struct Note {
        var start: Int
        var end: Int
        /// 0 to 127 in half tones; 60 is middle C.
        var key: UInt8
        /// 0 to 15; 9 is percussion, whose keys are drums.
        var channel: UInt8
    }

    /// What an event says in words, in an encoding that hardly a file tells.
    enum Words {
        case text([UInt8]), name([UInt8]), lyric([UInt8])
    }

    private(set) var notes: [Note] = []
    /// From when on a quarter of a whole note lasts how many microseconds.
    private(set) var tempos: [(tick: Int, quarter: Int)] = []
    private(set) var words: [Words] = []
    /// Of its last event.
    private(set) var end: Int

    /// Ticks at which the keys that are down were pressed, for each channel and key.
    private var pressed: [UInt16: Int] = [:]

    /// More than a song has.
    private static let wordLimit = 4_000
    /// How many bytes the events of a channel have besides their status, for 0x80, 0x90 … 0xE0.
    private static let lengths = [2, 2, 2, 2, 1, 1, 2]

    /// Reads a track.
    /// - Parameters:
    ///   - bytes: what its chunk holds.
    ///   - origin: the tick at which it begins.
    init(_ bytes: ArraySlice<UInt8>, from origin: Int) {
        end = origin
        var (rest, running) = (bytes, UInt8(0))
        while let delta = Self.number(&rest), let first = rest.first {
            end += delta
            if first >= 0x80 {
                rest.removeFirst()
                // What is no music should end it, but there are programs that go on.
                if first < 0xF0 { running = first }
                guard take(first, &rest) else { break }
            } else if running == 0 || !take(running, &rest) {
                break
            }
        }
        for (place, start) in pressed { add(place, from: start) }
    }

    /// Takes what follows a status byte.
    /// - Returns: whether the track goes on.
    private mutating func take(_ status: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
        switch status {
        case 0x80..<0xF0:
            let length = Self.lengths[Int(status >> 4) - 8]
            guard rest.count >= length else { return false }
            let (key, force) = (rest[rest.startIndex] & 0x7F, length == 2 ? rest[rest.startIndex + 1] : 0)
            rest.removeFirst(length)
            let place = UInt16(status & 0x0F) << 8 | UInt16(key)
            // A note that is struck with no force is let go.
            if status < 0xA0, let start = pressed.removeValue(forKey: place) { add(place, from: start) }
            if status >> 4 == 9, force > 0 { pressed[place] = end }
        case 0xFF:
            guard let kind = rest.popFirst(), let content = Self.block(&rest) else { return false }
            return take(kind, content)
        case 0xF0, 0xF7: return Self.block(&rest) != nil
        // What goes over a wire only, and yet is in files of programs that recorded it.
        case 0xF1, 0xF3: rest = rest.dropFirst()
        case 0xF2: rest = rest.dropFirst(2)
        case 0xF6, 0xF8...0xFE: break
        default: return false
        }
        return true
    }

    /// Adds a note that ends now. Drums may be let go as soon as they are struck.
    private mutating func add(_ place: UInt16, from start: Int) {
        notes.append(
            Note(start: start, end: max(end, start + 1), key: UInt8(place & 0x7F), channel: UInt8(place >> 8)))
    }

    /// Takes what is no music.
    private mutating func take(_ kind: UInt8, _ content: ArraySlice<UInt8>) -> Bool {
        switch kind {
        case 0x01: say(.text(Self.letters(content)))
        case 0x03: say(.name(Self.letters(content)))
        case 0x05: say(.lyric(Self.letters(content)))
        case 0x51 where content.count == 3: tempos.append((end, Int(bigEndianBytes: content)))
        case 0x2F: return false
        default: break
        }
        return true
    }

    private mutating func say(_ word: Words) {
        if words.count < Self.wordLimit { words.append(word) }
    }

    /// Some programs write the end of a text of C.
    private static func letters(_ bytes: ArraySlice<UInt8>) -> [UInt8] { Array(bytes.prefix { $0 != 0 }) }

    /// A number of up to four bytes with seven bits each.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var number = 0
        for _ in 0..<4 {
            guard let byte = rest.popFirst() else { return nil }
            number = number << 7 | Int(byte & 0x7F)
            if byte < 0x80 { return number }
        }
        return nil
    }

    /// Bytes behind their number; those that are there.
    private static func block(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = number(&rest) else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
