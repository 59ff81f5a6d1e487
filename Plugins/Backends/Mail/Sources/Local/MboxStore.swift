import Glibc
import MIME
import Synchronization
import Transfer
import VitrineKit

/// One mbox file, or a folder of them. A message is known by where it begins; what is written before it moves it.
final class MboxStore: MailStore {
    private let root: [UInt8]

    private static let deepest = 10
    /// How often all mailboxes were looked for; for tests.
    let searches = Atomic(0)

    init(_ source: SourceURI) async throws(PluginError) { root = try LocalPlace.path(of: source) }

    var traffic: Traffic { Traffic() }

    /// A folder is only looked at: it may be the user's whole home, of which one file was named.
    func check() async throws(PluginError) -> [Mailbox]? {
        let root = root
        return try await Blocking.run { () throws(PluginError) in
            try Self.isFile(root) ? [Self.mailbox([], at: root, followsLinks: true)] : nil
        }
    }

    /// Goes down the path, and looks at nothing beside it: a file that is no mbox is said to be none, where a list of all
    /// mailboxes would only lack it.
    func mailbox(on path: ItemPath) async throws(PluginError) -> Mailbox? {
        let root = root
        let names = path.bytes.split(separator: UInt8(ascii: "/")).map { Array($0) }
        return try await Blocking.run { () throws(PluginError) in
            guard try !Self.isFile(root) else { return nil }
            var place = root
            for (depth, name) in names.prefix(Self.deepest).enumerated() {
                guard let raw = try Self.rawName(name, in: place) else {
                    return Mailbox(path: Array(names[..<depth]), key: place, holdsMessages: false)
                }
                place += [0x2F] + raw
                if LocalPlace.kind(place) == S_IFREG {
                    return try Self.mailbox(Array(names[...depth]), at: place, followsLinks: false)
                }
            }
            return Mailbox(path: Array(names.prefix(Self.deepest)), key: place, holdsMessages: false)
        }
    }

    /// What a mailbox or a folder is called on the disk; `nil` when there is none of the name. Hidden ones are left out.
    private static func rawName(_ name: [UInt8], in folder: [UInt8]) throws(PluginError) -> [UInt8]? {
        func isThere(_ raw: [UInt8]) -> Bool {
            raw.first != UInt8(ascii: ".") && [S_IFREG, S_IFDIR].contains(LocalPlace.kind(folder + [0x2F] + raw))
        }
        if LocalPlace.name(name[...]) == name, isThere(name) { return name }
        return try LocalPlace.names(in: folder).sorted { $0.lexicographicallyPrecedes($1) }
            .first { LocalPlace.name($0[...]) == name && isThere($0) }
    }

