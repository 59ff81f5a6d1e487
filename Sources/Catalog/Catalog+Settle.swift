import SQLite
public import VitrineKit

extension Catalog {
    /// The number of a plan.
    /// - Parameter digest: of all that decides what becomes of an item: sizes, renderers, their limits.
    public func plan(_ digest: FolderDigest) throws(PluginError) -> PlanID {
        try change { ledger throws(PluginError) in
            try ledger.database.run("INSERT OR IGNORE INTO plan(digest) VALUES (?)", .bytes(digest.bytes))
            let id = try ledger.database.first("SELECT id FROM plan WHERE digest = ?", .bytes(digest.bytes)) {
                $0.integer(0)
            }
            guard let id else { throw ledger.lost("plan") }
            return PlanID(rawValue: id)
        }
    }

    /// Writes down how the work on items ended. Items that changed or vanished meanwhile are passed over.
    /// - Parameters:
    ///   - settlements: in any order: copies take what is known of the item that they are copies of after that was written.
    ///   - waits: whether copies of an item of whose end nothing is known yet are left for later. Default: no, and nothing
    ///     is known of their text then.
    /// - Returns: those that are left for later.
    @discardableResult
    public func settle(
        _ settlements: [Settlement], waitingForTwins waits: Bool = false
    ) throws(PluginError) -> [Settlement] {
        try change { ledger throws(PluginError) in
            var left: [Settlement] = []
            for settlement in settlements where settlement.twin == nil { try ledger.settle(settlement) }
            for settlement in settlements {
                guard let twin = settlement.twin else { continue }
                if waits, try ledger.isPending(twin.rawValue) {
                    left.append(settlement)
                } else {
                    try ledger.settle(settlement)
                }
            }
            return left
        }
    }

    /// Writes down which folders have all of their items brought to a plan, and how these ended.
    /// - Parameters:
    ///   - folders: those to look at.
    ///   - plan: the plan.
    public func settle(folders: some Collection<FolderID>, plan: PlanID) throws(PluginError) {
        let folders = Array(folders)
        // Each needs a few queries: others get a turn in between.
        for start in stride(from: 0, to: folders.count, by: 256) {
            try change { ledger throws(PluginError) in
                for folder in folders[start..<min(start + 256, folders.count)] {
                    try ledger.settle(folder: folder.rawValue, plan.rawValue)
                }
            }
        }
    }

    /// Goes through the previews of one size, and forgets those that are not in the cache any more, so that their items
    /// are worked on again.
    /// - Parameters:
    ///   - size: the longest side in pixels.
    ///   - variant: the page or moment; empty for the standard one.
    ///   - isThere: whether the preview with this key is in the cache.
    /// - Returns: how many were forgotten.
    public func forgetPreviews(
        size: Int, variant: String = "", unless isThere: (UInt64) -> Bool
    ) throws(PluginError) -> Int {
        try change { ledger throws(PluginError) in
            let database = ledger.database
            let statement = try database.statement("SELECT item, key FROM preview WHERE size = ? AND variant = ?")
            defer { statement.reset() }
            try statement.bind([.count(size), .text(variant)])
            var lost: [Int64] = []
            while try statement.step() {
                if !isThere(UInt64(bitPattern: statement.integer(1))) { lost.append(statement.integer(0)) }
            }
            for item in lost {
                try database.run(
                    "DELETE FROM preview WHERE item = ? AND size = ? AND variant = ?", .integer(item), .count(size),
                    .text(variant))
                try database.run(
                    "UPDATE folder SET plan = 0 WHERE id = (SELECT folder FROM item WHERE id = ?)", .integer(item))
                try ledger.unsettle(item)
                // One that vanished may come back.
                try database.run("UPDATE gone SET state = 0, plan = 0 WHERE id = ?", .integer(item))
            }
            return lost.count
        }
    }

