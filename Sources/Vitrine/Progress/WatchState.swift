/// What a watch looks after.
public struct WatchState: Hashable, Sendable {
    /// Its sources.
    public var sources: [String]
    /// Folders whose changes are told by their storages.
    public var folders = 0
    /// Sources, or folders of sources, that are looked at from time to time instead.
    public var polled = 0
    /// Sources that are not there.
    public var absent = 0
}
