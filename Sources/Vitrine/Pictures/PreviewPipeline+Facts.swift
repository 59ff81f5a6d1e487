import PlaceNames
import PreviewCache
public import RangeReading
public import VitrineKit

/// What somebody wants to know of an item.
public struct Inquiry: Sendable {
    /// The page, sheet or slide, counted from 0. Default: the one that stands for the item.
    public var page: Int?
    /// Whether the text of that page is wanted: what else is asked for costs next to nothing. Default: no.
    public var wantsText = false
    /// Whether to ask where a picture was taken. Default: no.
    public var wantsPlace = false
    /// How much may be read of an item that is not on this machine.
    public var limits = ReadLimits()

    /// Asks for what renderers learn in any case.
    public init() {}
}

extension PreviewPipeline {
    /// What a renderer learns of an item, in a contained worker, on the way to a small picture. Nothing is kept: neither in
    /// the cache nor in the catalog.
    /// - Parameters:
    ///   - source: the item's path or URI, read by ``source(_:workingFolder:)``.
    ///   - inquiry: what is wanted.
    /// - Returns: the report of it; ``ItemReport/facts`` holds what was learned.
    /// - Throws: why nothing can be learned: the item has no preview.
    public func facts(of source: SourceURI, _ inquiry: Inquiry = Inquiry()) async throws(PluginError) -> ItemReport {
        var order = RenderOrder(
            sizes: [.normal], variant: try Variant(page: inquiry.page), priority: .interactive, force: true,
            stores: false
        )
        order.wantsPageText = inquiry.wantsText
        order.wantsPlace = inquiry.wantsPlace
        order.limits = inquiry.limits
        let report = try await report(on: ItemLocation(item: source), order)
        switch report.outcome {
        case .made, .valid: return report
        case .skipped(let error), .failed(let error, _): throw error
        case .planned: throw PluginError(.io, "nothing was learned of '\(PlaceName.of(source))'")
        }
    }
}
