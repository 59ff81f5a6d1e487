internal import COffice
internal import PrivateCopies
internal import VitrineKit

extension ZipWriter {
    /// Adds a file as it is.
    mutating func add(_ name: String, _ bytes: [UInt8]) throws(PluginError) {
        try add(name, bytes, checksum: Int(crc32(0, bytes, CUnsignedInt(bytes.count))))
    }
}
