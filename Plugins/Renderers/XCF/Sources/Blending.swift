/// How a layer is laid upon what is below it, GIMP's "layer mode".
///
/// Dissolve, merge, split and the modes that erase a colour are drawn as normal, those of LCH as those of HSV.
struct Blending {
    /// Where something is afterwards, GIMP's "composite mode".
    enum Reach: Int {
        /// Where the layer or what is below it was.
        case union = 1
        /// Where something was below.
        case lower
        /// Where the layer is.
        case upper
        /// Where both are.
        case intersection
    }

    /// GIMP's number of it.
    var mode: UInt32 { didSet { function = Self.function(of: mode) } }
    /// Whether colours are blended in proportion to light; else as sRGB codes them.
    var blendsLinear = false
    /// The same of laying what was blended upon what is below.
    var compositesLinear = false
    /// `nil` for the one that belongs to the mode.
    var ownReach: Reach?

    /// What the mode makes of two colours, found once and not for each cell; `nil` as ``function(of:)`` says.
    private var function: Function?

    init(mode: UInt32) {
        self.mode = mode
        function = Self.function(of: mode)
    }

    /// A group whose layers lie upon what is below the group, rather than upon each other alone.
    var passesThrough: Bool { mode == 61 }

    private var reach: Reach { ownReach ?? (function == nil ? .union : .lower) }

    /// Whether it changes what is below also where the layer is not.
    var reachesBeyond: Bool { mode == 62 || reach == .upper || reach == .intersection }

    /// Lays one cell upon another.
    /// - Parameter opacity: 0 to 1, times the alpha of `upper`.
    func lay(_ upper: SIMD4<Float>, opacity: Float, on lower: SIMD4<Float>) -> SIMD4<Float> {
        let alpha = upper.w * opacity
        switch mode {
        case 58: return Self.with(lower, alpha: lower.w * (1 - alpha))
        case 62: return mixed(upper, alpha, lower, lower.w * (1 - opacity))
        case 2, 29: return mixed(lower, lower.w, upper, alpha * (1 - lower.w))
        default: break
        }
        let reach = reach
        if alpha <= 0, reach == .union || reach == .lower { return lower }
        let upperAlone = reach == .union || reach == .upper ? alpha * (1 - lower.w) : 0
        let lowerAlone = reach == .union || reach == .lower ? lower.w * (1 - alpha) : 0
        guard let blend = function else {
            return mixed(upper, upperAlone + alpha * lower.w, lower, lowerAlone)
        }
        var blended =
            blendsLinear ? Self.coded(blend(Self.light(lower), Self.light(upper))) : blend(lower, upper)
        blended.clamp(lowerBound: .zero, upperBound: .one)
        let both = mixed(blended, alpha * lower.w, lower, lowerAlone)
        return mixed(both, both.w, upper, upperAlone)
    }

    /// Two colours, each covering a part of the cell.
    private func mixed(
        _ one: SIMD4<Float>, _ part: Float, _ other: SIMD4<Float>, _ otherPart: Float
    ) -> SIMD4<Float> {
        let alpha = part + otherPart
        guard alpha > 0 else { return .zero }
        if otherPart <= 0 { return Self.with(one, alpha: alpha) }
        if part <= 0 { return Self.with(other, alpha: alpha) }
        let share = part / alpha
        let mixed =
            compositesLinear
            ? Self.coded(Self.light(one) * share + Self.light(other) * (1 - share))
            : one * share + other * (1 - share)
        return Self.with(mixed, alpha: alpha)
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
        case 56: { brought($0, toLuminanceOf: $1) }
        case 54: { luminance($0) <= luminance($1) ? $0 : $1 }
        case 55: { luminance($0) >= luminance($1) ? $0 : $1 }
        default: channelFunction(of: mode).map { blend in { lower, upper in lower.each(upper, blend) } }
        }
    }

    private static func luminance(_ cell: SIMD4<Float>) -> Float { 0.2225 * cell.x + 0.7169 * cell.y + 0.0606 * cell.z }

    private static func brought(_ lower: SIMD4<Float>, toLuminanceOf upper: SIMD4<Float>) -> SIMD4<Float> {
        let own = luminance(lower)
        return own > 0 ? lower * (luminance(upper) / own) : SIMD4(repeating: luminance(upper))
    }

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
