/// Notices changes in folders of one source, until the last reference goes.
///
/// The engine decides which folders are watched. It adds each one *before* it lists it, so that no change is lost in
/// between, and adds it again whenever it looks at it. Changes may be told more than once, and may be told of
/// folders in which nothing is different. Changes of what a listing tells (names, kinds, sizes, times, permissions) may
/// not be left out, but for files that are still being written, which may be told when they are closed. Where another folder
/// takes the place of one that is watched, that place is told, and with it all folders below it that are watched: their names
/// may be the same, and nobody looks at them because of the folder above.
///
/// Backends with the ability pass the checks of `BackendConformance` in VitrineTesting.
public protocol FolderWatch: Sendable {
    /// Watches folders, one level each: not what lies in their subfolders.
    ///
    /// A folder that is watched already stays so. One that was moved is known by its new path from then on.
    /// - Parameter folders: ``ItemPath/root`` for the source; at most a few hundred.
    /// - Returns: for each folder, in their order, why it is not watched; `nil` when it is. `limitExceeded` means that
    ///   the system allows no further one, and that the engine has to look at that folder from time to time.
    func add(_ folders: [ItemPath]) async -> [PluginError?]

    /// Ends to watch one folder that is not there any more.
    func remove(_ folder: ItemPath)

    /// Waits for changes. To be called by one task at a time.
    ///
    /// What happens between two calls is kept, up to a limit of the backend's own.
    /// - Returns: what changed since the last call; `ended` with `cancelled` when the task is cancelled.
    func next() async -> FolderChanges
}
