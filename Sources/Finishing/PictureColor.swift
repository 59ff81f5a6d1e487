/// An opaque colour in sRGB.
public struct PictureColor: Hashable, Sendable {
    /// The channels, 0 to 255.
    public var red: UInt8, green: UInt8, blue: UInt8

    /// What paper looks like.
    public static let white = PictureColor(255, 255, 255)

    /// Names a colour.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// Reads `#rrggbb` or `#rgb`, as CSS writes them; the mark may be left out.
    /// - Returns: `nil` for anything else.
    public init?(_ text: String) {
        var digits = text.utf8.map { Self.value(of: $0) }
        if text.hasPrefix("#") { digits.removeFirst() }
        if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
        guard digits.count == 6, !digits.contains(nil) else { return nil }
        let values = digits.compactMap(\.self)
        self.init(values[0] << 4 | values[1], values[2] << 4 | values[3], values[4] << 4 | values[5])
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension PictureColor: CustomStringConvertible {
    /// Six hexadecimal digits.
    public var description: String {
        [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
