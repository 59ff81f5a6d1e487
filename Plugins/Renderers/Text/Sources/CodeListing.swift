/// The lines of a text that keeps them: source code, settings, logs.
struct CodeListing {
    struct Line: Equatable {
        var text: String
        /// Whether the whole line is a remark, which is drawn paler.
        var isComment = false
    }

    let lines: [Line]

    /// More than a page has.
    private static let limit = 60
    /// Columns beyond which a line was made by a program that knows no lines.
    private static let longestWritten = 240
    /// Columns at which the lines of logs are broken, and how far what follows is set in.
    private static let logWidth = 42
    private static let logIndent = "  "

    init(_ text: String, mimeType: String) {
        var text = text
        let written = text.unicodeScalars.split(separator: "\n", maxSplits: Self.limit)
        let longest = written.prefix(Self.limit).map(\.count).max() ?? 0
        if longest > Self.longestWritten {
            if mimeType.hasSuffix("json") { text = JSONIndenter.indented(text) }
            if mimeType.hasSuffix("xml") || mimeType.hasSuffix("html") { text.replace("><", with: ">\n<") }
            // What a person wrote has a long line as an exception.
            let packed = written.prefix(Self.limit).count(where: Self.isPacked)
            if Self.curled.contains(mimeType), packed * 20 > written.count { text = StatementIndenter.indented(text) }
        }
        // A page that begins with nothing looks like one.
        let start = text.prefix { $0.isWhitespace }.lastIndex(of: "\n").map { text.index(after: $0) } ?? text.startIndex
        var lines = PlainText.lines(String(text[start...]), limit: Self.limit, tab: 4)
        if mimeType == "text/x-log" || mimeType == "text/plain" && Self.areSaid(lines) {
            lines = lines.flatMap(Self.broken)
        }
        while lines.last?.trimmingBlanks.isEmpty == true { lines.removeLast() }
        let marks = Self.commentMarks(mimeType)
        var isInside = false
        self.lines = lines.map { line in
            let words = line.trimmingBlanks
            if mimeType != "text/x-log", words.hasPrefix("/*") || words.hasPrefix("<!--") { isInside = true }
            let isEnd = isInside && (words.contains("*/") || words.contains("-->"))
            // What stands behind a remark is none.
            let isWhole = !isEnd || words.hasSuffix("*/") || words.hasSuffix("-->")
            let isComment = isInside && isWhole || marks.contains { words.hasPrefix($0) }
            if isEnd { isInside = false }
            return Line(text: line, isComment: isComment)
        }
    }

    /// Types that are often made smaller by programs, which leave out all ends of lines.
    private static let curled: Set = [
        "text/css", "application/javascript", "application/ecmascript", "application/x-typescript",
    ]

    /// Whether a line holds many statements, rather than data: a picture in Base64 or the path of a drawing.
    private static func isPacked(_ line: Substring.UnicodeScalarView) -> Bool {
        line.count > longestWritten && line.count { $0 == "{" || $0 == "}" || $0 == ";" } * 100 > line.count
    }

    /// Whether lines are words rather than columns, as those of chats are: long ones with single blanks.
    private static func areSaid(_ lines: [String]) -> Bool {
        let written = lines.filter { !$0.isEmpty }
        let long = written.count { $0.unicodeScalars.count > logWidth }
        let set = written.count { $0.hasPrefix("  ") || $0.hasPrefix("\t") || $0.contains("   ") || $0.contains("|") }
        let words = written.count { $0.contains { $0.isLetter } && $0.contains(" ") }
        return long * 3 > written.count && set * 10 < written.count && words * 10 > written.count * 9
    }

    private static func broken(_ line: String) -> [String] {
        var rest = Array(line.unicodeScalars)[...]
        var lines: [String] = []
        while rest.count > logWidth, lines.count < 8 {
            let width = lines.isEmpty ? logWidth : logWidth - logIndent.count
            // Between two words, where one ends in the second half.
            let blank = rest.prefix(width).lastIndex(of: " ") ?? rest.startIndex
            let cut = blank - rest.startIndex > width / 2 ? blank + 1 : rest.startIndex + min(width, rest.count)
            lines.append((lines.isEmpty ? "" : logIndent) + Self.text(rest[..<cut]))
            rest = rest[cut...]
        }
        if lines.isEmpty || !rest.isEmpty { lines.append((lines.isEmpty ? "" : logIndent) + Self.text(rest)) }
        return lines
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    /// How remarks begin that last to the end of the line.
    private static func commentMarks(_ mimeType: String) -> [String] {
        switch mimeType {
        case "text/x-log", "application/json", "text/css", "application/xml", "text/html": []
        case "text/x-csrc", "text/x-c++src", "text/x-chdr", "text/x-c++hdr", "text/x-csharp", "text/x-java",
            "application/javascript", "text/rust", "text/x-go", "text/x-scala", "text/x-kotlin", "text/x-dsrc":
            ["//"]
        case "text/x-haskell", "application/sql", "text/x-lua", "text/x-adasrc": ["--"]
        case "text/x-tex", "text/x-matlab", "text/x-erlang": ["%"]
        case "text/plain": ["//", "# "]
        default: ["//", "#", ";;"]
        }
    }
}
