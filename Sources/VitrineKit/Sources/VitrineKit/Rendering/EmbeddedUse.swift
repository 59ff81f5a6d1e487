/// When a picture that lies ready inside an item – the thumbnail of a camera, the first page that an office program drew –
/// is taken instead of drawing the item.
@frozen
public enum EmbeddedUse: String, CaseIterable, Sendable {
    /// When it is at least as large as the largest preview that is wanted – of a picture or film, a quarter larger –, shows what
    /// drawing would show, and has the same shape.
    case auto
    /// Whenever there is one that shows something, however small.
    case prefer
    /// Never. Where there is nothing else to be drawn, such as the cover of a book, it is no substitute and is shown.
    case never
}

extension EmbeddedUse {
    /// The longer side, in pixels, below which no picture shows anything.
    private static let smallest = 32

    /// Whether a picture from inside of an item is taken, by its size alone. Whether it shows anything is for the renderer to
    /// find out.
    /// - Parameters:
    ///   - size: of the picture, turned as it is shown.
    ///   - whole: of the item itself, upright; `nil` when that is known only after drawing it, so that its shape is believed.
    ///   - box: the longest side of the largest preview that is wanted.
    public func takes(_ size: PixelSize, of whole: PixelSize?, box: Int) -> Bool {
        let side = max(size.width, size.height)
        switch self {
        case .never: return false
        case .prefer: return side >= Self.smallest
        case .auto:
            guard let whole else { return side >= box }
            // Made small and packed once more, a picture has lost what only reducing it further hides (docs/adr/0012).
            let isEnough = side / 5 * 4 + side % 5 * 4 / 5 >= box || side >= max(whole.width, whole.height)
            return isEnough && size.isShaped(like: whole)
        }
    }
}
