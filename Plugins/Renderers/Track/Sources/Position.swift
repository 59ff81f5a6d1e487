internal import Glibc

/// Where on Earth something is (WGS 84), in degrees.
struct Position: Equatable {
    /// East of Greenwich, −180 to 180.
    var longitude: Double
    /// North of the equator, −90 to 90.
    var latitude: Double

    /// - Parameter longitude: also as some write it on the way around the Earth, up to 540 either way.
    /// - Returns: `nil` for what is no place, such as metres of a national grid.
    init?(longitude: Double, latitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 540 else { return nil }
        // Borders at 180° lie on one side or the other, and stay there, whatever their last digit is.
        if abs(longitude) <= 180 + Self.rounding {
            self.longitude = min(180, max(-180, longitude))
        } else {
            self.longitude = longitude > 0 ? longitude - 360 : longitude + 360
        }
        self.latitude = latitude
    }

    /// Metres to another place that is not far away.
    func distance(to other: Position) -> Double {
        var east = abs(other.longitude - longitude)
        if east > 180 { east = 360 - east }
        let across = east * cos((latitude + other.latitude) * Self.radians / 2)
        let north = other.latitude - latitude
        return (across * across + north * north).squareRoot() * Self.metres
    }

    /// Degrees that are lost in writing.
    private static let rounding = 1e-6
    /// Of a degree, in radians.
    static let radians = Double.pi / 180
    /// Of a degree of latitude, on a sphere with the Earth's mean radius.
    static let metres = 6_371_008.8 * radians
}
