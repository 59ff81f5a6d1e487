import MIME
import Synchronization
import Transfer
import VitrineKit

/// The mailbox of a server of POP3. Its messages are what they were when a session began, so each listing begins one.
final class POP3Store: MailStore {
    private let server: MailServer
    private let client: TransferClient
    private let connection: Mutex<LinkConnection<POP3Link>?> = Mutex(nil)
    /// The latest messages that were read, the last at the end.
    private let spooled = Mutex<[(mark: String, message: SpooledMessage)]>([])
    private let figures = Mutex(Traffic())

    private static let kept = 4
    private static let page = 200

    init(_ server: MailServer) {
        self.server = server
        client = TransferClient(server.policy, name: server.url.server)
    }

    var traffic: Traffic {
        var sum = figures.withLock { $0 }
        sum.retries = client.traffic.retries
        return sum
    }

    /// Does something in a session.
    /// - Parameter anew: begins one, after the one before has ended: a server may let a user in only once.
    private func run<T: Sendable>(
        _ doing: String, anew: Bool = false, _ body: @escaping @Sendable (POP3Link) throws(TransferFailure) -> T
    ) async throws(PluginError) -> T {
        if anew, let old = connection.withLock({ $0.take() }) { await old.end() }
        let begin = ContinuousClock.now
        defer {
            figures.withLock { figures in
                figures.requests += 1
                figures.time += .now - begin
            }
        }
        return try await client.retrying(TransferRequest(server.url, purpose: doing)) { () throws(TransferFailure) in
            try await self.current().run(doing, body)
        }
    }

    private func current() -> LinkConnection<POP3Link> {
        connection.withLock { connection in
            if let known = connection, !known.isBroken { return known }
            let server = server
            let new = LinkConnection { () throws(TransferFailure) in try POP3Link(server) }
            connection = new
            return new
        }
    }

    func mailboxes() async throws(PluginError) -> [Mailbox] {
        // Whether the server lets the user in.
        _ = try await run("cannot look at the mailbox of '\(server.url.server)'") { $0.marks.count }
        return [Mailbox(path: [], key: [])]
    }

    func listing(of mailbox: Mailbox) async throws(PluginError) -> any MessageListing {
        let marks = try await run("cannot list \(mailbox.shown)", anew: true) { $0.marks }
        return PagedListing(marks, page: Self.page) { [self] marks throws(PluginError) in try await describe(marks) }
    }

    private func describe(_ marks: ArraySlice<String>) async throws(PluginError) -> [MailMessage] {
        let doing = "cannot list the mailbox"
        return try await run(doing) { link throws(TransferFailure) in
            // Another session may know fewer of them.
            let there = marks.filter { link.messages[$0] != nil }
            return zip(there, try link.heads(there, doing)).compactMap { mark, head in
                guard let size = link.messages[mark]?.size else { return nil }
                // What the server calls the size is not always what it sends.
                return MailMessage(mark: mark, head: head, date: nil, size: nil, etag: "\(mark)-\(size)")
            }
        }
    }

    func message(_ mark: String, in mailbox: Mailbox) async throws(PluginError) -> MailMessage {
        guard let message = try await describe([mark]).first else {
            throw PluginError(.notFound, "\(mailbox.shown) has no message (\(mark))")
        }
        return message
    }

    func head(of message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> HeaderFields {
        let doing = "cannot read the message (\(message.mark))"
        let heads = try await run(doing) { link throws(TransferFailure) in try link.heads([message.mark], doing) }
        return heads.first ?? HeaderFields()
    }

    func parts(of message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> [MIMEPart] {
        let kept = try await whole(message)
        return try await Blocking.run { () throws(PluginError) in
            try LocalMessage.parts(kept.size) { (at, count) throws(PluginError) in try kept.read(at: at, count: count) }
        }
    }

    func bytes(
        of message: MailMessage, _ part: MIMEPart?, in mailbox: Mailbox
    ) async throws(PluginError) -> any RawBytes {
        let kept = try await whole(message)
        return LocalBytes(size: kept.size, isPinned: true) { (at, count) throws(PluginError) in
            try kept.read(at: at, count: count)
        }.part(part)
    }

    /// Reads a message into a file, or finds it there.
    private func whole(_ message: MailMessage) async throws(PluginError) -> SpooledMessage {
        let known = spooled.withLock { $0.first { $0.mark == message.mark }?.message }
        if let known { return known }
        let doing = "cannot read the message (\(message.mark))"
        let kept = try await run(doing) { link throws(TransferFailure) -> SpooledMessage? in
            let limit = TransferFailure(
                PluginError(
                    .limitExceeded,
                    "\(doing): over POP3 a message is read as a whole, up to \(SpooledMessage.longest >> 20) MiB; use IMAP"
                ))
            guard let known = link.messages[message.mark] else { return nil }
            guard known.size <= SpooledMessage.longest else { throw limit }
            let kept = try Self.asFailure { () throws(PluginError) in try SpooledMessage() }
            var failure: TransferFailure?
            let isThere = try link.retrieve(message.mark, doing) { piece in
                // After a failure the rest is read and thrown away, so that the connection stays usable.
                guard failure == nil else { return }
                guard kept.size + Int64(piece.count) <= SpooledMessage.longest else {
                    failure = limit
                    return
                }
                do throws(PluginError) { try kept.append(piece) } catch { failure = TransferFailure(error) }
            }
            if let failure { throw failure }
            return isThere ? kept : nil
        }
        guard let kept else { throw PluginError(.notFound, "the mailbox has no message (\(message.mark)) any more") }
        figures.withLock { $0.bytesReceived += kept.size }
        spooled.withLock { spooled in
            if spooled.count >= Self.kept { spooled.removeFirst() }
            spooled.append((message.mark, kept))
        }
        return kept
    }

    private static func asFailure<T>(_ body: () throws(PluginError) -> T) throws(TransferFailure) -> T {
        do throws(PluginError) { return try body() } catch { throw TransferFailure(error) }
    }
}
