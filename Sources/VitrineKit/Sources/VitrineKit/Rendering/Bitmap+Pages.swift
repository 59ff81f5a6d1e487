extension Bitmap {
    /// The longest side up to which ``page(_:_:)`` draws larger: 512 pixels.
    public static let smallPage = 512

    /// Draws a page that consists of lines and letters, so that it looks well when it is small.
    ///
    /// Libraries draw no line thinner than a pixel: at the size of a thumbnail, hairlines of tables and forms become black
    /// bars. A small page is therefore drawn twice as large and halved. Larger ones are drawn as they are.
    /// - Parameters:
    ///   - size: what is wanted, in pixels.
    ///   - draw: draws the page at a size; called once.
    /// - Returns: the page, of the size that is wanted.
    /// - Throws: what `draw` throws, `limitExceeded` when there is no memory for it.
    public static func page(
        _ size: PixelSize, _ draw: (PixelSize) throws(PluginError) -> Bitmap
    ) throws(PluginError) -> Bitmap {
        guard max(size.width, size.height) <= smallPage else { return try draw(size) }
        return try draw(PixelSize(width: size.width * 2, height: size.height * 2)).halved()
    }

    /// The picture at half its size, rounded down: each pixel is the mean of four. For formats without alpha, and those
    /// whose colours are multiplied by it.
    /// - Throws: `invalidArgument` when a side has one pixel only, `limitExceeded` when there is no memory for it.
    public func halved() throws(PluginError) -> Bitmap {
        guard width > 1, height > 1 else {
            throw PluginError(.invalidArgument, "a picture of \(width) × \(height) pixels has no half")
        }
        let half = try Bitmap(width: width / 2, height: height / 2, format: format)
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
