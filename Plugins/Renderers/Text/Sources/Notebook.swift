internal import JSON

/// The cells of a notebook of Jupyter (nbformat 4), which is JSON: its texts, and its code without what came of it.
///
/// The end may be missing: all cells before it are found.
struct Notebook {
    /// The paragraphs of all cells; empty when there are no cells.
    private(set) var blocks: [TextBlock] = []

    /// More than a page has.
    private static let limit = 60
    /// How deep the members of a cell lie: in the notebook, in its list, in the cell.
    private static let depthOfMembers = 3

    private var bytes: [UInt8]
    private var at = 0
    private var kind: String?
    private var source: String?

    init(_ text: String) {
        bytes = Array(text.utf8)
        var depth = 0
        while at < bytes.count, blocks.count < Self.limit {
            switch bytes[at] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == Self.depthOfMembers { endCell() }
                depth -= 1
            case UInt8(ascii: "\""):
                let name = value()
                if depth == Self.depthOfMembers { member(name?.text) }
                continue
            default: break
            }
            at += 1
        }
        endCell()
        bytes = []
    }

    /// Takes the value of a member of a cell, if it is one that is wanted.
    private mutating func member(_ name: String?) {
        guard name == "cell_type" || name == "source" else { return }
        while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ":")].contains(bytes[at]) { at += 1 }
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "[") else { return }
        let value = value()
        if name == "cell_type" { kind = value?.text }
        if name == "source" { source = value?.text ?? value?.list?.compactMap(\.text).joined() }
    }

    /// The text or the list of texts that begins here; `nil` when it has no end.
    private mutating func value() -> JSONValue? {
        let start = at
        let isList = bytes[at] == UInt8(ascii: "[")
        var isText = false
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            if isText, byte == UInt8(ascii: "\\") { at = min(at + 1, bytes.count) }
            if byte == UInt8(ascii: "\"") { isText.toggle() }
            if !isText, byte == (isList ? UInt8(ascii: "]") : UInt8(ascii: "\"")) {
                return JSONValue(Array(bytes[start..<at]))
            }
        }
        return nil
    }

    private mutating func endCell() {
        defer { (kind, source) = (nil, nil) }
        guard let kind, let text = source.map(PlainText.cleaned), text.contains(where: { !$0.isWhitespace }) else {
            return
        }
        if kind == "code" {
            let end = text.lastIndex { !$0.isWhitespace } ?? text.startIndex
            blocks.append(TextBlock(String(text[...end]), .code))
        } else {
            blocks += Markdown.blocks(text)
        }
    }
}
