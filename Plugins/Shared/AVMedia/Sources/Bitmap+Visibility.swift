package import VitrineKit

extension Bitmap {
    /// Whether no pixel can be seen at all, which some writers mean by a channel that they do not use.
    package var isInvisible: Bool {
        guard !isOpaque else { return false }
        return withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width where bytes[y * bytesPerRow + x * 4 + 3] != 0 { return false }
            }
            return true
        }
    }
}
