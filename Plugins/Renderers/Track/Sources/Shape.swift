/// One line, ring or point of a file.
struct Shape {
    /// What it is.
    enum Kind {
        /// Where somebody has been.
        case track
        /// Where somebody means to go.
        case route
        /// Any other line.
        case line
        /// The edge of a surface; with those behind it that are holes, the whole edge.
        case ring
        /// The edge of a hole in the surface before it.
        case hole
        /// A place.
        case point

        /// Whether it is open at both ends.
        var isLine: Bool { self == .track || self == .route || self == .line }
        /// Whether it is part of the edge of a surface.
        var isEdge: Bool { self == .ring || self == .hole }
    }

    var kind: Kind
    /// Those that belong together have one number: the parts of a track.
    var group: Int
    /// The number of its style.
    var style: Int
    /// At least one.
    var positions: [Position]

    /// From where to where it reaches, to the east.
    var longitudes: (low: Double, high: Double) {
        positions.reduce(into: (.infinity, -.infinity)) { $0 = (min($0.0, $1.east), max($0.1, $1.east)) }
    }
}
