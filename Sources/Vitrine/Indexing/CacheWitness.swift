import CPlatform
import Catalog
import Finishing
import Glibc
import PreviewCache
import VitrineKit

/// Notices that previews were deleted by others, such as a desktop that purges its thumbnails, without looking at each.
///
/// A folder's time tells whether a name came or went. Only then are its names read, some 40 ms for 100,000, and
/// compared with those that the catalog counts on.
struct CacheWitness {
    let cache: PreviewCache
    let catalog: Catalog

    /// Forgets the previews that are not there any more.
    /// - Parameters:
    ///   - sizes: those to look for.
    ///   - variant: what was made of them.
    /// - Returns: how many were forgotten.
    @discardableResult
    func check(_ sizes: [PreviewSize], _ variant: Variant = .standard) throws(PluginError) -> Int {
        var count = 0
        for size in sizes {
            guard variant == .standard, let name = size.standardName else { continue }
            let folder = "\(cache.folders.thumbnails)/\(name)"
            count += try check(folder, "thumbnails \(name)") { () throws(PluginError) in
                let keys = Self.keys(in: folder)
                return try catalog.forgetPreviews(size: size.pixels) { keys.contains($0) }
            }
        }
        count += try checkOwn(sizes.filter { variant != .standard || $0.standardName == nil }, variant)
        // Who deletes what is remembered of failures wants them to be tried again.
        count += try check(cache.failureFolder, "failures") { () throws(PluginError) in
            try catalog.forgetFailures { cache.remembersFailure(of: $0) }
        }
        return count
    }

    /// The same for the sizes that lie in the own store, which is a tree of folders: a microsecond for each.
    private func checkOwn(_ sizes: [PreviewSize], _ variant: Variant) throws(PluginError) -> Int {
        if sizes.isEmpty { return 0 }
        let root = cache.folders.previews
        var mark: UInt64 = 0
        Self.forEachFolder(of: root) { path, time in
            // Whatever order they come in.
            mark &+= vp_hash64(path, path.utf8.count) ^ (UInt64(bitPattern: time) &* 0x9E37_79B9_7F4A_7C15)
        }
        var keys: Set<UInt64>?
        var count = 0
        for size in sizes {
            let note = "previews \(size.pixels)" + (variant == .standard ? "" : " \(variant)")
            if mark != 0, try catalog.note(note) == Int64(bitPattern: mark) { continue }
            let known = keys ?? Self.ownKeys(in: root)
            keys = known
            count += try catalog.forgetPreviews(size: size.pixels, variant: variant.description) {
                known.contains($0)
            }
            try catalog.note(note, Int64(bitPattern: mark))
        }
        return count
    }

    private static func ownKeys(in root: String) -> Set<UInt64> {
        var keys: Set<UInt64> = []
        forEachFolder(of: root) { path, _ in keys.formUnion(Self.keys(in: path)) }
        return keys
    }

    /// Calls with each folder of the own store's second level, and its time.
    private static func forEachFolder(of root: String, _ body: (String, Int64) -> Void) {
        let digits = Array("0123456789abcdef")
        let names = digits.flatMap { first in digits.map { "\(first)\($0)" } }
        var status = stat()
        for first in names where stat("\(root)/\(first)", &status) == 0 {
            for second in names {
                let path = "\(root)/\(first)/\(second)"
                guard stat(path, &status) == 0 else { continue }
                body(path, Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
            }
        }
    }

    /// Looks into a folder if names came or went since the last time.
    private func check(
        _ folder: String, _ note: String, _ look: () throws(PluginError) -> Int
    ) throws(PluginError) -> Int {
        var status = stat()
        // What is not there holds nothing.
        let time: Int64 =
            stat(folder, &status) == 0
            ? Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec) : 0
        if time != 0, try catalog.note(note) == time { return 0 }
        let count = try look()
        // As it was before its names were read: what came later is noticed the next time.
        try catalog.note(note, time)
        return count
    }

    private static func keys(in folder: String) -> Set<UInt64> {
        var keys: Set<UInt64> = []
        guard let stream = opendir(folder) else { return keys }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            withUnsafeBytes(of: &entry.pointee.d_name) { name in
                if let key = key(name.prefix { $0 != 0 }) { keys.insert(key) }
            }
        }
        return keys
    }

    /// The first eight bytes of a name of the cache: 32 hexadecimal digits and the suffix of a format.
    static func key(_ name: some Collection<UInt8>) -> UInt64? {
        guard suffixes.contains(where: { name.dropFirst(32).elementsEqual($0) }) else { return nil }
        var key: UInt64 = 0
        for byte in name.prefix(16) {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): key = key << 4 | UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): key = key << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return key
    }

    private static let suffixes = PictureFormat.allCases.map { Array(".\($0.suffix)".utf8) }
}
