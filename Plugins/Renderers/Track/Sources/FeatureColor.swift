/// A colour as files have them. How far it lets other things through is left out, but for what lets all of them through.
struct FeatureColor: Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    /// Whether it cannot be seen.
    var isClear = false

    /// None at all.
    static let clear: FeatureColor = {
        var color = FeatureColor(rgb: 0)
        color.isClear = true
        return color
    }()

    /// The colour of a number whose three lower bytes are red, green and blue.
    init(rgb: UInt32) {
        red = UInt8(truncatingIfNeeded: rgb >> 16)
        green = UInt8(truncatingIfNeeded: rgb >> 8)
        blue = UInt8(truncatingIfNeeded: rgb)
    }

    /// Reads `#rgb`, `#rrggbb` or `#aarrggbb`, the number sign being optional.
    init?(hexadecimal text: some Sequence<UInt8>) {
        guard let digits = Self.digits(text) else { return nil }
        switch digits.count {
        case 3: self.init(rgb: digits.reduce(0) { $0 << 8 | $1 * 17 })
        case 6, 8:
            self.init(rgb: digits.suffix(6).reduce(0) { $0 << 4 | $1 })
            isClear = digits.count == 8 && digits.prefix(2).allSatisfy { $0 == 0 }
        default: return nil
        }
    }

    /// Reads KML's `aabbggrr`.
    init?(keyhole text: some Sequence<UInt8>) {
        guard let digits = Self.digits(text), digits.count == 8 else { return nil }
        let value = digits.reduce(0) { $0 << 4 | $1 }
        self.init(rgb: (value & 0xFF) << 16 | value & 0xFF00 | value >> 16 & 0xFF)
        isClear = value >> 24 == 0
    }

    private static func digits(_ text: some Sequence<UInt8>) -> [UInt32]? {
        var digits: [UInt32] = []
        for byte in text.prefix(32) {
            switch byte {
            case 0...0x20, UInt8(ascii: "#"): continue
            case 0x30...0x39: digits.append(UInt32(byte - 0x30))
            case 0x41...0x46, 0x61...0x66: digits.append(UInt32(byte & 0x1F) + 9)
            default: return nil
            }
        }
        return digits
    }
}
