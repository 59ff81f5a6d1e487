import AudioRenderer
import MediaSamples
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@Suite struct SongTests {
    private func render(_ bytes: [UInt8], wantsText: Bool = false) throws -> Rendering {
        var request = RenderRequest(box: 256, mimeType: "audio/midi")
        request.wantsText = wantsText
        return try AudioRenderer(RendererEnvironment(pluginFolder: "/")).render(BytesInput(bytes), request)
    }

    private func failure(_ bytes: [UInt8]) throws -> PluginError? {
        do {
            _ = try render(bytes)
            return nil
        } catch let error as PluginError { return error }
    }

    /// Whether there is a bar at a place of the tile.
    private func isNote(_ bitmap: Bitmap, _ x: Double, _ y: Double) -> Bool {
        bitmap.pixel(x, y).prefix(3).max() ?? 0 > 140
    }

    @Test("It keeps the renderer's contract for songs in notes")
    func conformance() {
        let song = WrittenSong(tracks: [WrittenSong.note(60) + WrittenSong.note(67), WrittenSong.note(48, channel: 1)])
        let samples = [RendererSample("a song", mimeType: "audio/midi", bytes: song.bytes)]
        let suite = RendererConformance(samples: samples, enlarges: true) { environment throws(PluginError) in
            try AudioRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("Higher notes are drawn above lower ones, later ones to the right, and each voice has its colour")
    func places() throws {
        let low = WrittenSong.note(40), high = WrittenSong.note(76)
        let bitmap = try render(WrittenSong(tracks: [low + high]).bytes).bitmap
        // The lowest and the highest key have the first and the last of 37 rows.
        let (top, bottom) = (0.5 - 0.31 + 0.008, 0.5 + 0.31 - 0.009)
        #expect(isNote(bitmap, 0.3, bottom) && isNote(bitmap, 0.7, top))
        #expect(!isNote(bitmap, 0.3, top) && !isNote(bitmap, 0.7, bottom))
        let voices = try render(WrittenSong(tracks: [low, WrittenSong.note(76, channel: 1)]).bytes).bitmap
        #expect(isNote(voices, 0.3, bottom) && isNote(voices, 0.3, top))
        let (teal, yellow) = (voices.pixel(0.3, bottom), voices.pixel(0.3, top))
        #expect(teal[0] > teal[2] && yellow[0] < yellow[2], "\(teal) \(yellow)")
    }

    @Test("Drums are left out, unless there is nothing else")
    func drums() throws {
        let drum = WrittenSong.note(40, channel: 9)
        let voice = WrittenSong.note(76)
        let both = try render(WrittenSong(tracks: [drum + voice]).bytes).bitmap
        let alone = try render(WrittenSong(tracks: [voice]).bytes).bitmap
        #expect(both.withUnsafeMutableBytes { Array($0) } == alone.withUnsafeMutableBytes { Array($0) })
        let drums = try render(WrittenSong(tracks: [drum]).bytes).bitmap
        #expect((0..<256).contains { isNote(drums, 0.3, Double($0) / 256) })
    }

    @Test("The length heeds tempos, whatever track they stand in, and frames of a second")
    func lengths() throws {
        let notes = (0..<4).flatMap { _ in WrittenSong.note(60) }
        #expect(try render(WrittenSong(tracks: [notes]).bytes).facts.duration == 2)
        // After two quarters, twice as slow: 1,000,000 microseconds each.
        let slower: [UInt8] = [0x81, 0x40, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40]
        #expect(try render(WrittenSong(tracks: [notes, slower]).bytes).facts.duration == 3)
        // 25 frames of 4 ticks.
        let frames = WrittenSong(division: 0xE704, tracks: [WrittenSong.note(60, ticks: 100)])
        #expect(abs((try render(frames.bytes).facts.duration ?? 0) - 1) < 1e-9)
        // Tracks one after the other.
        let sequence = WrittenSong(format: 2, tracks: [notes, notes])
        #expect(try render(sequence.bytes).facts.duration == 4)
        #expect(try render(WrittenSong(tracks: [notes, notes]).bytes).facts.duration == 2)
    }

    @Test("Events without a status of their own have that of the one before; no force lets a key go")
    func runningStatus() throws {
        let events: [UInt8] = [0, 0x90, 60, 90, 48, 60, 0, 0, 64, 90, 48, 64, 0]
        #expect(try render(WrittenSong(tracks: [events]).bytes).facts.duration == 0.5)
        // What is still down at the end of the track ends there.
        let held: [UInt8] = [0, 0x90, 60, 90, 96, 0xB0, 7, 100]
        #expect(try render(WrittenSong(tracks: [held]).bytes).facts.duration == 0.5)
    }

    @Test("The name of a song is its title, and what is sung its text")
    func words() throws {
        let sung = [WrittenSong.words(3, "A song"), WrittenSong.words(5, "Row, "), WrittenSong.words(5, "row\r")]
        let song = WrittenSong(tracks: [sung.flatMap(\.self) + WrittenSong.note(60)])
        let facts = try render(song.bytes, wantsText: true).facts
        #expect(facts.title == "A song" && facts.text == "Row, row\n")
        #expect(try render(song.bytes).facts.text == nil)
        let shown = ["@KMIDI KARAOKE FILE", "@TRowing", "\\Row, ", "row", "/your boat"]
        let karaoke = WrittenSong(tracks: [shown.flatMap { WrittenSong.words(1, $0) }, WrittenSong.note(60)])
        let rowing = try render(karaoke.bytes, wantsText: true).facts
        #expect(rowing.title == "Rowing" && rowing.text == "\n\nRow, row\nyour boat")
        // Which ends a line at the beginning of a word only.
        let marked = ["\\One ", "and/or ", "/other\r\n", "more\r"].flatMap { WrittenSong.words(5, $0) }
        let lines = WrittenSong(tracks: [marked + WrittenSong.note(60)])
        #expect(try render(lines.bytes, wantsText: true).facts.text == "\n\nOne and/or \nother\nmore\n")
        // The name of an instrument is none of the song's.
        let unnamed = WrittenSong(tracks: [WrittenSong.note(60), WrittenSong.words(3, "Piano")])
        #expect(try render(unnamed.bytes).facts.title == nil)
    }

    @Test("What is sung is read as far as texts are kept")
    func longWords() throws {
        let word = WrittenSong.words(5, String(repeating: "\\\u{301}", count: 40))
        let song = WrittenSong(tracks: [(0..<3_000).flatMap { _ in word } + WrittenSong.note(60)])
        #expect(try render(song.bytes, wantsText: true).facts.text?.utf8.count ?? 0 > Facts.textLimit - 200)
    }

    @Test(
        "Words are in UTF-8, also where a letter is sung in parts, or in Windows-1252, or left out when they cannot be")
    func letters() throws {
        func facts(_ name: [UInt8], _ lyrics: [[UInt8]]) throws -> Facts {
            let words = WrittenSong.words(3, name) + lyrics.flatMap { WrittenSong.words(5, $0) }
            return try render(WrittenSong(tracks: [words + WrittenSong.note(60)]).bytes, wantsText: true).facts
        }
        let parts = try facts(Array("Größe".utf8), [Array("Gr".utf8) + [0xC3], [0xB6] + Array("ße".utf8)])
        #expect(parts.title == "Größe" && parts.text == "Größe")
        // A letter of which a byte is missing.
        let damaged = try facts(Array("Größe".utf8), [Array("Größe ".utf8), [0xC3]])
        #expect(damaged.title == "Größe" && damaged.text == "Größe \u{FFFD}")
        // "für" and "ü" in Windows-1252, and names that are short.
        let western = try facts([0x66, 0xFC, 0x72], [[0x66, 0xFC, 0x72, 0x20], [0xFC]])
        #expect(western.title == "für" && western.text == "für ü")
        #expect(try facts([0xC9, 0x74, 0xE9], [[0x92]]).title == "Été")
        #expect(try facts([0xC9], [[0x92]]).text == "’")
        // "Катюша" in Windows-1251, and in KOI8-R.
        let eastern = try facts([0xCA, 0xE0, 0xF2, 0xFE, 0xF8, 0xE0], [[0xCA, 0xE0, 0xF2], [0xFE, 0xF8, 0xE0]])
        #expect(eastern.title == "Катюша" && eastern.text == "Катюша")
        let unknown = try facts([0xEB, 0xC1, 0xD4, 0xC0, 0xDB, 0xC1], [[0xEB, 0xC1, 0xD4, 0xC0, 0xDB, 0xC1]])
        #expect(unknown.title == nil && unknown.text == nil)
        // Nor is what another track is called the song's name then.
        let words = WrittenSong.words(3, [0xEB, 0xC1, 0xD4, 0xC0, 0xDB, 0xC1])
        let named = WrittenSong(tracks: [words, WrittenSong.words(3, "Bass") + WrittenSong.note(60)])
        #expect(try render(named.bytes).facts.title == nil)
    }

    @Test("Events of a wire and drums without a length do not end a song")
    func wire() throws {
        let noise: [UInt8] = [0, 0xF8, 0, 0xFE, 0, 0xF6, 0, 0xF1, 3, 0, 0xF2, 1, 2, 0, 0xF3, 4]
        let song = WrittenSong(tracks: [WrittenSong.note(60) + noise + WrittenSong.note(60)])
        #expect(try render(song.bytes).facts.duration == 1)
        let drum = WrittenSong(tracks: [WrittenSong.note(40, channel: 9, ticks: 0)])
        #expect(try render(drum.bytes).facts.duration ?? 0 > 0)
    }

    @Test(
        "Tracks behind one whose length is wrong are drawn as well, and so is that one",
        arguments: [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0, 0, 0, 4], [0, 0, 0, 13], [0, 0, 0, 16]] as [[UInt8]])
    func wrongLength(length: [UInt8]) throws {
        var bytes = WrittenSong(tracks: [WrittenSong.note(40), WrittenSong.note(76, channel: 1)]).bytes
        let right = try render(bytes).bitmap
        bytes.replaceSubrange(18..<22, with: length)
        let wrong = try render(bytes).bitmap
        #expect(right.withUnsafeMutableBytes { Array($0) } == wrong.withUnsafeMutableBytes { Array($0) })
    }

    @Test("What stands between tracks and behind them is no matter")
    func between() throws {
        let low = WrittenSong.note(40), high = WrittenSong.note(76, channel: 1)
        let right = try render(WrittenSong(tracks: [low, high]).bytes).bitmap
        let (head, first) = (WrittenSong(tracks: []).bytes, WrittenSong.chunk(of: low))
        for other in [[0, 0, 0], Array("XFIH".utf8) + [0, 0, 0, 9] + Array("MTrk too ".utf8)] as [[UInt8]] {
            let song = head + first + other + WrittenSong.chunk(of: high) + [UInt8](repeating: 0, count: 99)
            let drawn = try render(song).bitmap
            #expect(right.withUnsafeMutableBytes { Array($0) } == drawn.withUnsafeMutableBytes { Array($0) })
        }
    }

    @Test("A file of nothing but tracks is read in the time that its bytes take")
    func manyTracks() throws {
        let head = WrittenSong(tracks: []).bytes, track = Array("MTrk".utf8) + [0xFF, 0xFF, 0xFF, 0xFF]
        #expect(try failure(head + (0..<1 << 18).flatMap { _ in track })?.code == .empty)
    }

    @Test("A song inside of RIFF is drawn")
    func insideOfRIFF() throws {
        let song = WrittenSong(tracks: [WrittenSong.note(60)]).bytes
        #expect(try render(WrittenSong.riff(song)).facts.duration == 0.5)
        // Behind as much else as a file says of itself, of an odd length.
        let said = WrittenSong.riff(song, behind: [UInt8](repeating: 0x4D, count: 9_999))
        #expect(try render(said).facts.duration == 0.5)
        #expect(try failure(Array(said.prefix(10_000)))?.code == .corrupt)
        // Behind a chunk that is not filled up.
        let unfilled = Array(said[..<10_019] + said[10_020...])
        #expect(try render(unfilled).facts.duration == 0.5)
    }

    @Test("A song that is cut off shows what is left, and one without notes says so")
    func cut() throws {
        let bytes = WrittenSong(tracks: [(0..<8).flatMap { _ in WrittenSong.note(60) }]).bytes
        #expect(try render(Array(bytes.prefix(22 + 4 * 8))).facts.duration == 2)
        #expect(try failure(Array(bytes.prefix(10)))?.code == .corrupt)
        #expect(try failure(Array(bytes.prefix(22)))?.code == .empty)
        #expect(try failure(WrittenSong(tracks: []).bytes)?.code == .empty)
        #expect(try failure([])?.code == .empty)
    }

    @Test("Damage never ends in anything but a picture or a reason, and seldom in a reason")
    func damage() throws {
        let tracks = (0..<4).map { voice in
            (0..<30).flatMap { WrittenSong.note(UInt8(40 + $0), channel: UInt8(voice)) }
        }
        let song = WrittenSong(tracks: tracks).bytes
        let failures = try (0..<40).compactMap { try failure(damaged(song, seed: $0, changes: 50, from: 14)) }
        #expect(failures.allSatisfy { [.corrupt, .empty].contains($0.code) }, "\(failures)")
        #expect(failures.count < 20, "\(failures)")
    }
}
