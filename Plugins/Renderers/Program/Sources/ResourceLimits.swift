internal import VitrineKit

/// Bounds on resources.
enum ResourceLimits {
    /// Bytes of one.
    static let longest = 16 << 20
    /// Entries of one table that are looked at.
    static let entries = 4096

    /// Refuses what is too long to be read.
    static func check(_ length: Int) throws(PluginError) {
        guard length <= longest else {
            throw PluginError(
                .limitExceeded, "a resource of the program has \(length) bytes; at most \(longest) are read")
        }
    }
}
