import PluginHost
import RangeReading
import VitrineKit
import Workers

/// Has archives listed and unpacked by contained workers, whatever storage they lie in: the archive is opened as every
/// item is, and read by ranges where it is not on this machine.
struct ContainerWorkers: Sendable {
    /// What reads which type.
    let registry: RendererRegistry
    let sniffer: TypeSniffer
    let workers: WorkerPool
    let scheduler: Scheduler
    let blocks: BlockCache
    /// Where large members wait.
    let room = MemberRoom()

    /// Those of a directory of plugins.
    init(_ plugins: PluginDirectory, _ workers: WorkerPool, _ scheduler: Scheduler, _ blocks: BlockCache) {
        registry = RendererRegistry(containersOf: plugins)
        sniffer = TypeSniffer(magic: registry.magic)
        self.workers = workers
        self.scheduler = scheduler
        self.blocks = blocks
    }

    /// Lists an archive.
    /// - Returns: what it holds, the plugin that read it, and what that cost of its storage.
    /// - Throws: `empty`, `unsupported` when no plugin reads it, `corrupt`, `locked`, `limitExceeded`, `changed`, or
    ///   what its storage throws.
    func list(
        _ archive: Item, _ limits: ReadLimits, _ urgency: Urgency
    ) async throws(PluginError) -> (list: MemberList, plugin: InstalledPlugin, traffic: ItemTraffic?) {
        let open = try await opened(archive, limits)
        if open.isEmpty { throw PluginError(.empty, "the archive is empty: it has no bytes") }
        let size = open.entry.size ?? Int64(open.head.count)
        let type = sniffer.type(head: open.head, name: archive.path.name, size: size).mimeType
        guard let plugin = registry.renderers(for: type).first else {
            let why =
                registry.switchedOff(for: type).map {
                    "plugin '\($0.id)', which lists what is in such a file, is switched off in the settings"
                } ?? "no plugin lists what is in such a file"
            throw PluginError(
                .unsupported, "'\(DisplayText.of(archive.path.name))' is a file of type \(type), and \(why)")
        }
        let list = try await run(open, plugin, urgency) { (input, specification) async throws(PluginError) in
            try await workers.list(input, by: specification)
        }
        return (list, plugin, await open.traffic)
    }

    /// Unpacks members of an archive.
    /// - Parameter extent: the part of the archive that the wanted one lies in, to be brought at once.
    /// - Throws: as ``list(_:_:_:)``.
    func unpack(
        _ order: MemberOrder, _ extent: Range<Int64>?, of archive: Item, by plugin: InstalledPlugin,
        _ limits: ReadLimits, _ urgency: Urgency
    ) async throws(PluginError) -> (members: UnpackedMembers, traffic: ItemTraffic?) {
        let open = try await opened(archive, limits)
        if let ranges = open.ranges, let extent, !extent.isEmpty, extent.lowerBound < ranges.size,
            Int64(extent.count) <= limits.perItem
        {
            _ = try await ranges.bring(extent.lowerBound, Int64(extent.count))
        }
        let members = try await run(open, plugin, urgency) { (input, specification) async throws(PluginError) in
            try await workers.unpack(order, of: input, by: specification)
        }
        return (members, await open.traffic)
    }

    /// Opens an archive as the version that is known: places in one mean nothing in another.
    private func opened(_ archive: Item, _ limits: ReadLimits) async throws(PluginError) -> OpenItem {
        let open = try await OpenItem(archive, blocks, limits)
        guard open.entry.size == archive.entry.size, open.entry.modified == archive.entry.modified,
            open.entry.identifier == archive.entry.identifier,
            open.entry.etag == nil || open.entry.etag == archive.entry.etag
        else {
            throw PluginError(.changed, "'\(DisplayText.of(archive.path.name))' changed since it was looked at")
        }
        return open
    }

    private func run<R: Sendable>(
        _ open: OpenItem, _ plugin: InstalledPlugin, _ urgency: Urgency,
        _ work: (ContainerInput, WorkerSpecification) async throws(PluginError) -> R
    ) async throws(PluginError) -> R {
        let limits = plugin.manifest.limits
        var input = ContainerInput(input: try await open.descriptor(limit: Int64(limits.inputMiB) << 20))
        input.ranges = open.ranges.map { PatientRanges(ranges: $0, scheduler: scheduler) }
        let lane = Scheduler.Lane(name: plugin.manifest.id, limit: limits.workers)
        let result: R
        do throws(PluginError) {
            result = try await scheduler.run(urgency, in: lane) { () async throws(PluginError) in
                try await work(input, WorkerSpecification(plugin))
            }
        } catch { throw await open.judged(error).failure }
        try await open.check()
        return result
    }
}

extension ReadLimits {
    /// How much the task at hand may read of a storage. Archives are listed and read on the way to something else, and
    /// are held to what was allowed for that.
    @TaskLocal static var current = ReadLimits()

    /// Holds a piece of work to these limits.
    func hold<R>(_ work: () async throws(PluginError) -> R) async throws(PluginError) -> R {
        let result: Result<R, PluginError> = await Self.$current.withValue(self) {
            do throws(PluginError) { return .success(try await work()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
