package import VitrineKit

/// How large a frame is, and how large it is to be drawn.
package struct FrameGeometry {
    /// The frame with square pixels, upright: what a player shows at 100 %.
    package let size: PixelSize
    /// What to scale the stored frame to, before it is turned upright.
    package let target: PixelSize
    /// How to turn it.
    package let orientation: Orientation

    /// Shapes of a pixel that are believed; anything beyond is a mistake in the file.
    private static let believedRatios = 0.1...10.0

    /// - Parameters:
    ///   - width: of the stored frame, in pixels.
    ///   - height: the same.
    ///   - pixelAspectRatio: width of a stored pixel divided by its height; anything out of reason is taken
    ///     for 1. The side that has to grow grows, so that no detail is lost.
    ///   - orientation: how to turn the frame.
    ///   - box: the longest side wanted, in pixels; the frame is never enlarged.
    /// - Throws: `corrupt` when a side is not above zero.
    package init(
        width: Int, height: Int, pixelAspectRatio: Double, orientation: Orientation, box: Int
    ) throws(PluginError) {
        let ratio = Self.believedRatios.contains(pixelAspectRatio) ? pixelAspectRatio : 1
        let wide = Double(width) * max(1, ratio)
        let high = Double(height) / min(1, ratio)
        guard let target = PixelSize.fitting(width: wide, height: high, in: box, enlarging: false) else {
            throw PluginError(.corrupt, "a picture in the file measures \(width) × \(height) pixels")
        }
        self.target = target
        self.orientation = orientation
        size = orientation.applied(to: PixelSize(width: Int(wide.rounded()), height: Int(high.rounded())))
    }
}
