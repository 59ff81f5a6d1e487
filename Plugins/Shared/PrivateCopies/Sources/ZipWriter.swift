package import VitrineKit

/// Writes a zip archive, one file after the other, with sizes of 32 bits (APPNOTE 4.3).
package struct ZipWriter {
    private var list: [UInt8] = []
    private var offset = 0
    private var count = 0
    private let write: ([UInt8]) throws(PluginError) -> Void

    /// - Parameter write: gets what is to be written, piece by piece.
    package init(write: @escaping ([UInt8]) throws(PluginError) -> Void) { self.write = write }

    /// Adds a file as it is.
    /// - Parameter checksum: CRC-32 of the bytes.
    package mutating func add(_ name: String, _ bytes: [UInt8], checksum: Int) throws(PluginError) {
        try begin(name, isStored: true, checksum: checksum, packedSize: bytes.count, size: bytes.count)
        try write(bytes)
    }

    /// Begins a file whose bytes come next, as many as it has packed.
    /// - Parameters:
    ///   - isStored: whether they are stored as they are, not deflated.
    ///   - checksum: CRC-32 of the unpacked bytes.
    package mutating func begin(
        _ name: String, isStored: Bool, checksum: Int, packedSize: Int, size: Int
    ) throws(PluginError) {
        let name = Array(name.utf8)
        // Version 2.0; names are UTF-8; how it is packed; no time; the checksum and the sizes (APPNOTE 4.3.7).
        let description =
            Self.little(20, 2) + Self.little(0x800, 2) + Self.little(isStored ? 0 : 8, 2) + Self.little(0, 4)
            + Self.little(checksum, 4) + Self.little(packedSize, 4) + Self.little(size, 4)
            + Self.little(name.count, 2) + Self.little(0, 2)
        try write(Self.little(0x0403_4B50, 4) + description + name)
        list += Self.little(0x0201_4B50, 4) + Self.little(20, 2) + description
        list += Self.little(0, 10) + Self.little(offset, 4) + name
        offset += 30 + name.count + packedSize
        count += 1
    }

    /// Ends the archive.
    package func end() throws(PluginError) {
        let end =
            Self.little(0x0605_4B50, 4) + Self.little(0, 4) + Self.little(count, 2) + Self.little(count, 2)
            + Self.little(list.count, 4) + Self.little(offset, 4) + Self.little(0, 2)
        try write(list + end)
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
