/// Times as XML writes them (ISO 8601): `2024-05-03T14:02:11.5Z`, with another zone or none.
///
/// `FactDate` of the SDK keeps what a file tells of one moment, as text, be it less than a time. Here each of a million
/// positions has a time, and it is seconds that are counted: no text is made of any.
enum WrittenTime {
    /// Seconds since 1970. What has no zone is taken for UTC.
    /// - Returns: `nil` for what is no time.
    static func seconds(_ text: UnsafeRawBufferPointer) -> Double? {
        var rest = text[...]
        while let first = rest.first, first <= 0x20 { rest = rest.dropFirst() }
        guard let year = number(4, &rest), skip(0x2D, &rest), let month = number(2, &rest), skip(0x2D, &rest),
            let day = number(2, &rest), 1...12 ~= month, 1...31 ~= day,
            skip(UInt8(ascii: "T"), &rest) || skip(0x20, &rest), let hour = number(2, &rest), hour < 24,
            skip(0x3A, &rest), let minute = number(2, &rest), minute < 60
        else { return nil }
        var second = 0.0
        if skip(0x3A, &rest) {
            guard let whole = number(2, &rest), whole <= 60 else { return nil }
            second = Double(whole)
            var unit = 0.1
            if skip(0x2E, &rest) || skip(0x2C, &rest) {
                while let digit = number(1, &rest) {
                    second += Double(digit) * unit
                    unit /= 10
                }
            }
        }
        var zone = 0
        if let sign = rest.first, sign == 0x2B || sign == 0x2D {
            rest = rest.dropFirst()
            let hours = number(2, &rest) ?? 0
            _ = skip(0x3A, &rest)
            zone = (hours * 60 + (number(2, &rest) ?? 0)) * (sign == 0x2B ? 60 : -60)
        }
        return Double(days(year, month, day) * 86_400 + hour * 3600 + minute * 60 - zone) + second
    }

    /// Days since 1970, by years that begin in March (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let (y, m) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + (153 * m + 2) / 5 + day - 1 - 719_468
    }

    private static func skip(_ byte: UInt8, _ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func number(_ count: Int, _ rest: inout Slice<UnsafeRawBufferPointer>) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
}
