internal import CLCMS
internal import Glibc

/// A colour without its lightness, as the CIE counted in 1931.
struct Chromaticity {
    var x: Double
    var y: Double

    /// - Returns: `nil` for black, and for what no device has.
    init?(_ color: cmsCIEXYZ) {
        let sum = color.X + color.Y + color.Z
        guard sum.isFinite, sum > 1e-6 else { return nil }
        self.init(x: color.X / sum, y: color.Y / sum)
        // The primaries of some profiles are no colours, but lie near to them.
        guard abs(x) < 3, abs(y) < 3 else { return nil }
    }

    private init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    /// The pure colours of light, from 380 to 700 nm (CIE 015: colour-matching functions of the standard observer of 1931).
    static let spectrum = [
        (0.1741, 0.0050), (0.1733, 0.0048), (0.1714, 0.0051), (0.1689, 0.0069), (0.1644, 0.0109), (0.1566, 0.0177),
        (0.1440, 0.0297), (0.1241, 0.0578), (0.1096, 0.0868), (0.0913, 0.1327), (0.0687, 0.2007), (0.0454, 0.2950),
        (0.0235, 0.4127), (0.0082, 0.5384), (0.0039, 0.6548), (0.0139, 0.7502), (0.0389, 0.8120), (0.0743, 0.8338),
        (0.1142, 0.8262), (0.1547, 0.8059), (0.1929, 0.7816), (0.2296, 0.7543), (0.3016, 0.6923), (0.3731, 0.6245),
        (0.4441, 0.5547), (0.5125, 0.4866), (0.5752, 0.4242), (0.6270, 0.3725), (0.6658, 0.3340), (0.6915, 0.3083),
        (0.7190, 0.2809), (0.7300, 0.2700), (0.7347, 0.2653),
    ].map { Chromaticity(x: $0.0, y: $0.1) }

    /// The corners of sRGB (IEC 61966-2-1).
    static let sRGB = [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)].map { Chromaticity(x: $0.0, y: $0.1) }

    /// The colour at its brightest on a screen, blue first; what a screen cannot show becomes the next that it can.
    static func screenColor(x: Double, y: Double) -> (UInt8, UInt8, UInt8) {
        guard y > 0.001 else { return (0, 0, 0) }
        let (lightX, lightZ) = (x / y, (1 - x - y) / y)
        let red = max(0, 3.2406 * lightX - 1.5372 - 0.4986 * lightZ)
        let green = max(0, -0.9689 * lightX + 1.8758 + 0.0415 * lightZ)
        let blue = max(0, 0.0557 * lightX - 0.2040 + 1.0570 * lightZ)
        let most = max(red, green, blue, 1e-6)
        func encoded(_ light: Double) -> UInt8 {
            let light = light / most
            let value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            return UInt8(max(0, min(255, (255 * value).rounded())))
        }
        return (encoded(blue), encoded(green), encoded(red))
    }
}
