import PluginHost
import PreviewCache
public import VitrineKit
import Workers

extension PreviewPipeline {
    /// The longest side of a contact sheet, as its plugin lays it out.
    private static let longestSheet = 12_000

    /// Draws a contact sheet, in a contained worker.
    /// - Parameter description: what is on it.
    /// - Returns: a PNG, and how many files there was room for.
    /// - Throws: `pluginUnavailable` when the plugin is missing, and why it could not be drawn.
    public func sheet(_ description: SheetDescription) async throws(PluginError) -> (png: [UInt8], count: Int) {
        guard let plugin = registry.renderers(for: SheetDescription.mimeType).first else {
            throw PluginError(
                .pluginUnavailable,
                "the plugin 'sheet' is not installed or switched off, which draws contact sheets; one in HTML needs none"
            )
        }
        let specification = specifications[plugin]
        let lane = Scheduler.Lane(name: plugin.manifest.id, limit: plugin.manifest.limits.workers)
        let result = try await scheduler.run(Urgency(.interactive), in: lane) {
            () async throws(PluginError) -> WorkerResult in
            try await self.workers.render(
                bytes: description.parts, box: Self.longestSheet, mimeType: SheetDescription.mimeType,
                by: specification)
        }
        guard let picture = result.pictures.first else { throw PluginError(.invalidAnswer, "no sheet was made") }
        let size = try PreviewSize(pixels: Self.longestSheet)
        let png = try picture.png.withUnsafeBytes { bytes in
            Result { () throws(PluginError) in try cache.checked(bytes, declared: picture.size, size: size) }
        }.get()
        guard case .number(let count)? = result.facts.details[.members], 0...1e6 ~= count else {
            throw PluginError(.invalidAnswer, "the sheet does not say how many files are on it")
        }
        return (png, Int(count))
    }
}
