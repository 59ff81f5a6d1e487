import Glibc
import VitrineKit

/// Thumbnails that travel with a folder, read-only: `<folder>/.sh_thumbnails/<size>/<MD5 of "./name">.png`.
enum SharedThumbnails {
    /// The folder's name.
    static let folder = Array(".sh_thumbnails".utf8)

    /// Whether a component of a path has the folder's name.
    static func isOnTheWay(to path: [UInt8]) -> Bool {
        var start = 0
        while start < path.count {
            let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
            if end - start == folder.count, path[start..<end].elementsEqual(folder) { return true }
            start = end + 1
        }
        return false
    }

    /// Whether a path is a folder in which nobody but the user, or root, can put one file in the place of another. A link is
    /// none: it leads wherever somebody wants who is not the user.
    static func isOwnFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && (status.st_uid == geteuid() || status.st_uid == 0) && !LinkedFolder.isOpenToOthers(status)
    }

    /// The entry that may lie beside a local file, and the URI that it holds.
    /// - Returns: `nil` when the item is not a local file, or its path is not UTF-8 and so not text.
    static func entry(_ uri: String, _ size: PreviewSize, _ variant: Variant) -> (path: String, uri: String)? {
        guard variant == .standard, let flavour = size.standardName, let folder = folder(beside: uri),
            let slash = uri.utf8.lastIndex(of: UInt8(ascii: "/"))
        else { return nil }
        let relative = "." + uri[slash...]
        return ("\(folder)/\(flavour)/\(CacheKey.standard(relative)).png", relative)
    }

    /// The folder of thumbnails that may lie beside a local file.
    /// - Returns: `nil` as ``entry(_:_:_:)`` does.
    static func folder(beside uri: String) -> String? {
        guard uri.hasPrefix("file:///"), let slash = uri.utf8.lastIndex(of: UInt8(ascii: "/")),
            let parent = PercentEncoding.decode(uri[..<slash].dropFirst("file://".utf8.count)),
            let path = String(validating: parent, as: UTF8.self)
        else { return nil }
        return path + "/.sh_thumbnails"
    }
}
