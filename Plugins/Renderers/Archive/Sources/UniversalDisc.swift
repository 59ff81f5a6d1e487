internal import VitrineKit

/// An image of a disc with the Universal Disk Format, which libarchive does not know: it finds an archive with nothing in it.
enum UniversalDisc {
    /// Whether an input is one, by the descriptors behind its first 32 KiB (ECMA-167, parts 2, 8.3 and 3, 9.1).
    /// - Throws: what the input throws.
    static func isIn(_ input: any RandomAccessInput) throws(PluginError) -> Bool {
        let descriptors = try input.bytes(at: start, count: most * size)
        return stride(from: 0, to: descriptors.count, by: size).contains { at in
            let kind = descriptors[at...].dropFirst().prefix(5)
            return kind.elementsEqual("NSR02".utf8) || kind.elementsEqual("NSR03".utf8)
        }
    }

    static let reason = PluginError(
        .unsupported, "the disc image has the Universal Disk Format (UDF), of which no files are listed here")

    private static let start: Int64 = 32 << 10

    /// Bytes of a descriptor, and descriptors that are looked at.
    private static let size = 2048, most = 16
}
