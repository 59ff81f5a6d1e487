public import VitrineKit

/// Dates as servers write them, always in the Gregorian calendar.
public enum HTTPDate {
    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 1123), or `1994-11-06T08:49:37.25+01:00` (RFC 3339).
    /// - Returns: `nil` for anything else.
    public static func parse(_ text: String) -> Timestamp? {
        var text = text
        return text.withUTF8 { parse($0) }
    }

    /// Parses the same from bytes where they lie: listings have one for each entry.
    public static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        guard let first = bytes.first, bytes.count <= 64 else { return nil }
        return isDigit(first) ? iso(bytes) : internet(bytes)
    }

    private static func internet(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        let words = bytes.split(whereSeparator: { $0 == 0x20 || $0 == UInt8(ascii: ",") })
        guard words.count == 6, String(decoding: words[5], as: UTF8.self) == "GMT",
            let day = number(words[1]), let month = months.firstIndex(of: String(decoding: words[2], as: UTF8.self)),
            let year = number(words[3])
        else { return nil }
        let time = words[4].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(number)
        guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2] else { return nil }
        return moment(year, month + 1, day, hour, minute, second)
    }

    private static func iso(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        let shape: StaticString = "0000-00-00T00:00:00"
        let length = shape.utf8CodeUnitCount
        guard bytes.count > length else { return nil }
        for place in 0..<length {
            let (byte, wanted) = (bytes[place], shape.utf8Start[place])
            guard wanted == 0x30 ? isDigit(byte) : byte == wanted || (wanted == 0x54 && byte == 0x20) else {
                return nil
            }
        }
        func part(_ range: Range<Int>) -> Int { number(bytes[range]) ?? 0 }
        guard
            var moment = moment(part(0..<4), part(5..<7), part(8..<10), part(11..<13), part(14..<16), part(17..<19))
        else { return nil }
        var zone = length
        if bytes[zone] == UInt8(ascii: ".") {
            let begin = zone + 1
            zone = bytes[begin...].firstIndex { !isDigit($0) } ?? bytes.endIndex
            guard zone > begin else { return nil }
            var value: UInt32 = 0
            for place in begin..<(begin + 9) { value = value * 10 + (place < zone ? UInt32(bytes[place] - 0x30) : 0) }
            moment.nanoseconds = value
        }
        let rest = bytes.count - zone
        if rest == 1, bytes[zone] == UInt8(ascii: "Z") { return moment }
        guard rest == 6, bytes[zone + 3] == UInt8(ascii: ":"), let hours = number(bytes[(zone + 1)..<(zone + 3)]),
            let minutes = number(bytes[(zone + 4)..<(zone + 6)]), hours < 24, minutes < 60
        else { return nil }
        let ahead = Int64(hours * 3600 + minutes * 60)
        switch bytes[zone] {
        case UInt8(ascii: "+"): moment.seconds -= ahead
        case UInt8(ascii: "-"): moment.seconds += ahead
        default: return nil
        }
        return moment
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard 1...4 ~= digits.count, digits.allSatisfy(isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Days are counted in years that begin with March, so that the day that leap years add is the last one.
    private static func moment(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int)
        -> Timestamp?
    {
        guard 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60 else { return nil }
        let shifted = month > 2 ? year : year - 1
        let fromMarch = (month + 9) % 12
        let days =
            365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * fromMarch + 2) / 5 + day - 1 - 719_468
        return Timestamp(seconds: Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second))
    }
}
