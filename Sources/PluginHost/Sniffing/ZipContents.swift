/// What the first entries of a zip file tell about it: office documents and books are zip files.
///
/// Local file headers as in APPNOTE.TXT 6.3.10, section 4.3.7. Read from the head only; what does not lie in it is
/// not looked for.
struct ZipContents {
    /// Content of a first entry `mimetype` that is stored, as OpenDocument 1.3 part 2, section 3.3, and OCF 3.3,
    /// section 4.3, ask for. Krita stores it inside of a stream of Deflate.
    private var declared: String?
    private var names: [ArraySlice<UInt8>] = []

    /// Looks at the head of a file.
    /// - Returns: `nil` when it does not begin as a zip with an entry in it.
    init?(_ head: [UInt8]) {
        guard Self.signature(at: 0, in: head) else { return nil }
        var offset = 0
        while let entry = Entry(at: offset, in: head) {
            names.append(entry.name)
            if offset == 0, entry.name.elementsEqual("mimetype".utf8),
                let content = entry.plainContent(in: head, upTo: 127)
            {
                let text = String(decoding: content, as: UTF8.self).lowercased()
                declared = ManifestText.isMIMEType(text) ? text : nil
            }
            // Where the size follows the data the next header is searched for.
            let next = entry.hasSize ? entry.data + entry.size : entry.data
            guard let found = Self.nextSignature(from: next, in: head) else { break }
            offset = found
        }
    }

    /// The type of the document, or `nil` when the head does not tell.
    /// - Parameter named: the type by name; kept where it is of the same family, which has types (templates, macros)
    ///   that only the name tells apart.
    func type(named: String) -> String? {
        if let declared { return declared }
        for family in Self.families where names.contains(where: { $0.starts(with: family.folder.utf8) }) {
            return family.prefixes.contains { named.hasPrefix($0) } ? named : family.type
        }
        return nil
    }

    /// Office Open XML (ECMA-376 part 1): the folder of the main part, the type of a plain document, and how the
    /// types of the family begin.
    private static let families: [(folder: String, type: String, prefixes: [String])] = [
        ("word/", office + "wordprocessingml.document", [office + "wordprocessingml.", "application/vnd.ms-word."]),
        ("xl/", office + "spreadsheetml.sheet", [office + "spreadsheetml.", "application/vnd.ms-excel."]),
        (
            "ppt/", office + "presentationml.presentation",
            [office + "presentationml.", "application/vnd.ms-powerpoint."]
        ),
        ("visio/", "application/vnd.ms-visio.drawing.main+xml", ["application/vnd.ms-visio."]),
    ]
    private static let office = "application/vnd.openxmlformats-officedocument."

    private static func signature(at offset: Int, in head: [UInt8]) -> Bool {
        offset <= head.count - 4 && head[offset..<offset + 4].elementsEqual([0x50, 0x4B, 3, 4])
    }

    private static func nextSignature(from start: Int, in head: [UInt8]) -> Int? {
        guard start <= head.count - 4 else { return nil }
        return (start...head.count - 4).first { signature(at: $0, in: head) }
    }

    /// One local file header.
    private struct Entry {
        let name: ArraySlice<UInt8>
        /// How the data are packed: 0 for not at all, 8 for Deflate.
        let method: Int
        let hasSize: Bool
        /// Bytes of data, when `hasSize`.
        let size: Int
        /// Where the data begin; may lie beyond the head.
        let data: Int

        init?(at offset: Int, in head: [UInt8]) {
            guard ZipContents.signature(at: offset, in: head), head.count - offset >= 30 else { return nil }
            func number(_ place: Int, _ count: Int) -> Int {
                (0..<count).reduce(0) { $0 | Int(head[offset + place + $1]) << (8 * $1) }
            }
            let nameEnd = offset + 30 + number(26, 2)
            guard nameEnd <= head.count else { return nil }
            name = head[offset + 30..<nameEnd]
            method = number(8, 2)
            hasSize = number(6, 2) & 8 == 0
            size = number(18, 4)
            data = nameEnd + number(28, 2)
        }

        /// What the entry holds, where that can be read as it is; `nil` where it is nothing, more than `limit` or not all in the head.
        /// A stream of Deflate can be one stored block (RFC 1951, section 3.2.4): a byte, the size, and the size again, inverted.
        func plainContent(in head: [UInt8], upTo limit: Int) -> ArraySlice<UInt8>? {
            var (content, count) = (head.dropFirst(data), size)
            if method == 8 {
                let block = Array(content.prefix(5))
                guard block.count == 5, block[0] == 1, block[1] == ~block[3], block[2] == ~block[4] else { return nil }
                (content, count) = (content.dropFirst(5), Int(block[1]) | Int(block[2]) << 8)
            } else if method != 0 {
                return nil
            }
            return 1...limit ~= count && content.count >= count ? content.prefix(count) : nil
        }
    }
}
