internal import VitrineKit

extension Bitmap {
    /// Multiplies colours by alpha, in place.
    func premultiply() {
        withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for at in stride(from: y * bytesPerRow, to: y * bytesPerRow + width * 4, by: 4) {
                    let alpha = Int(bytes[at + 3])
                    if alpha == 0xFF { continue }
                    for channel in at..<(at + 3) { bytes[channel] = UInt8((Int(bytes[channel]) * alpha + 127) / 255) }
                }
            }
        }
    }

    /// Forgets alpha, in place.
    func makeOpaque() {
        withUnsafeMutableBytes { bytes in for at in stride(from: 3, to: bytes.count, by: 4) { bytes[at] = 0xFF } }
    }
}
