/// What a ``FolderWatch`` noticed.
public enum FolderChanges: Sendable {
    /// Something changed in these folders.
    case folders(Set<ItemPath>)
    /// More happened than could be kept: any folder may have changed.
    case everything
    /// Nothing is watched any more, for this reason: `offline` when the source is gone. Later calls return it again.
    case ended(PluginError)
}
