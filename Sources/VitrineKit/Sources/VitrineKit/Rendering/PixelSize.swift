/// The size of a picture in pixels.
@frozen
public struct PixelSize: Hashable, Sendable {
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The largest size of the same shape whose sides are at most `box`: at least one pixel each way, rounded
    /// to the nearest pixel.
    ///
    /// This is the one place where a preview's size comes from.
    /// - Parameters:
    ///   - width: of the original, in any unit, finite and above zero.
    ///   - height: the same.
    ///   - box: the longest side allowed, in pixels.
    ///   - enlarging: whether the result may be larger than the original. Pictures made of pixels are never
    ///     enlarged; pages are drawn at any size.
    /// - Returns: `nil` when a side is not finite, not above zero, or too small to be enlarged at all.
    public static func fitting(
        width: Double, height: Double, in box: Int, enlarging: Bool
    ) -> PixelSize? {
        guard width.isFinite, height.isFinite, width > 0, height > 0, box > 0 else { return nil }
        let scale = Double(box) / max(width, height)
        let factor = enlarging ? scale : min(1, scale)
        guard factor.isFinite else { return nil }
        func side(_ length: Double) -> Int { min(box, max(1, Int((length * factor).rounded()))) }
        return PixelSize(width: side(width), height: side(height))
    }
}

extension PixelSize {
    /// Whether both have the same ratio of sides, up to two in a hundred, or up to the pixel by which a small picture was
    /// rounded.
    public func isShaped(like other: PixelSize) -> Bool {
        guard width > 0, height > 0, other.width > 0, other.height > 0 else { return false }
        let (wide, high) = (Double(width), Double(height))
        let ratio = Double(other.width) / Double(other.height)
        return abs(wide - high * ratio) <= max(1, wide * 0.02) || abs(high - wide / ratio) <= max(1, high * 0.02)
    }
}
