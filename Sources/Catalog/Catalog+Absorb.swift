import SQLite
public import VitrineKit

extension Catalog {
    /// Makes a source a folder of another one, with all that is known of it: numbers, ends of work, what vanished and
    /// what happened. Those who follow the changes are told nothing, since every item stays at its URI.
    /// - Parameters:
    ///   - inner: the source, which is none afterwards.
    ///   - outer: the source that it lies in.
    ///   - path: where; not the root.
    public func absorb(
        _ inner: SourceRecord, into outer: SourceRecord, at path: ItemPath
    ) throws(PluginError) {
        guard let above = path.parent, inner.id != outer.id else {
            throw PluginError(.invalidArgument, "the source '\(inner.uri)' does not lie in '\(outer.uri)'")
        }
        try change { ledger throws(PluginError) in
            let database = ledger.database
            let (from, to): (Value, Value) = (.integer(inner.id.rawValue), .integer(outer.id.rawValue))
            var parent = outer.root.rawValue
            for name in above.bytes.split(separator: UInt8(ascii: "/")) {
                parent = try ledger.enter(Array(name), of: parent, source: outer.id.rawValue)
            }
            let place = try ledger.enter(path.name, of: parent, source: outer.id.rawValue)
            // Usually empty and just made. If another process was faster, its items are found again by the walk.
            _ = try ledger.vanish(folder: place, source: outer.id.rawValue, now: 0) { _ in }
            try database.run(
                "UPDATE folder SET parent = ?, name = ? WHERE id = ?", .integer(parent), .bytes(path.name),
                .integer(inner.root.rawValue))
            try database.run("UPDATE folder SET source = ? WHERE source = ?", to, from)
            // Put together as bytes: names need not be text.
            let prefix: Value = .bytes(path.bytes + [UInt8(ascii: "/")])
            for table in ["gone", "change"] {
                try database.run(
                    "UPDATE \(table) SET source = ?, path = CAST(? || path AS BLOB) WHERE source = ?", to, prefix, from)
            }
            try database.run("DELETE FROM source WHERE id = ?", from)
            ledger.forgetPaths()
        }
    }
}