    /// Goes through the failures, and forgets those that are not remembered elsewhere any more, so that their items are
    /// worked on again.
    /// - Parameter isRemembered: whether the failure of the item with this URI is.
    /// - Returns: how many were forgotten.
    public func forgetFailures(unless isRemembered: (String) -> Bool) throws(PluginError) -> Int {
        let sources = Dictionary(try sources().map { ($0.id.rawValue, try? SourceURI($0.uri)) }) { $1 }
        return try change { ledger throws(PluginError) in
            let database = ledger.database
            let rows = try database.rows(
                "SELECT i.id, i.folder, i.name, f.source FROM failure x JOIN item i ON i.id = x.item "
                    + "JOIN folder f ON f.id = i.folder"
            ) { ($0.integer(0), $0.integer(1), $0.bytes(2), $0.integer(3)) }
            var count = 0
            for (item, folder, name, source) in rows {
                let path = try ItemPath(try ledger.path(folder, name))
                guard let root = sources[source] ?? nil, !isRemembered(root.appending(path)) else { continue }
                count += 1
                try database.run("UPDATE folder SET plan = 0 WHERE id = ?", .integer(folder))
                try ledger.unsettle(item)
                try database.run("DELETE FROM failure WHERE item = ?", .integer(item))
            }
            return count
        }
    }

    /// Whether nobody has opened an item as it is now, so that nothing is known of its text: its previews were there before.
    public func isUnread(_ item: ItemID) throws(PluginError) -> Bool {
        try with { ledger throws(PluginError) in
            try ledger.database.first(
                "SELECT type IS NULL AND NOT EXISTS(SELECT 1 FROM document WHERE item = ?1) FROM item WHERE id = ?1",
                .integer(item.rawValue)
            ) { $0.integer(0) != 0 } ?? false
        }
    }

    /// The previews that an item has, or had before it changed.
    public func previews(of item: ItemID) throws(PluginError) -> [PreviewRecord] {
        try with { ledger throws(PluginError) in try ledger.previews(of: item.rawValue) }
    }

    /// Writes down which previews an item has, in place of those that it had.
    public func replacePreviews(of item: ItemID, with previews: [PreviewRecord]) throws(PluginError) {
        try change { ledger throws(PluginError) in try ledger.replacePreviews(of: item.rawValue, with: previews) }
    }

    /// A number that is kept for the caller, such as a time of a folder of the cache.
    public func note(_ key: String) throws(PluginError) -> Int64? {
        try with { ledger throws(PluginError) in
            try ledger.database.first("SELECT value FROM meta WHERE key = ?", .text("note " + key)) { $0.integer(0) }
        }
    }

    /// Keeps a number for the caller.
    public func note(_ key: String, _ value: Int64) throws(PluginError) {
        try change { ledger throws(PluginError) in
            try ledger.database.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", .text("note " + key), .integer(value))
        }
    }
}

extension CatalogLedger {
    /// Whether an item is there, and is still to be worked on.
    fileprivate func isPending(_ item: Int64) throws(PluginError) -> Bool {
        try database.first("SELECT state FROM item WHERE id = ?", .integer(item)) { $0.integer(0) }
            == ItemState.pending.rawValue
    }

