import Glibc

/// Declares the prefixes that a drawing uses and does not declare, which librsvg takes for damage: those of editors, left behind
/// by programs that strip their namespaces, and `xlink`, which a drawing in a page of the web does not need to declare.
///
/// Only tags are looked at, and not whether they make sense: librsvg reads the result, and has the last word.
enum UndeclaredPrefixes {
    /// Prefixes at most, and bytes of one.
    private static let mostPrefixes = 32, longestPrefix = 64
    /// Those that have a meaning to librsvg. To any other, any name will do.
    private static let namespaces = [
        "svg": "http://www.w3.org/2000/svg", "xlink": "http://www.w3.org/1999/xlink",
    ]

    /// - Parameter drawing: in an encoding that has the letters of ASCII.
    /// - Returns: the drawing with its root declaring them; `nil` when there are none.
    static func declared(in drawing: UnsafeRawBufferPointer) -> [UInt8]? {
        var scan = TagScan(drawing, mostPrefixes: mostPrefixes, longestPrefix: longestPrefix)
        while scan.next() {}
        guard let place = scan.endOfRootName, !scan.missing.isEmpty else { return nil }
        let declarations = scan.missing.sorted().enumerated().map { number, prefix in
            " xmlns:\(prefix)=\"\(namespaces[prefix] ?? "urn:undeclared:\(number)")\""
        }
        return Array(drawing[..<place]) + Array(declarations.joined().utf8) + Array(drawing[place...])
    }
}

/// Goes through the tags of a drawing and keeps the prefixes in them.
private struct TagScan {
    private let bytes: UnsafeRawBufferPointer
    private let mostPrefixes: Int, longestPrefix: Int
    private var at = 0
    private var used: Set<String> = [], declaredByRoot: Set<String> = ["xml", "xmlns"]
    /// Behind the name in the first tag.
    private(set) var endOfRootName: Int?

    var missing: Set<String> { used.subtracting(declaredByRoot) }

    init(_ bytes: UnsafeRawBufferPointer, mostPrefixes: Int, longestPrefix: Int) {
        self.bytes = bytes
        self.mostPrefixes = mostPrefixes
        self.longestPrefix = longestPrefix
    }

    /// Goes on to behind the next tag, comment, or declaration.
    /// - Returns: whether there was one.
    mutating func next() -> Bool {
        guard skip(behind: "<") else { return false }
        for (opening, end) in [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!", ">"), ("/", ">")]
        where bytes[at...].starts(with: opening.utf8) {
            at += opening.utf8.count
            return skip(behind: end)
        }
        tag()
        return true
    }

    private mutating func tag() {
        let isRoot = endOfRootName == nil
        note(name(), isElement: true, isRoot: isRoot)
        if isRoot { endOfRootName = at }
        while at < bytes.count, bytes[at] != UInt8(ascii: ">") {
            let start = at
            note(name(), isElement: false, isRoot: isRoot)
            // A value, a blank, or what is no XML.
            if at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") {
                let quote = String(UnicodeScalar(bytes[at]))
                at += 1
                guard skip(behind: quote) else { return }
            } else if at == start {
                at += 1
            }
        }
    }

    /// The name that begins here, which may have no bytes.
    private mutating func name() -> Slice<UnsafeRawBufferPointer> {
        let rest = bytes[at...]
        let name = rest.prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...0xFF,
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: ":"):
                true
            default: false
            }
        }
        at = name.endIndex
        return name
    }

    private mutating func note(_ name: Slice<UnsafeRawBufferPointer>, isElement: Bool, isRoot: Bool) {
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")), colon > name.startIndex,
            colon - name.startIndex <= longestPrefix, used.count < mostPrefixes
        else { return }
        let prefix = String(decoding: name[..<colon], as: UTF8.self)
        guard !isElement, prefix == "xmlns" else {
            used.insert(prefix)
            return
        }
        // What declares a prefix inside only may use it outside as well.
        if isRoot { declaredByRoot.insert(String(decoding: name[(colon + 1)...], as: UTF8.self)) }
    }

    /// Goes on to behind the next place of a text, which has a letter at least.
    private mutating func skip(behind text: String) -> Bool {
        while let base = bytes.baseAddress, let first = text.utf8.first, at < bytes.count,
            let found = memchr(base + at, CInt(first), bytes.count - at)
        {
            at = UnsafeRawPointer(found) - base
            if bytes[at...].starts(with: text.utf8) {
                at += text.utf8.count
                return true
            }
            at += 1
        }
        return false
    }
}
