/// A node of a scene in VRML: what it is, and what its fields say.
final class VRMLNode {
    /// What a field says. Texts and other words are not kept, but for a single one.
    enum Value {
        case numbers([Float])
        case nodes([VRMLNode])
        case word(String)
    }

    let type: String
    var fields: [String: Value] = [:]
    /// Nodes in it that belong to no field, as in version 1.
    var children: [VRMLNode] = []

    init(_ type: String) { self.type = type }

    /// The nodes of a field.
    func nodes(_ field: String) -> [VRMLNode] {
        if case .nodes(let nodes) = fields[field] { nodes } else { [] }
    }

    /// The numbers of a field.
    func numbers(_ field: String) -> [Float] {
        if case .numbers(let numbers) = fields[field] { numbers } else { [] }
    }

    /// A single number.
    func number(_ field: String, _ usual: Float) -> Float {
        if let number = numbers(field).first, number.isFinite { number } else { usual }
    }

    /// Three numbers.
    func vector(_ field: String, _ usual: SIMD3<Float>) -> SIMD3<Float> {
        let numbers = numbers(field)
        guard numbers.count >= 3 else { return usual }
        let vector = SIMD3(numbers[0], numbers[1], numbers[2])
        return vector.x.isFinite && vector.y.isFinite && vector.z.isFinite ? vector : usual
    }

    /// Whether a field is not `FALSE`.
    func isTrue(_ field: String) -> Bool {
        if case .word("FALSE") = fields[field] { false } else { true }
    }
}
