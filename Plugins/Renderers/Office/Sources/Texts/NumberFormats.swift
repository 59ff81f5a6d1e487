internal import VitrineKit
internal import XML

/// How the cells of a workbook in SpreadsheetML show their numbers, as far as it changes what a number means: dates and times are
/// days since 1900 or 1904, and percentages hundredths (ISO/IEC 29500-1, 18.8.30 and 18.17.4).
///
/// Dates are written as in ISO 8601, whatever way the cell has: who looks for a day does not know it.
struct NumberFormats {
    /// What numbers of a format are.
    enum Kind: Hashable {
        case number, percentage
        case date, time
        /// Hours that do not end at 24.
        case duration
    }

    /// Of the formats that cells refer to, by their place (18.8.10, `cellXfs`).
    private let kinds: [Kind]
    private let startsIn1904: Bool

    /// Formats of a workbook that are looked at; Excel allows 65,490 of cells.
    private static let most = 65_536

    /// Reads them.
    /// - Parameters:
    ///   - styles: the part with the styles.
    ///   - startsIn1904: whether days are counted from 1904 on (18.2.28, `date1904`).
    init(styles: [XMLEvent], startsIn1904: Bool = false) {
        self.startsIn1904 = startsIn1904
        var codes: [Int: String] = [:]
        var formats: [Int] = []
        var (isOfCells, isOfBook) = (false, false)
        for event in styles {
            switch event {
            case .start(let name, let attributes):
                func number(_ name: String) -> Int? { attributes[name].flatMap { Int($0) } }
                switch name.local {
                case "numFmts": isOfBook = true
                // Those of conditional formats may have the same numbers.
                case "numFmt" where isOfBook && codes.count < Self.most:
                    if let id = number("numFmtId") { codes[id] = attributes["formatCode"] }
                case "cellXfs": isOfCells = true
                case "xf" where isOfCells && formats.count < Self.most: formats.append(number("numFmtId") ?? 0)
                default: break
                }
            case .end(let name):
                if name.local == "cellXfs" { isOfCells = false }
                if name.local == "numFmts" { isOfBook = false }
            case .text: break
            }
        }
        var known = codes.mapValues { Self.kind(ofCode: $0) }
        kinds = formats.map { id in
            let kind = known[id] ?? Self.kind(ofBuiltIn: id)
            known[id] = kind
            return kind
        }
    }

    /// A number as a cell shows it, or as it is written where its format does not change what it means.
    /// - Parameters:
    ///   - written: the cell's value.
    ///   - style: the cell's format, counted from 0.
    func text(_ written: String, style: Int) -> String {
        guard kinds.indices.contains(style), kinds[style] != .number, let value = Double(written) else {
            return written
        }
        return switch kinds[style] {
        case .number: written
        case .percentage: Self.percentage(value) ?? written
        case .date: date(value) ?? written
        case .time: 0..<1 ~= value ? Self.time(Self.seconds(value) % Self.secondsOfDay) : date(value) ?? written
        case .duration: 0..<1_000_000 ~= value ? Self.time(Self.seconds(value)) : written
        }
    }

    // MARK: Values

    private static let secondsOfDay = 86_400
    /// From 1899-12-30, and from 1904-01-01, to 1970.
    private static let daysTo1970 = (since1900: 25_569, since1904: 24_107)
    /// The day behind the last one of the year 9999.
    private static let days = (since1900: 2_958_466.0, since1904: 2_957_004.0)

    private func date(_ value: Double) -> String? {
        guard value >= 0, value < (startsIn1904 ? Self.days.since1904 : Self.days.since1900) else { return nil }
        // There was no 29 February 1900, which is day 60. A day 0 is none.
        if !startsIn1904, value < 1 || 60..<61 ~= value { return nil }
        var seconds = Int64(Self.seconds(value))
        if !startsIn1904, value < 60 { seconds += Int64(Self.secondsOfDay) }
        seconds -= Int64(Self.secondsOfDay * (startsIn1904 ? Self.daysTo1970.since1904 : Self.daysTo1970.since1900))
        // Without the zone, which nobody told.
        guard let text = FactDate(secondsSince1970: seconds)?.text.dropLast() else { return nil }
        return seconds % Int64(Self.secondsOfDay) == 0
            ? String(text.prefix(10)) : String(text).replacing("T", with: " ")
    }

    /// Seconds of some days, no more than the years that dates have.
    private static func seconds(_ days: Double) -> Int { Int((days * Double(secondsOfDay)).rounded()) }

    private static func time(_ seconds: Int) -> String {
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return parts.joined(separator: ":")
    }

    private static func percentage(_ value: Double) -> String? {
        guard value.magnitude < 1_000_000 else { return nil }
        // Hundredths have no exact number, and a hundred times that number shows it.
        let text = "\((value * 1e10).rounded() / 1e8)"
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + "%"
    }

    // MARK: Formats

    /// Of the formats that workbooks do not write out (18.8.30), those of all languages, and the dates of East Asian ones.
    private static func kind(ofBuiltIn id: Int) -> Kind {
        switch id {
        case 9, 10: .percentage
        case 14...17, 22, 27...31, 36, 50...54, 57, 58: .date
        case 18...21, 45, 47: .time
        case 46: .duration
        default: .number
        }
    }

    /// Of a code such as `[$-407]d. mmm yyyy;@`: by the letters of its first part that are neither quoted nor a colour, a
    /// condition or a language.
    static func kind(ofCode code: String) -> Kind {
        var letters: Set<Character> = []
        var rest = code.lowercased().prefix(255)[...]
        while let next = rest.popFirst(), next != ";" {
            switch next {
            case "\"": rest = rest.drop { $0 != "\"" }.dropFirst()
            case "\\", "_", "*": rest = rest.dropFirst()
            case "[":
                let inside = rest.prefix { $0 != "]" }
                rest = rest[inside.endIndex...].dropFirst()
                if let letter = inside.first, "hms".contains(letter), inside.allSatisfy({ $0 == letter }) {
                    return .duration
                }
            case "a" where rest.hasPrefix("m/pm"): rest = rest.dropFirst(4)
            case "g" where rest.hasPrefix("eneral"): rest = rest.dropFirst(6)
            default: letters.insert(next)
            }
        }
        if !letters.isDisjoint(with: "yd") { return .date }
        if !letters.isDisjoint(with: "hs") { return .time }
        if letters.contains("m") { return .date }
        return letters.contains("%") ? .percentage : .number
    }
}
