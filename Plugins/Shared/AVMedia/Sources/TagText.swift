internal import Glibc
internal import MIME
internal import VitrineKit

/// Words in files of sound and film that do not say in which encoding they are, as old tags do not.
package enum TagText {
    /// Words in UTF-8, of which a little may be damaged, or else in Windows-1252; in Windows-1251 or Windows-31J where they can be
    /// nothing else, also where a library took them for Latin letters.
    /// - Returns: `nil` for those with more letters beyond ASCII than in it, and with more than a short name has, as no language
    ///   has that is written in Windows-1252: they are in some encoding that nothing tells.
    package static func text(_ bytes: some Collection<UInt8>) -> String? {
        let sound = String(validating: bytes, as: UTF8.self)
        let old = sound == nil ? Array(bytes) : sound.flatMap(OldLetters.latinBytes)
        if let text = old.flatMap(OldLetters.text) { return text }
        let text = (sound == nil ? nil : old.flatMap(windows)) ?? sound ?? Charset.likelyText(bytes)
        let plain = bytes.count { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        let isStrange = bytes.count { $0 >= 0x80 } > max(plain, 3)
        // In UTF-8, a letter beyond ASCII has more bytes than one.
        return isStrange && text.unicodeScalars.count == bytes.count ? nil : text
    }

    /// Words in Windows-1252 that somebody called Latin-1, where those bytes are control characters, of which titles have none.
    /// - Returns: `nil` for words without such bytes, and with those that no letter has.
    private static func windows(_ bytes: [UInt8]) -> String? {
        guard bytes.contains(where: { 0x80...0x9F ~= $0 }) else { return nil }
        let text = Charset.text(bytes, charset: "WINDOWS-1252")
        return text.unicodeScalars.contains("\u{FFFD}") ? nil : text
    }

    /// Such words as one line.
    /// - Parameter words: they end with a NUL byte; far more than a line has is not read.
    /// - Returns: `nil` when nothing is left, or as ``text(_:)``.
    static func line(_ words: UnsafePointer<CChar>) -> String? {
        let length = strnlen(words, 8 * FactValue.textLimit)
        let bytes = UnsafeRawBufferPointer(start: words, count: length)
        return text(bytes).flatMap { Facts.line($0) }
    }
}
