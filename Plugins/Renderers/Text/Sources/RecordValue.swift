/// Values of a table's fields as people write them.
enum RecordValue {
    /// - Parameter isSeventh: whether dBase 7 wrote it, whose numbers have another order and another sign.
    static func text(_ bytes: ArraySlice<UInt8>, _ kind: Unicode.Scalar, isSeventh: Bool) -> ArraySlice<UInt8> {
        switch (kind, bytes.count) {
        case ("D", 8) where bytes.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }:
            let (year, month, day) = (bytes.prefix(4), bytes.dropFirst(4).prefix(2), bytes.suffix(2))
            return ArraySlice([year, month, day].joined(separator: [UInt8(ascii: "-")]))
        case ("I", 4), ("+", 4): return isSeventh ? turned(bytes) : text("\(signed(bytes))")
        case ("Y", 8): return text("\(Double(Int64(bitPattern: number(bytes))) / 10_000)")
        case ("O", 8) where isSeventh: return sortable(bytes).map { text("\($0)") } ?? []
        case ("B", 8) where !isSeventh, ("O", 8): return text("\(Double(bitPattern: number(bytes)))")
        case ("T", 8):
            return moment(day: Int(number(bytes.prefix(4))), milliseconds: Int(number(bytes.suffix(4))))
        // What lies in another file, and what has a writing of its own, such as pictures.
        case ("M", _), ("G", _), ("P", _), ("W", _), ("Q", _), ("B", _), ("T", _), ("@", _), ("+", _): return []
        default: return bytes
        }
    }

    private static func text(_ text: String) -> ArraySlice<UInt8> { ArraySlice(text.utf8) }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func signed(_ bytes: ArraySlice<UInt8>) -> Int32 { Int32(truncatingIfNeeded: number(bytes)) }

    /// A whole number of dBase 7, whose bytes sort as it does: the highest first, its sign turned. Zeros are no value.
    private static func turned(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let number = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return number == 0 ? [] : text("\(Int32(bitPattern: number ^ 1 << 31))")
    }

    /// A number of dBase 7 that sorts likewise: negative ones have all bits turned, others the sign. Zeros are no value.
    private static func sortable(_ bytes: ArraySlice<UInt8>) -> Double? {
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard number != 0 else { return nil }
        return Double(bitPattern: number >> 63 == 1 ? number ^ 1 << 63 : ~number)
    }

    private static let day = 86_400_000

    /// A moment on a Julian day of the years 1 to 9999; else nothing.
    private static func moment(day julian: Int, milliseconds: Int) -> ArraySlice<UInt8> {
        guard (1_721_426...5_373_484).contains(julian), (0..<day).contains(milliseconds) else { return [] }
        // Years that begin in March have the odd day at their end; day 0 is the first of March before the year 1.
        let days = julian - 1_721_120
        let (era, inEra) = (days / 146_097, days % 146_097)
        let yearInEra = (inEra - inEra / 1_460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * yearInEra + yearInEra / 4 - yearInEra / 100)
        let march = (5 * inYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let year = era * 400 + yearInEra + (month <= 2 ? 1 : 0)
        let seconds = milliseconds / 1_000
        func padded(_ number: Int, _ width: Int = 2) -> String {
            String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
        }
        let date = [padded(year, 4), padded(month), padded(inYear - (153 * march + 2) / 5 + 1)]
        let time = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0) }
        return text(date.joined(separator: "-") + " " + time.joined(separator: ":"))
    }
}
