internal import MIME
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
        guard let text = Self.text(Self.joined(verses)), !text.isEmpty else { return facts }
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

    private static func line(_ bytes: some Collection<UInt8>) -> String? { text(bytes).flatMap { Facts.line($0) } }

    /// Words in UTF-8, of which a little may be damaged, or else in Windows-1252.
    /// - Returns: `nil` for those with more letters beyond ASCII than in it, and with more than a short name has, as no language
    ///   has that is written in Windows-1252: they are in some encoding that nothing tells.
    private static func text(_ bytes: some Collection<UInt8>) -> String? {
        let text = Charset.likelyText(bytes)
        let plain = bytes.count { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        let isStrange = bytes.count { $0 >= 0x80 } > max(plain, 3)
        // In UTF-8, a letter beyond ASCII has more bytes than one.
        return isStrange && text.unicodeScalars.count == bytes.count ? nil : text
    }
}
