/// A backend of messages that people send one another: an optional ability.
///
/// By it messages are filed: one whose subject begins with `[Name]` goes into the collection of that name, if the user knows
/// its sender. The backend only finds them; what is done with them is the engine's.
public protocol MessageBackend: StorageBackend {
    /// Messages of the source whose subjects begin with `[` and that say to be from certain senders, in pages; pages may be
    /// empty. A message may come twice.
    /// - Parameter senders: addresses; what stands behind the `@` in lower case.
    func messages(from senders: [String]) -> any AsyncSequence<MessagePage, PluginError> & Sendable

    /// What a message says and brings.
    /// - Throws: `notFound`, `changed`, or what its storage says.
    func content(of message: SentMessage) async throws(PluginError) -> MessageContent
}

/// Messages that were found.
public struct MessagePage: Sendable {
    /// Those from the senders.
    public var messages: [SentMessage]
    /// How many others have a `[` in their subjects.
    public var others: Int

    /// Creates a page.
    public init(messages: [SentMessage], others: Int = 0) {
        self.messages = messages
        self.others = others
    }
}

/// A message as its sender calls it. All of it can be forged.
public struct SentMessage: Hashable, Sendable {
    /// The message as a file of the source.
    public var path: ItemPath
    /// What tells it from all others, in every source and for ever, as far as its sender is honest.
    public var identity: String
    /// The one address that it says to be from; what stands behind the `@` in lower case.
    public var sender: String
    /// Decoded, on one line.
    public var subject: String
    /// What servers on its way found out about the sender: the fields `Authentication-Results` (RFC 8601), the latest first.
    public var authentication: [String]

    /// Creates a message.
    public init(path: ItemPath, identity: String, sender: String, subject: String, authentication: [String] = []) {
        self.path = path
        self.identity = identity
        self.sender = sender
        self.subject = subject
        self.authentication = authentication
    }
}

/// What a message says and brings.
public struct MessageContent: Sendable {
    /// Its text, without markup; at most 1 MiB.
    public var text: String
    /// Its attachments, as files of the source.
    public var attachments: [ItemPath]

    /// Creates a content.
    public init(text: String, attachments: [ItemPath]) {
        self.text = text
        self.attachments = attachments
    }
}
