import MIME
import Synchronization
public import VitrineKit

/// Messages and their attachments: schemes `imap`, `imaps`, `pop3`, `pop3s`, `maildir` and `mbox`.
///
/// - A mailbox is a folder. In it each message is a file `2024-01-31 Subject (mark).eml`, and, if it has attachments, a
///   folder of the same name without the ending, which holds them. Those of messages inside of it are there, too.
/// - Nothing is ever changed, marked as read or deleted.
/// - Of IMAP only what is asked for travels: the structure of a message, and ranges of its parts. A POP3 server has no
///   ranges: a message is read once, up to ``SpooledMessage/longest``.
/// - A size that only decoding tells is known when the attachment is opened.
///
/// Settings of the servers are those of ``TransferPolicy``; by default 3 connections of IMAP, and always one of POP3.
public final class MailBackend: MeteredBackend {
    let store: any MailStore
    /// The folder of a message that is the source's root, as a path in the mailbox above it; else the root.
    let base: ItemPath
    private let source: String
    private let tree = Mutex<MailboxTree?>(nil)
    /// Messages of the latest listings, so that the folders that were just listed cost no further request.
    private let recent = Mutex(RecentMessages())

    /// Connects, and looks at what is at the root: a mailbox, a folder of them, or the attachments of a message.
    public init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        self.source = DisplayText.of(source.text)
        let found: [Mailbox]?
        do throws(PluginError) {
            (store, found) = try await Self.connect(source, settings)
            base = .root
        } catch {
            guard [.notFound, .notAFile, .invalidArgument].contains(error.code),
                let (above, message) = Self.message(at: source),
                let connected = try? await Self.connect(above, settings)
            else { throw error }
            (store, found) = connected
            base = message
        }
        if let found { tree.withLock { $0 = MailboxTree(found) } }
        if !base.isRoot, try await stat(.root).kind != .folder {
            throw PluginError(.notAFile, "'\(self.source)' is a file, not a folder")
        }
    }

    private static func connect(
        _ source: SourceURI, _ settings: BackendSettings
    ) async throws(PluginError) -> (any MailStore, [Mailbox]?) {
        let store: any MailStore
        switch source.scheme {
        case "maildir": store = try await MaildirStore(source)
        case "mbox": store = try await MboxStore(source)
        default:
            let server = try MailServer(source, settings)
            store = server.isPOP ? POP3Store(server) : IMAPStore(server)
        }
        return (store, try await store.check())
    }

    /// The mailbox above what may be the folder of a message; `nil` when it is not called like one.
    private static func message(at source: SourceURI) -> (mailbox: SourceURI, path: ItemPath)? {
        let slash = UInt8(ascii: "/")
        guard let cut = source.path.lastIndex(of: slash), let name = try? ItemPath(Array(source.path[(cut + 1)...])),
            MessageName.mark(in: name.bytes) != nil
        else { return nil }
        let folder = cut == 0 ? [slash] : Array(source.path[..<cut])
        let query = source.query.map { "?" + $0 } ?? ""
        let text = "\(source.scheme)://\(source.authority ?? "")\(PercentEncoding.encode(folder))\(query)"
        return (try? SourceURI(text)).map { ($0, name) }
    }

    /// What was asked for since the beginning.
    public var traffic: Traffic { store.traffic }

    /// Lists a mailbox or the attachments of a message.
    public func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        MailListing(backend: self, folder: full(folder))
    }

    /// What a path is, as the storage says now.
    public func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
        var entry = try await place(full(path)).entry
        if path.isRoot { entry.name = [] }
        return entry
    }

    /// Opens a message or an attachment.
    public func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        try await open(path, try await place(full(path)))
    }

    /// Opens what was listed, without asking where it is.
    public func open(_ path: ItemPath, listedAs entry: Entry) async throws(PluginError) -> any ByteSource {
        let place = try await place(full(path), isListed: true)
        guard place.entry.etag == entry.etag else {
            throw PluginError(.changed, "cannot read \(path.shown): another message is there by now")
        }
        return try await open(path, place)
    }

    private func open(_ path: ItemPath, _ place: MailPlace) async throws(PluginError) -> any ByteSource {
        switch place {
        case .mailbox: throw PluginError(.notAFile, "\(path.shown) is a mailbox, not a file")
        case .message: throw PluginError(.notAFile, "\(path.shown) holds the attachments of a message, and is no file")
        case .file(let message, let mailbox):
            return try await MailFile(
                place.entry, try await store.bytes(of: message, nil, in: mailbox), .identity, path
            ) { [self] () throws(PluginError) in try await stat(path) }
        case .attachment(let attachment, let message, let mailbox):
            return try await MailFile(
                attachment.entry, try await store.bytes(of: message, attachment.part, in: mailbox),
                attachment.part.coding, path
            ) { [self] () throws(PluginError) in try await stat(path) }
        }
    }

    // MARK: Paths

    /// A path of the source as one of the mailboxes.
    private func full(_ path: ItemPath) -> ItemPath {
        if base.isRoot { return path }
        return path.isRoot ? base : (try? ItemPath(base.bytes + [UInt8(ascii: "/")] + path.bytes)) ?? base
    }

    /// Asks the storage which mailboxes there are.
    func refresh() async throws(PluginError) -> MailboxTree {
        let found = MailboxTree(try await store.mailboxes())
        tree.withLock { $0 = found }
        return found
    }

    /// What a path stands for.
    /// - Parameter isListed: whether what was listed a moment ago counts.
    func place(_ path: ItemPath, isListed: Bool = false) async throws(PluginError) -> MailPlace {
        var known: MailboxTree
        if let tree = tree.withLock({ $0 }) {
            known = tree
        } else if let mailbox = try await store.mailbox(on: path) {
            known = MailboxTree([mailbox])
        } else {
            known = try await refresh()
        }
        guard let (mailbox, rest) = known.find(path) else { throw missing(path) }
        guard let name = rest.first else { return .mailbox(mailbox) }
        guard let (mark, isFile) = MessageName.mark(in: name), mailbox.holdsMessages, rest.count <= 2,
            !isFile || rest.count == 1
        else { throw missing(path) }
        let message: MailMessage
        if isListed, let listed = recent.withLock({ $0.message(mark, in: mailbox) }) {
            message = listed
        } else {
            message = try await store.message(mark, in: mailbox)
        }
        let stem = MessageName.stem(message)
        guard Array((isFile ? stem + MessageName.ending : stem).utf8) == name else { throw missing(path) }
        if isFile { return .file(message, mailbox) }
        guard rest.count == 2, let file = rest.last else {
            guard message.mayHaveAttachments else { throw missing(path) }
            return .message(message, mailbox)
        }
        guard let attachment = try await attachments(of: message, in: mailbox).first(where: { $0.entry.name == file })
        else { throw missing(path) }
        return .attachment(attachment, message, mailbox)
    }

    /// The attachments of a message.
    func attachments(of message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> [Attachment] {
        let parts: [MIMEPart]
        if let known = message.parts { parts = known } else { parts = try await store.parts(of: message, in: mailbox) }
        return Attachment.all(of: parts, message)
    }

    /// Notes what was listed.
    func listed(_ messages: [MailMessage], in mailbox: Mailbox, isFirst: Bool) {
        recent.withLock { $0.take(messages, in: mailbox, isFirst: isFirst) }
    }

    /// What is said of a path without anything.
    func missing(_ path: ItemPath) -> PluginError { PluginError(.notFound, "\(path.shown) is not in '\(source)'") }
}

/// Messages of the latest listings, in bounds.
private struct RecentMessages {
    private var boxes: [Mailbox: [String: MailMessage]] = [:]
    /// Parts of all of them, and one for each message: what a server tells of a message is mostly that.
    private var cost = 0
    private static let most = 20_000

    func message(_ mark: String, in mailbox: Mailbox) -> MailMessage? { boxes[mailbox]?[mark] }

    mutating func take(_ messages: [MailMessage], in mailbox: Mailbox, isFirst: Bool) {
        if isFirst, let old = boxes.removeValue(forKey: mailbox) {
            cost -= old.values.reduce(0) { $0 + Self.cost($1) }
        }
        if cost + messages.reduce(0, { $0 + Self.cost($1) }) > Self.most {
            boxes = [:]
            cost = 0
        }
        for message in messages where Self.cost(message) <= Self.most / 10 {
            let old = boxes[mailbox, default: [:]].updateValue(message, forKey: message.mark)
            cost += Self.cost(message) - (old.map(Self.cost) ?? 0)
        }
    }

    private static func cost(_ message: MailMessage) -> Int {
        // What is told of a part is 2 kB at most.
        1 + (message.parts?.count ?? 0)
    }
}
