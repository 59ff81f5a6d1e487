extension FixedWidthInteger {
    /// Reads hexadecimal digits of either case, as addresses and formats write them.
    ///
    /// Swift's own `init(_:radix:)` takes a sign before them, too, which means something else to whoever wrote it.
    /// - Parameter digits: ASCII.
    /// - Returns: `nil` for no digit at all, for anything that is none, and for more than this type holds.
    public init?(hexadecimal digits: some Sequence<UInt8>) {
        var value: Self?
        for byte in digits {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            let (shifted, isTooLarge) = (value ?? 0).multipliedReportingOverflow(by: 16)
            let (sum, overflow) = shifted.addingReportingOverflow(Self(digit))
            guard !isTooLarge, !overflow else { return nil }
            value = sum
        }
        guard let value else { return nil }
        self = value
    }
}
