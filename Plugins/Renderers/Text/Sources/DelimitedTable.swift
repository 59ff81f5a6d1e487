/// The rows of a table whose cells are separated by a character (RFC 4180 and its relatives).
struct DelimitedTable {
    let rows: [[String]]
    /// Whether a column holds numbers, which are set to the right.
    let isNumeric: [Bool]

    /// More than a page shows.
    private static let rowLimit = 40
    private static let columnLimit = 24
    private static let cellLimit = 80

    /// Reads the first rows.
    /// - Parameters:
    ///   - text: it need be neither whole nor right.
    ///   - separator: what stands between two cells, or `nil` to find out.
    init(_ text: String, separator: Character?) {
        let stated = Self.statedSeparator(of: text)
        let text = stated?.rest ?? text[...]
        let separator = separator ?? stated?.separator ?? Self.separator(of: text)
        let found = Array(Self.rows(text, separator).filter { $0 != [""] }.drop { $0.allSatisfy(\.isEmpty) })
        let columns = min(found.map(\.count).max() ?? 0, Self.columnLimit)
        let used = found.map { $0.count - $0.reversed().prefix(while: \.isEmpty).count }
        let widest = used.max() ?? 0
        // What programs remark in front is no head of the columns, unless it has as many.
        let remarks = zip(found, used).prefix { row, used in
            Self.isRemark(row) && used < widest && (row.count < columns || used == 1 || row[0].hasPrefix("##"))
        }.count
        let rows = Array(found.dropFirst(remarks + Self.introduction(found, used.dropFirst(remarks))))
        self.rows = rows.map { $0 + Array(repeating: "", count: max(0, columns - $0.count)) }
        isNumeric = (0..<columns).map { column in
            let cells = rows.dropFirst().compactMap { row in
                column < row.count && !Self.missing.contains(row[column].lowercased()) ? row[column] : nil
            }
            return !cells.isEmpty && cells.count(where: Self.isNumber) * 10 >= cells.count * 7
        }
    }

    /// How many rows say whose table it is and of when, as those do that banks make: a word or a name and its value, in front of
    /// a table of several columns, whose headings are no numbers.
    /// - Parameters:
    ///   - found: all rows.
    ///   - used: of each row that may be one, its cells up to the last that is not empty.
    private static func introduction(_ found: [[String]], _ used: ArraySlice<Int>) -> Int {
        let widest = used.max() ?? 0
        guard widest >= 4, let head = used.firstIndex(where: { $0 >= widest - 1 }),
            !found[head].contains(where: isNumber)
        else { return 0 }
        let rows = used.prefix(upTo: head)
        let isTable = used.suffix(from: head).count { $0 > 2 } > 2
        return isTable && rows.count <= mostIntroducing && rows.allSatisfy { $0 <= 2 } ? rows.count : 0
    }

    /// More than banks tell.
    private static let mostIntroducing = 14

    /// Whether a row in front may be a remark of a program. `#` beside others is a head of numbers, and `#fff` a colour.
    private static func isRemark(_ row: [String]) -> Bool {
        guard let first = row.first, first.hasPrefix("#") else { return false }
        return row.count == 1 || first.hasPrefix("# ") || first.hasPrefix("##")
    }

    /// What a first line such as `sep=;` says, which Excel reads, and no table has as its heading.
    private static func statedSeparator(of text: String) -> (separator: Character, rest: Substring)? {
        guard let line = text.prefixMatch(of: /"?[Ss][Ee][Pp]=([^\n])"?(?:\n|$)/), let separator = line.1.first else {
            return nil
        }
        return (separator, text[line.range.upperBound...])
    }

    /// What stands where there is no number.
    private static let missing: Set = ["", "-", "–", "—", "n/a", "na", "nan", "null", "none", ".", "?"]

    private static let separators: [Character] = [",", ";", "\t", "|"]

