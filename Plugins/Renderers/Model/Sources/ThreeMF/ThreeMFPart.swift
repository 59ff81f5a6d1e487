internal import ModelDrawing
internal import VitrineKit
internal import XML

/// One model of a package: objects, and which of them are built.
final class ThreeMFPart: XMLListener {
    /// An object that is used, where and in which part.
    struct Use {
        var object: [UInt8]
        /// `nil` for the part that it is used in.
        var path: [UInt8]?
        var placement = Placement.identity
    }
    struct Object {
        var mesh = Mesh()
        var components: [Use] = []
    }

    private(set) var objects: [[UInt8]: Object] = [:]
    private(set) var items: [Use] = []
    /// Why it was not taken to its end.
    private(set) var failure: PluginError?
    /// What its objects are painted with, as far as it was read.
    private var paints = ThreeMFPaints()
    /// The numbers in the whole mesh of what its objects are made of; set by who adds the first one.
    var materials: [Int]?
    /// Where its pictures lie in the package, in the order of their materials behind the first, which is no picture.
    var pictures: [[UInt8]] { paints.pictures }
    /// The object that is being read.
    private var open = Object()
    private var name: [UInt8] = []
    /// How it is painted where its triangles say nothing else.
    private var group = 0, index = 0
    private var variants = PointVariants()

    private enum Element: Int {
        case other, object, vertex, triangle, component, item, group, paint
    }

    func meaning(of name: XMLName) -> Int {
        switch name.local {
        case "object": Element.object.rawValue
        case "vertex": Element.vertex.rawValue
        case "triangle": Element.triangle.rawValue
        case "component": Element.component.rawValue
        case "item": Element.item.rawValue
        case "basematerials", "colorgroup", "texture2d", "texture2dgroup": Element.group.rawValue
        case "base", "color", "tex2coord": Element.paint.rawValue
        default: Element.other.rawValue
        }
    }

    func start(_ meaning: Int, _ attributes: XMLAttributes) {
        guard failure == nil else { return }
        do throws(PluginError) {
            switch Element(rawValue: meaning) {
            case .object:
                begin(attributes)
            case .vertex: try takePoint(attributes)
            case .triangle: try takeTriangle(attributes)
            case .component: open.components.append(Self.use(attributes))
            case .item: items.append(Self.use(attributes))
            case .group: try paints.begin(attributes)
            case .paint: try paints.add(attributes)
            case .other, nil: break
            }
        } catch { failure = error }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}

    func end(_ meaning: Int) {
        guard meaning == Element.object.rawValue else { return }
        objects[name] = open
        open = Object()
    }

    private func takePoint(_ attributes: XMLAttributes) throws(PluginError) {
        var point = SIMD3<Float>(repeating: .nan)
        attributes.forEach { key, value in
            guard key.count == 1, let axis = key.first, 0x78...0x7A ~= axis else { return }
            var scanner = TextScanner(value)
            point[Int(axis - 0x78)] = Float(scanner.number())
        }
        try open.mesh.add(point)
    }

    private func begin(_ attributes: XMLAttributes) {
        open = Object()
        variants = PointVariants()
        (group, index) = (0, 0)
        attributes.forEach { key, value in
            if key.elementsEqual("id".utf8) {
                name = Array(value)
            } else if key.elementsEqual("pid".utf8) {
                group = paints.group(value)
            } else if key.elementsEqual("pindex".utf8) {
                index = ThreeMFPaints.integer(value)
            }
        }
    }

    private func takeTriangle(_ attributes: XMLAttributes) throws(PluginError) {
        var corners = SIMD3(repeating: -1), own = SIMD3(repeating: -1)
        var group = group
        attributes.forEach { key, value in
            if key.count == 2, 0x31...0x33 ~= key[1] {
                let corner = Int(key[1] - 0x31)
                if key[0] == UInt8(ascii: "v") {
                    corners[corner] = ThreeMFPaints.integer(value)
                } else if key[0] == UInt8(ascii: "p") {
                    own[corner] = ThreeMFPaints.integer(value)
                }
            } else if key.elementsEqual("pid".utf8) {
                group = paints.group(value)
            }
        }
        guard !paints.isEmpty else { return try open.mesh.add(corners: corners.x, corners.y, corners.z) }
        // One number alone is that of all corners; none at all, that of the object.
        if group == 0 || own.x < 0 { own = SIMD3(repeating: index) }
        for corner in 0..<3 {
            let number = own[corner] < 0 ? own.x : own[corner]
            // Each group has a key for what has no number, too.
            let key = group << 32 | (number + 1)
            corners[corner] = try variants.point(corners[corner], key, in: &open.mesh) {
                paints.traits(group, number)
            }
        }
        let material = paints.material(of: group)
        if material > 0 || !open.mesh.stretches.isEmpty { open.mesh.begin(material: material) }
        try open.mesh.add(corners: corners.x, corners.y, corners.z)
    }

    private static func use(_ attributes: XMLAttributes) -> Use {
        var use = Use(object: [])
        attributes.forEach { key, value in
            if key.elementsEqual("objectid".utf8) {
                use.object = Array(value)
            } else if key.elementsEqual("path".utf8) {
                use.path = Array(value.drop { $0 == UInt8(ascii: "/") })
            } else if key.elementsEqual("transform".utf8) {
                use.placement = placement(value)
            }
        }
        return use
    }

    /// Four rows of three numbers: what becomes of each axis, and of the origin.
    private static func placement(_ value: UnsafeRawBufferPointer) -> Placement {
        var scanner = TextScanner(value)
        func row() -> SIMD3<Float> {
            var row = SIMD3<Float>.zero
            for axis in 0..<3 {
                scanner.skipSpace()
                row[axis] = Float(scanner.number())
            }
            return row
        }
        return Placement(x: row(), y: row(), z: row(), origin: row())
    }
}
