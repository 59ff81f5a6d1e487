/// A backend that can be written to: an optional ability.
///
/// A file comes into being in one step. It is written under a hidden name, one of ``UnfinishedName``, which listings show and
/// copying passes over (or, where the storage knows unfinished uploads, under none), and gets its own name when all of it is there. Whatever happens before
/// leaves nothing that anybody would take for the file.
///
/// Conforming types pass `WritableConformance` of VitrineTesting, which is the contract in code.
public protocol WritableBackend: StorageBackend {
    /// What can be relied on when this source is written to. Costs nothing; does not change.
    var writing: WritingAbilities { get }

    /// Makes one folder.
    /// - Parameter path: the folder; the one above it is there.
    /// - Throws: `exists` when something has that name, `notFound` when there is no folder above, `forbidden`, `noSpace`,
    ///   `offline` …
    func makeFolder(_ path: ItemPath) async throws(PluginError)

    /// Begins to write a file, or goes on where an earlier transaction with the same token was left.
    /// - Parameters:
    ///   - path: what the file will be called; its folder is there.
    ///   - draft: what is known of it.
    /// - Throws: `notFound` when there is no folder above, `noSpace` when it is known that it does not fit, `forbidden`,
    ///   `limitExceeded` when the storage holds no such file, `offline` …
    func write(_ path: ItemPath, _ draft: FileDraft) async throws(PluginError) -> any WriteTransaction
}
