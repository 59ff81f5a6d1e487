internal import MIME

/// The people of an address book (vCard, RFC 6350, and its versions before), each with what is known of them.
enum AddressBook {
    static let type = "text/vcard"
    /// More than a page has.
    private static let limit = 40

    /// The paragraphs of the first people. The end may be missing.
    static func blocks(_ bytes: [UInt8]) -> [TextBlock] {
        var blocks: [TextBlock] = []
        var (name, others): (String?, [String]) = (nil, [])
        for line in ContentLine.lines(bytes) {
            guard blocks.count < limit else { break }
            switch line.property {
            case "BEGIN": (name, others) = (nil, [])
            case "FN": name = line.text
            case "N": name = name ?? joined(reordered(line.parts), " ")
            case "ORG", "ADR": others.append(joined(line.parts, ", "))
            case "TITLE", "TEL", "EMAIL", "URL", "BDAY", "NOTE": others.append(line.text)
            case "END":
                blocks.append(TextBlock(PlainText.cleaned(name ?? "–"), .heading(2)))
                let lines = others.filter { !$0.isEmpty }
                if !lines.isEmpty { blocks.append(TextBlock(PlainText.cleaned(lines.joined(separator: "\n")))) }
            default: break
            }
        }
        return blocks
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