    private static func isFile(_ path: [UInt8]) throws(PluginError) -> Bool {
        var status = stat()
        guard stat(path.map { CChar(bitPattern: $0) } + [0], &status) == 0 else {
            throw PluginError(errno: errno, "cannot look at '\(DisplayText.of(path))'")
        }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// A file that somebody named, which is to be an mbox file, or empty.
    private static func mailbox(
        _ path: [[UInt8]], at place: [UInt8], followsLinks: Bool
    ) throws(PluginError) -> Mailbox {
        let file = try LocalFile(place, followsLinks: followsLinks)
        let isEmpty = try file.state.size == 0
        let isMbox = try Self.isMbox(file)
        guard isEmpty || isMbox else {
            throw PluginError(
                .notAFile,
                "'\(DisplayText.of(place))' is no mbox file: it does not begin with a line 'From sender date'")
        }
        return Mailbox(path: path, key: place)
    }

    func mailboxes() async throws(PluginError) -> [Mailbox] {
        let root = root
        return try await Blocking.run { () throws(PluginError) in
            if try Self.isFile(root) { return [try Self.mailbox([], at: root, followsLinks: true)] }
            self.searches.add(1, ordering: .relaxed)
            var found: [Mailbox] = []
            try Self.find(root, [], 0, &found)
            return found
        }
    }

    private static func isMbox(_ file: LocalFile) throws(PluginError) -> Bool {
        MailboxLine.length(try file.read(at: 0, count: MailboxLine.longest)[...]) != nil
    }

    private static func find(
        _ folder: [UInt8], _ path: [[UInt8]], _ depth: Int, _ found: inout [Mailbox]
    ) throws(PluginError) {
        for name in try LocalPlace.names(in: folder).sorted(by: { $0.lexicographicallyPrecedes($1) })
        where name.first != UInt8(ascii: ".") {
            guard found.count < MailboxTree.most else { return }
            let place = folder + [0x2F] + name
            let inner = path + [LocalPlace.name(name[...])]
            switch LocalPlace.kind(place) {
            case S_IFDIR where depth < deepest: try find(place, inner, depth + 1, &found)
            case S_IFREG:
                if let file = try? LocalFile(place), try isMbox(file) { found.append(Mailbox(path: inner, key: place)) }
            default: break
            }
        }
    }

    func listing(of mailbox: Mailbox) async throws(PluginError) -> any MessageListing {
        let root = root
        return try await Blocking.run { () throws(PluginError) in
            try Listing(LocalFile(mailbox.key, followsLinks: mailbox.key == root))
        }
    }

    private final class Listing: MessageListing {
        private let file: LocalFile
        private let scan: Mutex<MboxScan>
        private static let page = 200

        init(_ file: LocalFile) throws(PluginError) {
            self.file = file
            scan = Mutex(try MboxScan(file))
        }

        func next() async throws(PluginError) -> [MailMessage]? {
            try await Blocking.run { [self] () throws(PluginError) in
                var messages: [MailMessage] = []
                while messages.count < Self.page {
                    let place = try scan.withLock { (scan) throws(PluginError) in try scan.next() }
                    guard let place else { break }
                    messages.append(try MboxStore.describe(file, place))
                }
                return messages.isEmpty ? nil : messages
            }
        }
    }

    private static func describe(_ file: LocalFile, _ place: MboxScan.Place) throws(PluginError) -> MailMessage {
        let length = place.end - place.begin
        let head = try LocalMessage.head { (at, count) throws(PluginError) in
            guard at < length else { return [] }
            return try file.read(at: place.begin + at, count: Int(min(Int64(count), length - at)))
        }
        // The line and the beginning of the head say whether it is the message that was there.
        let beginning = try file.read(at: place.line, count: Int(min(2048, place.end - place.line)))
        let print = StableMark.of(beginning.map { String($0, radix: 16) }.joined(separator: "."), letters: 13)
        return MailMessage(
            mark: String(place.line), head: head, date: nil, size: nil, etag: "\(place.line)-\(length)-\(print)")
    }

    /// The message that begins at a place.
    private func open(
        _ mark: String, in mailbox: Mailbox
    ) async throws(PluginError) -> (LocalFile, MboxScan.Place, MailMessage) {
        let root = root
        return try await Blocking.run { () throws(PluginError) in
            let missing = PluginError(.notFound, "\(mailbox.shown) has no message at \(mark) any more")
            guard let offset = Int64(mark), offset >= 0, String(offset) == mark else { throw missing }
            let file = try LocalFile(mailbox.key, followsLinks: mailbox.key == root)
            let before = offset == 0 ? [0x0A] : try file.read(at: offset - 1, count: 1)
            guard before == [0x0A], offset < (try file.state.size) else { throw missing }
            var scan = try MboxScan(file, from: offset)
            guard let place = try scan.next() else { throw missing }
            return (file, place, try Self.describe(file, place))
        }
    }

    func message(_ mark: String, in mailbox: Mailbox) async throws(PluginError) -> MailMessage {
        try await open(mark, in: mailbox).2
    }

    /// The message that was listed, or that none is there any more.
    private func same(_ message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> MboxMessage {
        let (file, place, now) = try await open(message.mark, in: mailbox)
        guard now.etag == message.etag else {
            throw PluginError(.changed, "\(mailbox.shown) was changed: another message is at \(message.mark) by now")
        }
        return try await Blocking.run { () throws(PluginError) in try MboxMessage(file, place) }
    }

    func head(of message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> HeaderFields {
        let same = try await same(message, in: mailbox)
        return try await Blocking.run { () throws(PluginError) in
            try LocalMessage.head { (at, count) throws(PluginError) in try same.read(at: at, count: count) }
        }
    }

    func parts(of message: MailMessage, in mailbox: Mailbox) async throws(PluginError) -> [MIMEPart] {
        let same = try await same(message, in: mailbox)
        return try await Blocking.run { () throws(PluginError) in
            try LocalMessage.parts(same.size) { (at, count) throws(PluginError) in try same.read(at: at, count: count) }
        }
    }

    func bytes(
        of message: MailMessage, _ part: MIMEPart?, in mailbox: Mailbox
    ) async throws(PluginError) -> any RawBytes {
        let same = try await same(message, in: mailbox)
        let file = same.file
        let before = try await Blocking.run { () throws(PluginError) in try file.state }
        // Programs write such a file anew in its place: then nothing is where it was.
        return LocalBytes(size: same.size, isPinned: false) { (at, count) throws(PluginError) in
            let bytes = try same.read(at: at, count: count)
            let now = try file.state
            if now == before { return bytes }
            let etag = try Self.describe(file, same.place).etag
            guard now.size >= before.size, etag == message.etag else {
                throw PluginError(.changed, "the message was changed while it was read")
            }
            return bytes
        }.part(part)
    }
}
