import Settings
import VitrineKit
import Workers

// Encrypted items: a renderer said so, somebody is asked for the password, and the renderer tries once more.
extension PreviewPipeline {
    /// Whether somebody may be asked for the password of an item: there is a command, and what comes of it is of use.
    /// A batch makes previews for the cache, so that nobody is bothered when they would not be kept.
    func mayUnlock(_ order: RenderOrder) -> Bool {
        passwords != nil && order.mayAsk && !order.isDryRun && (order.priority == .interactive || cachesEncrypted)
    }

    /// Whether there is a command that is asked for passwords.
    public var hasPasswordCommand: Bool { passwords != nil }

    /// Whether previews of encrypted items go to the cache.
    public var cachesEncrypted: Bool { configuration.settings.passwords.cachesEncrypted ?? false }

    /// Has an item drawn with its password.
    /// - Parameters:
    ///   - uri: of the item.
    ///   - refusal: what a renderer said without a password.
    ///   - order: what is wanted.
    ///   - draw: draws with a password.
    /// - Throws: `refusal` when nobody knows a password, `wrongPassword`, or what `draw` throws.
    func unlock(
        _ uri: String, _ refusal: PluginError, _ order: RenderOrder,
        _ draw: (Password) async throws(PluginError) -> WorkerResult
    ) async throws(PluginError) -> WorkerResult {
        guard refusal.code == .encrypted, mayUnlock(order), let passwords else { throw refusal }
        // As it is: it is remembered, also for those who ask nobody.
        guard let password = try await passwords.password(for: uri) else { throw refusal }
        do throws(PluginError) { return try await draw(password) } catch {
            guard error.code == .encrypted else { throw error }
            passwords.forget(uri)
            throw PluginError(
                .wrongPassword, "the password that the password command gave does not open it: \(error.message)")
        }
    }
}
