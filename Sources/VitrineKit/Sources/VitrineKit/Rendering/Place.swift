/// Where on Earth something is, as receivers of satellites tell it (WGS 84).
@frozen
public struct Place: Hashable, Sendable {
    /// Degrees north, −90 to 90, and east, −180 to 180.
    public var latitude: Double, longitude: Double
    /// Metres above the sea.
    public var altitude: Double?

    /// - Returns: `nil` for what is no place.
    public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
        guard -90...90 ~= latitude, -180...180 ~= longitude else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude.flatMap { -20_000...1_000_000 ~= $0 ? $0 : nil }
    }
}
