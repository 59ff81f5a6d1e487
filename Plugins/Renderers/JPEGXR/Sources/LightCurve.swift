/// How light, as pictures of high dynamic range have it, is brought into the range of a screen.
///
/// Such pictures are scRGB (IEC 61966-2-2), where 1 is the white of a dim screen, 80 cd/m²; on brighter ones Windows and its games write
/// white as up to some 2.5. What is up to there in nearly all of a picture is taken for its white. Above half of that, light is pressed
/// together by the brightest of its three colours, so that hues stay and the brightest light of all becomes white.
struct LightCurve {
    /// White of a screen in parts of that of scRGB (ITU-R BT.2408-7, 2.1), and where pressing begins in parts of white.
    private static let screen: Float = 203.0 / 80, knee: Float = 0.5
    /// Pixels that are brighter than a picture's white: one of as many.
    private static let rare = 100
    private static let steps = 256

    let white: Float
    /// The brightest light behind the knee, in parts of what is left for it; 1 where nothing is brighter than white.
    private let reach: Float

    /// Looks at all of a picture.
    init(_ picture: JPEGXRPicture) {
        var counts = [Int](repeating: 0, count: Self.steps + 1)
        var brightest: Float = 0
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let light = Self.brightness(picture.pixel(x, y))
                brightest = max(brightest, light)
                counts[Int(min(1, light / Self.screen) * Float(Self.steps))] += 1
            }
        }
        var left = picture.width * picture.height / Self.rare
        let step = counts.indices.last { step in
            left -= counts[step]
            return left < 0
        }
        white = max(1, min(1, Float((step ?? 0) + 1) / Float(Self.steps)) * Self.screen)
        reach = max(1, (brightest / white - Self.knee) / (1 - Self.knee))
    }

    /// The brightest of three colours: a number from 0 to 1e6, whatever stands in the file.
    private static func brightness(_ colour: SIMD4<Float>) -> Float {
        let light = max(colour.x, colour.y, colour.z)
        return light > 0 ? min(light, 1e6) : 0
    }

    /// Light from 0 to 1, as a screen shows it.
    @inline(__always) func shown(_ colour: SIMD4<Float>) -> SIMD4<Float> {
        let light = Self.brightness(colour) / white
        guard light > Self.knee else { return colour / white }
        // It goes on as steeply as before, and ends at white.
        let above = (light - Self.knee) / (1 - Self.knee)
        let pressed = Self.knee + (1 - Self.knee) * above * (1 + above / (reach * reach)) / (1 + above)
        return colour / white * (pressed / light)
    }
}
