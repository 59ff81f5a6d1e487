/// A change of the library, told after it was made.
public enum LibraryEvent: Hashable, Sendable {
    /// A source was registered.
    case sourceAdded(name: String, uri: String)
    /// A source is no longer registered.
    case sourceRemoved(name: String, uri: String)
    /// A source has another name.
    case sourceRenamed(from: String, to: String, uri: String)
    /// A source is at another place: its URI is another one.
    case sourceMoved(name: String, from: String, to: String)
    /// A collection was made.
    case collectionCreated(String)
    /// A collection was deleted. The last event about it.
    case collectionDeleted(String)
    /// An item is in a collection now.
    case itemAdded(uri: String, collection: String)
    /// An item is no longer in a collection.
    case itemRemoved(uri: String, collection: String)
    /// An item has another URI.
    case itemMoved(from: String, to: String)
    /// Nothing is kept about an item any more. The last event about it.
    case itemForgotten(String)
    /// A note was written.
    case noteAdded(Int64, LibrarySubject)
    /// A note's title or text is another one.
    case noteChanged(Int64, LibrarySubject)
    /// A note was deleted.
    case noteDeleted(Int64, LibrarySubject)
    /// An item or a collection is a favourite now.
    case favoriteAdded(LibrarySubject)
    /// An item or a collection is no favourite any more.
    case favoriteRemoved(LibrarySubject)
    /// How far the copy of a remote item has come; the only event that is no change yet. Sent a few times a second.
    case copying(uri: String, collection: String, bytes: Int64, of: Int64?)
}

/// What a listener wants to hear of.
public struct LibraryTopic: Hashable, Sendable {
    private enum Scope: Hashable {
        case everything
        case source(String)
        case collection(String)
        case item(String)
    }
    private let scope: Scope

    /// Every change.
    public static let everything = LibraryTopic(scope: .everything)

    /// What happens to the registration of a source.
    /// - Parameter uri: its URI.
    public static func source(_ uri: String) -> LibraryTopic { LibraryTopic(scope: .source(uri)) }

    /// What happens to a collection, its items and notes.
    /// - Parameter name: its name.
    public static func collection(_ name: String) -> LibraryTopic { LibraryTopic(scope: .collection(name)) }

    /// What happens to an item, in whichever collection.
    /// - Parameter uri: its URI.
    public static func item(_ uri: String) -> LibraryTopic { LibraryTopic(scope: .item(uri)) }

    /// Whether a listener of this topic hears of an event.
    public func covers(_ event: LibraryEvent) -> Bool {
        switch scope {
        case .everything: true
        case .source(let uri): event.sources.contains(uri)
        case .collection(let name): event.collection == name
        case .item(let uri): event.items.contains(uri)
        }
    }
}

extension LibraryEvent {
    fileprivate var sources: [String] {
        switch self {
        case .sourceAdded(_, let uri), .sourceRemoved(_, let uri), .sourceRenamed(_, _, let uri): [uri]
        case .sourceMoved(_, let from, let to): [from, to]
        default: []
        }
    }

    fileprivate var collection: String? {
        switch self {
        case .collectionCreated(let name), .collectionDeleted(let name), .itemAdded(_, let name),
            .itemRemoved(_, let name), .copying(_, let name, _, _):
            name
        default: if case .collection(let name) = subject { name } else { nil }
        }
    }

    fileprivate var items: [String] {
        switch self {
        case .itemAdded(let uri, _), .itemRemoved(let uri, _), .itemForgotten(let uri), .copying(let uri, _, _, _):
            [uri]
        case .itemMoved(let from, let to): [from, to]
        default: if case .item(let uri) = subject { [uri] } else { [] }
        }
    }

    private var subject: LibrarySubject? {
        switch self {
        case .noteAdded(_, let subject), .noteChanged(_, let subject), .noteDeleted(_, let subject),
            .favoriteAdded(let subject), .favoriteRemoved(let subject):
            subject
        default: nil
        }
    }
}
