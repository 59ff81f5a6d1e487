/// The value of one key, as it was checked.
public enum SettingValue: Hashable, Sendable {
    /// Yes or no.
    case flag(Bool)
    /// A whole number.
    case whole(Int)
    /// Seconds.
    case time(Double)
    /// MiB.
    case size(Int)
}

extension SettingValue: CustomStringConvertible {
    /// As it is written in the file, in the largest unit that fits without a fraction.
    public var description: String {
        switch self {
        case .flag(let flag): return flag ? "true" : "false"
        case .whole(let number): return String(number)
        case .time(let seconds):
            // What is less than a millisecond is not written, and may leave whole seconds.
            let rounded = (seconds * 1000).rounded() / 1000
            if let whole = Int(exactly: rounded) {
                if whole > 0, whole % 86_400 == 0 { return "\(whole / 86_400)d" }
                return whole > 0 && whole % 3600 == 0
                    ? "\(whole / 3600)h" : whole > 0 && whole % 60 == 0 ? "\(whole / 60)min" : "\(whole)s"
            }
            return "\(Int((seconds * 1000).rounded()))ms"
        case .size(let mebibytes):
            for (unit, power) in [("TiB", 20), ("GiB", 10)] where mebibytes > 0 && mebibytes % (1 << power) == 0 {
                return "\(mebibytes >> power)\(unit)"
            }
            return "\(mebibytes)MiB"
        }
    }
}