    /// The one of the usual separators that stands in most of the first rows equally often, outside of quotes; or the only one
    /// that parts three headings or more, where nearly all rows have it: in words it stands equally often by chance.
    private static func separator(of text: Substring) -> Character {
        let counts = separatorCounts(text)
        if let head = counts.first, head.count(where: { $0 > 0 }) == 1, let only = head.firstIndex(where: { $0 > 1 }),
            counts.count(where: { $0[only] > 0 }) * 4 >= counts.count * 3
        {
            return separators[only]
        }
        func rank(_ candidate: Int) -> Int {
            let rows = Dictionary(grouping: counts.map { $0[candidate] }.filter { $0 > 0 }) { $0 }
            return rows.map { $0.value.count * 100 + min($0.key, 50) }.max() ?? 0
        }
        return separators.indices.max { rank($0) < rank($1) }.map { separators[$0] } ?? ","
    }

    /// How often each of the separators stands in each of the first rows, but for remarks in front.
    private static func separatorCounts(_ text: Substring) -> [[Int]] {
        var counts: [[Int]] = []
        var row = [Int](repeating: 0, count: separators.count)
        var (isQuoted, isRemark) = (false, false)
        var previous: Character = "\n"
        func endRow() {
            if previous != "\n", !isRemark { counts.append(row) }
            row = [Int](repeating: 0, count: separators.count)
        }
        for character in text.prefix(longestStart) {
            if previous == "\n", !isQuoted { isRemark = character == "#" && counts.isEmpty }
            if isQuoted {
                isQuoted = character != "\""
            } else if character == "\n" {
                endRow()
                if counts.count >= startRows { break }
            } else if character == "\"", previous.isWhitespace || separators.contains(previous) || previous == "\"" {
                isQuoted = !isRemark
            } else if let index = separators.firstIndex(of: character) {
                row[index] += 1
            }
            previous = character
        }
        if counts.count < startRows { endRow() }
        return counts
    }

    /// Letters and rows in which the separator is looked for.
    private static let longestStart = 16_000, startRows = 20

    private static func rows(_ text: Substring, _ separator: Character) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var cell = ""
        var length = 0
        var (isQuoted, wasQuote) = (false, false)
        func endCell() {
            if row.count < columnLimit { row.append(String(cell.trimmingBlanks)) }
            (cell, length) = ("", 0)
        }
        func add(_ character: Character) {
            if length < cellLimit { cell.append(character) }
            length += 1
        }
        let lastClosing = separator == "\t" ? lastClosingQuote(text) : .max
        for (place, character) in text.enumerated() {
            if isQuoted, character == "\"" {
                isQuoted = false
                wasQuote = true
                continue
            }
            // Two in a row inside of quotes are one.
            if character == "\"", wasQuote || cell.isEmpty && place < lastClosing {
                if wasQuote { add("\"") }
                isQuoted = true
            } else if isQuoted || character != separator && character != "\n" {
                add(character == "\n" || character == "\t" ? " " : character)
            } else {
                endCell()
                if character == "\n" {
                    rows.append(row)
                    row = []
                    if rows.count >= rowLimit { return rows }
                }
            }
            wasQuote = false
        }
        endCell()
        return rows + [row]
    }

    /// Where the last quote stands that may end a cell; -1 without one. In TSV, where quotes are letters for many programs, none
    /// behind it begins a cell.
    private static func lastClosingQuote(_ text: Substring) -> Int {
        var (last, previous): (Int, Character) = (-1, " ")
        for (place, character) in text.enumerated() {
            if previous == "\"", character == "\t" || character == "\n" { last = place - 1 }
            previous = character
        }
        return previous == "\"" ? text.count - 1 : last
    }

    private static func isNumber(_ cell: String) -> Bool {
        var digits = 0
        for scalar in cell.unicodeScalars {
            switch scalar {
            case "0"..."9": digits += 1
            case ".", ",", "+", "-", " ", "%", "€", "$", "£", "'", "e", "E", ":", "/", "\u{A0}", "\u{202F}": continue
            case "(", ")", "\u{2212}", "¥", "₹", "\u{2019}": continue
            default: return false
            }
        }
        return digits > 0
    }
}
