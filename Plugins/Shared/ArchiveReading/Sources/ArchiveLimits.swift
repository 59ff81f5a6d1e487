/// Bounds on what is read of one archive.
package struct ArchiveLimits: Sendable {
    /// Members that are listed.
    package var members = 100_000
    /// Bytes that are unpacked, wanted or passed over, in one walk through the archive.
    package var unpacked: Int64 = 512 << 20
    /// How many bytes may be unpacked of each that was read, once it is more than ``freely``. Default: any number.
    package var ratio: Int64 = .max
    /// Bytes that are unpacked whatever the ratio is.
    package static let freely: Int64 = 64 << 20
    /// Bytes of one member.
    package var member = 128 << 20
    /// Bytes of a member's name; longer ones are cut.
    package var name = 4096

    /// The usual bounds.
    package init() {}
}
