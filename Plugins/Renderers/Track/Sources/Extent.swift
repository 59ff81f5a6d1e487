/// From where to where something reaches, in the unit of its positions.
struct Extent {
    private var west = Double.infinity, east = -Double.infinity, south = Double.infinity, north = -Double.infinity

    /// Makes it reach to a position.
    mutating func take(_ position: Position) {
        (west, east) = (min(west, position.east), max(east, position.east))
        (south, north) = (min(south, position.north), max(north, position.north))
    }

    /// Its longer side; 0 when there is nothing.
    /// - Parameter scale: what a unit to the east is in units to the north.
    func side(_ scale: (Position) -> Double) -> Double {
        guard west <= east else { return 0 }
        return max(north - south, (east - west) * scale(Position(east: west, north: (north + south) / 2)))
    }

    /// Whether the origin is so far away that what lies here could not be seen beside it.
    var isFarFromOrigin: Bool {
        guard west <= east else { return false }
        let distance = max(west, -east, south, -north)
        return distance > 2 * max(east - west, north - south)
    }
}
