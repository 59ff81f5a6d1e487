public import VitrineKit

extension Bitmap {
    /// Whether there is more than one colour. Transparency counts where the format has it; the fourth byte of the others may be
    /// anything.
    public var hasSeveralColours: Bool {
        let used = isOpaque ? 3 : 4
        return withUnsafeMutableBytes { bytes in
            (0..<height).contains { y in
                stride(from: y * bytesPerRow, to: y * bytesPerRow + width * 4, by: 4).contains { at in
                    (0..<used).contains { bytes[at + $0] != bytes[$0] }
                }
            }
        }
    }
}
