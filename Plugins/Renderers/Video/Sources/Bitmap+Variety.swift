internal import VitrineKit

extension Bitmap {
    /// How much there is to see: the variance of the channel that varies most, over a grid of at most 128 by
    /// 128 pixels. 0 is one colour; ordinary pictures are in the thousands.
    var variety: Double {
        let stepX = max(1, width / 128)
        let stepY = max(1, height / 128)
        // The squares of 255 by 255 pixels, which are the most that a grid takes, fit in 32 bits.
        var sums = SIMD4<UInt32>.zero
        var squares = SIMD4<UInt32>.zero
        var count = 0.0
        withUnsafeMutableBytes { bytes in
            for y in stride(from: 0, to: height, by: stepY) {
                for x in stride(from: 0, to: width, by: stepX) {
                    let pixel = bytes.load(fromByteOffset: y * bytesPerRow + x * 4, as: UInt32.self)
                    let value = SIMD4(pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255, 0)
                    sums &+= value
                    squares &+= value &* value
                    count += 1
                }
            }
        }
        let mean = SIMD4<Double>(sums) / count
        return (SIMD4<Double>(squares) / count - mean * mean).max()
    }

    /// Whether everything is dark, on the same grid, as in the first moments of a film that fades in. Night has lights in it.
    var isDim: Bool {
        let stepX = max(1, width / 128)
        let stepY = max(1, height / 128)
        return withUnsafeMutableBytes { bytes in
            for y in stride(from: 0, to: height, by: stepY) {
                for x in stride(from: 0, to: width, by: stepX) {
                    let pixel = bytes.load(fromByteOffset: y * bytesPerRow + x * 4, as: UInt32.self)
                    if max(pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255) >= 80 { return false }
                }
            }
            return true
        }
    }
}
