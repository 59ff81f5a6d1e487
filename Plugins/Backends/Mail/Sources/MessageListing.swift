import VitrineKit

/// A listing under way, for one reader.
protocol MessageListing: Sendable {
    /// The next messages, a few hundred; `nil` at the end.
    func next() async throws(PluginError) -> [MailMessage]?
}
