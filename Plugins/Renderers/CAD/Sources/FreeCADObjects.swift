internal import XML

/// What the two lists of a document of FreeCAD say of its objects.
final class FreeCADObjects: XMLListener {
    struct Object {
        let name: String
        var type = ""
        /// The member with its shape.
        var shape: String?
        var isVisible: Bool?
        var colour: SIMD4<Float>?
        var pose: Pose?
        /// Names of what is in it.
        var group: [String] = []
    }
    /// In the order of the document.
    private(set) var objects: [Object] = []
    private var numbers: [String: Int] = [:]
    /// The object and the property that are open.
    private var open: Int?
    private var property = ""

    /// Objects, and members of groups, that are listened to.
    private static let mostObjects = 100_000, mostMembers = 100_000
    private var members = 0

    /// The number of the object in which another one is, by the name of that one. What is in a folder may be in something else
    /// as well, which counts.
    var containers: [String: Int] {
        func isFolder(_ object: Object) -> Bool { object.type == "App::DocumentObjectGroup" }
        var containers: [String: Int] = [:]
        for folders in [true, false] {
            for (index, object) in objects.enumerated() where isFolder(object) == folders {
                for name in object.group { containers[name] = index }
            }
        }
        return containers
    }

    private enum Element: Int { case other, object, property, part, bool, colour, integer, placement, link }

    func meaning(of name: XMLName) -> Int {
        let element: Element =
            switch name.local {
            case "Object", "ViewProvider": .object
            case "Property": .property
            case "Part": .part
            case "Bool": .bool
            case "PropertyColor": .colour
            case "Integer": .integer
            case "PropertyPlacement": .placement
            case "Link": .link
            default: .other
            }
        return element.rawValue
    }

    func start(_ meaning: Int, _ attributes: XMLAttributes) {
        guard let element = Element(rawValue: meaning), element != .other else { return }
        // Most properties are none that matter, and may be long.
        if element != .object, element != .property, !Self.known.contains(property) { return }
        let values = attributes.values
        switch (element, property) {
        case (.object, _): begin(values)
        case (.property, _): property = values["name"] ?? ""
        case (.part, "Shape"): change { $0.shape = values["file"] }
        case (.bool, "Visibility"): change { $0.isVisible = values["value"] == "true" }
        case (.colour, "ShapeColor"):
            // Red is the highest of four bytes; the lowest is not opacity, which is a property of its own.
            guard let code = values["value"].flatMap({ UInt32($0) }) else { return }
            change {
                let alpha = $0.colour?.w ?? 1
                $0.colour = SIMD4<Float>(SIMD4(code >> 24, code >> 16 & 255, code >> 8 & 255, 0)) / 255
                $0.colour?.w = alpha
            }
        case (.integer, "Transparency"):
            guard let percent = values["value"].flatMap({ Float($0) }), 0...100 ~= percent, percent > 0 else { return }
            // Of what is wholly clear the shape is what people look for.
            change { $0.colour = ($0.colour ?? Self.usual) * SIMD4(1, 1, 1, max(0.1, 1 - percent / 100)) }
        case (.placement, "Placement"): change { $0.pose = Pose(values) }
        case (.link, "Group"):
            members += 1
            if members <= Self.mostMembers, let name = values["value"] { change { $0.group.append(name) } }
        default: break
        }
    }

    private static let known: Set<String> = [
        "Shape", "Visibility", "ShapeColor", "Transparency", "Placement", "Group",
    ]
    /// FreeCAD's own colour.
    private static let usual = SIMD4<Float>(0.8, 0.8, 0.8, 1)

    /// Objects are named twice or more: with their types, with what they are, and with how they are shown.
    private func begin(_ values: [String: String]) {
        let name = values["name"] ?? ""
        open = numbers[name]
        if open == nil, objects.count < Self.mostObjects {
            open = objects.count
            numbers[name] = objects.count
            objects.append(Object(name: name))
        }
        if let type = values["type"] { change { $0.type = type } }
    }

    private func change(_ change: (inout Object) -> Void) { if let open { change(&objects[open]) } }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}

    func end(_ meaning: Int) {
        switch Element(rawValue: meaning) {
        case .property: property = ""
        case .object: open = nil
        default: break
        }
    }
}
