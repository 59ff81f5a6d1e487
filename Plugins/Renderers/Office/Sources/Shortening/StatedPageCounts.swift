/// Fields that show how many pages a document has, or its section (ISO/IEC 29500-1, 17.16.5.42).
///
/// LibreOffice puts in their place what it counts, which is too few once most of the text is cut off. What a field is named that
/// LibreOffice does not know keeps what the program wrote into it that wrote the document.
enum StatedPageCounts {
    private static let names: [StaticString] = ["NUMPAGES", "SECTIONPAGES"]
    /// How far before a name the beginning of its field is looked for.
    private static let reach = 256

    /// Renames these fields, each by one byte, where they stand as fields. Texts that speak of them stay as they are.
    static func keep(in text: inout [UInt8]) {
        let ends = text.withUnsafeBytes { bytes in
            names.flatMap { name in
                var (ends, from): ([Int], Int) = ([], 0)
                while let found = bytes.offset(of: name, from: from) {
                    from = found + name.utf8CodeUnitCount
                    let before = UnsafeRawBufferPointer(rebasing: bytes[max(0, found - reach)..<found])
                    if isCode(before) { ends.append(from - 1) }
                }
                return ends
            }
        }
        for end in ends { text[end] = UInt8(ascii: "X") }
    }

    /// Whether what stands before a name has begun the code of a field: in WordprocessingML an element or an attribute, in Rich
    /// Text Format a group.
    private static func isCode(_ before: UnsafeRawBufferPointer) -> Bool {
        if let group = last("fldinst", in: before) { return before.offset(of: "fldrslt", from: group) == nil }
        let code = before.lastIndex { !isBlank($0) }.map { before[$0] }
        switch code {
        case UInt8(ascii: ">"):
            guard let tag = before.lastIndex(of: UInt8(ascii: "<")) else { return false }
            return before.offset(of: "instrText", from: tag) != nil
        case UInt8(ascii: "\""):
            let name = before[..<(before.lastIndex { !isBlank($0) } ?? 0)]
            return name.suffix(6).elementsEqual("instr=".utf8)
        default: return false
        }
    }

    private static func last(_ words: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
        var found: Int?
        while let next = bytes.offset(of: words, from: found.map { $0 + 1 } ?? 0) { found = next }
        return found
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }
}
