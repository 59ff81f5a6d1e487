internal import MIME
internal import VitrineKit

/// What is written in a file: its title, and the names and descriptions of what is in it.
struct FeatureWords {
    /// What the file as a whole is called.
    private(set) var title: String?
    /// What the only track in it is called, or else the only thing.
    var onlyName: String? {
        let owner: Owner = first[.track] == nil ? .other : .track
        return repeated.contains(owner) ? nil : first[owner]
    }
    /// Who made it.
    private(set) var author: String?
    /// All of it, a line each.
    private(set) var text = ""

    /// Whose name it is.
    enum Owner {
        /// A way: what a file is mostly about.
        case track
        /// Anything else.
        case other
    }

    /// The first names, and whose there are several of.
    private var first: [Owner: String] = [:]
    private var repeated: Set<Owner> = []
    private let isWanted: Bool

    /// - Parameter isWanted: whether more than names is of use.
    init(isWanted: Bool) { self.isWanted = isWanted }

    /// Whether further words would be left out.
    var isFull: Bool { !isWanted || text.utf8.count >= Facts.textLimit }

    /// Takes the name of the whole file.
    mutating func take(title bytes: UnsafeRawBufferPointer) {
        guard let line = Self.line(bytes) else { return }
        title = title ?? line
        add(line)
    }

    /// Takes the name of something in it.
    mutating func take(name bytes: UnsafeRawBufferPointer, of owner: Owner = .other) {
        guard !repeated.contains(owner) || !isFull, let line = Self.line(bytes) else { return }
        if first[owner] == nil { first[owner] = line } else { repeated.insert(owner) }
        add(line)
    }

    /// Takes who made it.
    mutating func take(author bytes: UnsafeRawBufferPointer) {
        guard author == nil, let line = Self.line(bytes) else { return }
        author = line
        add(line)
    }

    /// Takes a description, which may be written in HTML.
    mutating func take(description bytes: UnsafeRawBufferPointer) {
        guard !isFull else { return }
        let text = String(decoding: bytes.prefix(Self.longest), as: UTF8.self)
        if let line = Facts.line(text.contains("<") ? HTMLText.words(text) : text, limit: Self.longest) { add(line) }
    }

    private static let longest = 8 << 10

    private static func line(_ bytes: UnsafeRawBufferPointer) -> String? {
        Facts.line(String(decoding: bytes.prefix(longest), as: UTF8.self))
    }

    private mutating func add(_ line: String) {
        guard !isFull else { return }
        if !text.isEmpty { text += "\n" }
        text += line
    }
}
