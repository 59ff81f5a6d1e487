/// What the numbers of a file mean.
enum Coordinates {
    /// Longitude and latitude in degrees, as all formats want it.
    case degrees
    /// Latitude and longitude, the other order.
    case exchangedDegrees
    /// Easting and northing in a plane, such as metres of a national grid. In which one, and in which unit, is not known.
    case plane

    /// The place that two numbers mean.
    /// - Returns: `nil` for what is none.
    func position(_ first: Double, _ second: Double) -> Position? {
        switch self {
        case .degrees: Self.place(longitude: first, latitude: second)
        case .exchangedDegrees: Self.place(longitude: second, latitude: first)
        case .plane:
            max(abs(first), abs(second)) <= Self.farthest ? Position(east: first, north: second) : nil
        }
    }

    /// - Parameter longitude: also as some write it on the way around the Earth, up to 540 either way.
    private static func place(longitude: Double, latitude: Double) -> Position? {
        guard abs(latitude) <= 90, abs(longitude) <= 540 else { return nil }
        // Borders at 180° lie on one side or the other, and stay there, whatever their last digit is.
        let isBorder = abs(longitude) <= 180 + rounding
        return Position(east: isBorder ? min(180, max(-180, longitude)) : longitude, north: latitude)
    }

    /// Degrees that are lost in writing.
    private static let rounding = 1e-6
    /// More than the way around the Earth in any unit that plans are drawn in.
    private static let farthest = 1e9
}

/// Finds out what the numbers of a file mean, of files that do not always say it, or not truly.
struct CoordinatesTally {
    private var all = 0, degrees = 0, exchanged = 0

    /// Whether there were no numbers at all.
    private(set) var isEmpty = true

    /// Takes two numbers. Those that can be nothing do not count.
    mutating func take(_ first: Double, _ second: Double) {
        isEmpty = false
        guard Coordinates.plane.position(first, second) != nil else { return }
        all += 1
        if Coordinates.degrees.position(first, second) != nil { degrees += 1 }
        // Without ways around the Earth, which would let small plans pass.
        if abs(first) <= 90, abs(second) <= 180 { exchanged += 1 }
    }

    /// What most of them can be; a few that make no sense do not count.
    var likely: Coordinates {
        if degrees * 2 >= all { return .degrees }
        return exchanged * 2 > all ? .exchangedDegrees : .plane
    }
}
