import Glibc
import MIME
import VitrineKit

/// Folders of this machine, for Maildirs and folders of mbox files. Calls block.
enum LocalPlace {
    /// The path of a local source.
    static func path(of source: SourceURI) throws(PluginError) -> [UInt8] {
        guard source.authority ?? "" == "", source.path.first == UInt8(ascii: "/"), source.query == nil else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(source.text))' names no place on this machine: write \(source.scheme):///folder")
        }
        return source.path
    }

    /// All names in a folder.
    static func names(in folder: [UInt8]) throws(PluginError) -> [[UInt8]] {
        let doing = "cannot list '\(DisplayText.of(folder))'"
        guard let stream = opendir(folder.map { CChar(bitPattern: $0) } + [0]) else {
            throw PluginError(errno: errno, doing)
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw PluginError(errno: errno, doing) }
                return names
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name != [0x2E], name != [0x2E, 0x2E] else { continue }
            guard names.count < MaildirStore.most else {
                throw PluginError(.limitExceeded, "\(doing): it holds more than \(MaildirStore.most) names")
            }
            names.append(name)
        }
    }

    /// Names of the folders in a folder, links not followed, in an order that stays.
    static func folders(in folder: [UInt8]) throws(PluginError) -> [[UInt8]] {
        try names(in: folder).filter { kind(folder + [0x2F] + $0) == S_IFDIR }
            .sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// What a path is, links not followed; 0 for nothing.
    static func kind(_ path: [UInt8]) -> mode_t {
        var status = stat()
        guard lstat(path.map { CChar(bitPattern: $0) } + [0], &status) == 0 else { return 0 }
        return status.st_mode & S_IFMT
    }

    /// A mailbox's name as that of a folder.
    static func name(_ raw: ArraySlice<UInt8>) -> [UInt8] {
        let name = AttachmentNames.safe(MailboxName.decode(raw))
        return name.isEmpty ? [UInt8(ascii: "_")] : Array(name.utf8)
    }
}
