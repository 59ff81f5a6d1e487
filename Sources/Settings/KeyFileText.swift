import VitrineKit

/// The lines of a key file: finds what GLib's parser passes over in silence, and where a group or key stands.
struct KeyFileText {
    /// A key and its group; the group itself has the key "".
    struct Place: Hashable {
        var group: String
        var key: String
    }
    /// A line that is wrong, counted from 1, and what is wrong with it.
    struct Objection: Error {
        var line: Int
        var clause: String
    }

    /// The line of each group and key, counted from 1.
    private(set) var lines: [Place: Int] = [:]

    /// - Throws: ``Objection`` for a line that is none of group, key and comment, for a key before the first group,
    ///   and for what stands there twice, of which GLib would take the last.
    init(_ text: String) throws(Objection) {
        var group: String?
        var number = 0
        // By scalars, as GLib does it by bytes: to Swift, a line's end as Windows writes it is another character.
        for scalars in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            let line = Self.trimmed(Substring(scalars))
            // What follows on an old Macintosh's line would silently belong to this one, and be part of a comment.
            guard !line.unicodeScalars.contains("\r") else {
                throw Objection(line: number, clause: "a carriage return ends no line; save the file with line feeds")
            }
            if line.isEmpty || line.first == "#" { continue }
            if line.first == "[" {
                guard line.last == "]", line.count > 2 else {
                    throw Objection(line: number, clause: "a group is written [name]")
                }
                let name = String(line.dropFirst().dropLast())
                try note(Place(group: name, key: ""), number, "the group [\(DisplayText.of(name))]")
                group = name
                continue
            }
            guard let mark = line.firstIndex(of: "="), mark != line.startIndex else {
                let shown = DisplayText.of(String(line.prefix(80)))
                throw Objection(
                    line: number, clause: "'\(shown)' is neither a [group] nor 'key = value' nor a # comment")
            }
            let key = Self.trimmed(line[..<mark])
            guard key.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || isLetterOrDigit($0) }) else {
                let shown = DisplayText.of(String(key.prefix(80)))
                throw Objection(line: number, clause: "'\(shown)' is no key: letters, digits and - are wanted")
            }
            guard let group else {
                throw Objection(line: number, clause: "'\(DisplayText.of(key))' stands before the first [group]")
            }
            try note(Place(group: group, key: key), number, "'\(DisplayText.of(key))'")
        }
    }

    private mutating func note(_ place: Place, _ line: Int, _ name: String) throws(Objection) {
        if let first = lines[place] {
            throw Objection(line: line, clause: "\(name) stands there twice, first in line \(first); remove one")
        }
        lines[place] = line
    }

    private func isLetterOrDigit(_ byte: UInt8) -> Bool {
        UnicodeScalar(byte).isASCII
            && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let blanks: Set<Character> = [" ", "\t", "\r"]
        return String(text.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed())
    }
}
