import PluginHost
import Timing
import VitrineKit
import Workers

// The step of an item in which a worker draws it: which renderers are asked, in which order, and with what.
extension PreviewPipeline {
    /// Tries the renderers for a type, best first, until one makes a picture that is believed.
    /// - Throws: the reason that says most, when none does, as ``Refusals/decisive`` has it.
    func draw(
        _ item: KnownItem, _ order: RenderOrder, _ urgency: Urgency, _ report: inout ItemReport
    ) async throws(PluginError) -> WorkerResult {
        let (type, renderers) = (item.type, item.renderers)
        var refusals = Refusals()
        var absence: PluginError?
        var blank: (result: WorkerResult, plugin: InstalledPlugin)?
        for plugin in absent.usable(renderers) {
            // A last resort for what nobody draws, not for what a renderer refused.
            if plugin.foreign != nil, !refusals.isEmpty || blank != nil { break }
            if let first = refusals.answers.first, first.reason.code == .limitExceeded,
                let other = registry.declaredType(for: type.mimeType, by: plugin), other != type.mimeType,
                // What is too large as a drawing is not shown as the one file that it is packed as, nor a large document as
                // the archive that it is made of: to find that out would be to go through all of it.
                Packing.types.contains(other)
                    || other == Packing.documents && Self.excess(item.open, for: first.plugin) != nil
            {
                continue
            }
            // What the parts of a document are called is no text of it.
            if order.wantsPageText, !refusals.isEmpty, type.mimeType != Packing.documents,
                registry.declaredType(for: type.mimeType, by: plugin) == Packing.documents
            {
                continue
            }
            // Who gave the password is not asked for it again.
            if blank != nil, report.isUnlocked { break }
            report.renderer = RendererName(plugin, unless: report.renderer)
            do throws(PluginError) {
                let result = try await attempt(item, with: plugin, order, urgency, &report)
                absent.served(plugin)
                guard result.isPlain, blank != nil || plugin.manifest.doubtsBlank else { return result }
                blank = blank ?? (result, plugin)
                report.refusals.append(ItemReport.Refusal(renderer: RendererName(plugin), reason: nil))
            } catch {
                report.refusals.append(ItemReport.Refusal(renderer: RendererName(plugin), reason: error))
                if error.code == .pluginUnavailable {
                    if plugin != renderers.last { notice(plugin, of: report.source) }
                    absence = absence ?? error
                    continue
                }
                if error.code == .workerLost { absent.lost(plugin, error) }
                let first = refusals.answers.first?.plugin ?? plugin
                refusals.add(error, plugin, isAlike: registry.take(type.mimeType, alike: first, plugin))
                if Refusals.noOtherHelps(error.code) { break }
            }
        }
        if let blank, !refusals.wasInterrupted {
            report.renderer = RendererName(blank.plugin)
            report.refusals.removeAll { $0.reason == nil && $0.renderer == report.renderer }
            return blank.result
        }
        var refusal = refusals.decisive.map { ($0.reason, $0.plugin) }
        // Who draws no such files has said nothing of them, even if it was asked first.
        var betters = renderers
        if let (reason, plugin) = refusal, reason.code == .unsupported {
            // A thumbnailer of another project is not asked after a refusal, so that its absence changes nothing.
            let others = renderers.filter {
                $0 != plugin && $0.foreign == nil && registry.take(type.mimeType, alike: $0, plugin)
            }
            betters = Array(renderers.prefix { $0 != plugin }) + others + [plugin]
        }
        // As if it had been asked and lost: what others refused is not remembered.
        if let (reason, plugin) = refusal, reason.isPermanent, let loss = absent.loss(before: plugin, of: betters) {
            refusal = loss
        }
        // Who draws no such files is no substitute for who would: what is missing may be installed one day.
        if let (reason, plugin) = refusal, reason.code == .unsupported,
            let absence = absent.absence(before: plugin, of: betters)
        {
            refusal = absence
        }
        report.renderer = (refusal?.1 ?? renderers.first).map(RendererName.init)
        report.refusals.removeAll { $0.renderer == report.renderer }
        throw refusal?.0 ?? absence ?? registry.unsupported(type.mimeType)
    }

