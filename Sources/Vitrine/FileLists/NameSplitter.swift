/// Cuts the bytes of a list into names, in whatever pieces they come. Empty names are left out, and so is one carriage return
/// at the end of a line.
struct NameSplitter {
    /// What stands between two separators.
    enum Part: Hashable, Sendable {
        case name([UInt8])
        /// Something longer than ``longest``, by its beginning.
        case tooLong(beginning: [UInt8])
    }

    /// The most bytes of a name: those of any path, and of a URI with each of them encoded.
    static let longest = 16_384
    /// How much is kept of what is longer, for people.
    private static let shown = 200

    /// The byte that ends a name; the last name may do without.
    let separator: UInt8
    /// What has come of the name that has not ended.
    private var open: [UInt8] = []
    /// Whether it is too long already, and the rest of it is thrown away.
    private var isSkipping = false

    init(separator: UInt8) { self.separator = separator }

    /// Takes the next bytes.
    /// - Returns: what has ended with them, in order.
    mutating func take(_ bytes: some Collection<UInt8>) -> [Part] {
        var parts: [Part] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: separator) {
            parts += add(rest[..<end])
            if let part = finish() { parts.append(part) }
            rest = rest[rest.index(after: end)...]
        }
        return parts + add(rest)
    }

    /// Nothing follows.
    /// - Returns: the last name, when nothing stood behind it.
    mutating func finish() -> Part? {
        defer { (open, isSkipping) = ([], false) }
        if separator == UInt8(ascii: "\n"), open.last == UInt8(ascii: "\r") { open.removeLast() }
        return open.isEmpty ? nil : .name(open)
    }

    /// - Returns: what is too long from here on, once.
    private mutating func add(_ bytes: some Collection<UInt8>) -> [Part] {
        if isSkipping { return [] }
        guard bytes.count <= Self.longest - open.count else {
            let part = Part.tooLong(beginning: Array((open + Array(bytes.prefix(Self.shown))).prefix(Self.shown)))
            (open, isSkipping) = ([], true)
            return [part]
        }
        open += bytes
        return []
    }
}
