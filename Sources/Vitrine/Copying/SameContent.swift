import VitrineKit

/// Finds out whether a file at the destination is what would be copied there, at as little cost as can be.
struct SameContent {
    let destination: Storage
    let abilities: WritingAbilities
    let options: CopyOptions

    /// By size and time where the destination keeps times, else by checksums, else byte by byte.
    func holds(
        _ source: any ByteSource, of item: Item, _ existing: Entry, at path: ItemPath
    ) async throws(PluginError) -> Bool {
        let entry = source.entry
        guard existing.kind == .file else { return false }
        guard let size = entry.size else { return try await bytesAgree(source, of: item, at: path) }
        guard existing.size == size else { return false }
        if size == 0 { return true }
        if !options.verifies, abilities.keepsTimes, Self.agree(entry.modified, existing.modified) { return true }
        let theirs = try await destination.checksums(of: path)
        if theirs.isEmpty { return try await bytesAgree(source, of: item, at: path) }
        let ours = try await item.storage.checksums(of: item.path)
        for one in ours {
            if let other = theirs.first(where: { $0.algorithm == one.algorithm }) { return one == other }
        }
        let digest = ContentDigest(Set(theirs.map(\.algorithm)))
        _ = try await FileReading(file: source, uri: item.uri).pieces { (piece, _) throws(PluginError) in
            digest.add(piece)
        }
        let read = digest.checksums()
        if read.isEmpty { return try await bytesAgree(source, of: item, at: path) }
        return read.contains { theirs.contains($0) }
    }

    /// Reads both, as far as they are the same.
    func bytesAgree(_ source: any ByteSource, of item: Item, at path: ItemPath) async throws(PluginError) -> Bool {
        let copy = try await destination.open(path)
        let differs = PluginError(.exists, "it is another file")
        do throws(PluginError) {
            let length = try await FileReading(file: source, uri: item.uri).pieces {
                (piece, offset) throws(PluginError) in
                guard try await copy.read(at: offset, count: piece.count) == piece else { throw differs }
            }
            return copy.entry.size == length
        } catch {
            if error == differs { return false }
            throw error
        }
    }

    /// Some storages keep whole seconds.
    private static func agree(_ one: Timestamp?, _ other: Timestamp?) -> Bool {
        guard let one, let other, one.seconds == other.seconds else { return false }
        return one.nanoseconds == other.nanoseconds || one.nanoseconds == 0 || other.nanoseconds == 0
    }
}
