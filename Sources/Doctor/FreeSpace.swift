import Glibc

/// Room on a file system, for this user.
public struct FreeSpace: CustomStringConvertible, Sendable {
    /// Bytes that are free.
    public let bytes: Int64

    /// - Returns: `nil` when the system does not say.
    init?(at path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize))
        self.bytes = overflow ? .max : bytes
    }

    /// Room at the nearest place above a path that is there.
    /// - Returns: `nil` when the system does not say.
    public init?(above path: String) {
        var path = path
        while access(path, F_OK) != 0, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex {
            path = String(path[..<slash])
        }
        self.init(at: path)
    }

    /// In words, in powers of 1,000.
    public var description: String { "\(Self.text(bytes)) free" }

    /// Bytes in words, in powers of 1,000.
    static func text(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1_000_000: "\(bytes / 1000) kB"
        case ..<1_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(bytes / 1_000_000_000) GB"
        }
    }
}
