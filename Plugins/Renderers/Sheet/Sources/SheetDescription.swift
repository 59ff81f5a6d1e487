internal import VitrineKit

/// What is on a sheet: lines of words between tabs, an empty line, then the pictures that the lines tell the lengths of.
///
///     vitrine-sheet 1
///     title    NAME
///     note     TEXT
///     folder   NAME   DETAIL
///     kind     NAME
///     file     NAME   DETAIL   BYTES-OF-ITS-PICTURE
///     failure  NAME   DETAIL   REASON
///     end      TEXT
struct SheetDescription {
    /// One thing on a sheet.
    enum Part: Hashable {
        case title(String)
        case note(String)
        case folder(name: String, detail: String)
        case kind(String)
        /// Its picture is a PNG at these places; an empty range for none.
        case file(name: String, detail: String, picture: Range<Int>)
        case failure(name: String, detail: String, reason: String)
        case end(String)
    }

    /// From top to bottom.
    let parts: [Part]

    private static let firstLine = "vitrine-sheet 1"
    private static let textLimit = 4 << 20
    private static let mostParts = 10_000

    /// Reads a description.
    /// - Throws: `corrupt` when it is none, or says something else than what is there.
    init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        guard let text = Self.text(of: bytes) else { throw Self.broken("its lines have no end") }
        var lines = bytes[..<text].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        guard lines.popFirst()?.elementsEqual(Self.firstLine.utf8) == true else {
            throw Self.broken("it does not begin as one")
        }
        guard lines.count <= Self.mostParts else { throw Self.broken("it has more than \(Self.mostParts) lines") }
        // Behind the empty line.
        var place = text + 2
        var parts: [Part] = []
        for line in lines {
            let words = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard let part = Self.part(words, at: &place, of: bytes.count) else {
                throw Self.broken("a line of it is not understood")
            }
            parts.append(part)
        }
        guard place == bytes.count else { throw Self.broken("its pictures are longer or shorter than it says") }
        self.parts = parts
    }

    /// Where the lines end, before the newline of the last one.
    private static func text(of bytes: UnsafeRawBufferPointer) -> Int? {
        let newline = UInt8(ascii: "\n")
        var at = 0
        while at + 1 < min(bytes.count, textLimit) {
            if bytes[at] == newline, bytes[at + 1] == newline { return at }
            at += 1
        }
        return nil
    }

    private static func part(_ words: [String], at place: inout Int, of end: Int) -> Part? {
        switch (words.first, words.count) {
        case ("title", 2): return .title(words[1])
        case ("note", 2): return .note(words[1])
        case ("end", 2): return .end(words[1])
        case ("kind", 2): return .kind(words[1])
        case ("folder", 3): return .folder(name: words[1], detail: words[2])
        case ("failure", 4): return .failure(name: words[1], detail: words[2], reason: words[3])
        case ("file", 4):
            guard let length = Int(words[3]), 0...(end - place) ~= length else { return nil }
            defer { place += length }
            return .file(name: words[1], detail: words[2], picture: place..<place + length)
        default: return nil
        }
    }

    private static func broken(_ why: String) -> PluginError {
        PluginError(.corrupt, "the contact sheet is damaged: \(why)")
    }
}
