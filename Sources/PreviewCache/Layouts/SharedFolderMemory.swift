import Glibc
import Synchronization
import Timing

/// Remembers for a moment whether the folder that was asked about last has thumbnails that travel with it: a run over a
/// folder asks for every file in it, and hardly any folder has some.
final class SharedFolderMemory: Sendable {
    private struct Answer {
        var folder: Substring
        var isThere: Bool
        var time: Moment
    }

    private let last = Mutex<Answer?>(nil)

    private let freshness: Duration

    /// - Parameter freshness: thumbnails that come later are found after so long.
    init(freshness: Duration = .seconds(1)) { self.freshness = freshness }

    /// Whether there may be thumbnails beside a local file.
    /// - Parameter uri: of the file.
    func mayHaveThumbnails(beside uri: String) -> Bool {
        guard let slash = uri.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
        let folder = uri[..<slash]
        let now = Moment.now
        let known = last.withLock { last in
            last.flatMap { $0.folder == folder && now - $0.time < freshness ? $0.isThere : nil }
        }
        if let known { return known }
        guard let path = SharedThumbnails.folder(beside: uri) else { return false }
        let isThere = SharedThumbnails.isOwnFolder(path)
        last.withLock { $0 = Answer(folder: folder, isThere: isThere, time: now) }
        return isThere
    }
}
