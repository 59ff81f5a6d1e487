import CGIO
import FileBytes
import Glibc
import VitrineKit

/// A file of groups and keys (GLib's key file format) that only its owner can read.
///
/// It is replaced as a whole: whoever reads it sees the old one or the new one.
struct KeyFile {
    private(set) var groups: [String: [String: String]] = [:]
    private let path: String
    private static let sizeLimit = 1 << 20

    /// Reads a file; one that is not there is empty.
    /// - Throws: `forbidden` when others may read or write it, `corrupt` when it is no key file.
    init(reading path: String) throws(PluginError) {
        self.path = path
        let shown = DisplayText.of(path)
        let fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard fd >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return }
            throw PluginError(errno: errno, "'\(shown)' cannot be opened")
        }
        defer { close(fd) }
        var status = stat()
        guard fstat(fd, &status) == 0 else { throw PluginError(errno: errno, "'\(shown)' cannot be examined") }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.sizeLimit else {
            throw PluginError(.corrupt, "'\(shown)' is no file of accounts: it is no regular file, or far too large")
        }
        guard status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            throw PluginError(
                .forbidden,
                "'\(shown)' is not used, since others may read or change it: make it yours alone, with chmod 600")
        }
        let (bytes, failure) = FileBytes.read(Int(status.st_size), from: fd)
        if let failure { throw PluginError(errno: failure, "'\(shown)' cannot be read") }
        try parse(bytes)
    }

    private mutating func parse(_ bytes: [UInt8]) throws(PluginError) {
        let keys = g_key_file_new()
        defer { g_key_file_free(keys) }
        let text = String(decoding: bytes, as: UTF8.self)
        if bytes.isEmpty { return }
        guard g_key_file_load_from_data(keys, text, gsize(text.utf8.count), G_KEY_FILE_NONE, nil) != 0 else {
            throw PluginError(
                .corrupt, "'\(DisplayText.of(path))' is damaged: it is no key file; mend it, or move it away")
        }
        for group in Self.list({ g_key_file_get_groups(keys, $0) }) {
            var values: [String: String] = [:]
            for key in Self.list({ g_key_file_get_keys(keys, group, $0, nil) }) {
                guard let value = g_key_file_get_string(keys, group, key, nil) else { continue }
                defer { g_free(value) }
                values[key] = String(cString: value)
            }
            groups[group] = values
        }
    }

    subscript(group: String) -> [String: String]? {
        get { groups[group] }
        set { groups[group] = newValue }
    }

    /// Replaces the file.
    /// - Throws: what the system said; the old file is as it was then.
    func write() throws(PluginError) {
        let keys = g_key_file_new()
        defer { g_key_file_free(keys) }
        for (group, values) in groups.sorted(by: { $0.key < $1.key }) {
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                g_key_file_set_string(keys, group, key, value)
            }
        }
        var length: gsize = 0
        guard let data = g_key_file_to_data(keys, &length, nil) else {
            throw PluginError(.io, "there is no memory to write '\(DisplayText.of(path))'")
        }
        defer {
            // It may hold secrets.
            explicit_bzero(data, Int(length))
            g_free(data)
        }
        try makeFolder()
        let temporary = "\(path).\(getpid()).new"
        unlink(temporary)
        let fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard fd >= 0 else { throw failure("made beside it") }
        let written = FileBytes.write(UnsafeRawBufferPointer(start: data, count: Int(length)), to: fd)
        let failed = written ?? (fsync(fd) == 0 ? nil : errno)
        close(fd)
        if let failed {
            unlink(temporary)
            throw PluginError(errno: failed, "'\(DisplayText.of(path))' cannot be written")
        }
        guard rename(temporary, path) == 0 else {
            let error = failure("replaced")
            unlink(temporary)
            throw error
        }
    }

    private func makeFolder() throws(PluginError) {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard g_mkdir_with_parents(folder, 0o700) == 0 else { throw failure("made, nor the folder that it lies in") }
    }

    private func failure(_ what: String) -> PluginError {
        PluginError(errno: errno, "'\(DisplayText.of(path))' cannot be \(what)")
    }

    private static func list(
        _ names: (UnsafeMutablePointer<gsize>) -> UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
    ) -> [String] {
        var count: gsize = 0
        guard let list = names(&count) else { return [] }
        defer { g_strfreev(list) }
        return (0..<Int(count)).compactMap { list[$0].map { String(cString: $0) } }
    }
}
