package import VitrineKit

/// One file or folder of an archive.
package struct ArchiveMember: Sendable {
    /// Its path as it stands in the archive: never used to open anything. Bytes that are no UTF-8 are kept.
    package var name: [UInt8]
    /// Bytes when unpacked, where the archive says so; not to be believed.
    package var size: Int64?
    /// Whether it has content of its own: neither a folder nor a link nor a device.
    package var isFile: Bool
    /// Whether it is a folder.
    package var isFolder: Bool
    /// Whether a password is needed for its content.
    package var isEncrypted: Bool
    /// Whether it stands for another file: a symbolic link, or a second name of one.
    package var isLink = false
    /// When its content last changed. Zip files without Unix times have those of some time zone, which are taken for UTC.
    package var modified: Timestamp?
    /// The CRC-32 of its content, where the list has one.
    package var checksum: UInt32?
    /// Bytes of the archive from its header to the end of its content, about, where these are known to be in one piece.
    package var packed: Int64?

    /// Whether its content is reached without unpacking what stands before it.
    package var isApart: Bool {
        if case .number = place { return false }
        return true
    }

    /// Where its content is found again.
    var place: Place

    enum Place: Sendable {
        /// Its number among all members, from the first on.
        case number(Int)
        /// The offset of its local header in a zip file.
        case offset(Int64)
        /// The offset of its first header in a tar file that is not packed.
        case header(Int64)
    }
}

extension ArchiveMember {
    /// A file that is only told of, in a list that is no archive: it has no content to be read.
    package init(fileNamed name: [UInt8], size: Int64?) {
        self.init(name: name, size: size, isFile: true, isFolder: false, isEncrypted: false, place: .number(0))
    }
}
