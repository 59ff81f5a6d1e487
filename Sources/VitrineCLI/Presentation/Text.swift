import CGIO

extension String {
    /// Fills up with spaces on the right, by columns.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }

    /// Fills up with spaces on the left, by columns.
    func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - columns)) + self }

    /// Columns that it takes in a terminal: wide letters take two, marks take none.
    var columns: Int {
        unicodeScalars.reduce(0) { sum, scalar in
            sum + (g_unichar_iszerowidth(scalar.value) != 0 ? 0 : g_unichar_iswide(scalar.value) != 0 ? 2 : 1)
        }
    }

    /// Shortens it to a number of columns, in the middle: the end of a file's name says what it is.
    func shortened(to width: Int) -> String {
        guard columns > width else { return self }
        guard width > 1 else { return "" }
        var head = ""
        var tail = ""
        var front = self[...]
        var takesHead = true
        while !front.isEmpty {
            let next = takesHead ? front.first : front.last
            guard let next, head.columns + tail.columns + String(next).columns < width else { break }
            if takesHead { head.append(next) } else { tail.insert(next, at: tail.startIndex) }
            front = takesHead ? front.dropFirst() : front.dropLast()
            takesHead.toggle()
        }
        return head + "…" + tail
    }
}

/// Quantities as people read them.
enum Quantity {
    /// Bytes, in powers of 1,000 as file managers show them.
    static func bytes(_ count: Int64) -> String {
        var value = Double(count)
        for unit in ["bytes", "kB", "MB", "GB"] {
            if value < 1000 {
                return unit == "bytes" ? "\(count) bytes" : "\(decimal(value, value < 10 ? 1 : 0)) \(unit)"
            }
            value /= 1000
        }
        return "\(decimal(value, 1)) TB"
    }

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

extension Duration {
    /// As a number.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
