/// What the styles of an OpenDocument file say of pages (OpenDocument 1.3, part 3, 16): which are hidden, and before or behind
/// which paragraphs and tables one ends.
struct OpenStyles {
    /// Styles of sheets and slides that people are not shown (`table:display`, `presentation:visibility`).
    private(set) var hidden: Set<String> = []
    /// Styles of what begins a page (`fo:break-before`, `style:master-page-name`).
    private(set) var beginning: Set<String> = []
    /// Styles of what ends one (`fo:break-after`).
    private(set) var ending: Set<String> = []

    private var name = ""
    private var family = ""

    /// The most styles of a kind that are known.
    private static let most = 10_000

    /// Takes the start of an element.
    mutating func take(_ element: String, _ attributes: [String: String]) {
        switch element {
        case "style":
            (name, family) = (attributes["name"] ?? "", attributes["family"] ?? "")
            guard isOfText else { return }
            let parent = attributes["parent-style-name"] ?? ""
            let master = attributes["master-page-name"].map { !$0.isEmpty }
            note(in: &beginning, master ?? beginning.contains(parent))
            note(in: &ending, ending.contains(parent))
        case "table-properties", "drawing-page-properties", "properties":
            if family == "table", attributes["display"] == "false" { note(in: &hidden, true) }
            if family == "drawing-page", attributes["visibility"] == "hidden" { note(in: &hidden, true) }
            takeBreaks(attributes)
        case "paragraph-properties": takeBreaks(attributes)
        default: break
        }
    }

    private var isOfText: Bool { family == "paragraph" || family == "table" }

    private mutating func takeBreaks(_ attributes: [String: String]) {
        guard isOfText else { return }
        if let kind = attributes["break-before"] { note(in: &beginning, kind == "page") }
        if let kind = attributes["break-after"] { note(in: &ending, kind == "page") }
    }

    private func note(in names: inout Set<String>, _ isOne: Bool) {
        if !isOne { names.remove(name) } else if names.count < Self.most { names.insert(name) }
    }
}
