import Glibc
public import VitrineKit

/// The way to sRGB of colours that a picture or a film names by numbers instead of a profile (ITU-T H.273, "coding-independent
/// code points"): BT.2020 and Display P3, and light up to 10,000 candelas a square metre, as telephones and cameras write it.
///
/// Bright light is brought into the range of a screen, and the rest stays as it is: what lies above half of a page's white is
/// pressed together (ITU-R BT.2390-10, 5.4.1, from 1000 cd/m² to 203), by the brightest of the three colours, so that hues stay.
/// Made for pictures that were reduced: it takes some 50 ns a pixel.
public struct CodedColors {
    /// How values become light (H.273, table 3).
    private enum Transfer: Int {
        case gamma22 = 4, gamma28 = 5, linear = 8, quantizer = 16, hybrid = 18
        /// As sRGB, or close enough to it: BT.709's curve is shown on screens of sRGB without a change, too.
        case usual = 13

        init?(code: Int) {
            switch code {
            case 0, 1, 2, 3, 6, 7, 11...15: self = .usual
            default: self.init(rawValue: code)
            }
        }
    }

    /// Light of a diffuse white surface, and the brightest that is expected, in cd/m² (ITU-R BT.2408-7, 2.1).
    private static let white = 203.0, brightest = 1000.0

    private let transfer: Transfer
    /// What each of the coded primaries adds to red, green and blue of sRGB; columns.
    private let primaries: [SIMD3<Double>]
    /// Light of each of the 256 values; of a diffuse white surface it is 1, but for ``Transfer/hybrid``.
    private let light: [Double]

    /// - Parameters:
    ///   - primaries: `ColourPrimaries`.
    ///   - transfer: `TransferCharacteristics`.
    /// - Returns: `nil` where nothing is to be changed, and for numbers that mean nothing.
    public init?(primaries: Int, transfer: Int) {
        guard let transfer = Transfer(code: transfer) else { return nil }
        let matrix = Self.matrices[primaries]
        guard matrix != nil || transfer != .usual else { return nil }
        self.transfer = transfer
        self.primaries = matrix ?? [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]
        light = (0..<256).map { Self.light(of: Double($0) / 255, transfer) }
    }

    /// Whether numbers mean colours that are those of sRGB, or so close that nothing is to be changed: primaries of BT.709 and
    /// BT.601, with their curves, sRGB's and those of like ones.
    public static func areUsual(primaries: Int, transfer: Int) -> Bool {
        [1, 5, 6, 7].contains(primaries) && [1, 6, 11, 12, 13, 14, 15].contains(transfer)
    }

    /// To the primaries of BT.709 from those of BT.2020 (9), and of P3 with the white of cinemas (11) and of screens (12).
    private static let matrices: [Int: [SIMD3<Double>]] = [
        9: [SIMD3(1.6605, -0.1246, -0.0182), SIMD3(-0.5876, 1.1329, -0.1006), SIMD3(-0.0728, -0.0083, 1.1187)],
        11: [SIMD3(1.1576, -0.0415, -0.0181), SIMD3(-0.1550, 1.0456, -0.0786), SIMD3(-0.0026, -0.0041, 1.0967)],
        12: [SIMD3(1.2249, -0.0420, -0.0196), SIMD3(-0.2247, 1.0420, -0.0786), SIMD3(0, 0, 1.0979)],
    ]

    private static func light(of value: Double, _ transfer: Transfer) -> Double {
        switch transfer {
        case .usual: return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        case .gamma22: return pow(value, 2.2)
        case .gamma28: return pow(value, 2.8)
        case .linear: return value
        case .quantizer: return quantized(value) / white
        case .hybrid:
            // ITU-R BT.2100-2, table 5: of the scene.
            return value <= 0.5 ? value * value / 3 : (exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
        }
    }

    // MARK: The perceptual quantizer (ITU-R BT.2100-2, table 4)

    private static let m1 = 0.1593017578125, m2 = 78.84375, c1 = 0.8359375, c2 = 18.8515625, c3 = 18.6875

    /// Light in cd/m² of a value.
    private static func quantized(_ value: Double) -> Double {
        let power = pow(value, 1 / m2)
        return 10_000 * pow(max(0, power - c1) / (c2 - c3 * power), 1 / m1)
    }

    /// The value of light in cd/m².
    private static func value(of light: Double) -> Double {
        let power = pow(min(1, light / 10_000), m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }

    private static let mostValue = value(of: brightest)
    /// The value of white in parts of the brightest, and where pressing begins.
    private static let whiteShare = value(of: white) / mostValue, knee = 1.5 * whiteShare - 0.5

    /// Light that a screen shows: 1 at most for what is 1000 cd/m².
    private static func shown(_ light: Double) -> Double {
        let share = value(of: light * white) / mostValue
        guard share > knee else { return light }
        let t = (min(1, share) - knee) / (1 - knee)
        let pressed =
            (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
            + (3 * t * t - 2 * t * t * t) * whiteShare
        return quantized(pressed * mostValue) / white
    }

    // MARK: Pixels

    /// The byte that sRGB writes for light, in steps of 1/4095.
    private static let written: [UInt8] = (0...4095).map { step in
        let light = Double(step) / 4095
        let value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8(value * 255 + 0.5)
    }

    /// Converts a bitmap in place; alpha stays as it is.
    /// - Parameter bitmap: red first, colours not multiplied by alpha.
    public func convert(_ bitmap: Bitmap) {
        // What the brightest colour of a pixel is multiplied by; each has one of 256 values.
        let scales = transfer == .quantizer ? light.map { $0 > 0 ? Self.shown($0) / $0 : 1 } : []
        bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<bitmap.height {
                for at in stride(from: y * bitmap.bytesPerRow, to: y * bitmap.bytesPerRow + bitmap.width * 4, by: 4) {
                    var colour = SIMD3(light[Int(bytes[at])], light[Int(bytes[at + 1])], light[Int(bytes[at + 2])])
                    if transfer == .quantizer {
                        colour *= scales[Int(max(bytes[at], bytes[at + 1], bytes[at + 2]))]
                    } else if transfer == .hybrid {
                        colour *= Self.hybridScale(colour)
                    }
                    let mixed = colour.x * primaries[0] + colour.y * primaries[1] + colour.z * primaries[2]
                    for channel in 0..<3 {
                        bytes[at + channel] = Self.written[Int(min(1, max(0, mixed[channel])) * 4095 + 0.5)]
                    }
                }
            }
        }
    }

    /// What light of a scene is multiplied by: the curve of a screen of 1000 cd/m² (BT.2100-2, table 5, the OOTF), then what of
    /// it is shown.
    private static func hybridScale(_ scene: SIMD3<Double>) -> Double {
        let brightness = 0.2627 * scene.x + 0.6780 * scene.y + 0.0593 * scene.z
        guard brightness > 0 else { return 0 }
        let screen = pow(brightness, 0.2) * brightest / white
        let most = scene.max() * screen
        return screen * shown(most) / most
    }
}
