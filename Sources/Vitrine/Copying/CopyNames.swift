import VitrineKit

/// The names at the destination that one copying writes to, so that no two of its files get the same.
///
/// Names that differ in case alone, or in how letters are composed, may be one at the destination. They are not for sure:
/// such files wait for each other, and then look.
actor CopyNames {
    /// A name as the least discerning of destinations sees it.
    private struct Folded: Hashable {
        let text: String

        // Strings are equal when their letters are.
        init(_ path: ItemPath) { text = String(decoding: path.bytes, as: UTF8.self).lowercased() }
    }

    private var taken: Set<ItemPath> = []
    private var made: [Folded: [ItemPath]] = [:]
    /// Those that somebody works on, and who waits for them.
    private var waiting: [Folded: [CheckedContinuation<Void, Never>]] = [:]

    /// Chooses a name.
    /// - Returns: whether nobody else has.
    func reserve(_ path: ItemPath) -> Bool { taken.insert(path).inserted }

    /// Gives a name back that was not needed.
    func release(_ path: ItemPath) { taken.remove(path) }

    /// Waits until nobody else works on a name that may be the same. Ends with ``leave(_:)``.
    func enter(_ path: ItemPath) async {
        let name = Folded(path)
        guard waiting[name] != nil else {
            waiting[name] = []
            return
        }
        await withCheckedContinuation { waiting[name]?.append($0) }
    }

    /// Lets the next one begin.
    func leave(_ path: ItemPath) {
        let name = Folded(path)
        guard var others = waiting[name], !others.isEmpty else {
            waiting[name] = nil
            return
        }
        let next = others.removeFirst()
        waiting[name] = others
        next.resume()
    }

    /// Remembers what was copied.
    func add(_ path: ItemPath) { made[Folded(path), default: []].append(path) }

    /// The names of copies that may be the same as this one.
    func copies(like path: ItemPath) -> [ItemPath] { made[Folded(path)] ?? [] }
}
