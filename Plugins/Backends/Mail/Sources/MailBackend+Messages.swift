import MIME
import Transfer
public import VitrineKit

extension MailBackend: MessageBackend {
    /// The most bytes of a text that are read, before it is decoded and after.
    private static let longestText: Int64 = 1 << 20

    /// Looks through all mailboxes: a server of IMAP is asked to search, elsewhere the heads of messages are read.
    public func messages(from senders: [String]) -> any AsyncSequence<MessagePage, PluginError> & Sendable {
        MessageSearch(backend: self, senders: senders)
    }

    /// Reads a message's own text, plain rather than HTML.
    public func content(of message: SentMessage) async throws(PluginError) -> MessageContent {
        guard case .file(let found, let mailbox) = try await place(message.path) else { throw missing(message.path) }
        let parts: [MIMEPart]
        if let known = found.parts { parts = known } else { parts = try await store.parts(of: found, in: mailbox) }
        let folder = try (message.path.parent ?? .root).appending(Array(MessageName.stem(found).utf8))
        var attachments: [ItemPath] = []
        for attachment in Attachment.all(of: parts, found) {
            attachments.append(try folder.appending(attachment.entry.name))
        }
        // What an attached message says is its own matter.
        let inner = parts.filter(\.isMessage).map { $0.section + "." }
        let texts = parts.filter { part in part.isText && !inner.contains { part.section.hasPrefix($0) } }
        let chosen = texts.first { $0.type.value == "text/plain" } ?? texts.first
        guard let chosen else { return MessageContent(text: "", attachments: attachments) }
        let raw = try await store.bytes(of: found, chosen, in: mailbox)
        let bytes = try await raw.read(at: 0, count: Int(min(raw.size, Self.longestText)))
        let text = Charset.text(chosen.coding.decode(bytes), charset: chosen.type["charset"])
        let words = chosen.type.value == "text/html" ? HTMLText.words(text) : text
        return MessageContent(text: Self.plain(words), attachments: attachments)
    }

    /// Lines with one kind of ends, without what no text holds.
    private static func plain(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars {
            guard scalar == "\n" || scalar == "\t" || scalar.value >= 0x20, scalar.value != 0x7F else { continue }
            bytes += String(scalar).utf8.count
            guard bytes <= longestText else { break }
            out.append(scalar)
        }
        return String(out).trimmed
    }

    /// Reads who sent a message, and whether its subject begins as it must.
    fileprivate func sent(
        _ message: MailMessage, in mailbox: Mailbox, from senders: Set<MailAddress>
    ) async throws(PluginError) -> SentMessage? {
        let head = try await store.head(of: message, in: mailbox)
        // Two fields would let everybody choose which one counts.
        guard head.values("from").count == 1, let field = head.value("from"), let sender = MailAddress(field: field),
            senders.contains(sender)
        else { return nil }
        let bytes = mailbox.path.reduce(into: [UInt8]()) { $0 += $1 + [0x2F] }
        let path = try ItemPath(bytes + Array((MessageName.stem(message) + MessageName.ending).utf8))
        let number = head.value("message-id").map { String(decoding: $0.prefix(500), as: UTF8.self) }
        let print = StableMark.of("\(message.subject)\n\(message.date?.seconds ?? 0)", letters: 13)
        let place = "\(DisplayText.of(bytes))\(message.etag)"
        return SentMessage(
            path: path, identity: "\(number ?? place) \(print)", sender: "\(sender.user)@\(sender.domain)",
            subject: message.subject,
            authentication: head.values("authentication-results").map {
                HeaderFields.line(String(decoding: $0, as: UTF8.self))
            })
    }
}

/// Looks for messages, mailbox by mailbox.
private struct MessageSearch: AsyncSequence, Sendable {
    let backend: MailBackend
    let senders: [String]

    struct AsyncIterator: AsyncIteratorProtocol {
        private let backend: MailBackend
        private let senders: Set<MailAddress>
        private var mailboxes: ArraySlice<Mailbox>?
        private var open: (mailbox: Mailbox, way: Way)?

        /// How a mailbox is looked through.
        private enum Way {
            case found(ArraySlice<String>)
            case listing(any MessageListing)
        }

        private static let page = 50

        init(_ search: MessageSearch) {
            backend = search.backend
            senders = Set(search.senders.compactMap { MailAddress($0) })
        }

        mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PluginError) -> MessagePage? {
            guard !Task.isCancelled else {
                throw PluginError(.cancelled, "somebody asked to stop while messages were looked for")
            }
            // A message by itself is no mailbox: what is filed belongs to the one above.
            if mailboxes == nil { mailboxes = backend.base.isRoot ? try await backend.refresh().all[...] : [] }
            guard let (mailbox, way) = open else {
                guard let next = mailboxes?.popFirst() else { return nil }
                return try await begin(next)
            }
            switch way {
            case .found(let marks):
                guard !marks.isEmpty else { return end() }
                open = (mailbox, .found(marks.dropFirst(Self.page)))
                var messages: [MailMessage] = []
                for mark in marks.prefix(Self.page) {
                    do throws(PluginError) { messages.append(try await backend.store.message(mark, in: mailbox)) } catch
                    {
                        // It was deleted since it was found.
                        if error.code != .notFound { throw error }
                    }
                }
                return try await page(of: messages, mailbox)
            case .listing(let listing):
                guard let messages = try await listing.next() else { return end() }
                return try await page(of: messages, mailbox)
            }
        }

        private mutating func begin(_ mailbox: Mailbox) async throws(PluginError) -> MessagePage {
            let texts = senders.map { "\($0.user)@\($0.domain)" }.sorted()
            if let (marks, others) = try await backend.store.search(from: texts, in: mailbox) {
                open = (mailbox, .found(marks[...]))
                return MessagePage(messages: [], others: others)
            }
            open = (mailbox, .listing(try await backend.store.listing(of: mailbox)))
            return MessagePage(messages: [])
        }

        private mutating func end() -> MessagePage {
            open = nil
            return MessagePage(messages: [])
        }

        private func page(of messages: [MailMessage], _ mailbox: Mailbox) async throws(PluginError) -> MessagePage {
            var page = MessagePage(messages: [])
            for message in messages where message.subject.hasPrefix("[") {
                do throws(PluginError) {
                    if let sent = try await backend.sent(message, in: mailbox, from: senders) {
                        page.messages.append(sent)
                    } else {
                        page.others += 1
                    }
                } catch {
                    if error.code != .notFound { throw error }
                }
            }
            return page
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
