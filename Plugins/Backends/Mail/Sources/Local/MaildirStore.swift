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
    /// How often all mailboxes were looked for; for tests.
    let searches = Atomic(0)

    /// Messages that are described at once.
    private static let page = 500
    /// Folders in folders that are entered.
    private static let deepest = 10
    /// More than any file system bears in one folder.
    static let most = 4 << 20

    init(_ source: SourceURI) async throws(PluginError) {
        root = try LocalPlace.path(of: source)
    }

    var traffic: Traffic { figures.withLock { $0 } }

    /// What is in it is looked for when it is listed: it may be the folder above of what was named, or the whole disk.
    func check() async throws(PluginError) -> [Mailbox]? {
        let root = root
        return try await Blocking.run { () throws(PluginError) in
            guard try !LocalPlace.folders(in: root).isEmpty else { throw Self.none(at: root) }
            return nil
        }
    }

    func mailboxes() async throws(PluginError) -> [Mailbox] {
        let root = root
        return try await Blocking.run { () throws(PluginError) in
            self.searches.add(1, ordering: .relaxed)
            var found: [Mailbox] = []
            try Self.find(root, [], 0, &found)
            guard found.contains(where: \.holdsMessages) else { throw Self.none(at: root) }
            return found
        }
    }

    private static func none(at root: [UInt8]) -> PluginError {
        PluginError(
            .notFound, "'\(DisplayText.of(root))' is no Maildir: neither it nor a folder in it has a folder 'cur'")
    }

    private static func find(
        _ folder: [UInt8], _ path: [[UInt8]], _ depth: Int, _ found: inout [Mailbox]
    ) throws(PluginError) {
        let names = try LocalPlace.folders(in: folder)
        if names.contains(cur) { found.append(Mailbox(path: path, key: folder)) }
        guard depth < deepest, found.count < MailboxTree.most else { return }
        for (name, parts) in inner(names) {
            try find(folder + [UInt8(ascii: "/")] + name, path + parts, depth + 1, &found)
        }
    }

    private static let cur = Array("cur".utf8)

    /// The mailboxes that folders in a folder may be, each with its name, or names.
    private static func inner(_ names: [[UInt8]]) -> [(name: [UInt8], parts: [[UInt8]])] {
        names.filter { !["cur", "new", "tmp"].contains(String(decoding: $0, as: UTF8.self)) }.map { name in
            guard name.first == UInt8(ascii: ".") else { return (name, [LocalPlace.name(name[...])]) }
            // Folders of Maildir++ are beside one another, and their names say what is in what.
            return (name, name.dropFirst().split(separator: UInt8(ascii: ".")).map { LocalPlace.name($0) })
        }.filter { !$0.parts.isEmpty }
    }

    /// Goes down the path, and looks at nothing beside it.
    func mailbox(on path: ItemPath) async throws(PluginError) -> Mailbox? {
        let root = root
        let names = path.bytes.split(separator: UInt8(ascii: "/")).map { Array($0) }
        return try await Blocking.run { () throws(PluginError) in
            try Self.mailbox(on: names[...], root, [], 0)
        }
    }

    /// The mailbox farthest down a path, or the folder at its end.
    private static func mailbox(
        on rest: ArraySlice<[UInt8]>, _ folder: [UInt8], _ path: [[UInt8]], _ depth: Int
    ) throws(PluginError) -> Mailbox {
        let names = try LocalPlace.folders(in: folder)
        let own = Mailbox(path: path, key: folder, holdsMessages: names.contains(cur))
        guard depth < deepest, !rest.isEmpty else { return own }
        let inner = inner(names)
        for (name, parts) in inner where rest.starts(with: parts) {
            let place = folder + [UInt8(ascii: "/")] + name
            let found = try mailbox(on: rest.dropFirst(parts.count), place, path + parts, depth + 1)
            if found.holdsMessages || found.path.count == path.count + rest.count { return found }
        }
        // `Work` of `.Work.2024` is a folder by its name alone.
        let isName = inner.contains { $0.parts.count > rest.count && $0.parts.starts(with: rest) }
        return isName ? Mailbox(path: path + rest, key: [], holdsMessages: false) : own
    }

    func listing(of mailbox: Mailbox) async throws(PluginError) -> any MessageListing {
        let files = try await Blocking.run { () throws(PluginError) in try Self.files(in: mailbox.key) }
        known.withLock { known in
            if known.count > 64 { known = [:] }
            known[mailbox.key] = files
        }
        let sorted = files.sorted { $0.value.lexicographicallyPrecedes($1.value) }
        return PagedListing(sorted, page: Self.page) { files throws(PluginError) in
            try await Blocking.run { () throws(PluginError) in
                var messages: [MailMessage] = []
                for (mark, path) in files {
                    // One that is gone by now, or is no file, is none.
                    guard let file = try? LocalFile(path) else { continue }
                    messages.append(try Self.describe(mark, file))
                }
                return messages
            }
        }
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
        return try await Blocking.run { [self] () throws(PluginError) in
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
        return try await Blocking.run { () throws(PluginError) in try Self.describe(mark, file) }
    }

    func head(of message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> HeaderFields {
        let file = try await file(message.mark, in: mailbox)
        return try await Blocking.run { () throws(PluginError) in
            try LocalMessage.head { (at, count) throws(PluginError) in try file.read(at: at, count: count) }
        }
    }

    func parts(of message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> [MIMEPart] {
        let file = try await file(message.mark, in: mailbox)
        return try await Blocking.run { () throws(PluginError) in
            try LocalMessage.parts(try file.state.size) { (at, count) throws(PluginError) in
                try file.read(at: at, count: count)
            }
        }
    }

    func bytes(
        of message: MailMessage, _ part: MIMEPart?, in mailbox: Mailbox
    ) async throws(PluginError) -> any RawBytes {
        let file = try await file(message.mark, in: mailbox)
        let size = try await Blocking.run { () throws(PluginError) in try file.state.size }
        // A message is written once.
        return LocalBytes(size: size, isPinned: true) { (at, count) throws(PluginError) in
            try file.read(at: at, count: count)
        }.part(part)
    }
}
