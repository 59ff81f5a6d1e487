/// A node of a scene in VRML: what it is, and what its fields say.
final class VRMLNode {
    /// What a field says. Texts and other words are not kept, but for a single one.
    enum Value {
        case numbers([Float])
        case nodes([VRMLNode])
        case word(String)
    }

    let type: String
    private(set) var fields: [String: Value] = [:]
    /// Nodes in it that belong to no field, as in version 1.
    private(set) var children: [VRMLNode] = []
    /// How many nodes are in one another, from this one to the innermost.
    private(set) var height = 1

    init(_ type: String) { self.type = type }

    /// Says what a field has.
    func set(_ field: String, _ value: Value) {
        if case .nodes(let nodes) = value { for node in nodes { height = max(height, node.height + 1) } }
        fields[field] = value
    }

    /// Adds a node that belongs to no field.
    func add(_ child: VRMLNode) {
        height = max(height, child.height + 1)
        children.append(child)
    }

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

    /// The word of a field; empty without one.
    func word(_ field: String) -> String {
        if case .word(let word) = fields[field] { word } else { "" }
    }

    /// Whether a field is not `FALSE`.
    func isTrue(_ field: String) -> Bool {
        if case .word("FALSE") = fields[field] { false } else { true }
    }
}
