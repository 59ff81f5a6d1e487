import VitrineKit

/// Something that is copied, as somebody named it.
struct CopySource: Sendable {
    let storage: Storage
    let path: ItemPath
    let entry: Entry
    /// What it is called at the destination.
    let name: [UInt8]

    var uri: String { storage.source.appending(path) }
}

/// Copies files and folders: walks the sources, and works on several files at once.
///
/// Memory is bounded by the depth of the trees, the pages under way and how far the walk may be ahead.
struct CopyRun: Sendable {
    let destination: Storage
    let options: CopyOptions
    let ledger: CopyLedger
    let files: FileCopy

    init(
        to destination: Storage, _ abilities: WritingAbilities, _ options: CopyOptions, _ ledger: CopyLedger
    ) {
        self.destination = destination
        self.options = options
        self.ledger = ledger
        files = FileCopy(
            destination: destination, abilities: abilities, options: options, ledger: ledger, names: CopyNames())
    }

    private struct Job: Sendable {
        var item: Item
        var folder: ItemPath
    }

    /// How far the walk may be ahead, so that soon it is known how much there is.
    private static let ahead = 1 << 14

    /// Copies everything that can be.
    func run(_ sources: [CopySource]) async {
        let queue = ItemQueue<Job>(capacity: Self.ahead)
        async let walking: Void = find(sources, queue)
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            while let job = await queue.next() {
                if running >= max(1, min(32, options.jobs)) {
                    await group.next()
                    running -= 1
                }
                guard !Task.isCancelled, await ledger.stop == nil else { break }
                running += 1
                group.addTask { await ledger.ended(await files.run(job.item, into: job.folder)) }
            }
            queue.finish(discarding: true)
        }
        await walking
    }

    /// Finds all files.
    private func find(_ sources: [CopySource], _ queue: ItemQueue<Job>) async {
        func found(_ item: Item, _ folder: ItemPath) async -> Bool {
            if Task.isCancelled { return false }
            await ledger.found(size: item.entry.size)
            return await queue.push(Job(item: item, folder: folder))
        }
        for source in sources {
            let goesOn =
                if source.entry.kind == .folder {
                    await walk(source, found)
                } else {
                    await found(Item(storage: source.storage, path: source.path, entry: source.entry), .root)
                }
            guard goesOn else {
                queue.finish()
                return
            }
        }
        await ledger.foundAll()
        queue.finish()
    }

    /// Goes through a folder, and makes those that are missing at the destination.
    /// - Returns: whether to go on.
    private func walk(_ source: CopySource, _ found: (Item, ItemPath) async -> Bool) async -> Bool {
        guard let top = await folder(source.name, in: .root, for: source.uri) else { return true }
        var pending = [(from: source.path, to: top)]
        while let (from, to) = pending.popLast() {
            var inner: [ItemPath] = []
            do throws(PluginError) {
                guard try await list(source, from, to, &inner, found) else { return false }
            } catch {
                if error.code == .cancelled { return false }
                await tell(source.storage.source.appending(from), to, .failed(error))
            }
            // The last one pushed is walked first: names come in order.
            for path in inner.sorted(by: { $1.bytes.lexicographicallyPrecedes($0.bytes) }) {
                if Task.isCancelled { return false }
                if let made = await folder(path.name, in: to, for: source.storage.source.appending(path)) {
                    pending.append((path, made))
                }
            }
        }
        return true
    }

    private func list(
        _ source: CopySource, _ folder: ItemPath, _ target: ItemPath, _ inner: inout [ItemPath],
        _ found: (Item, ItemPath) async -> Bool
    ) async throws(PluginError) -> Bool {
        for try await page in source.storage.list(folder) {
            for entry in page {
                let path: ItemPath
                do throws(PluginError) { path = try folder.appending(entry.name) } catch {
                    await tell(source.storage.source.appending(folder), target, .failed(error))
                    continue
                }
                if let reason = objection(to: entry, source) {
                    await tell(source.storage.source.appending(path), target, .skipped(reason))
                } else if entry.kind == .folder {
                    inner.append(path)
                } else {
                    let item = Item(storage: source.storage, path: path, entry: entry)
                    guard await found(item, target) else { return false }
                }
            }
        }
        return true
    }

    /// Why something is not copied; `nil` when it is.
    private func objection(to entry: Entry, _ source: CopySource) -> PluginError? {
        switch entry.kind {
        case .file:
            guard UnfinishedName.matches(entry.name) else { return nil }
            return PluginError(.unsupported, "it is a part of a file that is being copied there")
        case .folder:
            guard !options.crossesFileSystems, let volume = source.entry.volume, let own = entry.volume, own != volume
            else { return nil }
            return PluginError(.unsupported, "it lies on another file system; --cross-file-systems enters it")
        case .link: return PluginError(.notAFile, "it is a symbolic link; --follow-links follows it")
        default: return PluginError(.notAFile, "it is a pipe, socket or device")
        }
    }

    /// The folder that another one is copied to: one that is there, or a new one.
    private func folder(_ name: [UInt8], in parent: ItemPath, for uri: String) async -> ItemPath? {
        do throws(PluginError) {
            let numbered = NumberedName(name, limit: files.abilities.maximumNameBytes)
            for number in 0...NumberedName.maximumNumber {
                let path = try parent.appending(number == 0 ? name : numbered.bytes(number))
                do throws(PluginError) {
                    try await destination.makeFolder(path)
                    await ledger.madeFolder()
                    return path
                } catch {
                    guard error.code == .exists else { throw error }
                    if try await destination.stat(path).kind == .folder { return path }
                    if options.clash != .number { throw error }
                }
            }
            throw PluginError(.limitExceeded, "there are too many things called '\(DisplayText.of(name))'")
        } catch {
            let isLeftOut = options.clash == .skip && error.code == .exists
            await tell(uri, parent, isLeftOut ? .skipped(error) : .failed(error))
            return nil
        }
    }

    private func tell(_ uri: String, _ folder: ItemPath, _ outcome: CopyReport.Outcome) async {
        let report = CopyReport(
            destination: destination.source.text, from: uri, uri: destination.source.appending(folder),
            outcome: outcome)
        await ledger.ended(report, isFile: false)
    }
}
