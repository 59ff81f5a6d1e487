internal import VitrineKit

/// Values of a table's fields as people write them.
enum RecordValue {
    /// - Parameter isSeventh: whether dBase 7 wrote it, whose numbers have another order and another sign.
    static func text(_ bytes: ArraySlice<UInt8>, _ kind: Unicode.Scalar, isSeventh: Bool) -> ArraySlice<UInt8> {
        switch (kind, bytes.count) {
        case ("D", 8) where bytes.allSatisfy { $0 == 0x30 }: return []
        case ("D", 8) where bytes.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }:
            let (year, month, day) = (bytes.prefix(4), bytes.dropFirst(4).prefix(2), bytes.suffix(2))
            return ArraySlice([year, month, day].joined(separator: [UInt8(ascii: "-")]))
        case ("I", 4) where isSeventh, ("+", 4) where isSeventh: return turned(bytes)
        case ("I", 1...8), ("+", 4): return text("\(signed(bytes))")
        case ("Y", 8): return money(signed(bytes))
        case ("O", 8) where isSeventh: return sortable(bytes).map { text("\($0)") } ?? []
        case ("B", 8) where !isSeventh, ("O", 8): return text("\(Double(bitPattern: UInt64(littleEndianBytes: bytes)))")
        case ("T", 8):
            return moment(
                day: Int64(littleEndianBytes: bytes.prefix(4)), milliseconds: Int64(littleEndianBytes: bytes.suffix(4)))
        // Days that are counted, from one that nobody tells.
        case ("D", 3), ("D", 4): return []
        // What lies in another file, and what has a writing of its own, such as pictures.
        case ("M", _), ("G", _), ("P", _), ("W", _), ("Q", _), ("B", _), ("T", _), ("@", _), ("+", _): return []
        default: return bytes
        }
    }

    private static func text(_ text: some StringProtocol) -> ArraySlice<UInt8> { ArraySlice(text.utf8) }

    /// A whole number of up to eight bytes.
    private static func signed(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let unused = 64 - 8 * bytes.count
        return (Int64(littleEndianBytes: bytes) << unused) >> unused
    }

    /// An amount of ten thousandths, without zeros at its end.
    private static func money(_ amount: Int64) -> ArraySlice<UInt8> {
        let (whole, part) = amount.magnitude.quotientAndRemainder(dividingBy: 10_000)
        var digits = String(10_000 + part).dropFirst()
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return text((amount < 0 ? "-" : "") + "\(whole).\(digits)")
    }

    /// A whole number of dBase 7, whose bytes sort as it does: the highest first, its sign turned. Zeros are no value.
    private static func turned(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let number = UInt32(bigEndianBytes: bytes)
        return number == 0 ? [] : text("\(Int32(bitPattern: number ^ 1 << 31))")
    }

    /// A number of dBase 7 that sorts likewise: negative ones have all bits turned, others the sign. Zeros are no value.
    private static func sortable(_ bytes: ArraySlice<UInt8>) -> Double? {
        let number = UInt64(bigEndianBytes: bytes)
        guard number != 0 else { return nil }
        return Double(bitPattern: number >> 63 == 1 ? number ^ 1 << 63 : ~number)
    }

    /// A moment of a day, in the table's own zone; nothing where there is none. Sums of moments may lack a millisecond.
    /// - Parameters:
    ///   - day: its Julian number; that of the first day of 1970 is 2,440,588.
    ///   - milliseconds: since its beginning.
    private static func moment(day: Int64, milliseconds: Int64) -> ArraySlice<UInt8> {
        guard 0..<86_400_000 ~= milliseconds,
            let date = FactDate(secondsSince1970: (day - 2_440_588) * 86_400 + (milliseconds + 500) / 1000)
        else { return [] }
        return text(date.text.dropLast().replacing("T", with: " "))
    }
}
