import Catalog
import PluginHost
import PreviewCache
import Timing
import VitrineKit
import Workers

// The way of one item. Each step is a call whose result is a value; nothing is changed on the way but the cache.
extension PreviewPipeline {
    /// The report on an item that somebody named.
    func report(on location: ItemLocation, _ order: RenderOrder) async throws(PluginError) -> ItemReport {
        // Who names a link means the file that it points to; the URI stays the one that was named.
        let settings = BackendSettings(followsLinks: true, crossesFileSystems: true)
        let storage = try await storages.storage(for: location.source, settings)
        return try await order.limits.hold { () async throws(PluginError) in
            let entry = try await storage.stat(location.path)
            let item = Item(storage: storage, path: location.path, entry: entry)
            if entry.kind == .folder { return await processFolder(item, order) }
            if entry.kind != .file {
                return ItemReport(item, .failed(Self.notAFile(entry.kind, followed: true), remembered: false))
            }
            return await shared(item, order)
        }
    }

    /// The report on an item; work that is under way already is shared. Those who listen are told once, if anybody wants more
    /// of it than a part of a folder's picture.
    /// - Parameter thread: where work begins that is not under way. Default: on Swift's own threads.
    func shared(_ item: Item, _ order: RenderOrder, on thread: BlockingThread? = nil) async -> ItemReport {
        var order = order
        // Whoever may ask for a password shares no work with those who may not.
        order.mayAsk = mayUnlock(order)
        let shared = await coalescer.value(
            for: WorkKey(item.uri, order), order.priority, on: thread, whenCancelled: SharedReport(left: item)
        ) { [order] urgency in
            SharedReport(await self.process(item, order, urgency))
        }
        if !order.isPart { shared.tell(hub) }
        return shared.report
    }

    /// Brings one item from its listing to its previews, or to the reason why it has none.
    func process(_ item: Item, _ order: RenderOrder, _ urgency: Urgency = Urgency(.batch)) async -> ItemReport {
        let began = Moment.now
        var report = ItemReport(item, .planned)
        do throws(PluginError) {
            report.outcome = try await outcome(of: item, order, urgency, &report)
        } catch {
            report.outcome = .failed(error, remembered: false)
        }
        report.times.total = Moment.now - began
        return report
    }

