import PluginHost
import PreviewCache
import Timing
import VitrineKit
import Workers

// What the cache knows of an item, and what it is told.
extension PreviewPipeline {
    /// What an earlier run found out, as long as the item is what it was then: its previews, or why it has none.
    func known(
        of listed: Subject, _ order: RenderOrder, _ report: inout ItemReport
    ) -> ItemReport.Outcome? {
        if let previews = valid(listed, order, &report.hadStale) {
            return .valid(previews)
        }
        let now = Moment.now
        var isAbsent = false
        let remembered = rememberedFailure(of: listed, order, &isAbsent)
        if isAbsent { report.hadNoFailure = now }
        guard let (failure, renderer) = remembered,
            failure.code != .encrypted || !mayUnlock(order)
        else { return nil }
        report.renderer = renderer
        return .failed(failure, remembered: true)
    }

    /// Puts what was made of an item into the cache.
    /// - Parameter forgetsFailure: whether the cache may remember that there can be none. Default: yes.
    func store(
        _ result: WorkerResult, _ subject: Subject, _ order: RenderOrder, forgetsFailure: Bool = true
    ) async throws(PluginError) -> [Preview] {
        var previews: [Preview] = []
        guard order.stores else { return previews }
        for (size, picture) in zip(order.sizes, result.pictures) {
            var reserved = keeper.reserveAtOnce(picture.png.count)
            if reserved == nil {
                reserved = try await keeper.reserve(picture.png.count, waitsForCount: order.priority == .batch)
            }
            let path = try cache.store(
                picture.png, declared: picture.size, for: subject, size: size, variant: order.variant,
                facts: result.facts, placeholder: result.placeholder,
                embedded: result.embedded.map { EmbeddedMark(use: order.embedded ?? cache.embeddedUse, name: $0) },
                reserved: reserved ?? 0)
            previews.append(Preview(uri: subject.uri, size: size, path: path, variant: order.variant))
        }
        if forgetsFailure { cache.forgetFailure(of: subject) }
        return previews
    }

    /// The previews of all sizes, when all are valid.
    func valid(_ subject: Subject, _ order: RenderOrder) -> [Preview]? {
        var hadStale = false
        return valid(subject, order, &hadStale)
    }

    /// The same.
    /// - Parameter hadStale: whether the first that is missing is there in an earlier state.
    private func valid(_ subject: Subject, _ order: RenderOrder, _ hadStale: inout Bool) -> [Preview]? {
        var previews: [Preview] = []
        for size in order.sizes {
            switch cache.lookup(
                subject, size: size, variant: order.variant, embedded: order.embedded,
                marksUse: order.priority == .interactive)
            {
            case .valid(let path):
                previews.append(Preview(uri: subject.uri, size: size, path: path, variant: order.variant))
            case .stale:
                hadStale = true
                return nil
            case .absent: return nil
            }
        }
        return previews
    }

    /// A failure that was remembered, unless the renderer that found it out has been replaced since, or may use more
    /// or less than it might then.
    private func rememberedFailure(
        of subject: Subject, _ order: RenderOrder, _ isAbsent: inout Bool
    ) -> (PluginError, RendererName)? {
        guard order.variant.isFirst, let failure = cache.failure(of: subject, isAbsent: &isAbsent), failure.isFinal,
            let renderer = plugins.renderers.lazy.map(RendererName.init).first(where: {
                $0.key == failure.renderer && $0.limits == failure.limits
            })
        else { return nil }
        return (PluginError(failure.code, failure.message), renderer)
    }

    /// The type that a preview tells of its item, and the renderer that would be asked for it; `nil` where it tells none that
    /// anybody draws.
    func drawn(
        _ preview: Preview?, named name: [UInt8], in scheme: String
    ) -> (type: String, plugin: InstalledPlugin)? {
        guard let type = preview.flatMap({ cache.mimeType(ofEntry: $0.path) }),
            let plugin = likelyRenderer(of: type, named: name, in: scheme)
        else { return nil }
        return (type, plugin)
    }

    /// Remembers a failure that would come again, so that the next run does not spend its deadline on it.
    /// - Parameter subject: an item that is what it was when it was opened, as ``OpenItem/judged(_:)`` has it.
    func remember(
        _ error: PluginError, of subject: Subject, _ order: RenderOrder, _ renderer: RendererName?
    ) async {
        guard error.isPermanent, order.stores, !order.isDryRun, order.variant.isFirst, let renderer,
            !Self.mayLieInTheSize(error.code) || order.isDrawnAsAsked
        else { return }
        // A cache that cannot be written to has no memory; the failure itself is reported all the same.
        guard let reserved = try? await keeper.reserve(0, waitsForCount: order.priority == .batch) else { return }
        defer { if reserved > 0 { cache.release(reserved) } }
        _ = try? cache.rememberFailure(error, of: subject, renderer: renderer.key, limits: renderer.limits)
    }

    /// Whether a smaller preview of the same item might have been made.
    private static func mayLieInTheSize(_ code: PluginError.Code) -> Bool {
        [.limitExceeded, .crashed, .timeout, .invalidAnswer].contains(code)
    }
}
