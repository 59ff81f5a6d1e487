internal import Glibc
internal import XML

/// Gathers one page of a notebook while it is read, and counts the others.
///
/// Xournal's manual, "The Xournal file format", describes the elements; those of Xournal++ are the same, and have more attributes.
final class NotebookListener: XMLListener {
    private(set) var notebook = Notebook()
    /// Whether the first element is that of a notebook.
    private(set) var isKnown = false

    private enum Element: Int {
        case other, notebook, page, background, stroke, text, picture, preview
    }

    private static let names: [String: Element] = [
        "xournal": .notebook, "page": .page, "background": .background, "stroke": .stroke, "text": .text,
        "image": .picture, "teximage": .picture, "preview": .preview,
    ]

    private let wanted: Int
    private var isFirst = true
    private var isWanted = false
    /// What the next text belongs to.
    private var item: NotebookItem?
    private var isPreview = false

    /// - Parameter page: which is gathered, from 0.
    init(page: Int) { wanted = page }

    func meaning(of name: XMLName) -> Int { (Self.names[name.local] ?? .other).rawValue }

    func start(_ meaning: Int, _ attributes: XMLAttributes) {
        let element = Element(rawValue: meaning) ?? .other
        if isFirst { isKnown = element == .notebook }
        isFirst = false
        if element == .page { startPage(attributes.values) }
        if element == .preview { isPreview = true }
        guard isWanted, notebook.page != nil else { return }
        switch element {
        case .background: setPaper(attributes.values)
        case .stroke: item = stroke(attributes.values)
        case .text: item = text(attributes.values)
        case .picture: item = picture(attributes.values)
        case .other, .notebook, .page, .preview: break
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isPreview { notebook.preview += bytes }
        switch item {
        case .stroke(var stroke):
            stroke.points = Self.numbers(bytes)
            if !stroke.dashes.isEmpty, !Self.isDrawnWithDashes(stroke) { stroke.dashes = [] }
            item = .stroke(stroke)
        case .text(var text):
            text.text = String(decoding: bytes, as: UTF8.self)
            item = .text(text)
        case .picture(var picture):
            picture.letters = Array(bytes)
            item = .picture(picture)
        case nil: break
        }
    }

    func end(_ meaning: Int) {
        switch Element(rawValue: meaning) {
        case .page: isWanted = false
        case .preview: isPreview = false
        case .stroke, .text, .picture:
            if let item { notebook.page?.items.append(item) }
            item = nil
        default: break
        }
    }

    private func startPage(_ values: [String: String]) {
        isWanted = notebook.pages == wanted
        notebook.pages += 1
        guard isWanted, let width = Self.length(values["width"]), let height = Self.length(values["height"]) else {
            return
        }
        notebook.page = NotebookPage(width: width, height: height)
    }

    private func setPaper(_ values: [String: String]) {
        notebook.page?.liesOnAnother = values["type"] == "pdf" || values["type"] == "pixmap"
        if let color = NotebookColor(values["color"], isPaper: true) { notebook.page?.paper = color }
        notebook.page?.ruling = values["style"] ?? ""
    }

    private func stroke(_ values: [String: String]) -> NotebookItem? {
        let widths = Self.numbers(values["width"] ?? "")
        guard let width = widths.first, width > 0, let page = notebook.page else { return nil }
        let widest = max(page.width, page.height)
        let tool: NotebookStroke.Tool =
            switch values["tool"] {
            case "highlighter": .highlighter
            case "eraser": .eraser
            default: .pen
            }
        var color = NotebookColor(values["color"]) ?? .black
        // Xournal does not say how much of it is seen.
        if tool == .highlighter, color.alpha == 1 { color.alpha = 0.5 }
        let filling = values["fill"].flatMap { Double($0) } ?? 0
        return .stroke(
            NotebookStroke(
                tool: tool, color: color, width: min(width, widest),
                pressures: widths.dropFirst().map { min($0, widest) },
                filling: min(max(filling / 255, 0), 1), dashes: Self.dashes(values["style"] ?? ""), points: []))
    }

    private func text(_ values: [String: String]) -> NotebookItem? {
        guard let x = Self.number(values["x"]), let y = Self.number(values["y"]) else { return nil }
        let size = Self.number(values["size"]).map { min(max($0, 1), 1000) } ?? 12
        return .text(
            NotebookText(
                x: x, y: y, font: values["font"] ?? "Sans", size: size,
                color: NotebookColor(values["color"]) ?? .black, text: ""))
    }

    private func picture(_ values: [String: String]) -> NotebookItem? {
        let sides = ["left", "top", "right", "bottom"].compactMap { Self.number(values[$0]) }
        guard sides.count == 4, sides[2] - sides[0] > Self.leastSide, sides[3] - sides[1] > Self.leastSide else {
            return nil
        }
        return .picture(
            NotebookPicture(left: sides[0], top: sides[1], right: sides[2], bottom: sides[3], letters: []))
    }

    /// Points that a page may be wide or high, that something may be from its corner, and that a picture's sides are at least.
    private static let lengths = 1.0...farthest, farthest = 1_000_000.0, leastSide = 0.01

    private static func length(_ text: String?) -> Double? {
        guard let length = text.flatMap({ Double($0) }), lengths ~= length else { return nil }
        return length
    }

    /// A place, or `nil` for what is no number. What lies far beyond the page is not told from what lies farther still.
    private static func number(_ text: String?) -> Double? {
        guard let number = text.flatMap({ Double($0) }), number.isFinite else { return nil }
        return min(max(number, -farthest), farthest)
    }

    /// Dashes of Xournal++ by name, or of any lengths: `cust: 6 3`.
    private static func dashes(_ style: String) -> [Double] {
        switch style {
        case "dash": [6, 3]
        case "dot": [0.5, 3]
        case "dashdot": [6, 3, 0.5, 3]
        default: style.hasPrefix("cust:") ? numbers(String(style.dropFirst(5))).filter { $0 > 0 } : []
        }
    }

    /// Dashes of a line at most; of more it is drawn without.
    private static let mostDashes = 10_000.0

    private static func isDrawnWithDashes(_ stroke: NotebookStroke) -> Bool {
        let period = stroke.dashes.reduce(0, +)
        var length = 0.0
        for at in stride(from: 2, to: stroke.points.count - 1, by: 2) {
            length +=
                abs(stroke.points[at] - stroke.points[at - 2]) + abs(stroke.points[at + 1] - stroke.points[at - 1])
        }
        return length < mostDashes * period
    }

    private static func numbers(_ text: String) -> [Double] {
        var text = text
        return text.withUTF8 { numbers($0) }
    }

    /// Numbers between blanks, up to the first that is none.
    private static func numbers(_ bytes: UnsafeBufferPointer<UInt8>) -> [Double] {
        let copy = Array(bytes) + [0]
        return copy.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { letters in
                var numbers: [Double] = []
                guard var next = letters.baseAddress else { return numbers }
                while true {
                    var end: UnsafeMutablePointer<CChar>?
                    let number = strtod(next, &end)
                    guard let end, UnsafePointer(end) != next, number.isFinite else { return numbers }
                    numbers.append(min(max(number, -farthest), farthest))
                    next = UnsafePointer(end)
                }
            }
        }
    }
}
