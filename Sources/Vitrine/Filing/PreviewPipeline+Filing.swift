import Settings
import VitrineKit

extension PreviewPipeline {
    /// Files the messages of a source, as the settings say of it.
    /// - Returns: what was done; `nil` when the settings name no sender for it, or there is no library.
    func fileMessages(of source: SourceURI, named name: String?) async -> FilingSummary? {
        let keys = [name.flatMap { SourceKey($0) }, SourceKey(source)].compactMap { $0 }
        guard let settings = keys.lazy.compactMap({ self.configuration.settings.filing[$0] }).first,
            settings.knownSenders?.isEmpty == false, let place = configuration.library
        else { return nil }
        do throws(PluginError) {
            let user = try UserLibrary(at: place, plugins: plugins, accounts: configuration.accounts)
            // Before a server is asked for all its messages for nothing.
            try user.library.checkCanChange()
            let storage = try await storages.storage(for: source, BackendSettings())
            return await MessageFiling(user: user, storage: storage, settings: settings).run()
        } catch {
            var summary = FilingSummary(source: source.text)
            summary.fail(source.text, error)
            return summary
        }
    }
}
