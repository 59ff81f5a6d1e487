import Glibc
public import VitrineKit

/// A folder of its own for one test, removed with all that it holds when the last reference goes.
///
/// Names inside may be any bytes, and folders may lack permissions: they are given back before removing.
public final class ScratchFolder: Sendable {
    /// Its absolute path, without a trailing slash.
    public let path: String

    /// Makes the folder in `$TMPDIR`, or `/tmp`.
    /// - Parameter label: a part of its name, for people who find it after a crash.
    /// - Throws: `PluginError` when it cannot be made.
    public init(_ label: String = "test") throws(PluginError) {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/vitrine-\(label)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw PluginError(errno: errno, "cannot make a folder in '\(base)'")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path, in: AT_FDCWD) }

    /// Removes a folder relative to an open one; what cannot be removed stays.
    private static func remove(_ name: UnsafePointer<CChar>, in parent: CInt) {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        var folder = openat(parent, name, flags)
        if folder < 0, errno == EACCES, fchmodat(parent, name, S_IRWXU, 0) == 0 {
            folder = openat(parent, name, flags)
        }
        guard folder >= 0 else { return }
        fchmod(folder, S_IRWXU)
        guard let stream = fdopendir(folder) else {
            close(folder)
            return
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) { child in
                    guard strcmp(child, ".") != 0, strcmp(child, "..") != 0 else { return }
                    if unlinkat(folder, child, 0) != 0 { remove(child, in: folder) }
                }
            }
        }
        unlinkat(parent, name, AT_REMOVEDIR)
    }
}
