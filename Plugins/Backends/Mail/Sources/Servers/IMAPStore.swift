import MIME
import Transfer
import VitrineKit

/// Mailboxes of a server of IMAP (RFC 3501). A message is known by its number, which stays as long as the mailbox's
/// UIDVALIDITY does.
final class IMAPStore: MailStore {
    private let server: MailServer
    private let pool: LinkPool<IMAPLink>

    /// Messages of one request.
    static let page = 250
    /// Bytes of one request.
    private static let piece = 1 << 20
    private static let items = "(UID RFC822.SIZE INTERNALDATE ENVELOPE BODYSTRUCTURE)"

    init(_ server: MailServer) {
        self.server = server
        pool = LinkPool(TransferClient(server.policy, name: server.url.server), at: server.url) {
            () throws(TransferFailure) in try IMAPLink(server)
        }
    }

    var traffic: Traffic { pool.traffic }

    // MARK: Mailboxes

    func mailboxes() async throws(PluginError) -> [Mailbox] {
        let doing = "cannot list the mailboxes of '\(server.url.server)'"
        let root = server.root
        let found = try await pool.run(doing) { link throws(TransferFailure) in
            var found: [Mailbox] = []
            try link.command(Array("LIST \"\" \"*\"".utf8), doing) { (words, reader) throws(TransferFailure) in
                guard words.count > 1, words[1].lowercasedText == "list", found.count < MailboxTree.most else { return }
                let values = try reader.values()
                guard let flags = values.at(1).list, let key = values.at(3).bytes, !key.isEmpty else { return }
                let cannot = flags.contains { ["\\NOSELECT", "\\NONEXISTENT"].contains($0.text.uppercased()) }
                found.append(
                    Mailbox(path: Self.path(of: key, values.at(2).bytes?.first), key: key, holdsMessages: !cannot))
            }
            return found
        }
        guard !root.isEmpty else { return found }
        let below = found.compactMap { mailbox -> Mailbox? in
            guard mailbox.path.starts(with: root) else { return nil }
            var inner = mailbox
            inner.path.removeFirst(root.count)
            return inner
        }
        guard !below.isEmpty else {
            throw PluginError(
                .notFound,
                "'\(server.url.server)' has no mailbox '\(DisplayText.of(Array(root.joined(separator: [0x2F]))))'")
        }
        return below
    }

    private static func path(of key: [UInt8], _ delimiter: UInt8?) -> [[UInt8]] {
        let names = delimiter.map { delimiter in key.split(separator: delimiter).map { $0 } } ?? [key[...]]
        return names.enumerated().map { index, name in
            let name = LocalPlace.name(name)
            // The one name that knows no case.
            return index == 0 && name.lowercasedText == "inbox" ? Array("INBOX".utf8) : name
        }
    }

    // MARK: Messages

    func listing(of mailbox: Mailbox) async throws(PluginError) -> any MessageListing {
        let doing = "cannot list \(mailbox.shown)"
        let (validity, numbers) = try await pool.run(doing, usual: Self.usual(mailbox)) {
            link throws(TransferFailure) in
            let validity = try link.examine(mailbox.key, anew: true, doing)
            return (validity, try Self.search(Array("ALL".utf8), link, doing))
        }
        return PagedListing(numbers, page: Self.page) { [self] page throws(PluginError) in
            guard let first = page.first, let last = page.last else { return [] }
            return try await fetch("\(first):\(last)", mailbox, validity)
        }
    }

    /// The numbers that a search finds, in their order.
    private static func search(_ what: [UInt8], _ link: IMAPLink, _ doing: String) throws(TransferFailure) -> [UInt32] {
        var numbers: [UInt32] = []
        try link.command(Array("UID SEARCH ".utf8) + what, doing) { (words, reader) throws(TransferFailure) in
            guard words.count > 1, words[1].lowercasedText == "search" else { return }
            for number in reader.rest.split(separator: 0x20).dropFirst() {
                if let value = UInt32(String(decoding: number, as: UTF8.self)), value > 0 { numbers.append(value) }
            }
            reader.skip()
        }
        return numbers.sorted()
    }

    /// Describes messages.
    private func fetch(
        _ numbers: String, _ mailbox: Mailbox, _ validity: UInt32?
    ) async throws(PluginError) -> [MailMessage] {
        let doing = "cannot list \(mailbox.shown)"
        return try await pool.run(doing, usual: Self.usual(mailbox)) { link throws(TransferFailure) in
            let valid = try link.examine(mailbox.key, validity: validity, doing)
            var messages: [MailMessage] = []
            try link.command(Array("UID FETCH \(numbers) \(Self.items)".utf8), doing) {
                (words, reader) throws(TransferFailure) in
                guard words.count > 2, words[2].lowercasedText == "fetch" else { return }
                let values = try reader.values()
                // A server may tell more than was asked for, such as flags that changed.
                if let items = values.at(2).list, messages.count < 2 * Self.page,
                    let message = Self.message(items, valid)
                {
                    messages.append(message)
                }
            }
            return messages
        }
    }

