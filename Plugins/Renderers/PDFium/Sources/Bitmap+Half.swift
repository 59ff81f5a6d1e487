internal import VitrineKit

extension Bitmap {
    /// The picture at half its size, rounded down: each pixel is the mean of four. For opaque ones of 8 bits a channel.
    func halved() throws(PluginError) -> Bitmap {
        let half = try Bitmap(width: max(1, width / 2), height: max(1, height / 2), format: format)
        withUnsafeMutableBytes { from in
            half.withUnsafeMutableBytes { to in
                for y in 0..<half.height {
                    let upper = from.baseAddress.map { $0 + 2 * y * bytesPerRow }?.assumingMemoryBound(to: UInt32.self)
                    let row = to.baseAddress.map { $0 + y * half.bytesPerRow }?.assumingMemoryBound(to: UInt32.self)
                    guard let upper, let row else { return }
                    let lower = upper + bytesPerRow / 4
                    for x in 0..<half.width {
                        row[x] = Self.mean(upper[2 * x], upper[2 * x + 1], lower[2 * x], lower[2 * x + 1])
                    }
                }
            }
        }
        return half
    }

    /// The mean of four pixels, two channels at a time: their sums of ten bits do not meet.
    private static func mean(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
        let mask: UInt32 = 0x00FF_00FF
        let even = (a & mask) &+ (b & mask) &+ (c & mask) &+ (d & mask) &+ 0x0002_0002
        let odd = (a >> 8 & mask) &+ (b >> 8 & mask) &+ (c >> 8 & mask) &+ (d >> 8 & mask) &+ 0x0002_0002
        return even >> 2 & mask | (odd >> 2 & mask) << 8
    }
}
