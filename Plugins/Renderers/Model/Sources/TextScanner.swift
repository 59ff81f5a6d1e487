internal import Glibc

/// Reads words and numbers of a text, one line after the other, without copying any of it.
struct TextScanner {
    private let bytes: UnsafeRawBufferPointer
    /// The next byte.
    private(set) var at: Int
    /// What lines end with: a newline, or in files of old Macintoshes a carriage return alone.
    private let lineEnd: CInt

    /// The beginning that tells how lines end.
    private static let reach = 4096

    /// - Parameter at: where to begin.
    init(_ bytes: UnsafeRawBufferPointer, at: Int = 0) {
        (self.bytes, self.at, lineEnd) = (bytes, min(at, bytes.count), 0x0A)
    }

    /// Begins a text that may be one of an old Macintosh.
    init(ofAnySystem bytes: UnsafeRawBufferPointer) {
        let head = bytes.prefix(Self.reach)
        (self.bytes, at, lineEnd) = (bytes, 0, head.contains(0x0A) || !head.contains(0x0D) ? 0x0A : 0x0D)
    }

    var isAtEnd: Bool { at >= bytes.count }

    /// The next byte.
    @inline(__always) var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    /// The bytes here that are wanted; goes behind them.
    @inline(__always) mutating func take(while isWanted: (UInt8) -> Bool) -> UnsafeRawBufferPointer {
        let start = at
        while at < bytes.count, isWanted(bytes[at]) { at += 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<at])
    }

    /// Goes to the beginning of the next line.
    @inline(__always) mutating func nextLine() {
        guard at < bytes.count, let base = bytes.baseAddress else { return }
        let end = memchr(base + at, lineEnd, bytes.count - at)
        at = end.map { base.distance(to: UnsafeRawPointer($0)) + 1 } ?? bytes.count
    }

    /// Goes to the end of the line, whatever system it was written on.
    mutating func skipLine() { while at < bytes.count, bytes[at] != 0x0A, bytes[at] != 0x0D { at += 1 } }

    @inline(__always) mutating func skipBlanks() {
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x09 { at += 1 }
    }

    /// Goes to the next word, on whatever line.
    @inline(__always) mutating func skipSpace() { while at < bytes.count, bytes[at] <= 0x20 { at += 1 } }

    /// The word here, up to the next blank or the end of the line; empty where there is none.
    @inline(__always) mutating func word() -> UnsafeRawBufferPointer {
        skipBlanks()
        let start = at
        skipWord()
        return UnsafeRawBufferPointer(rebasing: bytes[start..<at])
    }

    /// Goes behind the rest of the word here.
    @inline(__always) mutating func skipWord() { while at < bytes.count, bytes[at] > 0x20 { at += 1 } }

    /// Takes a byte if it is the next one.
    @inline(__always) mutating func take(_ byte: UInt8) -> Bool {
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    /// The whole number here, if there is one.
    @inline(__always) mutating func integer() -> Int? {
        let isNegative = take(UInt8(ascii: "-"))
        let (value, digits) = self.digits()
        guard digits > 0, digits < 18 else { return nil }
        return isNegative ? -Int(value) : Int(value)
    }

    /// The number behind blanks here; not a number where something else stands, which is passed over.
    @inline(__always) mutating func number() -> Double {
        skipBlanks()
        let isNegative = take(UInt8(ascii: "-"))
        if !isNegative { _ = take(UInt8(ascii: "+")) }
        var (value, count) = digits()
        var exponent = max(0, count - Self.mostDigits)
        if take(UInt8(ascii: ".")) {
            let whole = min(count, Self.mostDigits)
            let start = at
            while at < bytes.count, 0x30...0x39 ~= bytes[at] {
                if whole + at - start < Self.mostDigits {
                    value = value &* 10 &+ UInt64(bytes[at] - 0x30)
                    exponent -= 1
                }
                at += 1
            }
            count += at - start
        }
        guard count > 0 else {
            _ = word()
            return .nan
        }
        if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            if !take(UInt8(ascii: "-")) {
                _ = take(UInt8(ascii: "+"))
                exponent += Int(min(digits().value, 999))
            } else {
                exponent -= Int(min(digits().value, 999))
            }
        }
        let scaled = Self.scaled(Double(value), exponent)
        return isNegative ? -scaled : scaled
    }

    /// Digits of a number that count.
    private static let mostDigits = 17

    /// The digits here as a number, the first ones of very many, and how many there are.
    @inline(__always) private mutating func digits() -> (value: UInt64, count: Int) {
        let start = at
        var value: UInt64 = 0
        while at < bytes.count, 0x30...0x39 ~= bytes[at] {
            if at - start < Self.mostDigits { value = value &* 10 &+ UInt64(bytes[at] - 0x30) }
            at += 1
        }
        return (value, at - start)
    }

    @inline(__always) private static func scaled(_ value: Double, _ exponent: Int) -> Double {
        if exponent == 0 { return value }
        if -powers.count < exponent, exponent < 0 { return value / powers[-exponent] }
        return value * pow(10, Double(exponent))
    }

    private static let powers = (0...18).map { pow(10, Double($0)) }
}
