import CPlatform
import VitrineKit

/// Sources that lie in the one that is walked, and have their own turn.
struct InnerSources: Sendable {
    /// Where they lie.
    let paths: Set<ItemPath>
    /// For each folder that leads to some of them, a mark of these.
    private let marks: [ItemPath: UInt64]

    /// - Parameters:
    ///   - uris: sources of the same run; those that lie elsewhere do not count.
    ///   - source: the source that is walked.
    init(_ uris: Set<String>, in source: SourceURI) {
        var paths: Set<ItemPath> = []
        var texts: [ItemPath: String] = [:]
        for uri in uris.sorted() {
            guard let inner = try? SourceURI(uri), let path = inner.path(below: source), !path.isRoot else { continue }
            paths.insert(path)
            var above = path.parent
            while let folder = above {
                texts[folder, default: ""] += uri + "\n"
                above = folder.parent
            }
        }
        self.paths = paths
        marks = texts.mapValues { vp_hash64($0, $0.utf8.count) }
    }

    /// A number that stays the same as long as the same sources lie below a folder; 0 when there is none. What one of
    /// them leaves of the folder counts again when it is no source any more, so that the folder has to be listed again.
    func mark(of folder: ItemPath) -> UInt64 { marks.isEmpty ? 0 : marks[folder] ?? 0 }
}

extension ItemPath {
    /// This path as it is seen from above a folder that it lies in; `nil` when that cannot be.
    func placed(below folder: ItemPath) -> ItemPath? {
        if folder.isRoot { return self }
        return try? ItemPath(isRoot ? folder.bytes : folder.bytes + [UInt8(ascii: "/")] + bytes)
    }
}
