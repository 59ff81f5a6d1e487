/// How large a preview must be for a square to be cut from it: its shorter side fills the square.
///
/// The shape of an item is known only once there is a preview. Most pictures are less than twice as long as wide, so the
/// first one is twice as large as the square; of what is longer, a second one is made.
public struct CoveringSize: Hashable, Sendable {
    /// The side of the square, in pixels.
    public let box: Int
    /// The longest side that is made for it: of what is more than eight times as long as wide, or would need more than
    /// 4,096 pixels, the square becomes smaller.
    public let most: Int

    /// - Parameters:
    ///   - box: the side of the square, in pixels.
    ///   - limit: the longest side that any preview may have.
    public init(box: Int, limit: Int) {
        self.box = box
        most = min(limit, max(2 * box, min(8 * box, 4096)))
    }

    /// The longest side of the first preview, in pixels.
    public var first: Int { min(most, 2 * box) }

    /// The longest side of a second preview.
    /// - Parameters:
    ///   - width: of the first preview, in pixels.
    ///   - height: the same.
    /// - Returns: `nil` when the first one will do: it fills the square, or is as large as the original.
    public func second(width: Int, height: Int) -> Int? {
        let (longer, shorter) = (max(width, height), min(width, height))
        guard shorter < box, longer == first, first < most else { return nil }
        return min(most, box * longer / max(1, shorter) + 1)
    }
}
