/// What a walk meets, for those who work on it.
enum WalkStep: Sendable {
    /// A regular file that has to be worked on.
    case item(Item)
    /// A file that is at another place than before: its previews go with it, and if that cannot be, it is worked on.
    case moved(Item, MovedItem)
    /// Files of one folder that need no work.
    case known(KnownItems)
    /// Something that no preview is made of, and why.
    case skipped(uri: String, source: String, PluginError)
    /// A folder that could not be listed to its end.
    case failed(uri: String, source: String, PluginError)
}
