/// Bytes as people read them, in powers of ten as file managers count.
enum ByteCount {
    static func text(_ bytes: Int64) -> String {
        var value = Double(bytes)
        var unit = 0
        while value >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        // Two digits that say something.
        guard unit > 0, value < 9.95 else { return "\(Int(value.rounded())) \(units[unit])" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    private static let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
}
