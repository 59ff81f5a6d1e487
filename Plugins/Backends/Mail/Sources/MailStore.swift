import MIME
import VitrineKit

/// Where messages lie: a server, or files of this machine. Everything that ``MailBackend`` shows is asked of one.
protocol MailStore: Sendable {
    /// All mailboxes of the source, in any order; that at its root has an empty path.
    func mailboxes() async throws(PluginError) -> [Mailbox]

    /// Whether the source is there, without a look at everything in it where that takes long; what ``mailboxes()`` found, if
    /// it took that.
    func check() async throws(PluginError) -> [Mailbox]?

    /// The mailbox that a path leads into, found without looking for all others; `nil` where that cannot be.
    /// - Throws: why there is none.
    func mailbox(on path: ItemPath) async throws(PluginError) -> Mailbox?

    /// The messages of a mailbox as they are now, page by page.
    func listing(of mailbox: Mailbox) async throws(PluginError) -> any MessageListing

    /// One message.
    /// - Throws: `notFound` when there is none by that mark.
    func message(_ mark: String, in mailbox: Mailbox) async throws(PluginError) -> MailMessage

    /// The parts of a message, where its listing did not tell them.
    func parts(of message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> [MIMEPart]

    /// The bytes of a message as they were sent, or of one part before it is decoded.
    func bytes(
        of message: MailMessage, _ part: MIMEPart?, in mailbox: Mailbox
    ) async throws(PluginError) -> any RawBytes

    /// The head of a message.
    func head(of message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> HeaderFields

    /// Marks of messages with a `[` in their subjects that may be from these senders, and how many others have one, where
    /// the storage can search; `nil` where it cannot.
    func search(
        from senders: [String], in mailbox: Mailbox
    ) async throws(PluginError) -> (marks: [String], others: Int)?

    /// What was asked for.
    var traffic: Traffic { get }
}

extension MailStore {
    func check() async throws(PluginError) -> [Mailbox]? { try await mailboxes() }

    func mailbox(on path: ItemPath) async throws(PluginError) -> Mailbox? { nil }

    func search(
        from senders: [String], in mailbox: Mailbox
    ) async throws(PluginError) -> (marks: [String], others: Int)? { nil }
}
