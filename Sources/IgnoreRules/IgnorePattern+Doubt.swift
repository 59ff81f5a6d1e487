extension IgnorePattern {
    /// Why it hardly means what was meant, as a clause that says what to write; `nil` when nothing speaks against it. A
    /// pattern in which the byte in question follows a `\` is free of doubt, and matches the same.
    ///
    /// Made for patterns of the settings file, where `;` stands between patterns and each `\` is written twice.
    public var doubt: String? {
        let bare = unescaped
        if let comma = bare.firstIndex(of: UInt8(ascii: ",")) {
            if bare[..<comma].contains(UInt8(ascii: "{")), bare[comma...].contains(UInt8(ascii: "}")) {
                return
                    "braces and commas stand for themselves; write a pattern for each alternative, or '\\\\,' for a comma "
                    + "in a name"
            }
            return "a comma separates nothing; write ';' between patterns, or '\\\\,' for a comma in a name"
        }
        for quote in [UInt8(ascii: "\""), UInt8(ascii: "'")]
        where bare.count > 1 && bare.first == quote && bare.last == quote {
            return "quotation marks belong to the name; leave them out, or write '\\\\' before each that is in a name"
        }
        if bare.starts(with: "~/".utf8) {
            return "patterns are relative to the source; write the path below its folder"
        }
        if bare.starts(with: "*.".utf8), bare.contains(UInt8(ascii: " ")) {
            return
                "a blank separates nothing, and '#' begins no comment here; write ';' between patterns, or '\\\\' and a blank "
                + "for one in a name"
        }
        return nil
    }

    /// The text without `!`, what follows a `\`, and sets: what is left stands there without emphasis.
    private var unescaped: [UInt8] {
        var bare: [UInt8] = []
        var rest = (isNegated ? text.dropFirst() : text[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") {
                rest = rest.dropFirst()
                // Something stands there.
                bare.append(UInt8(ascii: "\\"))
            } else if byte == UInt8(ascii: "["), let end = Self.endOfSet(rest) {
                rest = rest[(end + 1)...]
                bare.append(byte)
            } else {
                bare.append(byte)
            }
        }
        return bare
    }

    /// Where the `]` is that ends a set, of which `[` has been read. One that comes first is a member.
    private static func endOfSet(_ text: ArraySlice<UInt8>) -> Int? {
        let isInverted = text.first == UInt8(ascii: "!") || text.first == UInt8(ascii: "^")
        return text.dropFirst(isInverted ? 2 : 1).firstIndex(of: UInt8(ascii: "]"))
    }
}
