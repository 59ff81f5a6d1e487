/// What the beginning of a file says of the JSON in it (RFC 8259): the members of the outermost object.
enum JSONHead {
    /// Whether there are these members, as far as the head reaches.
    /// - Parameters:
    ///   - texts: by name; compared as they are written, escapes and all.
    ///   - names: of further ones, whatever they are. The last value need not end within the head.
    static func has(texts: [String: String] = [:], names: Set<String> = [], _ head: [UInt8]) -> Bool {
        var rest = head[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        guard take(UInt8(ascii: "{"), &rest) else { return false }
        var (missing, unseen) = (texts, names)
        repeat {
            guard let quoted = text(&rest), take(UInt8(ascii: ":"), &rest) else { return false }
            let name = String(decoding: quoted, as: UTF8.self)
            unseen.remove(name)
            if missing.isEmpty, unseen.isEmpty { return true }
            if rest.drop(while: isBlank).first == 0x22 {
                guard let value = text(&rest) else { return false }
                if missing[name].map({ value.elementsEqual($0.utf8) }) == true { missing[name] = nil }
                if missing.isEmpty, unseen.isEmpty { return true }
            } else if !passValue(&rest) {
                return false
            }
        } while take(UInt8(ascii: ","), &rest)
        return false
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private static func take(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
        rest = rest.drop(while: isBlank)
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// The text here, without its quotation marks.
    private static func text(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard take(0x22, &rest) else { return nil }
        let whole = rest
        while let byte = rest.popFirst() {
            if byte == 0x22 { return whole[..<(rest.startIndex - 1)] }
            if byte == 0x5C { rest = rest.dropFirst() }
        }
        return nil
    }

    /// Goes behind a value that is no text.
    /// - Returns: `false` where it does not end within the head.
    private static func passValue(_ rest: inout ArraySlice<UInt8>) -> Bool {
        var depth = 0
        while let byte = rest.first {
            switch byte {
            case 0x22: guard text(&rest) != nil else { return false }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                rest = rest.dropFirst()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return true }
                depth -= 1
                rest = rest.dropFirst()
            case UInt8(ascii: ",") where depth == 0: return true
            default: rest = rest.dropFirst()
            }
        }
        return false
    }
}
