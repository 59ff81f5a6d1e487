import VitrineKit

/// What was learned of an item, as rows that a person reads: a label and a text each.
enum FactRows {
    static func rows(_ facts: Facts) -> [(String, String)] {
        var rows: [(String, String)] = []
        if let title = facts.title { rows.append(("title", title)) }
        if let pages = facts.pages { rows.append(("pages", "\(pages)")) }
        let page = page(facts)
        if let page { rows.append(("page", page)) }
        if let size = facts.size { rows.append(("pixels", "\(size.width) × \(size.height)")) }
        if let duration = facts.duration { rows.append(("duration", Quantity.seconds(duration))) }
        for (name, value) in facts.details.sorted(by: { $0.key < $1.key }) where page == nil || !ofPage.contains(name) {
            rows.append((label(name), text(value, name)))
        }
        return rows
    }

    private static let ofPage: Set<FactName> = [.pageFormat, .pageWidth, .pageHeight]

    /// The page that is shown: `A4, 210 × 297 mm`; `nil` unless its size is known.
    private static func page(_ facts: Facts) -> String? {
        guard case .number(let width) = facts.details[.pageWidth],
            case .number(let height) = facts.details[.pageHeight]
        else { return nil }
        let size = "\(number(width, 1)) × \(number(height, 1)) mm"
        return facts.text(.pageFormat).map { "\($0), \(size)" } ?? size
    }

    private static func text(_ value: FactValue, _ name: FactName) -> String {
        switch value {
        case .text(let text): text
        case .number(let value): number(value, 2) + (name == .frameRate ? " a second" : "")
        case .list(let list): list.joined(separator: ", ")
        @unknown default: ""
        }
    }

    private static func number(_ value: Double, _ digits: Int) -> String {
        Int64(exactly: value).map { "\($0)" } ?? Quantity.decimal(value, digits)
    }

    /// The name in words: `sheetNames` is "sheet names".
    private static func label(_ name: FactName) -> String {
        name.rawValue.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
    }
}
