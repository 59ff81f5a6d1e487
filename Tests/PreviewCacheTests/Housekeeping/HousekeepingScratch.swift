import Foundation
import Testing
import VitrineKit

@testable import PreviewCache

/// A cache with files of the user's own beside it.
extension Scratch {
    /// A file, and the subject that it is now.
    func original(_ name: String, _ bytes: [UInt8] = [1, 2, 3]) throws -> Subject {
        try subject(of: try file("files/" + name, bytes))
    }

    func subject(of path: String) throws -> Subject {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return Subject(
            uri: SourceURI(file: path.utf8).text, modified: Timestamp(seconds: Int64(status.st_mtim.tv_sec)),
            size: Int64(status.st_size))
    }

    /// An entry of another program's.
    @discardableResult
    func foreign(_ uri: String, modified: String = "1", software: String? = "GNOME::ThumbnailFactory") throws -> String
    {
        var keys = [("Thumb::URI", uri), ("Thumb::MTime", modified)]
        if let software { keys.append(("Software", software)) }
        return try file("thumbnails/large/" + CacheKey.standard(uri) + ".png", PNGFile(keys: keys).bytes)
    }
}

/// Sets both times of a file, in seconds before now.
func age(_ path: String, by seconds: Int) {
    let moment = timespec(tv_sec: time(nil) - seconds, tv_nsec: 0)
    utimensat(AT_FDCWD, path, [moment, moment], AT_SYMLINK_NOFOLLOW)
}

/// When a file was last changed, and last read.
func times(_ path: String) -> (modified: Int, accessed: Int) {
    var status = stat()
    lstat(path, &status)
    return (status.st_mtim.tv_sec, status.st_atim.tv_sec)
}

func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
