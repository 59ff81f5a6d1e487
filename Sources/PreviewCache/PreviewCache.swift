public import VitrineKit

/// Keeps previews on disk, under names that are computed from the item's URI.
///
/// Previews of the standard's four sizes lie where file managers look for them (freedesktop Thumbnail Managing
/// Standard 0.9); every other size, page and moment lies in a store of Vitrine's own. A caller sees no
/// difference.
///
/// A value of this type is only names: nothing is kept in memory but the room that a run has taken ahead and what was
/// asked about a folder a moment ago, which copies share, and nothing is locked but, for microseconds, the
/// account of what is stored, when ``keepsAccount`` says so. Any number of tasks,
/// and of processes, may use the same folders at once: an entry appears and changes as a whole. All calls block
/// for a few system calls on local files.
///
/// Who asks for a preview must be allowed to read the item: check that first, as the standard wants.
public struct PreviewCache: Sendable {
    /// Where the previews lie.
    public let folders: CacheFolders

    /// Whether thumbnails that travel with a folder, in `.sh_thumbnails`, are used where the user has no valid
    /// one, as far as they are sound and nobody else can change them. They are never written. Default: yes.
    public var readsSharedThumbnails = true

    /// Which pictures from inside of items will do where nobody says. Default: `auto`.
    public var embeddedUse = EmbeddedUse.auto

    /// Whether the account is kept that ``reserve(_:within:)`` decides by. Default: no.
    public var keepsAccount = false

    let standard: FreedesktopLayout
    let own: OwnLayout
    let usage: UsageFile
    let ahead = RoomAhead()
    let sharedFolders = SharedFolderMemory()
    let version: String
    let software: String
    private let reserved: [[UInt8]]

    /// Names a cache; its folders are made when something is stored.
    /// - Parameters:
    ///   - folders: where.
    ///   - version: of the program. Failures that another version met are not remembered.
    public init(folders: CacheFolders, version: String) {
        self.folders = folders
        let component = String(version.map { $0 == "/" || $0 == "\0" ? "-" : $0 })
        standard = FreedesktopLayout(root: folders.thumbnails, version: component)
        own = OwnLayout(root: folders.previews)
        usage = UsageFile(folder: folders.previews)
        self.version = component
        software = "Vitrine " + version
        let roots = [folders.thumbnails, folders.previews]
        // `vitrine` holds nothing but what Vitrine keeps; a folder of another name may be anybody's.
        let home = "/vitrine/previews"
        let homes = roots.filter { $0.hasSuffix(home) }.map { String($0.dropLast("/previews".utf8.count)) }
        reserved = Set([roots, homes].joined().flatMap { [$0, Path.resolved($0)] }).map { Array($0.utf8) }
    }

    /// Whether a local path is a thumbnail itself, or another thing that Vitrine keeps: it lies in one of the two stores,
    /// beside ours or in a `.sh_thumbnails` folder. No preview of such a file may be made, or the cache would feed on
    /// itself.
    ///
    /// Compares names only; a path that leads there over a link elsewhere is not seen, so give the path of a
    /// source with its links resolved.
    /// - Parameter path: absolute, without `.`, `..` and doubled slashes.
    public func contains(_ path: [UInt8]) -> Bool {
        reserved.contains { Self.lies(path, in: $0) } || SharedThumbnails.isOnTheWay(to: path)
    }

    /// Whether a local folder is not worth a walk: all that it holds are thumbnails or other things of Vitrine's own.
    /// Compares as ``contains(_:)`` does.
    /// - Parameter folder: absolute, without `.`, `..` and doubled slashes.
    public func isReserved(folder: [UInt8]) -> Bool {
        contains(folder)
    }

    private static func lies(_ path: [UInt8], in folder: [UInt8]) -> Bool {
        path.starts(with: folder) && (path.count == folder.count || path[folder.count] == UInt8(ascii: "/"))
    }

    /// The layout that keeps a preview, and the path of its entry.
    func entry(
        _ subject: Subject, _ size: PreviewSize, _ variant: Variant
    ) -> (layout: any CacheLayout, path: String) {
        if let path = standard.path(subject, size, variant) { return (standard, path) }
        return (own, own.place(subject, size, variant))
    }
}
