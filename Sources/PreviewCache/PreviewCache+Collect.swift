extension PreviewCache {
    /// Deletes what has no use any more, and then what was not used for the longest time until the quota is met.
    ///
    /// Of Vitrine's entries go: those whose local file was deleted or has changed, those that nobody used for longer
    /// than the quota's age, failures met by earlier versions, and as many as it takes to meet the quota's size. Of
    /// other programs' entries go those whose local file was deleted, as the thumbnail standard wants. A file that may
    /// only be out of reach, on a volume that is not mounted, does not count as deleted.
    ///
    /// Other processes may read, write and delete meanwhile. Holds 32 bytes for each of Vitrine's entries, and blocks:
    /// about a second for 100,000 entries. Call it on a thread of its own.
    /// - Parameters:
    ///   - options: what to do.
    ///   - onRemoved: called on this thread for each entry that went, after it went.
    /// - Returns: what was done. What cannot be deleted is counted there, and is no error.
    @discardableResult
    public func collect(
        _ options: CollectionOptions = CollectionOptions(), onRemoved: ((RemovedEntry) -> Void)? = nil
    ) -> CollectionReport {
        let lock = options.isDryRun ? nil : CollectionLock(own.root)
        defer { withExtendedLifetime(lock) {} }
        var collector = Collector(self, options, onRemoved)
        return collector.run()
    }

    /// Whether a path lies on a storage that may be slow, silent or absent, as far as the system's table of mounts tells.
    public static func isOnServer(_ path: [UInt8]) -> Bool { VolumeTable.current.isRemote(path) }

    /// Whether a path, with its links resolved, lies on a disk of this machine, as does all that leads to it: reading there
    /// may take long, but does not wait for ever.
    public static func isOnDisk(_ path: [UInt8]) -> Bool { VolumeTable.current.isOnDisk(path) }
}
