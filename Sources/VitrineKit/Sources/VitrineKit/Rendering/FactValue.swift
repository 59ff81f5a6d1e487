/// What a detail says.
public enum FactValue: Hashable, Sendable {
    /// One line of text.
    case text(String)
    /// A finite number.
    case number(Double)
    /// Several lines of text.
    case list([String])

    /// The most bytes of a text, in UTF-8, and of each in a list.
    public static let textLimit = 500, listTextLimit = 100
    /// The most texts in a list.
    public static let listLimit = 50
}
