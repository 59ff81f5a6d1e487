/// A service that knows its files by ids and has no paths, as most drives in the cloud. A backend for one answers these
/// three members, and ``IdentifierTree`` makes paths of them.
///
/// Asked from many tasks at once.
public protocol IdentifiedStorage: Sendable {
    /// The id of the folder that all others lie in.
    var root: String { get }

    /// One page of what a folder holds.
    /// - Parameters:
    ///   - folder: its id.
    ///   - mark: where the page before said that this one begins; `nil` for the first.
    /// - Throws: `notFound` when there is no such folder any more, and what else ended it.
    func children(of folder: String, after mark: String?) async throws(PluginError) -> IdentifiedPage

    /// What an item is now.
    /// - Parameters:
    ///   - id: as it was listed.
    ///   - kind: as it was listed: many services ask for files and folders in two ways.
    /// - Throws: `notFound` when it is gone.
    func item(_ id: String, kind: Entry.Kind) async throws(PluginError) -> IdentifiedItem
}
