extension IdentifierTree {
    /// Pages in a row in which nothing new is.
    private static let emptyPages = 16
    private static let longestMark = 8192
    private static let longestEtag = 1024

    /// All that a folder holds, under the names that it has in paths, in the service's order, and the bytes of text that came.
    func children(of folder: String) async throws(PluginError) -> (items: [IdentifiedItem], bytes: Int) {
        var items: [IdentifiedItem] = []
        var seen: Set<String> = []
        var marks: Set<String> = []
        var mark: String?
        var empty = 0
        var bytes = 0
        repeat {
            guard !Task.isCancelled else { throw PluginError(.cancelled, "the listing was stopped") }
            let page = try await storage.children(of: folder, after: mark)
            let before = items.count
            // A folder that changes meanwhile may give an item twice.
            for item in page.items where seen.insert(item.id).inserted {
                bytes += try check(item)
                var item = item
                item.parent = folder
                items.append(item)
            }
            guard items.count <= limits.children else {
                throw refused("it has more than \(limits.children) items", .limitExceeded)
            }
            empty = items.count == before ? empty + 1 : 0
            guard empty <= Self.emptyPages else { throw refused("page after page of it is empty or known already") }
            mark = page.next
            bytes += mark?.utf8.count ?? 0
            guard bytes <= limits.bytes else {
                throw refused("its names and ids have more than \(limits.bytes) bytes", .limitExceeded)
            }
            if let mark {
                guard mark.utf8.count <= Self.longestMark else {
                    throw refused("the mark of its next page is too long")
                }
                guard marks.insert(mark).inserted else { throw refused("its pages come again and again") }
            }
        } while mark != nil
        return (tellApart(items), bytes)
    }

    private func refused(_ why: String, _ code: PluginError.Code = .io) -> PluginError {
        PluginError(code, "the listing of a folder is refused: \(why)")
    }

    /// - Returns: how many bytes of text it has.
    private func check(_ item: IdentifiedItem) throws(PluginError) -> Int {
        guard 1...256 ~= item.id.utf8.count, item.id.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw refused("it holds an id that is none")
        }
        guard item.entry.name.count <= IdentifiedName.longest else {
            throw refused("it holds a name of \(item.entry.name.count) bytes")
        }
        let etag = item.entry.etag?.utf8.count ?? 0
        guard etag <= Self.longestEtag else { throw refused("it holds an etag of \(etag) bytes") }
        return item.id.utf8.count + item.entry.name.count + etag
    }

    /// Gives each item a name of its own. Which one keeps the plain name does not depend on the order of the listing.
    private func tellApart(_ items: [IdentifiedItem]) -> [IdentifiedItem] {
        var keepers: [[UInt8]: String] = [:]
        for item in items {
            let other = keepers[item.entry.name]
            if other.map({ Self.precedes(item.id, $0) }) ?? true { keepers[item.entry.name] = item.id }
        }
        return items.map { item in
            let isKeeper = keepers[item.entry.name] == item.id
            return named(item, IdentifiedName.component(of: item.entry.name, id: isKeeper ? nil : item.id))
        }
    }

    /// Ids that are numbers grow: the oldest comes first.
    private static func precedes(_ a: String, _ b: String) -> Bool {
        (a.utf8.count, a) < (b.utf8.count, b)
    }
}

extension IdentifierTree {
    /// All entries of a folder, as the service tells them now.
    func entries(of folder: ItemPath) async throws(PluginError) -> [Entry] {
        if folder.isRoot { return try await load(storage.root).items.map(\.entry) }
        let start = ContinuousClock.now
        var item = try await known(at: folder)
        do throws(PluginError) {
            guard item.entry.kind == .folder else {
                throw PluginError(.notAFile, "'\(folder)' is a file, not a folder")
            }
            return try await load(item.id).items.map(\.entry)
        } catch {
            guard error.code == .notFound || error.code == .notAFile else { throw error }
            item = try await walk(folder, notBefore: start).item
            guard item.entry.kind == .folder else { throw error }
            return try await load(item.id).items.map(\.entry)
        }
    }
}
