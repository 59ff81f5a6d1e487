internal import MIME

/// The people of an address book (vCard, RFC 6350, and its versions before), each with what is known of them.
enum AddressBook {
    static let type = "text/vcard"
    /// More than a page has.
    private static let limit = 40

    /// The paragraphs of the first people.
    /// - Parameter bytes: the address book, or its beginning.
    static func blocks(_ bytes: [UInt8]) -> [TextBlock] {
        var blocks: [TextBlock] = []
        var (name, others): (String?, [String]) = (nil, [])
        func end() {
            blocks.append(TextBlock(PlainText.cleaned(name ?? "–"), .heading(2)))
            let lines = others.filter { !$0.isEmpty }
            if !lines.isEmpty { blocks.append(TextBlock(PlainText.cleaned(lines.joined(separator: "\n")))) }
            (name, others) = (nil, [])
        }
        for line in ContentLine.lines(bytes) {
            guard blocks.count < limit else { break }
            switch line.property {
            case "BEGIN": (name, others) = (nil, [])
            case "FN": name = line.text
            case "N": name = name ?? joined(reordered(line.parts), " ")
            case "ORG", "ADR": others.append(joined(line.parts, ", "))
            case "TEL", "EMAIL": others.append(address(line.text))
            case "TITLE", "URL", "BDAY", "NOTE": others.append(line.text)
            case "END": end()
            default: break
            }
        }
        // Behind it may be a photograph, of which the beginning is known only.
        if name != nil, blocks.count < limit { end() }
        return blocks
    }

    /// Newer versions write numbers and addresses as URIs.
    private static func address(_ text: String) -> String {
        for scheme in ["tel:", "mailto:"] where text.lowercased().hasPrefix(scheme) {
            return String(text.dropFirst(scheme.count))
        }
        return text
    }

    /// Family, given and further names, what stands before them and behind (RFC 6350, section 6.2.2), as they are spoken.
    private static func reordered(_ parts: [String]) -> [String] {
        let order = [3, 1, 2, 0, 4]
        return order.filter(parts.indices.contains).map { parts[$0] }
    }

    private static func joined(_ parts: [String], _ separator: String) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: separator)
    }
}
