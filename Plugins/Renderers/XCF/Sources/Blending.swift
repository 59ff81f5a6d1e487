/// How a layer is laid upon what is below it, GIMP's "layer mode".
struct Blending {
    /// GIMP's number of it.
    var mode: UInt32
    /// Whether colours are blended in proportion to light; else as sRGB codes them.
    var blendsLinear = false
    /// The same of laying what was blended upon what is below.
    var compositesLinear = false

    init(mode: UInt32) { self.mode = mode }

    /// A group whose layers lie upon what is below the group, rather than upon each other alone.
    var passesThrough: Bool { mode == 61 }

    /// Lays one cell upon another.
    /// - Parameter opacity: 0 to 1, times the alpha of `upper`.
    func lay(_ upper: SIMD4<Float>, opacity: Float, on lower: SIMD4<Float>) -> SIMD4<Float> {
        let alpha = upper.w * opacity
        switch mode {
        case 58: return Self.with(lower, alpha: lower.w * (1 - alpha))
        case 62: return upper * opacity + lower * (1 - opacity)
        case 2, 29: return over(lower, Self.with(upper, alpha: alpha))
        default: break
        }
        guard alpha > 0 else { return lower }
        guard let blend = Self.function(of: mode) else { return over(Self.with(upper, alpha: alpha), lower) }
        // What is not there is not blended with.
        var blended =
            blendsLinear
            ? Self.coded(blend(Self.light(lower), Self.light(upper))) : blend(lower, upper)
        blended.clamp(lowerBound: .zero, upperBound: .one)
        return Self.with(mixed(blended, lower, alpha), alpha: lower.w)
    }

    private func over(_ upper: SIMD4<Float>, _ lower: SIMD4<Float>) -> SIMD4<Float> {
        let alpha = upper.w + lower.w * (1 - upper.w)
        guard alpha > 0 else { return .zero }
        return Self.with(mixed(upper, lower, upper.w / alpha), alpha: alpha)
    }

    private func mixed(_ upper: SIMD4<Float>, _ lower: SIMD4<Float>, _ part: Float) -> SIMD4<Float> {
        if part >= 1 { return upper }
        guard compositesLinear else { return upper * part + lower * (1 - part) }
        return Self.coded(Self.light(upper) * part + Self.light(lower) * (1 - part))
    }

    private static func with(_ cell: SIMD4<Float>, alpha: Float) -> SIMD4<Float> {
        SIMD4(cell.x, cell.y, cell.z, alpha)
    }

    private static func light(_ cell: SIMD4<Float>) -> SIMD4<Float> { cell.eachColour(TransferCurve.light) }

    private static func coded(_ cell: SIMD4<Float>) -> SIMD4<Float> { cell.eachColour(TransferCurve.coded) }

    private typealias Function = (_ lower: SIMD4<Float>, _ upper: SIMD4<Float>) -> SIMD4<Float>

    /// - Returns: `nil` for the normal mode, and for those that are drawn like it.
    private static func function(of mode: UInt32) -> Function? {
        switch mode {
        case 11, 24, 37: { HueAndValue(of: $0).with(hueOf: HueAndValue(of: $1)) }
        case 12, 25, 38: { HueAndValue(of: $0).with(saturationOf: HueAndValue(of: $1)) }
        case 13, 26, 39: { HueAndValue.colour(of: $1, onLightnessOf: $0) }
        case 14, 27, 40: { HueAndValue(of: $0).with(valueOf: HueAndValue(of: $1)) }
        case 54: { luminance($0) <= luminance($1) ? $0 : $1 }
        case 55: { luminance($0) >= luminance($1) ? $0 : $1 }
        default: channelFunction(of: mode).map { blend in { lower, upper in lower.each(upper, blend) } }
        }
    }

    private static func luminance(_ cell: SIMD4<Float>) -> Float { 0.2225 * cell.x + 0.7169 * cell.y + 0.0606 * cell.z }

