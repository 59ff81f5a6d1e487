import VitrineKit

/// One level of a mail source.
struct MailListing: AsyncSequence, Sendable {
    let backend: MailBackend
    let folder: ItemPath

    struct AsyncIterator: AsyncIteratorProtocol {
        let backend: MailBackend
        let folder: ItemPath
        private var open: Open?
        private var waiting: ArraySlice<Entry> = []
        private var isAtEnd = false
        private var isFirst = true
        /// Names of mailboxes: a message of that name is not listed beside them.
        private var taken: Set<[UInt8]> = []

        private struct Open {
            var mailbox: Mailbox
            var listing: (any MessageListing)?
        }

        private static let pageLength = 1000

        init(_ listing: MailListing) {
            backend = listing.backend
            folder = listing.folder
        }

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(PluginError) -> [Entry]? {
            while waiting.isEmpty, !isAtEnd {
                guard !Task.isCancelled else {
                    throw PluginError(.cancelled, "cannot list '\(folder)': somebody asked to stop")
                }
                guard let open else {
                    try await begin()
                    continue
                }
                guard let listing = open.listing, let messages = try await listing.next() else {
                    isAtEnd = true
                    break
                }
                backend.listed(messages, in: open.mailbox, isFirst: isFirst)
                isFirst = false
                for message in messages {
                    let (file, folder) = (MessageName.file(message), MessageName.folder(message))
                    guard !taken.contains(file.name), !taken.contains(folder.name) else { continue }
                    waiting.append(file)
                    if message.mayHaveAttachments { waiting.append(folder) }
                }
            }
            let page = Array(waiting.prefix(Self.pageLength))
            waiting = waiting.dropFirst(page.count)
            return page.isEmpty ? nil : page
        }

        private mutating func begin() async throws(PluginError) {
            // A mailbox may be new; a message is as it was listed.
            if folder.isRoot { _ = try await backend.refresh() }
            switch try await backend.place(folder, isListed: true) {
            case .mailbox(let mailbox):
                let inner = try await backend.refresh().children(of: mailbox)
                waiting = inner.map { MailPlace.mailbox($0).entry }[...]
                taken = Set(inner.compactMap(\.path.last))
                let listing = mailbox.holdsMessages ? try await backend.store.listing(of: mailbox) : nil
                open = Open(mailbox: mailbox, listing: listing)
            case .message(let message, let mailbox):
                waiting = try await backend.attachments(of: message, in: mailbox).map(\.entry)[...]
                open = Open(mailbox: mailbox)
            case .file, .attachment: throw PluginError(.notAFile, "'\(folder)' is not a folder")
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
