internal import Glibc

/// Reads decimal numbers out of bytes, without copying any of them.
///
/// Those of models are read by a scanner of lines, which is inlined where hundreds of millions of them are; numbers of maps may
/// also end in the middle of a word.
struct DecimalScanner {
    private let bytes: UnsafeRawBufferPointer
    /// The next byte.
    var at: Int

    /// - Parameter at: where to begin.
    init(_ bytes: UnsafeRawBufferPointer, at: Int = 0) { (self.bytes, self.at) = (bytes, at) }

    /// The number that a text consists of, blanks around it left out.
    static func number(_ text: UnsafeRawBufferPointer) -> Double? {
        var scanner = DecimalScanner(text)
        scanner.skipBlanks()
        guard let number = scanner.number() else { return nil }
        scanner.skipBlanks()
        return scanner.at == text.count ? number : nil
    }

    /// The byte here.
    var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    mutating func skipBlanks() { while at < bytes.count, bytes[at] <= 0x20 { at += 1 } }

    /// Goes to the next blank or semicolon.
    mutating func skipWord() { while at < bytes.count, bytes[at] > 0x20, bytes[at] != UInt8(ascii: ";") { at += 1 } }

    /// Goes behind a byte if it is the next one.
    mutating func take(_ byte: UInt8) -> Bool {
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    /// The number here.
    /// - Returns: `nil` where none begins; it stays there.
    mutating func number() -> Double? {
        let start = at
        let isNegative = take(UInt8(ascii: "-"))
        if !isNegative { _ = take(UInt8(ascii: "+")) }
        var value: UInt64 = 0
        var exponent = 0, digits = 0, used = 0
        var isFraction = false
        while at < bytes.count {
            let byte = bytes[at]
            if 0x30...0x39 ~= byte {
                digits += 1
                if used < Self.mostDigits {
                    value = value &* 10 &+ UInt64(byte - 0x30)
                    if value > 0 { used += 1 }
                    if isFraction { exponent -= 1 }
                } else if !isFraction {
                    exponent += 1
                }
            } else if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
            } else {
                break
            }
            at += 1
        }
        guard digits > 0 else {
            at = start
            return nil
        }
        exponent += power()
        let number = Self.scaled(Double(value), exponent)
        return isNegative ? -number : number
    }

    /// What stands behind an `e`; 0 where there is none.
    private mutating func power() -> Int {
        let start = at
        guard at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") else { return 0 }
        at += 1
        let isNegative = take(UInt8(ascii: "-"))
        if !isNegative { _ = take(UInt8(ascii: "+")) }
        var value = 0
        let first = at
        while at < bytes.count, 0x30...0x39 ~= bytes[at] {
            value = min(Self.mostPower, value * 10 + Int(bytes[at] - 0x30))
            at += 1
        }
        guard at > first else {
            at = start
            return 0
        }
        return isNegative ? -value : value
    }

    private static func scaled(_ value: Double, _ exponent: Int) -> Double {
        if exponent == 0 || value == 0 { return value }
        if -powers.count < exponent, exponent < 0 { return value / powers[-exponent] }
        return value * pow(10, Double(exponent))
    }

    /// Digits that count, and the largest exponent.
    private static let mostDigits = 18, mostPower = 9999
    private static let powers = (0...18).map { pow(10, Double($0)) }
}