    private func outcome(
        of item: Item, _ order: RenderOrder, _ urgency: Urgency, _ report: inout ItemReport
    ) async throws(PluginError) -> ItemReport.Outcome {
        var mark = Moment.now
        func lap() -> Duration {
            let last = mark
            mark = .now
            return mark - last
        }
        if isThumbnail(item) { return .skipped(Self.thumbnail) }
        let listed = Subject(uri: item.uri, modified: item.entry.modified, size: item.entry.size)
        // As long as it is not opened, its name says what kind of file people would call it.
        let (name, scheme) = (item.path.name, item.storage.source.scheme)
        let namedType = sniffer.type(name: name).mimeType
        let named = likelyRenderer(of: namedType, named: name, in: scheme)
        report.renderer = named.map(RendererName.init)
        if !order.force, let known = known(of: listed, order, &report) {
            // The standard: a file that the user cannot read has no preview for this user, even if there is one. Where
            // there is none yet, opening it tells.
            guard try await item.storage.mayRead(item.path) else {
                throw PluginError(.forbidden, "this user may not read it")
            }
            if case .valid(let previews) = known {
                // The preview knows it from the content.
                let drawn = drawn(previews.first, named: name, in: scheme)
                if let drawn {
                    report.entryType = drawn.type
                    report.renderer = RendererName(drawn.plugin, unless: report.renderer)
                }
                let (type, plugin) = (drawn?.type ?? namedType, drawn?.plugin ?? named)
                await readText(of: item, type, plugin, order, urgency, &report)
                // Several may draw files of that type: sound in what else holds films.
                if let drawer = item.drawer { report.renderer = drawer }
            }
            return known
        }
        report.times.lookup = lap()

        // What nobody draws is not read any further.
        let open = try await OpenItem(
            item, blocks, order.limits, takesFingerprint: named != nil && mayHaveTwins(item, order))
        // A link is no way around the rule.
        if item.storage.followsLinks, let path = open.resolvedPath, cache.contains(path) {
            return .skipped(Self.thumbnail)
        }
        let size = open.entry.size ?? Int64(open.head.count)
        let type = registry.drawnType(of: sniffer.type(head: open.head, name: name, size: size), head: open.head)
        report.type = type
        report.bytes = open.entry.size
        let isEmpty = open.isEmpty
        let renderers = isEmpty ? [] : registry.renderers(for: type.mimeType)
        report.times.sniff = lap()
        // An empty file is a failure only if its name promises something.
        guard !renderers.isEmpty || (isEmpty && report.renderer != nil) else {
            report.renderer = nil
            if !open.isLocalFile { report.traffic = await open.traffic }
            return .skipped(isEmpty ? Self.empty : registry.unsupported(type.mimeType))
        }
        let likely = likelyRenderers(among: renderers, of: type.mimeType, named: name, in: scheme)
        if let first = likely.first { report.renderer = RendererName(first, unless: report.renderer) }
        if order.isDryRun, !isEmpty { return .planned }

        var subject = listed
        (subject.modified, subject.size, subject.mimeType) = (open.entry.modified, open.entry.size, type.mimeType)
        var search = isEmpty ? nil : try await twinSearch(open, item, order)
        search?.renderers = likely
        if let key = search?.key { search?.made = await twins.enter(key) }
        let outcome: Result<ItemReport.Outcome, PluginError>
        do throws(PluginError) {
            let known = KnownItem(open: open, type: type, renderers: renderers)
            outcome = .success(try await end(of: known, subject, search, named, order, urgency, &report))
        } catch { outcome = .failure(error) }
        if !open.isLocalFile { report.traffic = await open.traffic }
        if let search { twins.leave(search.key, made: twin(item, subject, search, report, outcome)) }
        if item.mayHaveChanged || report.hadStale { await removeStale(item, subject, order, report, outcome) }
        return try outcome.get()
    }

    /// Makes the previews of an item that was opened, or finds out why there can be none.
    /// - Parameter named: who would draw what its name says that it is.
    private func end(
        of item: KnownItem, _ subject: Subject, _ search: TwinSearch?, _ named: InstalledPlugin?,
        _ order: RenderOrder, _ urgency: Urgency, _ report: inout ItemReport
    ) async throws(PluginError) -> ItemReport.Outcome {
        let open = item.open
        let result: WorkerResult
        do throws(PluginError) {
            if open.isEmpty { throw Self.empty }
            if let search {
                report.fingerprint = search.fingerprint
                if let taken = await takeOver(search, open, subject, order) {
                    (report.twin, report.renderer) = (taken.twin, RendererName(taken.renderer, unless: report.renderer))
                    try await open.check()
                    return .made(taken.previews)
                }
            }
            if let kept = keptParts(of: subject, order) {
                result = kept
                report.wasNotRead = true
                // Whether it took a password to draw them nobody knows any more.
                report.fingerprint = nil
            } else {
                result = try await drawParts(of: item, order, urgency, &report)
            }
            try await open.check()
        } catch {
            let (failure, isSame) = await open.judged(error)
            if let skipped = skipped(item, for: failure, named, &report) { return skipped }
            // Nor does any take over what somebody's password may make of it one day.
            if failure.code == .encrypted { report.fingerprint = nil }
            if isSame { await remember(failure, of: subject, order, report.renderer) }
            throw failure
        }
        return .made(try await keep(result, subject, order, urgency, &report))
    }

    /// What is no failure although nothing was drawn; `nil` for all else.
    private func skipped(
        _ item: KnownItem, for error: PluginError, _ named: InstalledPlugin?, _ report: inout ItemReport
    ) -> ItemReport.Outcome? {
        // Nobody wonders that an empty text has no preview.
        let packed = report.packed.map { registry.renderers(for: $0.mimeType) }
        let first = item.open.isEmpty ? named : (packed ?? item.renderers).first
        if error.code == .empty, first?.manifest.skipsEmpty == true { return .skipped(error) }
        // Thumbnailers of others that cannot be had leave a file as it is without them.
        guard error.code == .pluginUnavailable, !item.renderers.isEmpty,
            item.renderers.allSatisfy({ $0.foreign != nil })
        else { return nil }
        report.renderer = nil
        return .skipped(
            PluginError(
                .pluginUnavailable, "no plugin renders files of type \(item.type.mimeType); \(error.message)"))
    }

