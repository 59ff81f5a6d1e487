public import Catalog
import Finishing
import Glibc
public import PreviewCache
public import VitrineKit

/// Files that are not where they were. Their previews are kept for a while: they may come back, as those of a disk do
/// that was not plugged in, or turn up at another place.
public struct VanishedItems: Sendable {
    /// How long, in seconds: a week.
    public static let graceTime: Int64 = 7 * 86_400

    private let catalog: Catalog
    private let cache: PreviewCache

    /// Those that a catalog knows, and the cache that has their previews.
    public init(_ catalog: Catalog, _ cache: PreviewCache) {
        self.catalog = catalog
        self.cache = cache
    }

    /// Deletes the previews of those whose time is over. Every run does it at its end.
    /// - Returns: how many files there were.
    /// - Throws: what is wrong with the catalog.
    @discardableResult
    public func remove() throws(PluginError) -> Int {
        try catalog.takeVanished(before: Int64(time(nil)) - Self.graceTime) { source, items in
            guard let root = try? SourceURI(source) else { return }
            for item in items { cache.remove(item, in: root) }
        }
    }

    /// Keeps a collection from taking the previews of the others for orphans, and those of files of sources that could
    /// not be reached when they were last looked at, or whose disk is not mounted now.
    public func spare(in options: inout CollectionOptions) throws(PluginError) {
        options.absent += try catalog.sources().filter { $0.state == .absent }.map(\.uri)
        for (source, folder) in try catalog.mountPoints() {
            guard let root = try? SourceURI(source), root.scheme == "file" else { continue }
            let slash = root.path.last == UInt8(ascii: "/") || folder.isRoot ? [] : [UInt8(ascii: "/")]
            let path = root.path + slash + folder.bytes
            // Of what lies on a server nothing is taken for deleted, and asking might take for ever.
            if !PreviewCache.isOnServer(path), !FileSystemRoot.isMountPoint(path) {
                options.absent.append(root.appending(folder))
            }
        }
        let keys = try catalog.vanishedPreviews()
        options.isSpared = { name in CacheWitness.key(name.utf8).map(keys.contains) == true }
    }
}

extension PreviewCache {
    /// Deletes what there is of an item: previews, and the memory of a failure.
    func remove(_ item: RemovedItem, in root: SourceURI) {
        let uri = root.appending(item.path)
        for preview in item.previews { remove(preview, of: uri) }
        forgetFailure(of: uri)
    }

    /// Deletes a preview that the catalog knew of.
    func remove(_ preview: PreviewRecord, of uri: String) {
        guard let size = try? PreviewSize(pixels: preview.size), let variant = Variant(key: preview.variant) else {
            return
        }
        remove(Subject(uri: uri, modified: nil), size: size, variant: variant)
    }
}

extension Variant {
    /// Reads what ``description`` writes; `nil` for anything else.
    init?(key: String) {
        var (page, time): (Int?, Double?) = (nil, nil)
        var words: [Substring] = []
        for part in key.split(separator: ",") {
            if part.hasPrefix("page="), let number = Int(part.dropFirst(5)) {
                page = number
            } else if part.hasPrefix("ms="), let milliseconds = Int64(part.dropFirst(3)) {
                time = Double(milliseconds) / 1000
            } else {
                words.append(part)
            }
        }
        guard let variant = try? Variant(page: page, time: time), let finish = Finish(key: words.joined(separator: ","))
        else { return nil }
        self = variant
        self.finish = finish
    }
}
