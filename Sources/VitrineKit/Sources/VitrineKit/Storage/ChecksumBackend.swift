/// A backend that knows checksums of files without reading them: an optional ability.
public protocol ChecksumBackend: StorageBackend {
    /// What is known of the content of a file as it is now.
    /// - Returns: none when the storage tells none of this file.
    /// - Throws: `notFound`, `offline` …
    func checksums(of path: ItemPath) async throws(PluginError) -> [Checksum]
}
