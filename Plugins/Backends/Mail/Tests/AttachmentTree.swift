import MIME
import MailBackend
import TestServers
import Testing
import VitrineKit
import VitrineTesting

/// Shows a mailbox as the tree of ``BackendSample``, which no mailbox can be: each folder of the sample is a message, whose
/// attachments are the folder's files. All else is asked of the backend.
struct AttachmentTree: StorageBackend {
    private let backend: any StorageBackend
    /// Where the attachments of each folder are; `nil` for a folder without files.
    private let places: [ItemPath: ItemPath?]

    init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        throw PluginError(.unsupported, "it is made of a backend")
    }

    /// Finds the sample's messages.
    init(_ backend: any StorageBackend, _ sample: BackendSample) async throws(PluginError) {
        self.backend = backend
        var places: [ItemPath: ItemPath?] = [.root: nil]
        for node in sample.nodes where node.content == nil { places[node.path] = .some(nil) }
        let folders = Array(places.keys)
        for try await page in backend.list(.root) {
            for entry in page where entry.kind == .folder {
                let name = String(decoding: entry.name, as: UTF8.self)
                for folder in folders where name.contains(" " + Self.subject(folder) + " (") {
                    places[folder] = try ItemPath(entry.name)
                }
            }
        }
        self.places = places
    }

    /// Whether the one message of a mailbox can be opened by itself, with the attachment `a.pdf` that it has.
    static func isReached(
        from mailbox: String, _ connect: (String) async throws(PluginError) -> MailBackend
    ) async throws {
        let names = try await Tree.of(try await connect(mailbox))
        let name = try #require(names.first { !$0.hasSuffix(".eml") })
        let folder = try SourceURI(mailbox).appending(ItemPath(name))
        // Only in the name: a port may have these digits, too.
        let other = try SourceURI(mailbox).appending(ItemPath(name.replacing("50", with: "60")))
        let message = try await connect(folder)
        #expect(try await Tree.of(message) == ["a.pdf"])
        let root = try await message.stat(.root)
        #expect(root.kind == .folder && root.name.isEmpty)
        let path = try ItemPath("a.pdf")
        for file in [
            try await message.open(path), try await message.open(path, listedAs: try await message.stat(path)),
        ] {
            #expect(try await file.read(at: 0, count: 99) == Array("%PDF one".utf8))
        }
        let codes: [(String, PluginError.Code)] = [
            (folder + ".eml", .notAFile), (other, .notFound),
        ]
        for (uri, code) in codes {
            await #expect("\(uri)") { _ = try await connect(uri) } throws: {
                // Of POP3 any path is said to be none.
                let found = ($0 as? PluginError)?.code
                return found == code || mailbox.hasPrefix("pop3") && found == .invalidArgument
            }
        }
    }

    static func subject(_ folder: ItemPath) -> String {
        "folder " + folder.bytes.map { String($0) }.joined(separator: "-") + "."
    }

    /// The messages of the sample.
    static func messages(_ sample: BackendSample, end: String = "\n") -> [[UInt8]] {
        let folders = [ItemPath.root] + sample.nodes.filter { $0.content == nil }.map(\.path)
        return folders.map { folder in
            let files = sample.nodes.compactMap { node -> MailSample.File? in
                guard node.path.parent == folder, let content = node.content else { return nil }
                return MailSample.File(node.path.name, content)
            }
            return MailSample.message(subject: subject(folder), files: files, end: end)
        }
    }

    /// Names that attachments do not have.
    static func leavesOut(_ name: [UInt8]) -> Bool {
        let text = String(decoding: name, as: UTF8.self)
        return !AttachmentNames.safe(text).utf8.elementsEqual(text.utf8)
    }

    /// The attachment that a file of the sample is.
    private func real(_ path: ItemPath) throws(PluginError) -> ItemPath {
        guard let parent = path.parent else { return path }
        if let known = places[path] { return known ?? path }
        if let known = places[parent], let place = known { return try place.appending(path.name) }
        return path
    }

    func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        let inner = places.keys.filter { $0.parent == folder && !$0.isRoot }.map { Entry(name: $0.name, kind: .folder) }
        let place = places[folder].map { $0 } ?? (try? real(folder))
        return Pages(first: inner, rest: place.map { backend.list($0) }, isKnown: places[folder] != nil)
    }

    func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
        if places[path] != nil { return Entry(name: path.name, kind: .folder) }
        return try await backend.stat(try real(path))
    }

    func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        if let known = places[path] { return try await backend.open(known ?? .root) }
        return try await backend.open(try real(path))
    }

    private struct Pages: AsyncSequence, Sendable {
        let first: [Entry]
        let rest: (any AsyncSequence<[Entry], PluginError> & Sendable)?
        let isKnown: Bool

        struct AsyncIterator: AsyncIteratorProtocol {
            var first: [Entry]?
            var rest: (any AsyncIteratorProtocol<[Entry], PluginError>)?

            mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(PluginError)
                -> [Entry]?
            {
                if let page = first {
                    first = nil
                    if !page.isEmpty { return page }
                }
                return try await rest?.next(isolation: actor)
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(first: first, rest: rest?.makeAsyncIterator()) }
    }
}
