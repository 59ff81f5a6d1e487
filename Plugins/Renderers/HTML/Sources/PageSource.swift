internal import MIME
internal import VitrineKit

/// The markup of a page, as far as the upper part of it needs: without scripts and comments, with a bounded number of elements and
/// letters.
struct PageSource {
    private static let xhtml = "application/xhtml+xml"

    /// In UTF-8.
    let markup: String
    /// Whether it counts on style sheets that lie elsewhere.
    let namesStyle: Bool

    /// Takes the markup out of a page.
    /// - Parameter type: its MIME type.
    /// - Throws: `unsupported` for a page from right to left: the library puts one word behind the other from the left on.
    init(_ saved: SavedPage, type: String) throws(PluginError) {
        var text = Charset.text(saved.page, charset: saved.charset ?? Self.encoding(of: saved.page))[...]
        // A mark of the order of bytes is no letter.
        if text.unicodeScalars.first == "\u{FEFF}" { text = text.dropFirst() }
        var scanner = MarkupScanner(Array(text.utf8), isXML: type == Self.xhtml)
        scanner.run()
        markup = StyleRewriter.rewritten(String(decoding: scanner.out, as: UTF8.self))
        guard !Self.runsFromRightToLeft(markup) else {
            throw PluginError(.unsupported, "the page is written from right to left, which is not laid out here")
        }
        namesStyle = scanner.namesStyle && saved.isAlone
    }

    /// Whether most of a page's beginning is in Hebrew, Arabic, Syriac or Thaana (Unicode, blocks 0590 to 08FF), by what is no tag.
    private static func runsFromRightToLeft(_ markup: String) -> Bool {
        var (hebrew, other, isInTag) = (0, 0, false)
        for scalar in markup.unicodeScalars.prefix(65_536) {
            switch scalar {
            case "<": isInTag = true
            case ">": isInTag = false
            case _ where isInTag: break
            case "\u{0590}"..."\u{08FF}", "\u{FB1D}"..."\u{FDFF}", "\u{FE70}"..."\u{FEFC}": hebrew += 1
            default: other += scalar.properties.isAlphabetic ? 1 : 0
            }
        }
        return hebrew > other
    }

    /// The encoding that a page says it has, in its first kilobyte (HTML, "prescan a byte stream"), or by its first bytes.
    private static func encoding(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return "UTF-8" }
        if bytes.starts(with: [0xFF, 0xFE]) { return "UTF-16LE" }
        if bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16BE" }
        let head = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased()
        for mark in ["charset=", "encoding="] {
            guard let found = head.firstRange(of: mark) else { continue }
            let name = head[found.upperBound...].drop { $0 == "\"" || $0 == "'" || $0 == " " }.prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:".contains($0))
            }
            // A page that can be searched for these words is not written in units of two bytes.
            if !name.isEmpty, !name.hasPrefix("utf-16") { return String(name) }
        }
        return nil
    }
}
