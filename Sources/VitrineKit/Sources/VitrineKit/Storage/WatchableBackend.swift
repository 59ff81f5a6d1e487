/// A backend that can tell when folders change: an optional ability.
///
/// Without it the engine looks at every folder from time to time.
public protocol WatchableBackend: StorageBackend {
    /// Begins to notice changes. Nothing is watched before ``FolderWatch/add(_:)``.
    /// - Throws: `unsupported` when changes of this source cannot be noticed, such as those that other machines make on a
    ///   network file system; `limitExceeded` when the system allows no further watch. The sentence says what can be
    ///   done. The engine looks at every folder from time to time then.
    func watch() async throws(PluginError) -> any FolderWatch
}
