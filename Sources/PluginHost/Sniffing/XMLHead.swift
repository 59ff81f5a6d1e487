/// What the beginning of a file says of the XML in it (XML 1.0, section 2.8): the prolog is passed over, not obeyed.
enum XMLHead {
    private static let instructionEnd = Array("?>".utf8), commentEnd = Array("-->".utf8)

    /// The first element of a document.
    struct Root {
        /// Its name, without a prefix.
        let name: ArraySlice<UInt8>
        fileprivate let prefix: ArraySlice<UInt8>
        /// What follows its name, to the end of the head.
        fileprivate let rest: ArraySlice<UInt8>
    }

    /// The first element.
    /// - Parameter head: in UTF-8, or in another encoding whose marks are those of ASCII.
    /// - Returns: `nil` for what is no XML, or where the name does not end within the head.
    static func root(_ head: [UInt8]) -> Root? {
        var rest = head[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while true {
            rest = rest.drop { $0 <= 0x20 }
            guard rest.popFirst() == UInt8(ascii: "<"), let first = rest.first else { return nil }
            switch first {
            case UInt8(ascii: "?"): guard pass(instructionEnd, &rest) else { return nil }
            case UInt8(ascii: "!"):
                let isPassed = rest.starts(with: "!--".utf8) ? passComment(&rest) : passDeclaration(&rest)
                guard isPassed else { return nil }
            default:
                let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
                guard name.endIndex < rest.endIndex else { return nil }
                let colon = name.lastIndex(of: UInt8(ascii: ":"))
                return Root(
                    name: colon.map { name[($0 + 1)...] } ?? name, prefix: colon.map { name[..<$0] } ?? [],
                    rest: rest[name.endIndex...])
            }
        }
    }

    /// The local name of the first element, as ``root(_:)`` has it.
    static func element(_ head: [UInt8]) -> ArraySlice<UInt8>? { root(head)?.name }

    /// Whether a file without an element in its head may have one behind it: the head is a prolog that does not end there.
    /// - Parameter head: as for ``element(_:)``.
    static func mayFollow(_ head: [UInt8]) -> Bool {
        let rest = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        let start = rest.drop { $0 <= 0x20 }
        return start.starts(with: "<?".utf8) || start.starts(with: "<!".utf8)
    }

    /// Goes behind a mark, the last byte of which is ">".
    private static func pass(_ mark: [UInt8], _ rest: inout ArraySlice<UInt8>) -> Bool {
        let whole = rest
        while let last = rest.firstIndex(of: UInt8(ascii: ">")) {
            rest = rest[(last + 1)...]
            if whole[...last].suffix(mark.count).elementsEqual(mark) { return true }
        }
        return false
    }

    private static func passComment(_ rest: inout ArraySlice<UInt8>) -> Bool {
        rest = rest.dropFirst(3)
        return pass(commentEnd, &rest)
    }

    /// Goes behind a document type with the declarations in it.
    private static func passDeclaration(_ rest: inout ArraySlice<UInt8>) -> Bool {
        var depth = 0
        while let byte = rest.first {
            rest = rest.dropFirst()
            if byte == UInt8(ascii: "<"), let next = rest.first {
                if next == UInt8(ascii: "?") {
                    guard pass(instructionEnd, &rest) else { return false }
                } else if next == UInt8(ascii: "!"), rest.starts(with: "!--".utf8) {
                    guard passComment(&rest) else { return false }
                }
                continue
            }
            switch byte {
            case 0x22, 0x27:
                rest = rest.drop { $0 != byte }
                guard rest.popFirst() != nil else { return false }
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return true
            default: continue
            }
        }
        return false
    }
}

extension XMLHead.Root {
    /// The namespace that the element names for itself (Namespaces in XML 1.0, section 3), as it is written.
    /// - Returns: `nil` where it names none within the head.
    var namespace: ArraySlice<UInt8>? {
        let wanted = prefix.isEmpty ? Array("xmlns".utf8) : Array("xmlns:".utf8) + prefix
        var rest = rest
        while true {
            rest = rest.drop { $0 <= 0x20 }
            let name = rest.prefix { $0 > 0x20 && !"=>/".utf8.contains($0) }
            rest = rest[name.endIndex...].drop { $0 <= 0x20 }
            guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else { return nil }
            rest = rest.drop { $0 <= 0x20 }
            guard let quote = rest.popFirst(), quote == 0x22 || quote == 0x27, let end = rest.firstIndex(of: quote)
            else {
                return nil
            }
            if name.elementsEqual(wanted) { return rest[..<end] }
            rest = rest[(end + 1)...]
        }
    }
}
