internal import CCairo
internal import VitrineKit

/// The picture of a song that is written down: the bars of a piano roll, higher ones above, with a colour for each voice.
enum PianoRoll {
    /// Draws the beginning of a song on a tile. All of one would be dust.
    /// - Parameters:
    ///   - notes: in the order of their starts; at least one.
    ///   - box: the side of the tile, in pixels.
    /// - Throws: `limitExceeded` when there is no memory for it.
    static func draw(_ notes: [MIDISong.Note], box: Int) throws(PluginError) -> Bitmap {
        let voices = notes.filter { $0.channel != MIDISong.percussion }
        let notes = voices.isEmpty ? notes : voices
        let start = notes[0].start
        let shown = notes.prefix(mostNotes).prefix { $0.start < start + longest }
        let end = min(start + longest, shown.map(\.end).max() ?? start)
        let keys = shown.map(\.key)
        let (lowest, highest) = (keys.min() ?? 0, keys.max() ?? 0)
        let spare = max(0, fewestKeys - (highest - lowest + 1))
        let roll = Roll(
            start: start, seconds: max(0.1, end - start), top: highest + spare / 2,
            keys: highest - lowest + 1 + spare)
        return try SoundTile.draw(box: box) { context in
            var colours: [Int: Int] = [:]
            for note in shown {
                let voice = colours[note.channel] ?? colours.count
                colours[note.channel] = voice
                let colour = Self.colours[voice % Self.colours.count]
                cairo_set_source_rgb(context, colour.x, colour.y, colour.z)
                roll.draw(note, context)
            }
        }
    }

    /// Seconds.
    private static let longest = 10.0
    /// More than anybody plays in that time.
    private static let mostNotes = 4_000
    /// Keys that share the height at least.
    private static let fewestKeys = 18

    /// Of the voices, in the order in which they set in; the first one is that of the waveform.
    private static let colours: [SIMD3<Double>] = [
        SIMD3(0.584, 0.886, 0.914), SIMD3(0.988, 0.835, 0.498), SIMD3(0.953, 0.627, 0.584), SIMD3(0.722, 0.886, 0.604),
        SIMD3(0.776, 0.698, 0.941), SIMD3(0.918, 0.973, 0.976),
    ]

    /// What is shown, and how large it becomes.
    private struct Roll {
        var start: Double
        var seconds: Double
        var top: Int
        var keys: Int

        /// The part of a key's height, and of a note's length, that its bar fills.
        private static let fill = (height: 0.82, length: 0.94)
        /// The least height of a bar, so that it can still be seen where many keys share the room; a part of the tile's side.
        private static let thinnest = 0.016

        func draw(_ note: MIDISong.Note, _ context: OpaquePointer?) {
            let wide = (1 - 2 * SoundTile.margin) / seconds
            let row = SoundTile.tallest / Double(keys)
            let height = max(Self.thinnest, row * Self.fill.height)
            let last = min(note.end, start + seconds)
            let width = max(height, (last - note.start) * wide * Self.fill.length)
            // A short one at the very end stays within.
            let x = min(SoundTile.margin + (note.start - start) * wide, 1 - SoundTile.margin - width)
            let y = (1 - SoundTile.tallest) / 2 + Double(top - note.key) * row
            SoundTile.addRounded(to: context, x: x, y: y, width: width, height: height, radius: height / 2)
            cairo_fill(context)
        }
    }
}
