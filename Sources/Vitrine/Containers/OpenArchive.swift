import PluginHost
import RangeReading
import VitrineKit
import Workers

/// One archive, and what is known of it as long as it stays the same.
///
/// It is listed once for each version. Members that are read from their own places are unpacked side by side. An archive
/// that has to be gone through is so by one at a time, and each pass brings members along that nobody has asked for yet;
/// they wait in the cache of blocks, so that thousands of them cost a few passes.
actor OpenArchive {
    /// What it holds.
    struct Contents: Sendable {
        /// What its storage says of it.
        var version: Entry
        /// What reads it.
        var plugin: InstalledPlugin
        var tree: MemberTree
        /// The path of each member that can be reached, by its position.
        var paths: [Int: ItemPath]
        /// What listing it cost.
        var traffic: ItemTraffic?
    }

    /// The whole archive as a source.
    nonisolated let source: SourceURI
    private let storage: Storage
    private let path: ItemPath
    let workers: ContainerWorkers
    private let keepsMembers: Bool
    let urgency: Urgency
    private var known: (mark: String, contents: Result<Contents, PluginError>)?
    private let listings = WorkCoalescer<String, Result<Contents, PluginError>>()
    /// What listing cost, until it is told with the first member.
    private var untold: ItemTraffic?
    /// Members that were asked for, and those that were only read ahead; by position.
    private var opened: Set<Int> = []
    private var ahead: Set<Int> = []
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Passes through an archive that has to be gone through; for tests.
    private(set) var passes = 0

    /// The most bytes that one pass brings along.
    private static let aheadLimit: Int64 = 64 << 20

    /// - Parameters:
    ///   - source: the archive as a source.
    ///   - storage: where it lies.
    ///   - path: where in it.
    ///   - workers: who reads it.
    ///   - keepsMembers: whether members that were unpacked wait in the cache of blocks for who asks again. Default: yes.
    ///   - urgency: of the work on it. Default: interactive, for it is short, and somebody's rendering cannot begin before.
    init(
        _ source: SourceURI, in storage: Storage, at path: ItemPath, _ workers: ContainerWorkers,
        keepsMembers: Bool = true, _ urgency: Urgency = Urgency(.interactive)
    ) {
        self.keepsMembers = keepsMembers
        self.urgency = urgency
        self.source = source
        self.storage = storage
        self.path = path
        self.workers = workers
    }

    /// What its storage says of it now.
    /// - Throws: what the storage throws; `notAFile` when there is no file.
    func version() async throws(PluginError) -> Entry {
        let entry = try await storage.stat(path)
        guard entry.kind == .file else {
            throw PluginError(.notAFile, "'\(DisplayText.of(path.bytes))' is no archive: it is not a regular file")
        }
        return entry
    }

    func mayRead() async -> Bool { (try? await storage.mayRead(path)) ?? false }

    /// What it holds now.
    /// - Throws: as ``ContainerWorkers/list(_:_:_:)``.
    func contents() async throws(PluginError) -> Contents {
        let version = try await version()
        let mark = version.versionMark
        if let known, known.mark == mark { return try known.contents.get() }
        let item = Item(storage: storage, path: path, entry: version)
        let (workers, urgency) = (workers, urgency)
        let result = await listings.value(
            for: mark, .interactive,
            whenCancelled: .failure(PluginError(.cancelled, "stopped while others wait for it"))
        ) { _ in
            do throws(PluginError) {
                let (list, plugin, traffic) = try await workers.list(item, ReadLimits.current, urgency)
                let tree = MemberTree(list, of: version)
                return .success(
                    Contents(version: version, plugin: plugin, tree: tree, paths: tree.paths, traffic: traffic))
            } catch { return .failure(error) }
        }
        if known?.mark != mark {
            (opened, ahead) = ([], [])
            switch result {
            case .success(let contents): (known, untold) = ((mark, result), contents.traffic)
            case .failure(let error): known = error.isPermanent ? (mark, result) : nil
            }
        }
        return try result.get()
    }

    /// What is known of it without looking.
    var lastContents: Contents? { try? known?.contents.get() }

    /// Unpacks a file.
    /// - Parameter path: of the member.
    /// - Throws: `notFound`, `notAFile`, `locked`, `limitExceeded`, `corrupt`, `changed`, or what the storage throws.
    func open(_ path: ItemPath) async throws(PluginError) -> MemberFile {
        // What was listed a moment ago need not be asked for again: reading notices when it is another one.
        let contents = if let lastContents { lastContents } else { try await contents() }
        guard let node = contents.tree[path] else { throw Self.missing(path, contents.tree) }
        guard node.entry.kind == .file, let index = node.index else {
            throw PluginError(.notAFile, "'\(path)' is not a regular file in the archive")
        }
        let member = contents.tree.members[index]
        if member.isEncrypted {
            throw PluginError(.locked, "'\(path)' needs a password, as other members of its archive may too")
        }
        let bound = Int64(contents.plugin.manifest.limits.outputMiB) << 20
        guard (member.size ?? 0) <= bound else {
            throw PluginError(
                .limitExceeded,
                "'\(path)' has \(member.size ?? 0) bytes when unpacked; plugin '\(contents.plugin.manifest.id)' unpacks "
                    + "at most \(bound >> 20) MiB (output)")
        }
        // Told once, also when two are opened at the same time.
        let listing = untold
        untold = nil
        let (memory, own): (MemberMemory, ItemTraffic?)
        let stay: MemberRoom.Stay?
        do throws(PluginError) { (memory, own, stay) = try await unpack(index, member, bound, contents) } catch {
            // It is looked at again when somebody asks for more.
            if error.code == .changed { known = nil }
            untold = untold ?? listing
            throw error
        }
        guard member.size.map({ $0 == memory.size }) ?? true else {
            throw PluginError(
                .corrupt,
                "'\(path)' unpacks to \(memory.size) bytes where its archive says \(member.size ?? 0): it is damaged")
        }
        var traffic = listing
        if let own {
            traffic = traffic ?? ItemTraffic()
            traffic? += own
        }
        var entry = node.entry
        entry.size = memory.size
        return MemberFile(entry, memory, stay, traffic, of: self, at: contents.version.versionMark)
    }

    /// - Parameters:
    ///   - limit: bytes that it may have, unless its archive tells.
    ///   - bound: bytes that one pass may bring.
    /// - Returns: what came of it, and what that cost either way.
    func memory(
        _ index: Int, _ member: ContainerMember, _ limit: Int64, _ bound: Int64, _ contents: Contents
    ) async throws(PluginError) -> (Result<MemberMemory, PluginError>, ItemTraffic?) {
        if member.size == 0 { return (.success(try MemberMemory(size: 0) { _ in }), nil) }
        let item = Item(storage: storage, path: path, entry: contents.version)
        guard contents.tree.isSequential else {
            let order = MemberOrder(parts: [(member.place, limit)], wanted: 0)
            let (members, traffic) = try await workers.unpack(
                order, member.extent, of: item, by: contents.plugin, ReadLimits.current, urgency)
            return (members.wanted, traffic)
        }
        if let memory = kept(index, contents) { return (.success(memory), nil) }
        await takeTurn()
        defer { endTurn() }
        if Task.isCancelled { throw PluginError(.cancelled, "stopped before it was unpacked") }
        // Who had the turn before may have brought it along.
        if let memory = kept(index, contents) { return (.success(memory), nil) }
        // What was brought and is not there any more was pushed out by others, and they by it.
        if ahead.contains(index) { ahead = [] }
        let (indices, order) = order(for: index, limit, bound, contents)
        passes += 1
        let (members, traffic) = try await workers.unpack(
            order, nil, of: item, by: contents.plugin, ReadLimits.current, urgency)
        opened.insert(index)
        for (position, bytes) in members.others where indices.indices.contains(position) {
            guard let version = version(of: indices[position], contents) else { continue }
            workers.blocks.keep(content: bytes, of: version)
            ahead.insert(indices[position])
        }
        if keepsMembers, case .success(let memory) = members.wanted, memory.size <= Self.aheadLimit / 4,
            let version = version(of: index, contents),
            let bytes = try? await MemberFile.bytes(of: memory, at: 0, count: Int(memory.size))
        {
            workers.blocks.keep(content: bytes, of: version)
        }
        return (members.wanted, traffic)
    }

    /// The member that is wanted, and others to go with it: those that nobody had yet, the next ones first.
    private func order(
        for index: Int, _ limit: Int64, _ bound: Int64, _ contents: Contents
    ) -> (indices: [Int], MemberOrder) {
        let members = contents.tree.members
        // One that does not tell its size has all the room to itself.
        var room = min(members[index].size == nil ? 0 : bound - limit, Self.aheadLimit, workers.blocks.capacity / 4)
        var indices = [index]
        for next in Array(index + 1..<members.count) + Array(0..<index) {
            guard indices.count < MemberOrder.maximumParts else { break }
            guard let size = members[next].size, size > 0, size <= room, !members[next].isEncrypted,
                members[next].kind == .file, !opened.contains(next), !ahead.contains(next),
                contents.paths[next] != nil
            else { continue }
            room -= size
            indices.append(next)
        }
        indices.sort()
        let parts = indices.map { (place: members[$0].place, limit: members[$0].size ?? limit) }
        return (indices, MemberOrder(parts: parts, wanted: indices.firstIndex(of: index) ?? 0))
    }

    private func kept(_ index: Int, _ contents: Contents) -> MemberMemory? {
        guard let size = contents.tree.members[index].size, let version = version(of: index, contents),
            let bytes = workers.blocks.content(of: version, size: size)
        else { return nil }
        opened.insert(index)
        return try? MemberMemory(size: size) { (fd) throws(PluginError) in try MemberFile.write(bytes, to: fd) }
    }

    /// The name under which a member's content is kept.
    private func version(of index: Int, _ contents: Contents) -> ItemVersion? {
        guard let path = contents.paths[index], var entry = contents.tree[path]?.entry else { return nil }
        // A checksum alone is no proof that the content is the same.
        entry.etag = "\(contents.version.versionMark) \(entry.etag ?? "")"
        return ItemVersion(entry, uri: source.appending(path), source: source)
    }

    private func takeTurn() async {
        if isBusy {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isBusy = true
        }
    }

    private func endTurn() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }

    static func missing(_ path: ItemPath, _ tree: MemberTree) -> PluginError {
        // People who know Java's URLs write '!' once more.
        let parts = path.bytes.split(separator: UInt8(ascii: "/"))
        if let end = parts.firstIndex(where: { $0.last == UInt8(ascii: "!") }),
            let inner = try? ItemPath(Array(parts[...end].joined(separator: [UInt8(ascii: "/")])).dropLast()),
            tree[inner]?.entry.kind == .file
        {
            return PluginError(
                .unsupported,
                "'\(inner)' is an archive in an archive, which is not opened; unpack it, or the outer one, first")
        }
        return PluginError(.notFound, "there is no '\(path)' in the archive")
    }
}
