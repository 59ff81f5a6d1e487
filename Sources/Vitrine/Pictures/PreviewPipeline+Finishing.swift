import Finishing
import PreviewCache
import VitrineKit
import Workers

// The step of an item in which its previews become pictures of another format or shape, for runs that make such of
// everything. What they are made of is taken from the cache where it is there, and not kept where it is not.
extension PreviewPipeline {
    /// Draws what the pictures of an order are made of, as large as need be.
    /// - Throws: as ``draw(_:_:_:_:)`` does.
    func drawParts(
        of item: KnownItem, _ order: RenderOrder, _ urgency: Urgency, _ report: inout ItemReport
    ) async throws(PluginError) -> WorkerResult {
        if let packing = packing(of: item),
            let packed = try await packedDocument(item.open, packing, order, urgency)
        {
            do throws(PluginError) {
                report.packed = packed.type
                return try await drawParts(of: packed, order, urgency, &report)
            } catch {
                // That it is such a file is still known.
                guard error.code == .unsupported else { throw error }
                report.packed = nil
            }
        }
        let parts = order.ofParts
        let result = try await draw(item, parts, urgency, &report)
        guard order.variant.finish.fit != .contain else { return result }
        var larger = parts
        for (index, size) in order.sizes.enumerated() where index < result.pictures.count {
            let (covering, drawn) = (CoveringSize(box: size.pixels), result.pictures[index].size)
            guard let second = covering.second(width: drawn.width, height: drawn.height) else { continue }
            larger.sizes[index] = try PreviewSize(pixels: second)
        }
        guard larger.sizes != parts.sizes else { return result }
        return try await draw(item, larger, urgency, &report)
    }

    /// The previews that the pictures of an order can be made of, when the cache has all of them.
    func keptParts(of subject: Subject, _ order: RenderOrder) -> WorkerResult? {
        guard !order.variant.finish.isPlain, !order.force, order.stores,
            let previews = valid(subject, order.ofParts)
        else { return nil }
        var pictures: [WorkerResult.Picture] = []
        for (preview, size) in zip(previews, order.sizes) {
            guard let png = try? EntryFile.read(preview.path), let pixels = EntryFile.size(of: png, .png) else {
                return nil
            }
            let isCut = order.variant.finish.fit != .contain
            if isCut, CoveringSize(box: size.pixels).second(width: pixels.width, height: pixels.height) != nil {
                return nil
            }
            pictures.append(WorkerResult.Picture(png: png, size: pixels))
        }
        // What other programs made says too little of the item.
        guard let first = previews.first, let details = details(of: first), details.areFactsComplete else { return nil }
        return WorkerResult(pictures: pictures, facts: details.facts, embedded: details.embedded?.name)
    }

    /// Makes of previews what an order asks for, which is more than plain ones. Where that cannot be done the previews are
    /// kept, so that the next run finds out the same without drawing them anew.
    /// - Parameters:
    ///   - parts: one preview for each size.
    ///   - report: how they came to be.
    /// - Throws: `limitExceeded` for a picture that a format cannot hold.
    func finish(
        _ parts: WorkerResult, of subject: Subject, _ order: RenderOrder, _ urgency: Urgency, _ report: ItemReport
    ) async throws(PluginError) -> WorkerResult {
        do throws(PluginError) { return try await finish(parts, order, urgency) } catch {
            let plain = order.ofParts
            // Those of long pictures, from which a square is to be cut, may be larger than the size they would be kept as.
            if error.isPermanent, !report.wasNotRead, !report.isUnlocked || cachesEncrypted,
                zip(parts.pictures, plain.sizes).allSatisfy({ max($0.size.width, $0.size.height) <= $1.pixels })
            {
                // A cache that cannot be written to keeps nothing; the failure itself is reported all the same.
                _ = try? await store(parts, subject, plain)
            }
            throw error
        }
    }

    private func finish(
        _ parts: WorkerResult, _ order: RenderOrder, _ urgency: Urgency
    ) async throws(PluginError) -> WorkerResult {
        var result = parts
        result.placeholder = []
        for (index, size) in order.sizes.enumerated() where index < parts.pictures.count {
            let job = FinishingJob(
                previews: [parts.pictures[index].png], box: size.pixels, finish: order.variant.finish)
            let made = try await finish(job, urgency)
            guard let picture = made.pictures.first else {
                throw PluginError(.invalidAnswer, "no picture was made")
            }
            result.pictures[index] = picture
            if result.placeholder.isEmpty { result.placeholder = made.placeholder }
        }
        return result
    }
}

extension CoveringSize {
    fileprivate init(box: Int) { self.init(box: box, limit: PreviewSize.maximumPixels) }
}

extension RenderOrder {
    /// The order of the previews that pictures are made of: the same, when nothing is made of them.
    fileprivate var ofParts: RenderOrder {
        var order = self
        (order.variant.finish, order.sizes) = (.plain, drawnSizes)
        return order
    }

    /// Whether its previews are drawn in sizes that others ask for, too: not larger than any of the standard, nor larger
    /// than the pictures that are made of them.
    var isDrawnAsAsked: Bool { variant.finish.fit == .contain && sizes.allSatisfy { $0 <= .xxLarge } }

    /// The sizes of those previews.
    var drawnSizes: [PreviewSize] {
        guard variant.finish.fit != .contain else { return sizes }
        return sizes.map { (try? PreviewSize(pixels: CoveringSize(box: $0.pixels).first)) ?? $0 }
    }
}
