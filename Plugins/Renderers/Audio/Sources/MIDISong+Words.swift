internal import AVMedia
internal import VitrineKit

// What a song says in words.
extension MIDISong {
    /// What a program that lists files would say of it. Words are those that are sung, or, in a file for karaoke, shown.
    func facts(wantsText: Bool) -> Facts {
        let shown = words.compactMap { if case .text(let text) = $0 { text } else { nil } }
        let isKaraoke = shown.contains { $0.starts(with: "@K".utf8) }
        let title = isKaraoke ? shown.first { $0.starts(with: "@T".utf8) }.flatMap { Self.line($0.dropFirst(2)) } : nil
        var facts = Facts(duration: notes.map(\.end).max(), title: title ?? name.flatMap { Self.line($0) })
        facts.set(.codecs, ["midi"])
        guard wantsText else { return facts }
        let sung = words.compactMap { if case .lyric(let lyric) = $0 { lyric } else { nil } }
        let verses = sung.isEmpty && isKaraoke ? shown.filter { !$0.starts(with: "@".utf8) } : sung
        guard let text = TagText.text(Self.joined(verses)), !text.isEmpty else { return facts }
        facts.text = Facts.bounded(text).replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        return facts
    }

    /// The beginning of words as one text, since a letter of several bytes may be sung in parts. A word for karaoke that begins with
    /// a slash begins a line, and one with a backslash a verse.
    private static func joined(_ words: [[UInt8]]) -> [UInt8] {
        var text: [UInt8] = []
        for word in words where text.count <= Facts.textLimit {
            switch word.first {
            case UInt8(ascii: "/"): text += "\n".utf8 + word.dropFirst()
            case UInt8(ascii: "\\"): text += "\n\n".utf8 + word.dropFirst()
            default: text += word
            }
        }
        return text
    }

    private static func line(_ bytes: some Collection<UInt8>) -> String? {
        TagText.text(bytes).flatMap { Facts.line($0) }
    }
}
