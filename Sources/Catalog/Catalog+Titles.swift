import SQLite
public import VitrineKit

// What people call what renderers render, such as "PDF documents".
extension Catalog {
    /// All renderers that drew or refused something, by number.
    public func renderers() throws(PluginError) -> [RendererID: RendererRecord] {
        let rows = try with { ledger throws(PluginError) in
            try ledger.database.rows("SELECT id, name, version, title FROM renderer") {
                (
                    RendererID(rawValue: $0.integer(0)),
                    RendererRecord(name: $0.text(1), version: $0.text(2), title: $0.text(3))
                )
            }
        }
        return Dictionary(rows) { $1 }
    }

    /// The title of the renderer that made an item's previews.
    /// - Parameters:
    ///   - path: of the item.
    ///   - source: what holds it.
    /// - Returns: `nil` for an item that has none, or is not known.
    public func title(of path: ItemPath, in source: SourceRecord) throws(PluginError) -> String? {
        guard let parent = path.parent else { return nil }
        return try with { ledger throws(PluginError) in
            guard let folder = try ledger.knownFolder(parent, in: source) else { return nil }
            return try ledger.database.first(
                "SELECT r.title FROM item i JOIN renderer r ON r.id = i.renderer "
                    + "WHERE i.folder = ? AND i.name = ? AND i.state = ?",
                .integer(folder), .bytes(path.name), .integer(ItemState.made.rawValue)
            ) { $0.text(0) }
        }
    }
}