    fileprivate func settle(_ end: Settlement) throws(PluginError) {
        // A preview that was there before the item was known, or known again, is news to who follows.
        let isNews =
            if end.isNews || end.state != .made || end.wasMoved { end.isNews } else {
                try isPending(end.item.rawValue)
            }
        let renderer = try end.renderer.map { record throws(PluginError) in
            try self.renderer(record.name, record.version, record.title)
        }
        let type = try end.type.map { name throws(PluginError) in try self.type(name) }
        let id: Value = .integer(end.item.rawValue)
        let statement = try database.statement(
            """
            UPDATE item SET state = ?, plan = ?, renderer = coalesce(?, renderer, ?), type = coalesce(?, type, ?),
            head = coalesce(?, head), content = coalesce(?, content)
            WHERE id = ? AND size IS ? AND seconds IS ? AND nanoseconds IS ?
            """)
        try statement.run([
            .integer(end.state.rawValue), .integer(end.plan.rawValue),
            .number(end.isGuess ? nil : renderer), .number(renderer), .number(end.isGuess ? nil : type), .number(type),
            .number(end.fingerprint.map { Int64(bitPattern: $0.head) }), .bytes(end.fingerprint?.content.bytes), id,
            .number(end.size), .number(end.modified?.seconds),
            .number(end.modified.map { Int64($0.nanoseconds) }),
        ])
        guard database.changes == 1 else { return }
        if let failure = end.failure {
            try database.run(
                "INSERT OR REPLACE INTO failure VALUES (?, ?, ?)", id, .text(failure.code.rawValue),
                .text(failure.message))
        } else {
            try database.run("DELETE FROM failure WHERE item = ?", id)
        }
        for preview in end.previews { try note(preview, of: end.item.rawValue) }
        try settleDocument(end)
        var facts = end.facts
        // Text has a table of its own, details lie in the previews, and a place is kept nowhere.
        (facts.text, facts.details, facts.place) = (nil, [:], nil)
        if facts != Facts() {
            try database.run(
                "INSERT OR REPLACE INTO fact VALUES (?, ?, ?, ?, ?, ?)", id, .number(facts.pages.map { Int64($0) }),
                .number(facts.size.map { Int64($0.width) }), .number(facts.size.map { Int64($0.height) }),
                .number(facts.duration.flatMap { Int64(exactly: ($0 * 1000).rounded()) }), .text(facts.title))
        }
        if let twin = end.twin {
            try database.run(
                "INSERT OR REPLACE INTO fact SELECT ?, pages, width, height, milliseconds, title FROM fact WHERE item = ?",
                id, .integer(twin.rawValue))
        }
        if isNews { try log(.previewed, end.item.rawValue) }
    }

    /// Keeps the text that came with previews that were made, or that of an item with the same content.
    private func settleDocument(_ end: Settlement) throws(PluginError) {
        let item = end.item.rawValue
        switch end.state {
        case .made:
            if let twin = end.twin {
                if let document = try document(of: twin.rawValue) { try keep(document, of: item) }
            } else if end.isNews || end.bringsText, !end.keepsText {
                try keep(StoredDocument(title: end.facts.title ?? "", text: end.facts.text ?? ""), of: item)
            }
        case .failed, .skipped: try forgetDocument(of: item)
        case .pending: break
        }
    }

    /// Writes down which previews an item has, in place of those that it had.
    func replacePreviews(of item: Int64, with previews: [PreviewRecord]) throws(PluginError) {
        try database.run("DELETE FROM preview WHERE item = ?", .integer(item))
        for preview in previews { try note(preview, of: item) }
    }

    fileprivate func note(_ preview: PreviewRecord, of item: Int64) throws(PluginError) {
        try database.run(
            "INSERT OR REPLACE INTO preview VALUES (?, ?, ?, ?)", .integer(item), .count(preview.size),
            .text(preview.variant), .integer(Int64(bitPattern: preview.key)))
    }

    fileprivate func settle(folder: Int64, _ plan: Int64) throws(PluginError) {
        let open = try database.first(
            "SELECT 1 FROM item WHERE folder = ? AND (state = 0 OR plan <> ?) LIMIT 1", .integer(folder),
            .integer(plan)
        ) { $0.integer(0) }
        guard open == nil else { return }
        try database.run("DELETE FROM tally WHERE folder = ?", .integer(folder))
        try database.run(
            "INSERT INTO tally SELECT folder, coalesce(renderer, 0), state, count(*) FROM item WHERE folder = ? GROUP BY 2, 3",
            .integer(folder))
        // A folder whose listing broke off is not settled, whatever its items are.
        try database.run(
            "UPDATE folder SET plan = ? WHERE id = ? AND digest IS NOT NULL", .integer(plan), .integer(folder))
    }
}
