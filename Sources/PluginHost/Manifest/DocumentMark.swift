/// How a document in XML or JSON begins, wherever in its head that stands: behind comments, or after other members.
public enum DocumentMark: Hashable, Sendable, CustomStringConvertible {
    /// XML whose first element has this local name.
    case element(String)
    /// JSON whose outermost object has these members, which are texts without escapes.
    case members([String: String])

    /// Whether a file that begins so is such a document.
    /// - Parameter head: the first bytes of the file.
    func begins(_ head: [UInt8]) -> Bool {
        switch self {
        case .element(let name): XMLHead.element(head)?.elementsEqual(name.utf8) == true
        case .members(let texts): JSONHead.has(texts, head)
        }
    }

    /// One text for each mark, with members in the order of their names.
    public var description: String {
        switch self {
        case .element(let name): "<\(name)>"
        case .members(let texts): "{\(texts.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" })}"
        }
    }

    /// Bytes of the words that are looked for.
    var length: Int {
        switch self {
        case .element(let name): name.utf8.count
        case .members(let texts): texts.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        }
    }
}

extension DocumentMark {
    /// Decodes the fields `xml` or `json` of a pattern.
    /// - Returns: `nil` for a pattern that has none of them.
    /// - Throws: `DecodingError`.
    init?(from fields: KeyedDecodingContainer<MagicPattern.Field>) throws {
        if let name = try fields.decodeIfPresent(String.self, forKey: .xml) {
            guard Self.isWord(name), !name.contains(":") else { throw Self.wordsWanted(.xml, fields) }
            self = .element(name)
        } else if let texts = try fields.decodeIfPresent([String: String].self, forKey: .json) {
            guard 1...8 ~= texts.count, texts.allSatisfy({ Self.isWord($0.key) && Self.isWord($0.value) }) else {
                throw Self.wordsWanted(.json, fields)
            }
            self = .members(texts)
        } else {
            return nil
        }
    }

    private static func isWord(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.utf8.allSatisfy { $0 > 0x20 && !#"<>"'\/"#.utf8.contains($0) }
    }

    private static func wordsWanted(
        _ field: MagicPattern.Field, _ fields: KeyedDecodingContainer<MagicPattern.Field>
    ) -> DecodingError {
        DecodingError.dataCorruptedError(
            forKey: field, in: fields,
            debugDescription: field == .xml
                ? "the name of an element is wanted: 1 to 64 bytes, without a prefix"
                : "1 to 8 members are wanted, names and texts of 1 to 64 bytes each without blanks and escapes")
    }
}