    /// Makes of what was drawn the pictures that were asked for, and puts them into the cache, as far as they may lie there.
    private func keep(
        _ drawn: WorkerResult, _ subject: Subject, _ order: RenderOrder, _ urgency: Urgency,
        _ report: inout ItemReport
    ) async throws(PluginError) -> [Preview] {
        var result = drawn
        // Of what is written in an encrypted document nothing is kept, and no other file takes over its picture.
        if report.isUnlocked, order.stores {
            report.fingerprint = nil
            result.facts = Facts(pages: result.facts.pages, size: result.facts.size, duration: result.facts.duration)
        }
        if order.stores, !order.variant.finish.isPlain {
            result = try await finish(result, of: subject, order, urgency, report)
        }
        report.facts = result.facts
        report.embedded = result.embedded
        report.placeholderHash = result.placeholder
        let began = Moment.now
        defer { report.times.store = began.duration(to: .now) }
        if report.isUnlocked, !cachesEncrypted { return try unkept(result, subject, order) }
        // Nothing would tell whether it is still true.
        if subject.modified == nil, order.mayBeUnkept { return try unkept(result, subject, order) }
        do throws(PluginError) {
            return try await store(result, subject, order, forgetsFailure: report.mayHaveFailure)
        } catch {
            try report.doWithoutCache(
                after: error, isAllowed: order.mayBeUnkept, isClosed: isOfWholeCache(error, order))
            return try unkept(result, subject, order)
        }
    }

    /// What others with the same content can take over.
    private func twin(
        _ item: Item, _ subject: Subject, _ search: TwinSearch, _ report: ItemReport,
        _ outcome: Result<ItemReport.Outcome, PluginError>
    ) -> Twin? {
        guard case .success(.made) = outcome, let renderer = report.renderer, !report.isUnlocked, !report.wasNotRead
        else { return nil }
        // What a substitute drew is what others get only where those before it refused the content.
        if let drawer = search.renderers.dropFirst().first(where: { $0.manifest.id == renderer.id }),
            absent.absence(before: drawer, of: search.renderers) != nil
                || absent.loss(before: drawer, of: search.renderers) != nil
        {
            return nil
        }
        return Twin(
            id: search.record, origin: report.twin, source: item.storage.source.text, path: item.path,
            modified: subject.modified,
            content: search.fingerprint.content, type: subject.mimeType,
            renderer: RendererRecord(name: renderer.id, version: renderer.version, title: renderer.title))
    }

    private static let empty = PluginError(.empty, "the file is empty")
    private static let thumbnail = PluginError(.isThumbnail, "it is a thumbnail itself")

    private func isThumbnail(_ item: Item) -> Bool {
        guard let root = item.storage.localRoot else { return false }
        let slash = root.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return cache.contains(root + slash + item.path.bytes)
    }

    /// - Parameter followed: whether links were followed, so that one that is still met is none that can be. Default: no.
    static func notAFile(_ kind: Entry.Kind, followed: Bool = false) -> PluginError {
        if followed, kind == .link {
            return PluginError(
                .notAFile, "it is a symbolic link that leads nowhere, or one that its storage does not follow")
        }
        let what =
            switch kind {
            case .folder: "a folder"
            case .link: "a symbolic link"
            case .special: "a pipe, socket or device"
            case .file: "a file"
            }
        let hint = kind == .folder ? "; 'vitrine prebuild' makes previews of what is in it" : ""
        return PluginError(.notAFile, "it is \(what), not a regular file\(hint)")
    }

    /// Of what is named as a source, links being followed.
    static func notAFolder(_ kind: Entry.Kind) -> PluginError {
        let what =
            switch kind {
            case .link: "a symbolic link that leads nowhere"
            case .special: "a pipe, socket or device, not a folder"
            case .file: "a file, where a folder was registered"
            case .folder: "a folder"
            }
        return PluginError(.notAFile, "it is \(what)")
    }
}
