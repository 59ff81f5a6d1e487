import Glibc
import VitrineKit

extension Entry {
    /// Takes what `stat(2)` says.
    init(_ name: [UInt8], _ status: stat) {
        let kind = Kind(mode: status.st_mode)
        self.init(
            name: name, kind: kind, size: kind == .file ? Int64(status.st_size) : nil,
            modified: Timestamp(
                seconds: Int64(status.st_mtim.tv_sec), nanoseconds: UInt32(clamping: status.st_mtim.tv_nsec)))
        identifier = UInt64(status.st_ino)
        volume = UInt64(status.st_dev)
    }

    /// Takes what `readdir(3)` says, of things that cannot be looked at: a broken mount, or a folder that may be
    /// listed but not entered.
    init(_ name: [UInt8], type: UInt8) {
        let kind: Kind =
            switch Int(type) {
            case Int(DT_REG): .file
            case Int(DT_DIR): .folder
            case Int(DT_LNK): .link
            default: .special
            }
        self.init(name: name, kind: kind)
    }
}

extension Entry.Kind {
    /// The kind that a file's mode says.
    init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        case S_IFLNK: self = .link
        default: self = .special
        }
    }
}
