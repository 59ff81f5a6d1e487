internal import Glibc

/// Keeps the positions of a shape together that lie on both sides of the 180th meridian: longitudes go on beyond it.
///
/// Lines take the shorter way around the Earth. Edges of surfaces are straight on a map that ends at that meridian (RFC 7946,
/// section 3.1.9); those of files that do not cut them there are known by steps that would go around nearly all of it.
/// Along a parallel there are such steps, as at the end of Antarctica, in frames of maps and their grids: those that do not go
/// on in the direction of the one before, and of lines those that are whole.
struct Course {
    private let kind: Shape.Kind
    /// What was added to longitudes.
    private var turns = 0.0
    private var before: Position?
    /// Degrees to the east of the last step.
    private var lastStep = 0.0
    /// How many positions may still be added.
    private(set) var room: Int

    /// Degrees from which on a step is taken for one in the other direction: of lines, and of edges.
    private static let longest = (line: 180.0, edge: 300.0)
    /// Degrees that a line all around the Earth may lack.
    private static let whole = 0.5
    /// Degrees after which a longitude that goes around and around begins anew.
    private static let most = 1080.0
    /// Degrees that a straight step becomes several after, so that it stays straight where meridians are not.
    private static let straight = 5.0

    /// - Parameter room: how many positions may be added between those that there are.
    init(_ kind: Shape.Kind, room: Int) { (self.kind, self.room) = (kind, room) }

    /// Goes to the next position.
    /// - Parameter body: called with it, and before that with what lies on the way.
    mutating func go(to next: Position, _ body: (Position) -> Void) {
        guard let before else {
            before = next
            return body(next)
        }
        var next = next
        next.east += turns
        var step = next.east - before.east
        let rest = remainder(step, 360)
        let isAlongParallel =
            abs(next.north - before.north) < 1e-9 && lastStep * rest <= 0
            && (kind.isEdge || kind == .line && abs(rest) < Self.whole)
        if !isAlongParallel, abs(step) > (kind.isEdge ? Self.longest.edge : Self.longest.line) {
            let turn = -360 * (step / 360).rounded()
            if abs(turns + turn) <= Self.most {
                turns += turn
                next.east += turn
                step += turn
            }
        }
        if kind.isEdge || isAlongParallel {
            let count = min(room, Int(max(abs(step), abs(next.north - before.north)) / Self.straight))
            room -= count
            for number in 0..<count {
                let part = Double(number + 1) / Double(count + 1)
                body(
                    Position(east: before.east + step * part, north: before.north + (next.north - before.north) * part))
            }
        }
        (self.before, lastStep) = (next, step)
        body(next)
    }
}
