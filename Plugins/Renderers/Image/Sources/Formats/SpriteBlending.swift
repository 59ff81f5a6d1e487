/// How a layer of a sprite of Aseprite is laid on those below (W3C, Compositing and Blending Level 1, 5.8 and 10.1, and three sums),
/// with the numbers of the file. Those by hue are not among them.
enum SpriteBlending: Int {
    case normal = 0, multiply, screen, overlay, darken, lighten, dodge, burn, hardLight, softLight, difference,
        exclusion
    case addition = 16, subtract, divide

    /// - Parameters:
    ///   - upper: red, green, blue and alpha, the colours not multiplied by alpha.
    ///   - opacity: 0 to 1.
    func lay(_ upper: SIMD4<UInt8>, opacity: Float, on lower: SIMD4<UInt8>) -> SIMD4<UInt8> {
        let alpha = Float(upper.w) / 255 * opacity
        if alpha == 0 { return lower }
        if self == .normal, alpha == 1 || lower.w == 0 {
            return SIMD4(upper.x, upper.y, upper.z, UInt8(alpha * 255 + 0.5))
        }
        let below = Float(lower.w) / 255
        let whole = alpha + below - alpha * below
        var result = SIMD4<UInt8>(0, 0, 0, UInt8(whole * 255 + 0.5))
        for channel in 0..<3 {
            let (one, other) = (Float(lower[channel]) / 255, Float(upper[channel]) / 255)
            let mixed = (1 - below) * other + below * min(1, max(0, blended(one, other)))
            let value = (alpha * mixed + (1 - alpha) * below * one) / whole
            result[channel] = UInt8(min(255, max(0, value * 255 + 0.5)))
        }
        return result
    }

    /// - Parameters:
    ///   - lower: a channel of what is below, 0 to 1.
    ///   - upper: that of the layer.
    private func blended(_ lower: Float, _ upper: Float) -> Float {
        switch self {
        case .normal: return upper
        case .multiply: return lower * upper
        case .screen: return lower + upper - lower * upper
        case .overlay: return Self.hardLight.blended(upper, lower)
        case .darken: return min(lower, upper)
        case .lighten: return max(lower, upper)
        case .dodge: return lower == 0 ? 0 : upper == 1 ? 1 : lower / (1 - upper)
        case .burn: return lower == 1 ? 1 : upper == 0 ? 0 : 1 - min(1, (1 - lower) / upper)
        case .hardLight: return upper <= 0.5 ? lower * 2 * upper : lower + (2 * upper - 1) * (1 - lower)
        case .softLight:
            if upper <= 0.5 { return lower - (1 - 2 * upper) * lower * (1 - lower) }
            let curve = lower <= 0.25 ? ((16 * lower - 12) * lower + 4) * lower : lower.squareRoot()
            return lower + (2 * upper - 1) * (curve - lower)
        case .difference: return abs(lower - upper)
        case .exclusion: return lower + upper - 2 * lower * upper
        case .addition: return lower + upper
        case .subtract: return lower - upper
        case .divide: return lower == 0 ? 0 : lower >= upper ? 1 : lower / upper
        }
    }
}
