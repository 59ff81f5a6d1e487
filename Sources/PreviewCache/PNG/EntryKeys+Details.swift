import VitrineKit

// What the standard has no keys for: each detail is a key of its own, `X-Vitrine::Text::author`, so that any tool for PNG
// shows it. Values are percent-encoded UTF-8, since tEXt knows no language but those of Latin-1; PNG's own keys, such as
// Title, would have to be in that. Neither text nor place is ever among them.
extension EntryKeys {
    /// Says that all that the renderer learned was written, so that what is missing is not known.
    static let completeness = "X-Vitrine::Facts"
    /// The present meaning of ``completeness``; a renderer that learns more makes it another number.
    static let completeFacts = "1"

    private static let title = "title"
    private static let textPrefix = "X-Vitrine::Text::"
    private static let numberPrefix = "X-Vitrine::Number::"
    private static let listPrefix = "X-Vitrine::List::"

    /// The most bytes of all details, so that an entry's keys are usually read at once.
    private static let detailBytes = 8 << 10

    mutating func addDetails(of facts: Facts) {
        let end = chunks.count + Self.detailBytes
        if let title = facts.title.flatMap({ Facts.line($0) }) { addText(Self.textPrefix + Self.title, title) }
        var isComplete = true
        for (name, value) in facts.details.sorted(by: { $0.key < $1.key }).prefix(Facts.detailLimit) {
            guard chunks.count < end else {
                isComplete = false
                break
            }
            switch value {
            case .text(let text): addText(Self.textPrefix + name.rawValue, text)
            case .number(let number): add(Self.numberPrefix + name.rawValue, "\(number)")
            case .list(let list):
                // What separates them is what the encoding never leaves.
                let value = list.map { PercentEncoding.encode($0.utf8) }.joined(separator: ";")
                // Nobody reads a longer one.
                if value.utf8.count > Self.detailBytes {
                    isComplete = false
                } else {
                    add(Self.listPrefix + name.rawValue, value)
                }
            @unknown default: isComplete = false
            }
        }
        if isComplete { add(Self.completeness, Self.completeFacts) }
    }

    /// Takes a key that may be a detail's.
    /// - Parameter facts: what it is added to, cleaned: anybody may have written it.
    static func readDetail(_ key: String, _ value: UnsafeRawBufferPointer, into facts: inout Facts) {
        guard key.hasPrefix("X-Vitrine::"), value.count <= detailBytes else { return }
        let value = String(decoding: value, as: UTF8.self)
        func name(_ prefix: String) -> FactName? {
            key.hasPrefix(prefix) ? FactName(rawValue: String(key.dropFirst(prefix.count))) : nil
        }
        func decoded(_ part: some StringProtocol) -> String? {
            PercentEncoding.decode(part).map { String(decoding: $0, as: UTF8.self) }
        }
        if let name = name(textPrefix) {
            if name.rawValue == title {
                facts.title = decoded(value).flatMap { Facts.line($0) }
            } else if facts.details.count < Facts.detailLimit {
                facts.set(name, decoded(value))
            }
        } else if facts.details.count < Facts.detailLimit {
            if let name = name(numberPrefix) { facts.set(name, Double(value)) }
            if let name = name(listPrefix) { facts.set(name, value.split(separator: ";").compactMap(decoded)) }
        }
    }
}
