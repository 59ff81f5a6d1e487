internal import ArchiveReading
internal import ModelDrawing
internal import VitrineKit
internal import XML

/// A package of the 3D Manufacturing Format: a zip file with models in XML (Core Specification 1.3), which may refer to
/// others beside them (Production Extension 1.1), and be painted (Materials and Properties Extension 1.2.1).
struct ThreeMFFile {
    private let archive: Archive
    private let textures: TexturePool
    /// Those that were read, by the names of their files.
    private var parts: [[UInt8]: ThreeMFPart] = [:]
    private var bytes = 0

    /// Models in one package and bytes of all of them, components in one another and all together.
    private static let mostParts = 256, mostBytes = 512 << 20, deepest = 8, mostUses = 10_000
    /// Bytes of one text or attribute.
    private static let longestText = 4 << 20
    /// Bytes of one picture.
    private static let longestPicture = 128 << 20

    /// What is built of the package.
    /// - Throws: `corrupt`, `locked`, `limitExceeded`, `unsupported`; what reading throws.
    static func mesh(
        _ input: any RandomAccessInput, _ textures: TexturePool
    ) throws(PluginError) -> Mesh {
        var limits = ArchiveLimits()
        limits.member = mostBytes / 2
        var file = Self(archive: try Archive(input, limits: limits), textures: textures)
        let names = file.archive.members.map(\.name).filter { $0.suffix(6).elementsEqual(".model".utf8) }
        // The one that all programs write; else the one that is there.
        let usual = Array("3D/3dmodel.model".utf8)
        guard let root = names.first(where: { $0 == usual }) ?? names.min(by: { $0.count < $1.count }) else {
            throw file.archive.lacks(PluginError(.unsupported, "there is no model in the 3MF file"))
        }
        var mesh = Mesh()
        var uses = 0
        let part = try file.part(root)
        let all = part.objects.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let items = part.items.isEmpty ? all.map { ThreeMFPart.Use(object: $0) } : part.items
        for item in items { try file.add(item, of: root, Placement.identity, 0, &uses, to: &mesh) }
        return mesh
    }

    private init(archive: Archive, textures: TexturePool) { (self.archive, self.textures) = (archive, textures) }

    private mutating func part(_ name: [UInt8]) throws(PluginError) -> ThreeMFPart {
        if let known = parts[name] { return known }
        guard parts.count < Self.mostParts, let member = archive.members.first(where: { $0.name == name }) else {
            throw archive.lacks(PluginError(.corrupt, "a part of the model is missing in the 3MF file"))
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

    /// The numbers in the mesh of what the objects of a part are made of.
    private mutating func materials(of part: ThreeMFPart, in mesh: inout Mesh) throws(PluginError) -> [Int] {
        if let known = part.materials { return known }
        var numbers = [0]
        for path in part.pictures {
            var material = Material()
            if bytes < Self.mostBytes, !textures.isSpent, let member = archive.members.first(where: { $0.name == path })
            {
                do throws(PluginError) {
                    let picture = try archive.contents(of: member, limit: Self.longestPicture)
                    bytes += picture.count
                    material.texture = textures.texture(picture, ignoresAlpha: true)
                } catch { guard [.corrupt, .locked, .limitExceeded].contains(error.code) else { throw error } }
            }
            // Of one that cannot be had, what it lies on has the colour of other things.
            numbers.append(mesh.add(material.texture == nil ? .plain : material))
        }
        part.materials = numbers
        return numbers
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
        let part = try part(name)
        guard let object = part.objects[use.object] else { return }
        let placement = placement.of(use.placement)
        try mesh.add(object.mesh, placement, materials: materials(of: part, in: &mesh))
        for component in object.components { try add(component, of: name, placement, depth + 1, &uses, to: &mesh) }
    }
}
