import VitrineKit
import WorkerWire

/// What is wanted of an item.
struct RenderOrder: Sendable {
    var sizes: [PreviewSize]
    var variant: Variant = .standard
    var priority: WorkPriority = .batch
    /// Renders even if there are valid previews or remembered failures.
    var force = false
    /// Keeps previews and failures in the cache.
    var stores = true
    /// A preview that the cache cannot keep will do.
    var mayBeUnkept = false
    /// Finds out what would be rendered, and renders nothing.
    var isDryRun = false
    /// Asks for the text of documents, for the catalog.
    var wantsText = false
    /// Asks for the text of the page, whatever it costs.
    var wantsPageText = false
    /// Asks where a picture was taken.
    var wantsPlace = false
    /// When pictures inside of items are taken; `nil`: as the settings say.
    var embedded: EmbeddedUse?
    /// Asks for the passwords of encrypted items, if there is somebody to ask.
    var mayAsk = true
    /// Wants it for the picture of its folder, of which alone those who listen are told.
    var isPart = false
    /// How much may be read of storages that are not on this machine.
    var limits = ReadLimits()

    /// What of it a worker has to know.
    /// - Parameters:
    ///   - mimeType: of the item, as the renderer declares it.
    ///   - usual: when pictures inside of items are taken, where the order leaves it to the settings.
    ///   - suffix: what the item's name ends in, where the renderer goes by it.
    func wish(of mimeType: String, embedded usual: EmbeddedUse, suffix: String) -> RenderWish {
        var wish = RenderWish(boxes: sizes.map(\.pixels), mimeType: mimeType)
        wish.page = variant.askedPage
        wish.time = variant.milliseconds.map { Double($0) / 1000 }
        wish.wantsText = wantsText
        wish.wantsPageText = wantsPageText
        wish.wantsPlace = wantsPlace
        wish.embedded = embedded ?? usual
        wish.suffix = suffix
        return wish
    }
}
