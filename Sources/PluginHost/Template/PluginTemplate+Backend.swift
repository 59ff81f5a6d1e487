extension PluginTemplate {
    /// A backend that keeps its files in memory, complete enough to be changed into a real one.
    var backend: String {
        """
        import VitrineKit

        /// Serves a few files that it keeps in memory, as `\(id):///`.
        public struct \(type): StorageBackend {
            private struct Node {
                var entry: Entry
                var content: [UInt8]
            }

            /// The source's folder in the storage: `\(id):///pictures` points at a part of it.
            private let root: ItemPath
            /// Everything in the storage, by its place there.
            private var nodes: [ItemPath: Node] = [:]

            /// Connects to a source; a real one would log in here, with what `settings.values` holds.
            public init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
                let slash = UInt8(ascii: "/")
                root = try ItemPath(source.path.split(separator: slash).joined(separator: [slash]))
                put(try ItemPath("pictures"), content: nil)
                put(try ItemPath("pictures/first.ppm"), content: Array("P3 2 1 255 255 0 0 0 0 255\\n".utf8))
                guard try node(.root).entry.kind == .folder else {
                    throw PluginError(.notAFile, "'\\(source)' is a file, not a folder")
                }
            }

            /// Makes a source that holds these files and folders; `nil` is a folder.
            init(_ contents: [(path: ItemPath, content: [UInt8]?)]) {
                root = .root
                for node in contents { put(node.path, content: node.content) }
            }

            private mutating func put(_ path: ItemPath, content: [UInt8]?) {
                var entry = Entry(name: path.name, kind: content == nil ? .folder : .file)
                entry.size = content.map { Int64($0.count) }
                entry.modified = Timestamp(seconds: 1_700_000_000)
                nodes[path] = Node(entry: entry, content: content ?? [])
            }

            /// Lists one level of a folder.
            public func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
                Listing(backend: self, folder: folder)
            }

            /// What a path is.
            public func stat(_ path: ItemPath) async throws(PluginError) -> Entry { try node(path).entry }

            /// Opens a file.
            public func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
                let node = try node(path)
                guard node.entry.kind == .file else { throw PluginError(.notAFile, "'\\(path)' is a folder, not a file") }
                return OpenFile(entry: node.entry, content: node.content)
            }

            private func node(_ path: ItemPath) throws(PluginError) -> Node {
                let place = try place(of: path)
                if place.isRoot { return Node(entry: Entry(name: [], kind: .folder), content: []) }
                guard let node = nodes[place] else { throw PluginError(.notFound, "there is no '\\(place)'") }
                return node
            }

            /// Where a path of the source lies in the storage.
            private func place(of path: ItemPath) throws(PluginError) -> ItemPath {
                if root.isRoot || path.isRoot { return try ItemPath(root.bytes + path.bytes) }
                return try ItemPath(root.bytes + [UInt8(ascii: "/")] + path.bytes)
            }

            private func children(of folder: ItemPath) throws(PluginError) -> [Entry] {
                guard try node(folder).entry.kind == .folder else {
                    throw PluginError(.notAFile, "'\\(folder)' is a file, not a folder")
                }
                let place = try place(of: folder)
                return nodes.filter { $0.key.parent == place }.map(\\.value.entry)
            }

            /// The entries of a folder, in pages of at most 1000.
            private struct Listing: AsyncSequence, Sendable {
                let backend: \(type)
                let folder: ItemPath

                func makeAsyncIterator() -> Iterator { Iterator(listing: self) }

                struct Iterator: AsyncIteratorProtocol {
                    let listing: Listing
                    /// What is still to come; `nil` before the first page.
                    var rest: ArraySlice<Entry>?

                    mutating func next(
                        isolation actor: isolated (any Actor)? = #isolation
                    ) async throws(PluginError) -> [Entry]? {
                        guard !Task.isCancelled else { throw PluginError(.cancelled, "the listing was stopped") }
                        let entries = if let rest { rest } else { try listing.backend.children(of: listing.folder)[...] }
                        rest = entries.dropFirst(1000)
                        return entries.isEmpty ? nil : Array(entries.prefix(1000))
                    }
                }
            }

            /// A file that is being read.
            private struct OpenFile: ByteSource {
                let entry: Entry
                let content: [UInt8]

                func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
                    try checkRange(at: offset, count: count)
                    return Array(content.dropFirst(Int(clamping: offset)).prefix(count))
                }

                func current() async throws(PluginError) -> Entry { entry }
            }
        }

        """
    }

    /// One call into the backends' contract.
    var backendTests: String {
        """
        import Testing
        import VitrineKit
        import VitrineTesting

        @testable import \(type)

        @Suite struct \(type)Tests {
            @Test func conforms() async {
                let suite = BackendConformance { sample in
                    \(type)(sample.nodes.map { (path: $0.path, content: $0.content) })
                }
                let violations = await suite.violations()
                #expect(violations == [])
            }
        }

        """
    }
}
