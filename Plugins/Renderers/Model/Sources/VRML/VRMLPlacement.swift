internal import Glibc
internal import ModelDrawing

/// How nodes of VRML move what is in them.
enum VRMLPlacement {
    /// ISO/IEC 14772-1, 6.52: what is in it is stretched along axes of its own, turned, both around a center, and moved. In version 1
    /// the stretching has another name.
    static func transform(_ node: VRMLNode) -> Placement {
        let center = node.vector("center", .zero)
        let along = rotation(node.numbers("scaleOrientation"))
        let stretched = along.of(scale(node.vector("scale", node.vector("scaleFactor", [1, 1, 1])))).of(inverse(along))
        let turned = rotation(node.numbers("rotation")).of(stretched)
        return Placement(origin: node.vector("translation", .zero) + center).of(turned).of(Placement(origin: -center))
    }

    static func scale(_ factors: SIMD3<Float>) -> Placement {
        Placement(x: [factors.x, 0, 0], y: [0, factors.y, 0], z: [0, 0, factors.z])
    }

    /// Around an axis, by an angle in radians.
    static func rotation(_ numbers: [Float]) -> Placement {
        guard numbers.count >= 4, numbers[..<4].allSatisfy(\.isFinite) else { return .identity }
        let axis = SIMD3(numbers[0], numbers[1], numbers[2])
        let length = (axis * axis).sum().squareRoot()
        guard length > 0, length.isFinite else { return .identity }
        let unit = axis / length, (sine, cosine) = (sin(numbers[3]), cos(numbers[3]))
        func turned(_ step: SIMD3<Float>) -> SIMD3<Float> {
            step * cosine + unit.cross(step) * sine + unit * ((unit * step).sum() * (1 - cosine))
        }
        return Placement(x: turned([1, 0, 0]), y: turned([0, 1, 0]), z: turned([0, 0, 1]))
    }

    /// Four rows, of which the last moves.
    static func matrix(_ numbers: [Float]) -> Placement {
        guard numbers.count >= 16, numbers[..<16].allSatisfy(\.isFinite) else { return .identity }
        func row(_ at: Int) -> SIMD3<Float> { SIMD3(numbers[4 * at], numbers[4 * at + 1], numbers[4 * at + 2]) }
        return Placement(x: row(0), y: row(1), z: row(2), origin: row(3))
    }

    /// The way back from a turn.
    private static func inverse(_ turn: Placement) -> Placement {
        Placement(
            x: [turn.x.x, turn.y.x, turn.z.x], y: [turn.x.y, turn.y.y, turn.z.y], z: [turn.x.z, turn.y.z, turn.z.z])
    }
}
