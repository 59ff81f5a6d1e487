internal import ArchiveReading
internal import VitrineKit
internal import XML

/// A package of the 3D Manufacturing Format: a zip file with models in XML (Core Specification 1.3), which may refer to
/// others beside them (Production Extension 1.1).
struct ThreeMFFile {
    private let archive: Archive
    /// Those that were read, by the names of their files.
    private var parts: [[UInt8]: ThreeMFPart] = [:]
    private var bytes = 0

    /// Models in one package and bytes of all of them, components in one another and all together.
    private static let mostParts = 256, mostBytes = 512 << 20, deepest = 8, mostUses = 10_000
    /// Bytes of one text or attribute.
    private static let longestText = 4 << 20

    /// What is built of the package.
    /// - Throws: `corrupt`, `encrypted`, `limitExceeded`, `unsupported`; what reading throws.
    static func mesh(_ input: any RandomAccessInput) throws(PluginError) -> Mesh {
        var limits = ArchiveLimits()
        limits.member = mostBytes / 2
        var file = Self(archive: try Archive(input, limits: limits))
        let names = file.archive.members.map(\.name).filter { $0.suffix(6).elementsEqual(".model".utf8) }
        // The one that all programs write; else the one that is there.
        let usual = Array("3D/3dmodel.model".utf8)
        guard let root = names.first(where: { $0 == usual }) ?? names.min(by: { $0.count < $1.count }) else {
            throw PluginError(.unsupported, "there is no model in the 3MF file")
        }
        var mesh = Mesh()
        var uses = 0
        let part = try file.part(root)
        let all = part.objects.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let items = part.items.isEmpty ? all.map { ThreeMFPart.Use(object: $0) } : part.items
        for item in items { try file.add(item, of: root, Placement.identity, 0, &uses, to: &mesh) }
        return mesh
    }

    private init(archive: Archive) { self.archive = archive }

    private mutating func part(_ name: [UInt8]) throws(PluginError) -> ThreeMFPart {
        if let known = parts[name] { return known }
        guard parts.count < Self.mostParts, let member = archive.members.first(where: { $0.name == name }) else {
            throw PluginError(.corrupt, "a part of the model is missing in the 3MF file")
        }
        let content = try archive.contents(of: member)
        bytes += content.count
        guard bytes <= Self.mostBytes else {
            throw PluginError(.limitExceeded, "the 3MF file has more than \(Self.mostBytes) bytes of models")
        }
        let part = ThreeMFPart()
        // Of texts and of attributes that nobody asks for, whole licences and pictures may be written in it.
        let reader = XMLReader("the 3MF model", limits: XMLLimits(text: Self.longestText), listener: part)
        try reader.read(content, isLast: true)
        if let failure = part.failure { throw failure }
        parts[name] = part
        return part
    }

    private mutating func add(
        _ use: ThreeMFPart.Use, of name: [UInt8], _ placement: Placement, _ depth: Int, _ uses: inout Int,
        to mesh: inout Mesh
    ) throws(PluginError) {
        uses += 1
        guard depth < Self.deepest, uses <= Self.mostUses else {
            throw PluginError(.limitExceeded, "the model has too many components, or they are too deep in one another")
        }
        let name = use.path ?? name
        guard let object = try part(name).objects[use.object] else { return }
        let placement = placement.of(use.placement)
        let first = mesh.points.count
        for point in object.mesh.points { try mesh.add(placement(point)) }
        try object.mesh.forEachTriangle { (a, b, c) throws(PluginError) in
            try mesh.add(corners: first + a, first + b, first + c)
        }
        for component in object.components { try add(component, of: name, placement, depth + 1, &uses, to: &mesh) }
    }
}

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
    /// The object that is being read.
    private var open = Object()
    private var name: [UInt8] = []

    private enum Element: Int {
        case other, object, vertex, triangle, component, item
    }

    func meaning(of name: XMLName) -> Int {
        switch name.local {
        case "object": Element.object.rawValue
        case "vertex": Element.vertex.rawValue
        case "triangle": Element.triangle.rawValue
        case "component": Element.component.rawValue
        case "item": Element.item.rawValue
        default: Element.other.rawValue
        }
    }

    func start(_ meaning: Int, _ attributes: XMLAttributes) {
        guard failure == nil else { return }
        do throws(PluginError) {
            switch Element(rawValue: meaning) {
            case .object:
                open = Object()
                attributes.forEach { key, value in if key.elementsEqual("id".utf8) { name = Array(value) } }
            case .vertex: try takePoint(attributes)
            case .triangle: try takeTriangle(attributes)
            case .component: open.components.append(Self.use(attributes))
            case .item: items.append(Self.use(attributes))
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

    private func takeTriangle(_ attributes: XMLAttributes) throws(PluginError) {
        var corners = SIMD3(repeating: -1)
        attributes.forEach { key, value in
            guard key.count == 2, key[0] == UInt8(ascii: "v"), 0x31...0x33 ~= key[1] else { return }
            var scanner = TextScanner(value)
            corners[Int(key[1] - 0x31)] = scanner.integer() ?? -1
        }
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
