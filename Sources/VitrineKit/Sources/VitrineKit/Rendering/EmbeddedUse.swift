/// When a picture that lies ready inside an item – the thumbnail of a camera, the first page that an office program drew –
/// is taken instead of drawing the item.
public enum EmbeddedUse: String, CaseIterable, Sendable {
    /// When it is at least as large as the largest preview that is wanted, shows what drawing would show, and has the same
    /// shape.
    case auto
    /// Whenever there is one that shows something, however small.
    case prefer
    /// Never. Where there is nothing else to be drawn, such as the cover of a book, it is no substitute and is shown.
    case never
}