    /// Those modes that look at one channel at a time.
    private static func channelFunction(of mode: UInt32) -> ((_ lower: Float, _ upper: Float) -> Float)? {
        switch mode {
        case 3, 30: { $0 * $1 }
        case 4, 31: { 1 - (1 - $0) * (1 - $1) }
        case 23: { $0 < 0.5 ? 2 * $0 * $1 : 1 - 2 * (1 - $0) * (1 - $1) }
        case 5, 19, 45: { (1 - $0) * $0 * $1 + $0 * (1 - (1 - $0) * (1 - $1)) }
        case 6, 32: { abs($0 - $1) }
        case 7, 33: { $0 + $1 }
        case 8, 34: { $0 - $1 }
        case 9, 35: { min($0, $1) }
        case 10, 36: { max($0, $1) }
        case 15, 41: { quotient($0, $1) }
        case 16, 42: { quotient($0, 1 - $1) }
        case 17, 43: { 1 - quotient(1 - $0, $1) }
        case 18, 44: { $1 > 0.5 ? 1 - (1 - $0) * (2 - 2 * $1) : 2 * $0 * $1 }
        case 20, 46: { $0 - $1 + 0.5 }
        case 21, 47: { $0 + $1 - 0.5 }
        case 48: { $1 <= 0.5 ? 1 - quotient(1 - $0, 2 * $1) : quotient($0, 2 - 2 * $1) }
        case 49: { $1 > 0.5 ? max($0, 2 * $1 - 1) : min($0, 2 * $1) }
        case 50: { $0 + 2 * $1 - 1 }
        case 51: { $0 + $1 < 1 ? 0 : 1 }
        case 52: { 0.5 - 2 * ($0 - 0.5) * ($1 - 0.5) }
        case 53: { $0 + $1 - 1 }
        default: nil
        }
    }

    /// As GIMP's: no more than white.
    private static func quotient(_ value: Float, _ divisor: Float) -> Float {
        divisor > 1 / 65536 ? min(1, value / divisor) : value > 0 ? 1 : 0
    }
}

extension SIMD4<Float> {
    fileprivate func eachColour(_ body: (Float) -> Float) -> Self { Self(body(x), body(y), body(z), w) }

    fileprivate func each(_ other: Self, _ body: (Float, Float) -> Float) -> Self {
        Self(body(x, other.x), body(y, other.y), body(z, other.z), w)
    }
}

/// A colour as hue, saturation and value (the largest channel), or with lightness in place of the latter two.
private struct HueAndValue {
    /// The channels from nothing to one, without their grey.
    let pure: SIMD4<Float>
    /// Largest channel less the smallest, as a part of the largest.
    let saturation: Float
    let value: Float

    init(of colour: SIMD4<Float>) {
        let least = min(colour.x, colour.y, colour.z)
        value = max(colour.x, colour.y, colour.z)
        saturation = value > 0 ? (value - least) / value : 0
        pure = value > least ? (colour - least) / (value - least) : .zero
    }

    /// Grey has no hue to give, and none that could be made stronger.
    private static func colour(_ pure: SIMD4<Float>, _ saturation: Float, _ value: Float) -> SIMD4<Float> {
        pure == .zero ? SIMD4(repeating: value) : (pure * saturation + (1 - saturation)) * value
    }

    func with(hueOf other: Self) -> SIMD4<Float> {
        Self.colour(other.saturation > 0 ? other.pure : pure, saturation, value)
    }

    func with(saturationOf other: Self) -> SIMD4<Float> { Self.colour(pure, other.saturation, value) }

    func with(valueOf other: Self) -> SIMD4<Float> { Self.colour(pure, saturation, other.value) }

    /// Hue and saturation of one colour, in the sense of HSL, on the lightness of another.
    static func colour(of upper: SIMD4<Float>, onLightnessOf lower: SIMD4<Float>) -> SIMD4<Float> {
        func ends(_ colour: SIMD4<Float>) -> (least: Float, most: Float) {
            (min(colour.x, colour.y, colour.z), max(colour.x, colour.y, colour.z))
        }
        let (below, above) = (ends(lower), ends(upper))
        let lightness = (below.least + below.most) / 2
        let (range, room) = (above.most - above.least, 1 - abs(above.most + above.least - 1))
        let chroma = room > 0 ? range / room * (1 - abs(2 * lightness - 1)) : 0
        let pure = range > 0 ? (upper - above.least) / range : .zero
        return pure * chroma + (lightness - chroma / 2)
    }
}
