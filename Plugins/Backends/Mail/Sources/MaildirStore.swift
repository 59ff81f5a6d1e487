import Glibc
import MIME
import Synchronization
import Transfer
import VitrineKit

/// A Maildir and those in it: `.Work.2024` beside `cur` as Maildir++ has it, or folders in folders.
///
/// A message is a file that never changes; its name does, with its flags, so that it is looked for by what stands before
/// them. One that is open stays readable, also when it is moved or deleted.
final class MaildirStore: MailStore {
    private let root: [UInt8]
    private let known = Mutex<[[UInt8]: [String: [UInt8]]]>([:])
    private let figures = Mutex(Traffic())

    /// Folders in folders that are entered.
    private static let deepest = 10
    /// More than any file system bears in one folder.
    static let most = 4 << 20

    init(_ source: SourceURI) async throws(PluginError) {
        root = try LocalPlace.path(of: source)
    }

    var traffic: Traffic { figures.withLock { $0 } }

    func mailboxes() async throws(PluginError) -> [Mailbox] {
        let root = root
        return try await LocalBytes.aside { () throws(PluginError) in
            var found: [Mailbox] = []
            try Self.find(root, [], 0, &found)
            guard found.contains(where: \.holdsMessages) else {
                throw PluginError(
                    .notFound,
                    "'\(DisplayText.of(root))' is no Maildir: neither it nor a folder in it has a folder 'cur'")
            }
            return found
        }
    }

    private static func find(
        _ folder: [UInt8], _ path: [[UInt8]], _ depth: Int, _ found: inout [Mailbox]
    ) throws(PluginError) {
        let names = try LocalPlace.folders(in: folder)
        if names.contains(Array("cur".utf8)) { found.append(Mailbox(path: path, key: folder)) }
        guard depth < deepest, found.count < MailboxTree.most else { return }
        for name in names where !["cur", "new", "tmp"].contains(String(decoding: name, as: UTF8.self)) {
            var inner = path
            if name.first == UInt8(ascii: ".") {
                // Folders of Maildir++ are beside one another, and their names say what is in what.
                for part in name.dropFirst().split(separator: UInt8(ascii: ".")) { inner.append(LocalPlace.name(part)) }
            } else {
                inner.append(LocalPlace.name(name[...]))
            }
            guard inner.count > path.count else { continue }
            try find(folder + [UInt8(ascii: "/")] + name, inner, depth + 1, &found)
        }
    }

    func listing(of mailbox: Mailbox) async throws(PluginError) -> any MessageListing {
        let files = try await LocalBytes.aside { () throws(PluginError) in try Self.files(in: mailbox.key) }
        known.withLock { known in
            if known.count > 64 { known = [:] }
            known[mailbox.key] = files
        }
        return Listing(files: files.sorted { $0.value.lexicographicallyPrecedes($1.value) })
    }

    /// Files of messages by their marks, from the mailbox's folder on.
    private static func files(in folder: [UInt8]) throws(PluginError) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        // What is new becomes what is there: a message that moves meanwhile is seen at least once in this order.
        for part in ["new", "cur"] {
            let place = folder + [UInt8(ascii: "/")] + Array(part.utf8)
            let names: [[UInt8]]
            do throws(PluginError) { names = try LocalPlace.names(in: place) } catch {
                // A Maildir without 'new' is read all the same.
                guard part == "new", error.code == .notFound else { throw error }
                continue
            }
            for name in names where name.first != UInt8(ascii: ".") {
                guard files.count < most else {
                    throw PluginError(.limitExceeded, "'\(DisplayText.of(place))' holds more than \(most) messages")
                }
                files[mark(of: name)] = place + [UInt8(ascii: "/")] + name
            }
        }
        return files
    }

    /// What stays of a name when flags change.
    static func mark(of name: [UInt8]) -> String {
        let unique = name.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
        return StableMark.of(
            unique.map { Character(UnicodeScalar($0)) }.reduce(into: "") { $0.append($1) }, letters: 13)
    }

    private final class Listing: MessageListing {
        private let files: [(key: String, value: [UInt8])]
        private let next = Mutex(0)
        private static let page = 500

        init(files: [(key: String, value: [UInt8])]) { self.files = files }

        func next() async throws(PluginError) -> [MailMessage]? {
            while true {
                let begin = next.withLock { next in
                    defer { next = min(files.count, next + Self.page) }
                    return next
                }
                guard begin < files.count else { return nil }
                let page = files[begin..<min(files.count, begin + Self.page)]
                let messages = try await LocalBytes.aside { () throws(PluginError) in
                    var messages: [MailMessage] = []
                    for (mark, path) in page {
                        // One that is gone by now, or is no file, is none.
                        guard let file = try? LocalFile(path) else { continue }
                        messages.append(try MaildirStore.describe(mark, file))
                    }
                    return messages
                }
                if !messages.isEmpty { return messages }
            }
        }
    }

    private static func describe(_ mark: String, _ file: LocalFile) throws(PluginError) -> MailMessage {
        let state = try file.state
        let head = try LocalMessage.head { (at, count) throws(PluginError) in try file.read(at: at, count: count) }
        return MailMessage(
            mark: mark, head: head, date: state.modified, size: state.size, etag: "\(mark)-\(state.size)-\(state.inode)"
        )
    }

    /// The file of a message, wherever its flags moved it.
    private func file(_ mark: String, in mailbox: Mailbox) async throws(PluginError) -> LocalFile {
        let usual = known.withLock { $0[mailbox.key]?[mark] }
        return try await LocalBytes.aside { [self] () throws(PluginError) in
            if let usual, let file = try? LocalFile(usual) { return file }
            let files = try Self.files(in: mailbox.key)
            known.withLock { $0[mailbox.key] = files }
            guard let path = files[mark] else {
                throw PluginError(.notFound, "\(mailbox.shown) has no message (\(mark)) any more")
            }
            return try LocalFile(path)
        }
    }

    func message(_ mark: String, in mailbox: Mailbox) async throws(PluginError) -> MailMessage {
        let file = try await file(mark, in: mailbox)
        return try await LocalBytes.aside { () throws(PluginError) in try Self.describe(mark, file) }
    }

    func head(of message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> HeaderFields {
        let file = try await file(message.mark, in: mailbox)
        return try await LocalBytes.aside { () throws(PluginError) in
            try LocalMessage.head { (at, count) throws(PluginError) in try file.read(at: at, count: count) }
        }
    }

    func parts(of message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> [MIMEPart] {
        let file = try await file(message.mark, in: mailbox)
        return try await LocalBytes.aside { () throws(PluginError) in
            try LocalMessage.parts(try file.state.size) { (at, count) throws(PluginError) in
                try file.read(at: at, count: count)
            }
        }
    }

    func bytes(
        of message: MailMessage, _ part: MIMEPart?, in mailbox: Mailbox
    ) async throws(PluginError) -> any RawBytes {
        let file = try await file(message.mark, in: mailbox)
        let size = try file.state.size
        // A message is written once.
        return LocalBytes(size: size, isPinned: true) { (at, count) throws(PluginError) in
            try file.read(at: at, count: count)
        }.part(part)
    }
}
