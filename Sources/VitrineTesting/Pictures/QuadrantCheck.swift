/// Tells from four samples whether a preview of a fixture is upright and its colours right.
///
/// Every fixture shows the same motif: red at the top left, green at the top right, blue at the bottom left,
/// yellow at the bottom right (fixtures/maker/motif.py). A turn or a mirror image that was missed, a wrong
/// page or exchanged channels show at once:
///
///     #expect(QuadrantCheck(picture).arrangement == .upright)
public struct QuadrantCheck: Hashable, Sendable {
    /// What was found at the top left, top right, bottom left and bottom right.
    public let hues: [Hue]
    /// How far each of the four is from the motif's upright colour, in Oklab; see ``OklabColor/distance(to:)``.
    public let errors: [Double]

    /// A colour of the motif.
    public enum Hue: String, Hashable, Sendable, CaseIterable {
        case red, green, blue, yellow
        /// None of the four, such as white, black, grey or magenta.
        case other

        /// The exact colour as fixtures/maker/motif.py writes it; `nil` for ``other``.
        public var color: OklabColor? {
            switch self {
            case .red: OklabColor(214, 48, 49)
            case .green: OklabColor(46, 164, 79)
            case .blue: OklabColor(45, 92, 206)
            case .yellow: OklabColor(241, 205, 55)
            case .other: nil
            }
        }

        static let upright: [Hue] = [.red, .green, .blue, .yellow]
    }

    /// How the motif lies.
    public enum Arrangement: String, Hashable, Sendable {
        case upright
        /// Left and right are exchanged.
        case mirrored
        /// Turned by 180°; also the second page, frame or slide of a fixture.
        case upsideDown
        /// Top and bottom are exchanged.
        case flipped
        /// Mirrored along the diagonal from the top left.
        case transposed
        /// Turned by 90° clockwise.
        case turnedRight
        /// Mirrored along the diagonal from the top right.
        case transversed
        /// Turned by 90° anticlockwise.
        case turnedLeft
        /// Not the motif.
        case unknown
    }

    /// Samples a picture.
    /// - Parameters:
    ///   - picture: a preview of a fixture.
    ///   - columns: the part of the width that the motif fills; all of it by default.
    ///   - rows: the part of the height that the motif fills; all of it by default.
    public init(_ picture: RGBAPicture, columns: ClosedRange<Double> = 0...1, rows: ClosedRange<Double> = 0...1) {
        func share(_ range: ClosedRange<Double>, _ low: Double, _ high: Double) -> ClosedRange<Double> {
            let length = range.upperBound - range.lowerBound
            return (range.lowerBound + low * length)...(range.lowerBound + high * length)
        }
        // Away from the edges, where a film has its moving dot, and from the arrow and the word in the middle.
        let left = share(columns, 0.14, 0.32), right = share(columns, 0.68, 0.86)
        let top = share(rows, 0.14, 0.36), bottom = share(rows, 0.64, 0.86)
        let samples = [(left, top), (right, top), (left, bottom), (right, bottom)].map {
            picture.average(columns: $0.0, rows: $0.1)
        }
        hues = samples.map(Self.hue)
        errors = zip(samples, Hue.upright).map { sample, hue in hue.color.map(sample.distance(to:)) ?? .infinity }
    }

    /// How the motif lies in the picture.
    public var arrangement: Arrangement {
        switch hues {
        case [.red, .green, .blue, .yellow]: .upright
        case [.green, .red, .yellow, .blue]: .mirrored
        case [.yellow, .blue, .green, .red]: .upsideDown
        case [.blue, .yellow, .red, .green]: .flipped
        case [.red, .blue, .green, .yellow]: .transposed
        case [.blue, .red, .yellow, .green]: .turnedRight
        case [.yellow, .green, .blue, .red]: .transversed
        case [.green, .yellow, .red, .blue]: .turnedLeft
        default: .unknown
        }
    }

    /// The largest of ``errors``. Lossless colours stay below 0.01, those of lossy codecs below 0.05.
    public var largestError: Double { errors.max() ?? .infinity }

    /// The motif's colours are 0.25 and more apart, so that half of it leaves no doubt.
    private static let reach = 0.12

    private static func hue(of sample: OklabColor) -> Hue {
        Hue.allCases.first { hue in hue.color.map { sample.distance(to: $0) < reach } ?? false } ?? .other
    }
}

extension QuadrantCheck: CustomStringConvertible {
    /// The arrangement and the four hues, for a test's message.
    public var description: String {
        "\(arrangement.rawValue) (\(hues.map(\.rawValue).joined(separator: ", ")))"
    }
}
