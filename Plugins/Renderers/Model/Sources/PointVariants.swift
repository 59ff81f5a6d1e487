internal import ModelDrawing
internal import VitrineKit

/// Points of which corners of different triangles want different things, for files that name what a corner has apart from
/// where it is: each such thing gets a point of its own.
struct PointVariants {
    /// What a point was given, by a number, and the next one at the same place.
    private var keys: [Int] = []
    private var followers: [Int32] = []
    /// Points at one place that are looked through for one that has the same already.
    private static let mostLooks = 8
    private static let (none, last) = (Int.min, Int32(-1))

    /// The point for a corner.
    /// - Parameters:
    ///   - point: where it is; left as it is when there is no such point.
    ///   - key: what it wants to have, by a number.
    ///   - traits: the same; asked for when it is new.
    /// - Throws: `limitExceeded` when there are too many points.
    mutating func point(
        _ point: Int, _ key: Int, in mesh: inout Mesh, _ traits: () -> Mesh.Traits
    ) throws(PluginError) -> Int {
        guard 0..<mesh.points.count ~= point else { return point }
        while keys.count < mesh.points.count {
            keys.append(Self.none)
            followers.append(Self.last)
        }
        if keys[point] == Self.none {
            keys[point] = key
            mesh.give(traits(), to: point)
            return point
        }
        var here = point
        for _ in 0..<Self.mostLooks {
            if keys[here] == key { return here }
            guard followers[here] != Self.last else { break }
            here = Int(followers[here])
        }
        let copy = mesh.points.count
        try mesh.add(mesh.points[point], mesh.traits(of: point))
        mesh.give(traits(), to: copy)
        keys.append(key)
        followers.append(followers[point])
        followers[point] = Int32(truncatingIfNeeded: copy)
        return copy
    }
}
