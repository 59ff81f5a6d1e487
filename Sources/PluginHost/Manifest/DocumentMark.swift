import JSON
import VitrineKit

/// How a document in XML or JSON begins, wherever in its head that stands: behind comments, or after other members.
public enum DocumentMark: Hashable, Sendable, CustomStringConvertible {
    /// XML whose first element has this local name, and names this namespace for itself unless it is `nil`.
    case element(String, namespace: String? = nil)
    /// JSON whose outermost object has these members, which are texts without escapes.
    case members([String: String])
    /// JSON whose outermost object has members of these names, whatever they are.
    case names(Set<String>)

    /// Whether a file that begins so is such a document.
    /// - Parameter head: the first bytes of the file.
    func begins(_ head: [UInt8]) -> Bool {
        switch self {
        case .element(let name, let namespace): Self.begins(XMLHead.root(head), name, namespace)
        case .members(let texts): JSONHead.has(texts: texts, head)
        case .names(let names): JSONHead.has(names: names, head)
        }
    }

    private static func begins(_ root: XMLHead.Root?, _ name: String, _ namespace: String?) -> Bool {
        guard let root, root.name.elementsEqual(name.utf8) else { return false }
        guard let namespace else { return true }
        return root.namespace?.elementsEqual(namespace.utf8) == true
    }

    /// One text for each mark, with members in the order of their names.
    public var description: String {
        switch self {
        case .element(let name, let namespace): "<\(name)\(namespace.map { " xmlns=\($0)" } ?? "")>"
        case .members(let texts): "{\(texts.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" })}"
        case .names(let names): "{\(names.sorted())}"
        }
    }

    /// Bytes of the words that are looked for.
    var length: Int {
        switch self {
        case .element(let name, let namespace): name.utf8.count + (namespace?.utf8.count ?? 0)
        case .members(let texts): texts.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        case .names(let names): names.reduce(0) { $0 + $1.utf8.count }
        }
    }
}

extension DocumentMark {
    /// Takes the fields `xml` and `namespace`, or `json`, of a pattern.
    /// - Returns: `nil` for a pattern that has none of them.
    init?(_ fields: ManifestObject<MagicPattern.Field>) throws(ManifestFault) {
        if let name = try fields.optionalText(.xml) {
            guard Self.isWord(name), !name.contains(":") else {
                throw fields.fault(.xml, "the name of an element is wanted: 1 to 64 bytes, without a prefix")
            }
            let namespace = try fields.optionalText(.namespace)
            guard namespace.map(Self.isAddress) ?? true else {
                throw fields.fault(
                    .namespace,
                    "the address of a namespace is wanted: 1 to 200 bytes of ASCII without blanks and quotes")
            }
            self = .element(name, namespace: namespace)
        } else if let members = fields[.json] {
            self = try Self.members(members, at: fields.place(of: .json))
        } else {
            return nil
        }
    }

    /// Names of members, or members with their texts.
    private static func members(_ value: JSONValue, at place: String) throws(ManifestFault) -> Self {
        let mark: Self
        let count: Int
        let words: [String]
        if case .object(let members) = value {
            var texts: [String: String] = [:]
            for (name, value) in members {
                texts[name] = try ManifestValue.text(value, at: "\(place).\(DisplayText.of(name))")
            }
            (mark, count, words) = (.members(texts), texts.count, Array(texts.keys) + texts.values)
        } else {
            words = try ManifestValue.texts(value, at: place)
            (mark, count) = (.names(Set(words)), words.count)
        }
        guard 1...8 ~= count, words.allSatisfy(isWord) else {
            throw .at(
                place, "1 to 8 members are wanted, names and texts of 1 to 64 bytes each without blanks and escapes")
        }
        return mark
    }

    private static func isWord(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.utf8.allSatisfy { $0 > 0x20 && !#"<>"'\/"#.utf8.contains($0) }
    }

    private static func isAddress(_ text: String) -> Bool {
        1...200 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !#"<>"'&"#.utf8.contains($0) }
    }
}
