import SQLite
import VitrineKit

extension Finder {
    /// All that is said of a hit.
    func found(_ hit: FindHit) throws(PluginError) -> FoundItem {
        let database = ledger.database
        let source = try database.first(
            "SELECT s.uri FROM folder f JOIN source s ON s.id = f.source WHERE f.id = ?", .integer(hit.folder)
        ) { $0.text(0) }
        let type = try hit.type.flatMap { type throws(PluginError) in
            try database.first("SELECT name FROM type WHERE id = ?", .integer(type)) { $0.text(0) }
        }
        var item = FoundItem(
            id: ItemID(rawValue: hit.id), source: source ?? "",
            path: try ItemPath(try ledger.path(hit.folder, hit.name)), size: hit.size,
            modified: hit.seconds == .min
                ? nil : Timestamp(seconds: hit.seconds, nanoseconds: UInt32(clamping: hit.nanoseconds)),
            type: type, match: hit.match, previews: try ledger.previews(of: hit.id))
        guard let document = try ledger.document(of: hit.id) else { return item }
        item.title = document.title.isEmpty ? nil : document.title
        if hit.match == .text { item.snippet = Snippet.of(document.text, words: writtenWords.filter { !$0.isEmpty }) }
        return item
    }
}

/// Some words of a text around what was found.
enum Snippet {
    /// Characters before what was found, and in all.
    private static let (before, length) = (30, 100)

    /// - Parameters:
    ///   - text: on one line.
    ///   - words: folded; the first one that is in the text counts.
    /// - Returns: `nil` when none is in it.
    static func of(_ text: String, words: [[UInt8]]) -> String? {
        let characters = Array(text)
        var folded: [UInt8] = []
        var starts: [Int] = []
        starts.reserveCapacity(characters.count)
        // Letters come again and again, and folding one that is not ASCII takes a microsecond.
        var known: [Character: [UInt8]] = [:]
        for character in characters {
            starts.append(folded.count)
            if let bytes = known[character] {
                folded += bytes
            } else {
                let bytes = SearchText.folded(character)
                known[character] = bytes
                folded += bytes
            }
        }
        guard let offset = words.lazy.compactMap({ SearchText.offset(of: $0, in: folded) }).first else { return nil }
        let place = max(0, (starts.firstIndex { $0 > offset } ?? starts.count) - 1)
        var start = max(0, place - before)
        if start > 0, let blank = characters[start..<place].firstIndex(of: " ") { start = blank + 1 }
        let end = min(characters.count, start + length)
        return (start > 0 ? "… " : "") + String(characters[start..<end]) + (end < characters.count ? " …" : "")
    }
}
