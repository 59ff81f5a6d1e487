internal import ModelDrawing

/// Where something stands: turned, then moved. As exact as files tell it, which a ``Placement`` is not.
struct Pose {
    /// A quaternion: how far to turn around which axis.
    private var axis = SIMD3<Double>.zero, turn = 1.0
    private var origin = SIMD3<Double>.zero

    /// What is told as FreeCAD writes it: `Px`, `Py`, `Pz` of the origin, `Q0` to `Q3` of the quaternion.
    /// - Returns: `nil` for what is no place.
    init?(_ values: [String: String]) {
        func number(_ name: String) -> Double? {
            values[name].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
        }
        guard let x = number("Px"), let y = number("Py"), let z = number("Pz"), let a = number("Q0"),
            let b = number("Q1"), let c = number("Q2"), let turn = number("Q3")
        else { return nil }
        let length = (a * a + b * b + c * c + turn * turn).squareRoot()
        guard length > 0, length.isFinite else { return nil }
        origin = SIMD3(x, y, z)
        (axis, self.turn) = (SIMD3(a, b, c) / length, turn / length)
    }

    /// Where a point of it is.
    func callAsFunction(_ point: SIMD3<Double>) -> SIMD3<Double> { turned(point) + origin }

    /// Where a direction in it looks.
    func turned(_ vector: SIMD3<Double>) -> SIMD3<Double> {
        let once = 2 * axis.cross(vector)
        return vector + turn * once + axis.cross(once)
    }
}
