import Library
import VitrineKit

/// A subject such as `[Taxes] Invoice for January`: which collection a message belongs to, and what its note is called.
struct FiledSubject: Hashable {
    var collection: String
    var title: String

    /// Reads a subject.
    /// - Returns: `nil` when it does not begin with a name in brackets, or that is no name for a collection.
    init?(_ subject: String) {
        guard subject.unicodeScalars.first == "[", let end = subject.unicodeScalars.firstIndex(of: "]") else {
            return nil
        }
        let inside = subject.unicodeScalars[subject.unicodeScalars.index(after: subject.startIndex)..<end]
        // Programs that write mails break lines at blanks of several kinds; a name has one.
        let plain = inside.map { $0.properties.isWhitespace && $0 != "\u{3000}" ? " " : $0 }
        collection = Self.trimmed(String(String.UnicodeScalarView(plain)))
        do throws(PluginError) { try LibraryName.check(collection, of: "collection") } catch { return nil }
        let rest = String(subject.unicodeScalars[subject.unicodeScalars.index(after: end)...])
        let words = Self.trimmed(Self.shown(Self.trimmed(rest)))
        title = words.isEmpty ? collection : words
    }

    /// Within the bounds of a note's title, without characters that turn text around.
    private static func shown(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars where DisplayText.of(String(scalar)) == String(scalar) {
            let next = out + String(scalar)
            guard next.count <= Note.maximumTitle, next.utf8.count <= 4 * Note.maximumTitle else { break }
            out = next
        }
        return out
    }

    private static func trimmed(_ text: String) -> String {
        let begin = text.drop(while: \.isWhitespace)
        guard let last = begin.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(begin[...last])
    }
}
