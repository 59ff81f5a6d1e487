import VitrineKit

/// The mailboxes of a source as a tree.
struct MailboxTree: Sendable {
    private var boxes: [[[UInt8]]: Mailbox] = [:]
    private var inner: [[[UInt8]]: [Mailbox]] = [:]

    /// More than any user has.
    static let most = 10_000

    /// Takes what a storage tells. A mailbox in another one that the storage does not name lies in a plain folder; of two
    /// of one name the first counts.
    init(_ mailboxes: [Mailbox]) {
        boxes[[]] = Mailbox(path: [], key: [], holdsMessages: false)
        for mailbox in mailboxes.prefix(Self.most) {
            guard mailbox.path.count <= 32, boxes[mailbox.path]?.holdsMessages != true else { continue }
            let isNew = boxes[mailbox.path] == nil
            boxes[mailbox.path] = mailbox
            guard isNew else { continue }
            var path = mailbox.path
            while let name = path.last {
                let child = boxes[path] ?? Mailbox(path: path, key: [], holdsMessages: false)
                boxes[path] = child
                path.removeLast()
                let isKnown = inner[path]?.contains { $0.path.last == name } ?? false
                if !isKnown { inner[path, default: []].append(child) }
            }
        }
    }

    /// All of them that hold messages.
    var all: [Mailbox] {
        boxes.values.filter(\.holdsMessages).sorted {
            $0.path.lexicographicallyPrecedes($1.path, by: { $0.lexicographicallyPrecedes($1) })
        }
    }

    /// The mailboxes inside of one.
    func children(of mailbox: Mailbox) -> [Mailbox] { inner[mailbox.path] ?? [] }

    /// The mailbox that a path leads into, and what is left of the path.
    func find(_ path: ItemPath) -> (mailbox: Mailbox, rest: ArraySlice<[UInt8]>)? {
        let names = path.bytes.split(separator: UInt8(ascii: "/")).map { Array($0) }
        for count in (0...min(names.count, 32)).reversed() {
            if let mailbox = boxes[Array(names[..<count])] { return (mailbox, names[count...]) }
        }
        return nil
    }
}
