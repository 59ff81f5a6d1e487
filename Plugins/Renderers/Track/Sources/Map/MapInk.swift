internal import TextDrawing

/// The colours of maps: a quiet paper, and few strong ones on it.
enum MapInk {
    static let paper = Ink(red: 0.949, green: 0.945, blue: 0.925)
    static let grid = Ink(red: 0.893, green: 0.887, blue: 0.86)
    static let strip = Ink(red: 0.98, green: 0.978, blue: 0.967)
    /// Around lines and dots, so that they lie upon one another rather than run together.
    static let edge = Ink(red: 1, green: 1, blue: 1)
    /// The same, around colours that are nearly white.
    static let darkEdge = Ink(red: 0.45, green: 0.45, blue: 0.45)
    static let surface = Ink(red: 0.16, green: 0.50, blue: 0.44)
    static let place = Ink(red: 0.84, green: 0.30, blue: 0.12)
    static let start = Ink(red: 0.11, green: 0.62, blue: 0.29)
    static let end = Ink(red: 0.13, green: 0.15, blue: 0.19)
    static let profile = Ink(red: 0.38, green: 0.42, blue: 0.50)

    /// Tracks, the first one first; routes begin further behind.
    static let tracks = [
        Ink(red: 0.11, green: 0.36, blue: 0.82), Ink(red: 0.85, green: 0.33, blue: 0.08),
        Ink(red: 0.00, green: 0.53, blue: 0.49), Ink(red: 0.53, green: 0.22, blue: 0.66),
        Ink(red: 0.72, green: 0.50, blue: 0.00), Ink(red: 0.78, green: 0.10, blue: 0.36),
    ]
    /// The colour of the first route, which is neither that of a track nor that of places.
    static let firstRoute = 3
    /// Tracks that are told apart by colours. More of them would be a carnival.
    static let mostTracks = 24

    /// A colour of a file; `nil` for what cannot be seen.
    static func visible(_ color: FeatureColor) -> Ink? {
        if color.isClear { return nil }
        return Ink(red: Double(color.red) / 255, green: Double(color.green) / 255, blue: Double(color.blue) / 255)
    }
}

extension Ink {
    /// Whether it can hardly be told from paper.
    var isPale: Bool { 0.299 * red + 0.587 * green + 0.114 * blue > 0.8 }
}

/// Lengths as people read them.
enum MapWords {
    /// A length in metres or kilometres, with one digit behind the point where it is short.
    static func length(_ metres: Double) -> String {
        if metres < 1000 { return self.metres(metres) }
        let tenths = Int((metres / 100).rounded())
        if tenths >= 1000 || tenths % 10 == 0 { return grouped(Int((metres / 1000).rounded())) + " km" }
        return "\(tenths / 10).\(tenths % 10) km"
    }

    /// A number of metres.
    static func metres(_ metres: Double) -> String { grouped(Int(metres.rounded())) + " m" }

    /// With a thin space between thousands, as in SI.
    private static func grouped(_ number: Int) -> String {
        guard abs(number) >= 10_000 else { return "\(number)" }
        let rest = String(abs(number) % 1000)
        return grouped(number / 1000) + "\u{2009}" + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
