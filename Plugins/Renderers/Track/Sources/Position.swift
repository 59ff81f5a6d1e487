internal import Glibc

/// Where something is: on Earth (WGS 84) in degrees, or on a plan in lengths of its plane.
struct Position: Equatable {
    /// Degrees east of Greenwich, −180 to 180, or beyond it in a shape that goes on there; the easting of a plan.
    var east: Double
    /// Degrees north of the equator, −90 to 90; the northing of a plan.
    var north: Double

    /// Where longitude and latitude begin: what programs write that do not know a place.
    var isOrigin: Bool { east == 0 && north == 0 }

    /// Metres to another place on Earth that is not far away.
    func distance(to other: Position) -> Double {
        let across = (other.east - east) * cos((north + other.north) * Self.radians / 2)
        let up = other.north - north
        return (across * across + up * up).squareRoot() * Self.metres
    }

    /// Of a degree, in radians.
    static let radians = Double.pi / 180
    /// Of a degree of latitude, on a sphere with the Earth's mean radius.
    static let metres = 6_371_008.8 * radians
}
