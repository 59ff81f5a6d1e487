import Timing

/// Quantities as people read them.
enum Quantity {
    /// Bytes, in powers of 1,000 as file managers show them.
    static func bytes(_ count: Int64) -> String {
        if count < 1000 { return count == 1 ? "1 byte" : "\(count) bytes" }
        var value = Double(count) / 1000
        for unit in ["kB", "MB", "GB"] {
            // What would be rounded up to 1000 is one of the next unit.
            if value < 999.5 { return "\(decimal(value, value < 9.95 ? 1 : 0)) \(unit)" }
            value /= 1000
        }
        return "\(decimal(value, 1)) TB"
    }

    /// How many there are of something: `1 file`, `2 files`.
    static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

    /// A bound that somebody set, in the unit that it was set in: 16 GiB are not 17 GB to who wrote them.
    static func limit(_ count: Int64) -> String {
        for (shift, unit) in [(40, "TiB"), (30, "GiB"), (20, "MiB")] where count > 0 && count % (1 << shift) == 0 {
            return "\(count >> Int64(shift)) \(unit)"
        }
        return bytes(count)
    }

    /// A length of time.
    static func seconds(_ seconds: Double) -> String {
        switch seconds {
        case ..<0.0995: "\(decimal(seconds * 1000, seconds < 0.00995 ? 1 : 0)) ms"
        case ..<9.95: "\(decimal(seconds, 1)) s"
        case ..<99.5: "\(decimal(seconds, 0)) s"
        case ..<5970: "\(decimal(seconds / 60, 0)) min"
        default: "\(decimal(seconds / 3600, 1)) h"
        }
    }

    /// A long time that somebody set, in the largest unit of which it is a whole number.
    static func age(_ seconds: Int64) -> String {
        let units: [(Int64, String)] = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")]
        let (length, unit) = units.first { seconds % $0.0 == 0 } ?? (1, "second")
        let count = seconds / length
        return count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
    }

    /// A length of time.
    static func duration(_ duration: Duration) -> String { seconds(duration.inSeconds) }

    /// A number with so many digits after the point.
    static func decimal(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "?" }
        let factor = [1.0, 10, 100, 1000][min(3, max(0, digits))]
        let scaled = Int64((value * factor).rounded())
        if digits < 1 { return "\(scaled)" }
        let fraction = "\(abs(scaled) % Int64(factor))"
        return "\(scaled / Int64(factor)).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
    }
}
