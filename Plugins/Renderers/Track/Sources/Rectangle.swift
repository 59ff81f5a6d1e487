/// Rectangles along meridians and parallels, as bounds of something are, that lie across the 180th meridian.
///
/// Nothing tells the corners of one from those of a band around the rest of the Earth, since its edges are straight either way:
/// the one whose sides differ less is meant.
enum Rectangle {
    /// Positions that a rectangle may have: its corners, and the first one again.
    static let mostPositions = 5

    /// The positions of an edge, which go on beyond the 180th meridian where a rectangle lies across it.
    /// - Parameter positions: all that there are.
    static func acrossMeridian(_ positions: [Position]) -> [Position] {
        guard 4...mostPositions ~= positions.count, let first = positions.first,
            positions.count == 4 || positions.last == first
        else { return positions }
        let (longitudes, latitudes) = (Set(positions.map(\.east)).sorted(), Set(positions.map(\.north)).sorted())
        guard longitudes.count == 2, latitudes.count == 2, -180...0 ~= longitudes[0], 0...180 ~= longitudes[1] else {
            return positions
        }
        let across = 360 - (longitudes[1] - longitudes[0])
        guard 1e-6..<widest ~= across, latitudes[1] - latitudes[0] <= across * highest else { return positions }
        return positions.map { Position(east: $0.east < 0 ? $0.east + 360 : $0.east, north: $0.north) }
    }

    /// Degrees of longitude, and how many times as many of latitude, from which on it is rather a band.
    private static let widest = 60.0, highest = 3.0
}
