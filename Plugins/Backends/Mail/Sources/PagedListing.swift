import Synchronization
import VitrineKit

/// A listing of messages of which something is known already, such as their numbers: the rest is asked for page by page.
final class PagedListing<Known: Sendable>: MessageListing {
    private let known: [Known]
    private let page: Int
    private let describe: @Sendable (ArraySlice<Known>) async throws(PluginError) -> [MailMessage]
    private let at = Mutex(0)

    /// - Parameters:
    ///   - known: what is known of the messages, in their order.
    ///   - page: how many are described at once.
    ///   - describe: called with some of them, never with none. Those that are gone meanwhile are left out of what it answers.
    init(
        _ known: [Known], page: Int,
        _ describe: @escaping @Sendable (ArraySlice<Known>) async throws(PluginError) -> [MailMessage]
    ) {
        self.known = known
        self.page = page
        self.describe = describe
    }

    func next() async throws(PluginError) -> [MailMessage]? {
        while true {
            let begin = at.withLock { at in
                defer { at = min(known.count, at + page) }
                return at
            }
            guard begin < known.count else { return nil }
            let messages = try await describe(known[begin..<min(known.count, begin + page)])
            // All of them may be gone.
            if !messages.isEmpty { return messages }
        }
    }
}