    /// Tells once that others stand in for a renderer whose workers cannot be started through its own fault: their pictures
    /// would hide it. What a renderer says itself, such as that its library is not installed, `doctor` tells.
    private func notice(_ plugin: InstalledPlugin, of source: String) {
        // Thumbnailers of others are the last resort, and renderers that can be had take their place at any time.
        guard plugin.foreign == nil, let reason = workers.breakage(of: specifications[plugin]) else { return }
        let name = "\(plugin.manifest.id) \(plugin.manifest.version)"
        let text = "plugin '\(name)' is not used: its worker cannot be started: \(reason)"
        if absent.notice(plugin, text) { hub.send(.notice(source: source, text)) }
    }

    /// Draws an item, and once more with its password when it is encrypted.
    private func attempt(
        _ item: KnownItem, with plugin: InstalledPlugin, _ order: RenderOrder, _ urgency: Urgency,
        _ report: inout ItemReport
    ) async throws(PluginError) -> WorkerResult {
        var times = report.times
        defer { report.times = times }
        do throws(PluginError) {
            return try await draw(item, with: plugin, order, urgency, &times)
        } catch {
            let result = try await unlock(report.uri, error, order) { password throws(PluginError) in
                var order = order
                // What is written in it is nothing that others find.
                order.wantsText = false
                return try await draw(item, with: plugin, order, urgency, &times, password)
            }
            report.isUnlocked = true
            return result
        }
    }

    /// Why a renderer is not given a file that is larger than what it takes. Of what is read by ranges, the ranges are bounded.
    private static func excess(_ open: OpenItem, for plugin: InstalledPlugin) -> PluginError? {
        let limits = plugin.manifest.limits
        guard let size = open.entry.size, size > Int64(limits.inputMiB) << 20, open.ranges == nil else { return nil }
        return PluginError(
            .limitExceeded,
            "the file has \(size) bytes; plugin '\(plugin.manifest.id)' takes at most \(limits.inputMiB) MiB (input)")
    }

    private func draw(
        _ item: KnownItem, with plugin: InstalledPlugin, _ order: RenderOrder, _ urgency: Urgency,
        _ times: inout StageTimes, _ password: Password? = nil
    ) async throws(PluginError) -> WorkerResult {
        let (open, type) = (item.open, item.type)
        let limits = plugin.manifest.limits
        let inputLimit = Int64(limits.inputMiB) << 20
        if let excess = Self.excess(open, for: plugin) { throw excess }
        guard order.variant.page < limits.pages else {
            throw PluginError(
                .limitExceeded,
                "page \(order.variant.pageNumber) is beyond \(limits.pages), the last one that plugin "
                    + "'\(plugin.manifest.id)' looks for (pages)")
        }
        let wish = order.wish(
            of: registry.declaredType(for: type.mimeType, by: plugin) ?? type.mimeType,
            embedded: cache.embeddedUse, suffix: plugin.foreign == nil ? "" : open.suffix)
        var job = WorkerJob(input: try await open.descriptor(limit: inputLimit), wish)
        job.password = password
        job.ranges = open.ranges.map { PatientRanges(ranges: $0, scheduler: scheduler) }
        // What waits for a server leaves its core to others, which pays for further workers at once.
        let lane = Scheduler.Lane(name: plugin.manifest.id, limit: limits.workers, widens: job.ranges == nil)
        let began = Moment.now
        let spent = SpentTime()
        defer { spent.add(to: &times) }
        let result = try await scheduler.run(urgency, in: lane) { [job] () async throws(PluginError) -> WorkerResult in
            spent.waited(Moment.now - began)
            // Who waited for a turn meanwhile does not wait for the same once more, which may be half a minute.
            if let absence = self.absent.absence(of: plugin, since: began) { throw absence }
            do throws(PluginError) {
                return try await self.workers.render(job, by: self.specifications[plugin]) { start, work in
                    spent.failed(start, work)
                }
            } catch {
                // Before the next one has its turn.
                if error.code == .pluginUnavailable { self.absent.add(plugin, error) }
                throw error
            }
        }
        // A warm worker is found in less.
        if result.startTime > .milliseconds(2) { scheduler.learn(startTime: result.startTime, of: lane) }
        times.start += result.startTime
        times.read += result.readTime
        times.render += result.renderTime
        times.encode += result.encodeTime
        return result
    }
}
