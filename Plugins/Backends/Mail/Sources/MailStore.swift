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

/// A listing under way, for one reader.
protocol MessageListing: Sendable {
    /// The next messages, a few hundred; `nil` at the end.
    func next() async throws(PluginError) -> [MailMessage]?
}

/// Bytes that are read by range.
protocol RawBytes: Sendable {
    var size: Int64 { get }
    /// Whether they can never be others.
    var isPinned: Bool { get }
    /// Reads a range inside of the size: all of it.
    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8]
}

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

/// A message as it is listed.
struct MailMessage: Sendable {
    /// What tells it from others of its mailbox; letters and digits.
    var mark: String
    /// Decoded, on one line; may be empty.
    var subject: String
    /// When it was written, else when it came.
    var date: Timestamp?
    /// Bytes as it was sent; `nil` when that is not known without reading it.
    var size: Int64?
    /// Changes when another message has the mark.
    var etag: String
    /// Its parts, where they are known.
    var parts: [MIMEPart]?
    /// Whether it may have attachments, as far as is known without reading it.
    var mayHaveAttachments: Bool

    /// Scalars of a subject that are kept.
    private static let longestSubject = 1000

    /// Describes a message.
    init(
        mark: String, subject: String, date: Timestamp?, size: Int64?, etag: String, parts: [MIMEPart]? = nil,
        mayHaveAttachments: Bool
    ) {
        self.mark = mark
        self.subject = String(String.UnicodeScalarView(subject.unicodeScalars.prefix(Self.longestSubject)))
        self.date = date
        self.size = size
        self.etag = etag
        self.parts = parts
        self.mayHaveAttachments = mayHaveAttachments
    }

    /// Reads a head.
    init(mark: String, head: HeaderFields, date: Timestamp?, size: Int64?, etag: String) {
        let type = head.value("content-type").map { FieldValue($0) } ?? FieldValue("text/plain")
        let disposition = head.value("content-disposition").map { FieldValue($0) }
        let single = MIMEPart(type: type, disposition: disposition, section: "1", encodedSize: 1)
        self.init(
            mark: mark, subject: head.text("subject") ?? "", date: head.date ?? date, size: size, etag: etag,
            mayHaveAttachments: type.value.hasPrefix("multipart/")
                ? type.value != "multipart/alternative" : single.isAttachment)
    }
}
