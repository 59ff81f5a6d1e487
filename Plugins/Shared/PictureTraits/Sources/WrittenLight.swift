import Glibc

/// How sRGB writes light (IEC 61966-2-1, 5.2).
public enum WrittenLight {
    /// The byte for each light from none to `full`, in even steps.
    /// - Parameter full: the light that becomes 255; a few hundred or more.
    public static func bytes(full: Int) -> [UInt8] {
        var table: [UInt8] = []
        table.reserveCapacity(full + 1)
        for value in 0..<255 {
            // It ends half-way to the next one.
            let middle = (Double(value) + 0.5) / 255
            let light = middle <= 0.04045 ? middle / 12.92 : pow((middle + 0.055) / 1.055, 2.4)
            let end = Int((light * Double(full)).rounded(.up))
            table += [UInt8](repeating: UInt8(value), count: end - table.count)
        }
        return table + [UInt8](repeating: 255, count: full + 1 - table.count)
    }
}
