/// What a note or a favourite belongs to.
public enum LibrarySubject: Hashable, Sendable {
    /// An item, by its URI.
    case item(String)
    /// A collection, by its name.
    case collection(String)
}
