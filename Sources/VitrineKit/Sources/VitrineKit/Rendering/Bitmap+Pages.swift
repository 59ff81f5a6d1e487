import Glibc

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
        let half = try Bitmap(unwritten: PixelSize(width: width / 2, height: height / 2), format: format)
        withUnsafeMutableBytes { from in
            half.withUnsafeMutableBytes { to in
                guard let from = from.baseAddress, let to = to.baseAddress else { return }
                for y in 0..<half.height {
                    let (upper, row) = (UnsafeRawPointer(from + 2 * y * bytesPerRow), to + y * half.bytesPerRow)
                    Self.halve(upper, upper + bytesPerRow, into: row, count: half.width)
                    memset(row + 4 * half.width, 0, half.bytesPerRow - 4 * half.width)
                }
            }
        }
        return half
    }

    /// Makes a row of `count` pixels of two that are twice as long, four pixels at a time.
    private static func halve(
        _ upper: UnsafeRawPointer, _ lower: UnsafeRawPointer, into row: UnsafeMutableRawPointer, count: Int
    ) {
        var x = 0
        while x &+ 4 <= count {
            let (a, b) = (
                upper.loadUnaligned(fromByteOffset: 8 &* x, as: SIMD8<UInt32>.self),
                lower.loadUnaligned(fromByteOffset: 8 &* x, as: SIMD8<UInt32>.self)
            )
            let made = mean(a.evenHalf, a.oddHalf, b.evenHalf, b.oddHalf)
            row.storeBytes(of: made, toByteOffset: 4 &* x, as: SIMD4<UInt32>.self)
            x &+= 4
        }
        while x < count {
            func pixel(_ from: UnsafeRawPointer, _ index: Int) -> SIMD4<UInt32> {
                SIMD4(repeating: from.load(fromByteOffset: 4 * index, as: UInt32.self))
            }
            let made = mean(pixel(upper, 2 * x), pixel(upper, 2 * x + 1), pixel(lower, 2 * x), pixel(lower, 2 * x + 1))
            row.storeBytes(of: made.x, toByteOffset: 4 * x, as: UInt32.self)
            x += 1
        }
    }

    /// The means of four pixels each, two channels at a time: their sums of ten bits do not meet.
    private static func mean(
        _ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>, _ c: SIMD4<UInt32>, _ d: SIMD4<UInt32>
    ) -> SIMD4<UInt32> {
        let (mask, half) = (SIMD4<UInt32>(repeating: 0x00FF_00FF), SIMD4<UInt32>(repeating: 0x0002_0002))
        let even = (a & mask) &+ (b & mask) &+ (c & mask) &+ (d & mask) &+ half
        let odd =
            (a &>> 8 & mask) &+ (b &>> 8 & mask) &+ (c &>> 8 & mask) &+ (d &>> 8 & mask) &+ half
        return (even &>> 2 & mask) | (odd &>> 2 & mask) &<< 8
    }
}
