import VitrineKit

/// A mailbox.
struct Mailbox: Hashable, Sendable {
    /// Names from the root of the source, as names of folders.
    var path: [[UInt8]]
    /// What the storage calls it.
    var key: [UInt8]
    /// Whether it can hold messages, not only other mailboxes.
    var holdsMessages = true

    /// For sentences.
    var shown: String {
        path.isEmpty ? "the mailbox" : "the mailbox '\(DisplayText.of(Array(path.joined(separator: [0x2F]))))'"
    }
}
