import Dispatch
import Glibc
public import Library
import PlaceNames
public import VitrineKit

extension UserLibrary {
    /// What came of putting an item into a collection.
    public struct Addition: Sendable {
        /// The URI that is in the collection now: the item's own, or that of its copy.
        public var uri: String
        /// Whether it was not there before.
        public var isNew: Bool
    }

    /// Puts a file into a collection. A local one is referred to, any other is copied into the collection's folder.
    /// - Parameters:
    ///   - uri: the file.
    ///   - collection: the collection's name.
    ///   - copies: copies local files, too. Default: no.
    /// - Throws: `notFound` for a collection or file that is not there, `notAFile`, `noSpace`, `forbidden` when the library can
    ///   only be read, `changed` when the file changed while it was copied, `cancelled`, and what its storage says. No part of
    ///   a copy is left then.
    public func add(
        _ uri: SourceURI, to collection: String, copies: Bool = false
    ) async throws(PluginError) -> Addition {
        if let present = try present(uri.text, in: collection, copies: copies) { return present }
        let location = try ItemLocation(item: uri)
        let storage = try await storages.storage(for: location.source, BackendSettings())
        return try await add(location.path, of: storage, to: collection, copies: copies)
    }

    /// The same for an item that only a pipeline reaches, as a member of an archive, which its workers unpack.
    public func add(
        _ uri: SourceURI, to collection: String, through pipeline: PreviewPipeline
    ) async throws(PluginError) -> Addition {
        if let present = try present(uri.text, in: collection) { return present }
        let location = try ItemLocation(item: uri)
        let storage = try await pipeline.storages.storage(for: location.source, BackendSettings())
        return try await add(location.path, of: storage, to: collection)
    }

    /// The same for an item of a storage that is connected to already.
    public func add(
        _ path: ItemPath, of storage: Storage, to collection: String, copies: Bool = false
    ) async throws(PluginError) -> Addition {
        let uri = storage.source.appending(path)
        let name = try library.collection(named: collection).name
        if let present = try present(uri, in: name, copies: copies) { return present }
        guard copies || storage.source.scheme != "file" else {
            let entry = try await storage.stat(path)
            guard entry.kind == .file else {
                throw PluginError(
                    .notAFile, "'\(PlaceName.of(uri))' is no regular file; a collection holds files, name those")
            }
            return Addition(uri: uri, isNew: try library.add(uri, to: name))
        }
        let copy = try await copy(path, of: storage, to: name)
        var placed: String?
        do throws(PluginError) {
            // It makes room for the new one, not before that is there.
            if let old = try library.item(uri, in: name), try isDeletedCopy(old, in: name) {
                _ = try library.remove(old.uri, from: name)
            }
            let item = try library.addCopy(of: uri, to: name) { () throws(PluginError) in
                let final = try copy.place(CollectionFileName(path.name))
                placed = final
                return SourceURI(file: final.utf8).text
            }
            // Somebody else may have copied the same item in the meantime.
            return Addition(uri: item.uri, isNew: placed != nil)
        } catch {
            if let placed { unlink(placed) }
            throw error
        }
    }

    /// What is in a collection already. Where nothing can be added, what is not is refused before a storage is connected to.
    /// A copy that somebody deleted is not there.
    /// - Parameter copies: whether a copy of a local file is wanted. Default: no.
    /// - Throws: `exists` when the file itself is in the collection and a copy of it is wanted.
    private func present(_ uri: String, in collection: String, copies: Bool = false) throws(PluginError) -> Addition? {
        guard let item = try library.item(uri, in: collection) else {
            try library.checkCanChange()
            return nil
        }
        if item.origin == nil, copies, item.uri == uri {
            throw PluginError(
                .exists,
                "'\(PlaceName.of(uri))' itself is in '\(DisplayText.of(collection))' already; 'vitrine collection remove' "
                    + "takes it out, and then a copy can be added")
        }
        if try isDeletedCopy(item, in: collection), copies || !uri.hasPrefix("file:") {
            try library.checkCanChange()
            return nil
        }
        return Addition(uri: item.uri, isNew: false)
    }

    /// Whether an item is a copy of which nothing is left in its collection's folder. What lies on a disk that is away is.
    private func isDeletedCopy(_ item: CollectedItem, in collection: String) throws(PluginError) -> Bool {
        let path = try SourceURI(item.uri).path
        let folder = library.place.folder(of: try library.collection(named: collection).name)
        guard item.origin != nil, path.starts(with: (folder + "/").utf8), access(folder, F_OK) == 0 else {
            return false
        }
        return access(path.map { CChar(bitPattern: $0) } + [0], F_OK) != 0 && errno == ENOENT
    }

    /// Deletes the copy of an item that was taken out of a collection, and the collection's folder once it is empty.
    /// - Returns: whether there was a copy.
    /// - Throws: what the system says when it cannot be deleted.
    @discardableResult
    public func deleteCopy(of item: CollectedItem, in collection: String) throws(PluginError) -> Bool {
        guard item.origin != nil else { return false }
        let folder = library.place.folder(of: collection)
        let path = try SourceURI(item.uri).path
        // A copy that was moved elsewhere has become a file like any other.
        guard path.starts(with: (folder + "/").utf8) else { return false }
        let name = path.map { CChar(bitPattern: $0) } + [0]
        guard unlink(name) == 0 || errno == ENOENT else {
            throw PluginError(errno: errno, "cannot delete the copy '\(DisplayText.of(path))'")
        }
        rmdir(folder)
        return true
    }

    /// Copies an item into a file that has no name yet.
    private func copy(
        _ path: ItemPath, of storage: Storage, to collection: String
    ) async throws(PluginError) -> CollectionFile {
        let uri = storage.source.appending(path)
        let source = try await storage.open(path)
        let folder = library.place.folder(of: collection)
        let size = source.entry.size
        let file = try await Self.blocking { () throws(PluginError) in
            let file = try CollectionFile(in: folder)
            try file.check(room: size ?? 0)
            return file
        }
        let clock = ContinuousClock()
        var told = clock.now - Self.pause
        let done = try await FileReading(file: source, uri: uri).pieces { (piece, offset) throws(PluginError) in
            if clock.now - told >= Self.pause {
                told = clock.now
                hub.send(.copying(uri: uri, collection: collection, bytes: offset, of: size))
            }
            try await Self.blocking { () throws(PluginError) in
                try file.check(room: Int64(piece.count))
                try file.write(piece)
            }
        }
        try await Self.blocking { () throws(PluginError) in try file.flush() }
        hub.send(.copying(uri: uri, collection: collection, bytes: done, of: size ?? done))
        return file
    }

    /// Between two events of one copy.
    private static let pause = Duration.milliseconds(100)
    private static let queue = DispatchQueue(label: "vitrine.library.copy", attributes: .concurrent)

    /// Runs what waits for the disk on a thread that may wait.
    private static func blocking<Answer: Sendable>(
        _ body: @escaping @Sendable () throws(PluginError) -> Answer
    ) async throws(PluginError) -> Answer {
        let result = await withCheckedContinuation { continuation in
            queue.async {
                let result: Result<Answer, PluginError>
                do throws(PluginError) { result = .success(try body()) } catch { result = .failure(error) }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
