/// A backend that can tell, for less than the price of a listing, that a folder did not change: an optional ability.
///
/// Without it the engine lists each folder in every run and compares the entries. With it an unchanged folder of a
/// thousand files is one comparison of 16 bytes: a file system reads the folder without making entries of it, a
/// server may have a mark for each folder.
public protocol SnapshotBackend: StorageBackend {
    /// Looks at several folders, one level each.
    /// - Parameter requests: folders, and what is known of them; at most a few hundred.
    /// - Returns: one answer for each request, in their order. A folder that cannot be listed to its end is a failure,
    ///   as it is for `list`.
    func snapshots(of requests: [SnapshotRequest]) async -> [Result<FolderSnapshot, PluginError>]
}