    private static func message(_ items: [IMAPValue], _ validity: UInt32) -> MailMessage? {
        guard let number = items.item("UID")?.number, UInt32(exactly: number) != nil,
            let envelope = items.item("ENVELOPE")?.list,
            let structure = items.item("BODYSTRUCTURE"), let size = items.item("RFC822.SIZE")?.size
        else { return nil }
        let parts = BodyStructure.parts(structure)
        let arrival = items.item("INTERNALDATE").flatMap { internalDate($0.text) }
        let written = MailDate.parse(String(envelope.at(0).text.prefix { $0 != "(" }))
        return MailMessage(
            mark: String(number), subject: HeaderFields.line(EncodedWords.decode(envelope.at(1).bytes ?? [])),
            date: written ?? arrival, size: size, etag: "\(validity)-\(number)-\(size)", parts: parts,
            mayHaveAttachments: parts.contains(where: \.isAttachment))
    }

    /// `01-Feb-2024 10:00:00 +0100`, as mails write it but for the dashes.
    private static func internalDate(_ text: String) -> Timestamp? {
        let words = text.split(separator: " ")
        guard words.count == 3 else { return nil }
        return MailDate.parse(words[0].split(separator: "-").joined(separator: " ") + " \(words[1]) \(words[2])")
    }

    func message(_ mark: String, in mailbox: Mailbox) async throws(PluginError) -> MailMessage {
        guard let number = UInt32(mark), number > 0, String(number) == mark,
            let message = try await fetch(mark, mailbox, nil).first(where: { $0.mark == mark })
        else { throw PluginError(.notFound, "\(mailbox.shown) has no message (\(mark))") }
        return message
    }

    func parts(of message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> [MIMEPart] {
        try await self.message(message.mark, in: mailbox).parts ?? []
    }

    func bytes(
        of message: MailMessage, _ part: MIMEPart?, in mailbox: Mailbox
    ) async throws(PluginError) -> any RawBytes {
        Bytes(
            store: self, mailbox: mailbox, message: message, section: part?.section ?? "",
            size: part?.encodedSize ?? message.size ?? 0)
    }

    func head(of message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> HeaderFields {
        HeaderFields(try await read(message, "HEADER", 0, HeaderFields.longest, mailbox))
    }

    func search(
        from senders: [String], in mailbox: Mailbox
    ) async throws(PluginError) -> (marks: [String], others: Int)? {
        let doing = "cannot search \(mailbox.shown)"
        return try await pool.run(doing, usual: Self.usual(mailbox)) { link throws(TransferFailure) in
            try link.examine(mailbox.key, anew: true, doing)
            var found: Set<UInt32> = []
            for sender in senders {
                let what = try Array("SUBJECT \"[\" FROM ".utf8) + IMAPLink.string(Array(sender.utf8))
                found.formUnion(try Self.search(what, link, doing))
            }
            let all = try Self.search(Array("SUBJECT \"[\"".utf8), link, doing)
            return (found.sorted().map { String($0) }, max(0, all.count - found.count))
        }
    }

    // MARK: Bytes

    /// A message or a part of it, read by range.
    private struct Bytes: RawBytes {
        let store: IMAPStore
        let mailbox: Mailbox
        let message: MailMessage
        let section: String
        let size: Int64

        /// A number is never given to another message.
        var isPinned: Bool { true }

        func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
            var out: [UInt8] = []
            while out.count < count {
                let next = offset + Int64(out.count)
                let part = try await store.read(
                    message, section, next, min(count - out.count, IMAPStore.piece), mailbox)
                guard !part.isEmpty else {
                    throw PluginError(
                        .changed, "the message (\(message.mark)) of \(mailbox.shown) is shorter than was told")
                }
                out += part
            }
            return out
        }
    }

    /// Reads a range of a section; less only at its end.
    fileprivate func read(
        _ message: MailMessage, _ section: String, _ offset: Int64, _ count: Int, _ mailbox: Mailbox
    ) async throws(PluginError) -> [UInt8] {
        let doing = "cannot read the message (\(message.mark)) of \(mailbox.shown)"
        let validity = message.etag.split(separator: "-").first.flatMap { UInt32($0) }
        let bytes: [UInt8]? = try await pool.run(doing, usual: Self.usual(mailbox)) { link throws(TransferFailure) in
            try link.examine(mailbox.key, validity: validity, doing)
            var bytes: [UInt8]?
            let command = "UID FETCH \(message.mark) (UID BODY.PEEK[\(section)]<\(offset).\(count)>)"
            try link.command(Array(command.utf8), doing) { (words, reader) throws(TransferFailure) in
                guard words.count > 2, words[2].lowercasedText == "fetch" else { return }
                let values = try reader.values()
                guard let items = values.at(2).list, items.item("UID")?.text == message.mark,
                    let body = items.item("BODY")
                else { return }
                bytes = body.bytes ?? []
            }
            return bytes
        }
        guard let bytes else {
            throw PluginError(.notFound, "\(mailbox.shown) has no message (\(message.mark)) any more")
        }
        guard bytes.count <= count else {
            throw PluginError(.io, "\(doing): '\(server.url.server)' sent more than was asked for")
        }
        pool.count(bytes: bytes.count)
        return bytes
    }

    /// A mailbox stays with one connection, which has it open.
    private static func usual(_ mailbox: Mailbox) -> UInt64 {
        mailbox.key.reduce(1) { $0 &* 31 &+ UInt64($1) } | 1
    }
}
