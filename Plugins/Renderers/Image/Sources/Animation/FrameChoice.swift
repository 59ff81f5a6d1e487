internal import VitrineKit

/// Chooses among an animation's frames, where the first one is empty, the first that shows something: the search ends with it.
/// Where none does, the one with the most to see is taken.
struct FrameChoice {
    /// Variance of a channel below which a frame is empty: one colour, or wholly transparent.
    static let emptiness = 4.0
    /// Variance of a channel from which a frame shows something: a standard deviation of 12 of 255, as of videos.
    private static let enough = 144.0
    /// Pixels that all frames that are looked at have together at most, each as large as the canvas.
    private static let mostPixels = 64 << 20
    /// Frames that are looked at, at most.
    private static let mostFrames = 64

    /// The frame that was chosen; `nil` while all were empty.
    private(set) var best: Bitmap?
    private var variety = FrameChoice.emptiness

    /// How many frames of a canvas may be looked at.
    /// - Parameters:
    ///   - canvas: its size, which was found to be within the limits.
    ///   - share: into how many parts the pixels are divided, where a frame takes more memory than its own.
    static func frames(of canvas: PixelSize, share: Int = 1) -> Int {
        min(mostFrames, mostPixels / share / max(1, canvas.width * canvas.height))
    }

    /// Looks at a frame.
    /// - Parameters:
    ///   - variety: of the frame; see `Bitmap.variety`.
    ///   - bitmap: makes the frame's bitmap, where it is better than those before.
    /// - Returns: whether the search is over.
    mutating func isFound(
        _ variety: Double, _ bitmap: () throws(PluginError) -> Bitmap
    ) throws(PluginError) -> Bool {
        guard best == nil ? variety >= self.variety : variety > self.variety else { return false }
        best = try bitmap()
        self.variety = variety
        return variety >= Self.enough
    }
}

extension Bitmap {
    /// The variance of the channel that varies most, of 0 to 255; colours count as much as they show.
    var variety: Double {
        let hasAlpha = !isOpaque
        return withUnsafeMutableBytes { rows in
            var sums = SIMD4<UInt64>.zero
            var squares = SIMD4<UInt64>.zero
            for y in 0..<height {
                let row = rows[(y * bytesPerRow)...].prefix(width * 4)
                for at in stride(from: row.startIndex, to: row.endIndex, by: 4) {
                    let alpha = hasAlpha ? UInt32(rows[at + 3]) : 255
                    let colors = SIMD4<UInt32>(UInt32(rows[at]), UInt32(rows[at + 1]), UInt32(rows[at + 2]), 255)
                    let weighed = colors &* alpha
                    let shown = SIMD4<UInt64>(truncatingIfNeeded: weighed / 255)
                    sums &+= shown
                    squares &+= shown &* shown
                }
            }
            let count = Double(width * height)
            return (0..<4).reduce(0.0) { most, channel in
                let mean = Double(sums[channel]) / count
                return max(most, Double(squares[channel]) / count - mean * mean)
            }
        }
    }
}
