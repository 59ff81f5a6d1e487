/// What is written to show a font: chosen by the letters that it has.
struct Specimen {
    /// The large letters.
    var main: [UInt32]
    /// Smaller lines below.
    var lines: [[UInt32]]

    /// Chooses for a font.
    /// - Parameter letters: all that it has, in their order.
    init(_ letters: [UInt32]) {
        let has = Set(letters)
        let scripts = Script.all.map { script in
            (script: script, count: letters.count { letter in script.ranges.contains { $0.contains(letter) } })
        }.filter { $0.count > 0 && $0.script.sample.unicodeScalars.allSatisfy { has.contains($0.value) } }
        let latin = scripts.first { $0.script.isLatin }
        // A script of which there is more than of Latin is what the font is for. Small scripts have few letters, so that
        // a font with the letters of English only may be for another one all the same.
        let other = scripts.filter { !$0.script.isLatin }.max { $0.count < $1.count }
        var first = latin ?? other
        if let latin, let other, other.count > latin.count { first = other }
        // A few letters among many symbols are such themselves.
        if latin == nil, let count = first?.count, count * 4 < letters.count { first = nil }
        let stranger = OtherScript(letters, besides: Script.all.flatMap(\.ranges)).flatMap { stranger in
            let isMost = latin != nil || stranger.count * 4 >= letters.count
            return isMost && stranger.count > first?.count ?? 0 ? stranger : nil
        }
        if let stranger {
            main = stranger.main
            lines = [stranger.line].filter { !$0.isEmpty }
            addLines(of: scripts, has)
            return
        }
        guard let first else {
            // Symbols: some of them, from everywhere.
            let step = max(1, letters.count / 8)
            let some = stride(from: 0, to: letters.count, by: step).map { letters[$0] }
            main = Array(some.prefix(3))
            lines = some.count > 3 ? [Array(some.dropFirst(3).prefix(6))] : []
            return
        }
        main = Self.scalars(first.script.sample)
        lines = [first.script.line].map(Self.scalars).map { $0.filter(has.contains) }.filter { !$0.isEmpty }
        addLines(of: scripts.filter { $0.script.sample != first.script.sample }, has)
    }

    /// Adds lines of scripts of which there are letters beside those that the font is for, most of them first.
    private mutating func addLines(of scripts: [(script: Script, count: Int)], _ has: Set<UInt32>) {
        for script in scripts.sorted(by: { $0.count > $1.count }) {
            let line = Self.scalars(script.script.line).filter(has.contains)
            if lines.count < 3, line.count > 3 { lines.append(line) }
        }
    }

    private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    /// A script: where its letters lie, a pair that shows its shapes, and some more.
    private struct Script {
        var sample: String
        var line: String
        var ranges: [ClosedRange<UInt32>]
        var isLatin = false

        static let all = [
            Script(
                sample: "Ag", line: "Hamburgefonstiv 0123",
                ranges: [0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF], isLatin: true),
            Script(sample: "Ωλ", line: "Αβγδ Ξενοφών", ranges: [0x370...0x3FF, 0x1F00...0x1FFF]),
            Script(sample: "Жф", line: "Съешь ещё чаю", ranges: [0x400...0x52F]),
            Script(sample: "Աբ", line: "Այբուբեն", ranges: [0x530...0x58F]),
            Script(sample: "אש", line: "אבגדה שלום", ranges: [0x590...0x5FF]),
            Script(sample: "أبج", line: "أبجد هوز حطي", ranges: [0x600...0x6FF, 0x750...0x77F, 0xFB50...0xFEFF]),
            Script(sample: "ܐܒ", line: "ܣܘܪܝܝܐ", ranges: [0x700...0x74F]),
            Script(sample: "ހށ", line: "ދިވެހި", ranges: [0x780...0x7BF]),
            Script(sample: "ߒߞ", line: "ߒߞߏ", ranges: [0x7C0...0x7FF]),
            Script(sample: "अक", line: "नमस्ते देवनागरी", ranges: [0x900...0x97F]),
            Script(sample: "অক", line: "বাংলা বর্ণমালা", ranges: [0x980...0x9FF]),
            Script(sample: "ਅਕ", line: "ਗੁਰਮੁਖੀ", ranges: [0xA00...0xA7F]),
            Script(sample: "અક", line: "ગુજરાતી", ranges: [0xA80...0xAFF]),
            Script(sample: "ଅକ", line: "ଓଡ଼ିଆ ଲିପି", ranges: [0xB00...0xB7F]),
            Script(sample: "அக", line: "தமிழ் எழுத்து", ranges: [0xB80...0xBFF]),
            Script(sample: "అక", line: "తెలుగు", ranges: [0xC00...0xC7F]),
            Script(sample: "ಅಕ", line: "ಕನ್ನಡ", ranges: [0xC80...0xCFF]),
            Script(sample: "അക", line: "മലയാളം", ranges: [0xD00...0xD7F]),
            Script(sample: "අක", line: "සිංහල අකුරු", ranges: [0xD80...0xDFF]),
            Script(sample: "กฮ", line: "สวัสดี ภาษาไทย", ranges: [0xE00...0xE7F]),
            Script(sample: "ກຂ", line: "ສະບາຍດີ ພາສາລາວ", ranges: [0xE80...0xEFF]),
            Script(sample: "ཀཁ", line: "བོད་ཡིག", ranges: [0xF00...0xFFF]),
            Script(sample: "ကခ", line: "မြန်မာ အက္ခရာ", ranges: [0x1000...0x109F, 0xA9E0...0xA9FF, 0xAA60...0xAA7F]),
            Script(sample: "აქ", line: "ქართული", ranges: [0x10A0...0x10FF]),
            Script(sample: "한글", line: "가나다라마바사", ranges: [0x1100...0x11FF, 0xAC00...0xD7AF]),
            Script(sample: "አማ", line: "አማርኛ", ranges: [0x1200...0x137F]),
            Script(sample: "ᏣᎳ", line: "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", ranges: [0x13A0...0x13FF]),
            Script(sample: "ᐃᓄ", line: "ᐃᓄᒃᑎᑐᑦ", ranges: [0x1400...0x167F]),
            Script(sample: "កខ", line: "ភាសាខ្មែរ", ranges: [0x1780...0x17FF]),
            Script(sample: "ᠮᠣ", line: "ᠮᠣᠩᠭᠣᠯ", ranges: [0x1800...0x18AF]),
            Script(sample: "ⴰⵣ", line: "ⵜⵉⴼⵉⵏⴰⵖ", ranges: [0x2D30...0x2D7F]),
            Script(sample: "あア", line: "いろはにほへと", ranges: [0x3040...0x30FF]),
            Script(sample: "永字", line: "天地玄黄宇宙", ranges: [0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x2FFFF]),
            Script(sample: "ꆈꌠ", line: "ꆈꌠꁱꂷ", ranges: [0xA000...0xA4CF]),
            Script(sample: "ꦲꦤ", line: "ꦲꦤꦕꦫꦏ", ranges: [0xA980...0xA9DF]),
        ]
    }
}
