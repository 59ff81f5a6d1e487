import Glibc

/// A colour in Oklab, a space in which equal distances look about equally different.
///
/// The formulas are those of Björn Ottosson, "A perceptual color space for image processing" (2020).
public struct OklabColor: Hashable, Sendable {
    /// Lightness, 0 for black to 1 for white.
    public let lightness: Double
    /// From green (below zero) to red.
    public let a: Double
    /// From blue (below zero) to yellow.
    public let b: Double

    /// Converts from sRGB.
    /// - Parameters:
    ///   - red: 0 to 1, as stored: with the transfer curve of sRGB.
    ///   - green: the same.
    ///   - blue: the same.
    public init(red: Double, green: Double, blue: Double) {
        let red = Self.linear(red), green = Self.linear(green), blue = Self.linear(blue)
        let long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
        let medium = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
        let short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
        lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
        a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
        b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    }

    /// Converts from sRGB bytes.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.init(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255)
    }

    /// How different two colours look: 0 for the same, about 0.02 for just noticeable, 1 for black and white.
    public func distance(to other: OklabColor) -> Double {
        let lightness = lightness - other.lightness, a = a - other.a, b = b - other.b
        return (lightness * lightness + a * a + b * b).squareRoot()
    }

    /// The transfer curve of sRGB (IEC 61966-2-1), from stored to linear.
    private static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}
