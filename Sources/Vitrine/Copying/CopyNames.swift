import VitrineKit

/// The names at the destination that one copying writes to, so that no two of its files get the same.
actor CopyNames {
    private var taken: Set<ItemPath> = []

    /// Chooses a name.
    /// - Returns: whether nobody else has.
    func reserve(_ path: ItemPath) -> Bool { taken.insert(path).inserted }

    /// Gives a name back that was not needed.
    func release(_ path: ItemPath) { taken.remove(path) }
}
