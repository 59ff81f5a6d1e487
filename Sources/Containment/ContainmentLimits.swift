/// What a worker may use at most; see `setrlimit(2)`.
public struct ContainmentLimits: Codable, Hashable, Sendable {
    /// Bytes of address space. LibreOffice fails under 900 MiB. Memory that the host shares counts when mapped.
    public let addressSpace: Int64
    /// Open descriptors.
    public let openFiles: Int
    /// Bytes that one file may have after a write; 0 forbids to write files. Counts only for workers with a
    /// private folder: the others may not write files whatever stands here.
    public let fileSize: Int64
    /// Seconds of processor time in the process's whole life, after which the kernel ends it, whatever it blocks; 0
    /// sets no bound. What ends a worker that spins when its host is gone.
    public let processorTime: Int

    /// Creates limits. Values below zero count as zero.
    public init(addressSpace: Int64 = 2 << 30, openFiles: Int = 64, fileSize: Int64 = 0, processorTime: Int = 0) {
        self.processorTime = max(0, processorTime)
        self.addressSpace = max(0, addressSpace)
        self.openFiles = max(0, openFiles)
        self.fileSize = max(0, fileSize)
    }

    /// The limits that fit a profile: workers with a private folder may open 512 files and write 256 MiB into
    /// each, the others may open 64 and write none.
    /// - Parameters:
    ///   - profile: what the renderer asks for.
    ///   - addressSpace: bytes, from the manifest.
    ///   - processorTime: seconds of processor time in the worker's life. Default: no bound.
    public init(for profile: ContainmentProfile, addressSpace: Int64, processorTime: Int = 0) {
        let writes = profile.privateFolder
        self.init(
            addressSpace: addressSpace, openFiles: writes ? 512 : 64, fileSize: writes ? 256 << 20 : 0,
            processorTime: processorTime)
    }
}
