internal import MIME

/// The cells of a notebook of Jupyter, which is JSON (nbformat 3 and 4): its texts, its code, and what came of it, as far as it
/// is a picture or plain text.
///
/// The end may be missing: all cells before it are found.
struct Notebook {
    static let type = "application/x-ipynb+json"
    /// Bytes that are read of one: pictures stand between the cells, some ten KiB each.
    static let reach = 4 << 20

    /// The paragraphs of the first cells; empty when there are no cells.
    private(set) var blocks: [TextBlock] = []
    /// What is written in the cells, and what code wrote: all that the paragraphs show, and more where there are many cells.
    private(set) var text = ""

    /// More than a page has.
    private static let limit = 60
    /// Bytes of a text, and lines of what came of code, that are taken; bytes of all texts behind which no more are added.
    private static let longestText = 16 << 10, longestOutput = 12, longestOfAll = 64 << 10
    /// Letters of a picture in Base64.
    private static let longestPicture = 3 << 20

    /// - Parameter bytes: the notebook, or its beginning.
    init(_ bytes: [UInt8]) {
        var cursor = JSONCursor(bytes)
        cursor.members { value, name in
            if name == "cells" { value.elements { take(&$0) } }
            guard name == "worksheets" else { return }
            value.elements { sheet in
                sheet.members { value, name in if name == "cells" { value.elements { take(&$0) } } }
            }
        }
    }

    /// Takes a cell.
    private mutating func take(_ cell: inout JSONCursor) {
        guard text.utf8.count < Self.longestOfAll else { return }
        var (kind, source, level) = ("", "", 1)
        var outputs: [TextBlock] = []
        cell.members { value, name in
            switch name {
            case "cell_type": kind = value.text() ?? ""
            case "source", "input": source = Self.cleaned(value.joinedText(limit: Self.longestText))
            case "level": level = min(6, max(1, value.digit() ?? 1))
            case "outputs": value.elements { if outputs.count < Self.limit { outputs += Self.output(&$0) } }
            case "attachments":
                value.members { file, _ in
                    if outputs.count < Self.limit { outputs += [Self.data(&file).picture].compactMap(\.self) }
                }
            default: break
            }
        }
        guard !kind.isEmpty else { return }
        add(source)
        // A key is looked for in the text: what is not in it is not shown either.
        let shown = outputs.prefix { output in
            guard text.utf8.count < Self.longestOfAll else { return false }
            add(output.text)
            return true
        }
        guard blocks.count < Self.limit else { return }
        switch kind {
        case _ where source.isEmpty: break
        case "code": blocks.append(TextBlock(source, .code))
        case "heading": blocks.append(TextBlock(source, .heading(level)))
        default: blocks += Markdown.blocks(source)
        }
        blocks += shown
    }

    private mutating func add(_ words: String) {
        if !words.isEmpty { text += text.isEmpty ? words : "\n" + words }
    }

    /// What came of code once: what it wrote, a picture or a value, or how it failed.
    private static func output(_ value: inout JSONCursor) -> [TextBlock] {
        var found = Found()
        var failure: [String] = []
        var isWarning = false
        value.members { value, name in
            switch name {
            case "data": found = data(&value)
            case "ename", "evalue": failure.append(cleaned(value.joinedText(limit: longestText)))
            case "name", "stream": isWarning = value.text() == "stderr"
            // Until nbformat 3 what is data now were members.
            default: found.take(name == "text" ? "text/plain" : "image/" + name, &value)
            }
        }
        let reason = failure.filter { !$0.isEmpty }.joined(separator: ": ")
        if !reason.isEmpty { return [TextBlock(reason, .output)] }
        return isWarning ? [] : [found.picture ?? found.words].compactMap(\.self)
    }

    private static func data(_ value: inout JSONCursor) -> Found {
        var found = Found()
        value.members { value, type in found.take(type, &value) }
        return found
    }

    /// The same data in several types, of which one is shown.
    private struct Found {
        var picture: TextBlock?
        var words: TextBlock?

        mutating func take(_ type: String, _ value: inout JSONCursor) {
            switch type {
            case "image/png", "image/jpeg":
                let letters = value.joinedText(limit: longestPicture)
                guard letters.utf8.count <= longestPicture else { return }
                var decoder = TransferDecoder(.base64)
                let bytes = decoder.decode(letters.utf8) + decoder.finish()
                if !bytes.isEmpty { picture = TextBlock(picture: bytes) }
            case "text/plain":
                let text = cleaned(value.joinedText(limit: longestText))
                // What Python says of objects that have nothing to say, such as `[<matplotlib.lines.Line2D at 0x7f1c>]`.
                let bare = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
                let isName = bare.hasPrefix("<") && bare.hasSuffix(">") && !text.contains("\n")
                guard !isName, !text.isEmpty else { return }
                let lines = text.split(separator: "\n", maxSplits: longestOutput, omittingEmptySubsequences: false)
                words = TextBlock(lines.prefix(longestOutput).joined(separator: "\n"), .output)
            default: break
            }
        }
    }

    /// A text without blanks at its end.
    private static func cleaned(_ text: String) -> String {
        let text = PlainText.cleaned(text)
        guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        // The first line may be indented, but is not blank.
        return String(text[...end].drop { $0 == "\n" })
    }
}
