/// Takes the text of a pattern apart, without `!` before it and `/` behind it.
struct PatternParser {
    /// The text can never match: a `[` is not closed, a class has no known name, nothing follows the last `\`, or there is
    /// a name that nothing has.
    struct NeverMatches: Error {}

    private let text: [UInt8]
    private var place = 0
    private let isPath: Bool
    private var components: [PatternComponent] = []
    private var current = PatternComponent()

    private init(_ text: ArraySlice<UInt8>) {
        isPath = text.contains(UInt8(ascii: "/"))
        self.text = Array(text.first == UInt8(ascii: "/") ? text.dropFirst() : text)
    }

    /// - Returns: whether it is matched against the path from the pattern's folder on, or only against the last name
    ///   of it; and what is matched.
    static func parse(_ text: ArraySlice<UInt8>) throws(NeverMatches) -> (isPath: Bool, [PatternComponent]) {
        var parser = PatternParser(text)
        try parser.parse()
        return (parser.isPath, parser.components)
    }

    private mutating func parse() throws(NeverMatches) {
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard let escaped = next() else { throw NeverMatches() }
                if escaped == UInt8(ascii: "/") { try endComponent() } else { current.append(.byte(escaped)) }
            case UInt8(ascii: "/"): try endComponent()
            case UInt8(ascii: "?"): current.append(.anyByte)
            case UInt8(ascii: "*"): stars()
            case UInt8(ascii: "["): current.append(try set())
            default: current.append(.byte(byte))
            }
        }
        if current.isAnyFolders {
            // What is in a folder, not the folder itself: at least one name must follow.
            try endComponent()
            current.append(.anyBytes)
        }
        try endComponent()
    }

    private mutating func next() -> UInt8? {
        guard place < text.count else { return nil }
        defer { place += 1 }
        return text[place]
    }

    private mutating func endComponent() throws(NeverMatches) {
        // No name is empty, and a path goes through no `.` or `..`.
        if current.isEmpty || current.isDots { throw NeverMatches() }
        if !(current.isAnyFolders && components.last?.isAnyFolders == true) { components.append(current) }
        current = PatternComponent()
    }

    /// The first star has been read.
    private mutating func stars() {
        let first = place - 1
        while place < text.count, text[place] == UInt8(ascii: "*") { place += 1 }
        let rest = text[place...]
        let isWhole = current.isEmpty && (rest.isEmpty || rest.starts(with: "/".utf8) || rest.starts(with: "\\/".utf8))
        if isPath, place - first > 1, isWhole { current.isAnyFolders = true } else { current.append(.anyBytes) }
    }

    /// A set, whose `[` has been read. The rules are those of git's wildmatch: `!` or `^` inverts, a `]` that comes
    /// first is a member, `\` takes the next byte as it is, and `[:name:]` is a class of POSIX.
    private mutating func set() throws(NeverMatches) -> ByteSet {
        var set = ByteSet()
        var previous: UInt8?
        var byte = try wanted()
        let isInverted = byte == UInt8(ascii: "!") || byte == UInt8(ascii: "^")
        if isInverted { byte = try wanted() }
        repeat {
            if byte == UInt8(ascii: "\\") {
                byte = try wanted()
                set.insert(byte)
                previous = byte
            } else if byte == UInt8(ascii: "-"), let first = previous, place < text.count,
                text[place] != UInt8(ascii: "]")
            {
                var last = try wanted()
                if last == UInt8(ascii: "\\") { last = try wanted() }
                if first <= last { set.insert(first...last) }
                previous = nil
            } else if byte == UInt8(ascii: "["), let members = try namedClass() {
                set.insert(members)
                previous = nil
            } else {
                set.insert(byte)
                previous = byte
            }
            byte = try wanted()
        } while byte != UInt8(ascii: "]")
        return isInverted ? set.inverted : set
    }

    private mutating func wanted() throws(NeverMatches) -> UInt8 {
        guard let byte = next() else { throw NeverMatches() }
        return byte
    }

    /// The rest of `[:name:]` after its `[`; `nil`, with nothing read, when it is none.
    private mutating func namedClass() throws(NeverMatches) -> [UInt8]? {
        guard place < text.count, text[place] == UInt8(ascii: ":") else { return nil }
        let start = place + 1
        guard let end = text[start...].firstIndex(of: UInt8(ascii: "]")) else { throw NeverMatches() }
        guard end > start, text[end - 1] == UInt8(ascii: ":") else { return nil }
        guard let members = ByteSet.classes[String(decoding: text[start..<(end - 1)], as: UTF8.self)] else {
            throw NeverMatches()
        }
        place = end + 1
        return members
    }
}
