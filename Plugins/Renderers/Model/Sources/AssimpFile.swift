internal import CAssimp
internal import ModelDrawing
internal import VitrineKit

/// Models of the programs that most people draw them with, as the library Assimp reads them: FBX, COLLADA, 3D Studio, LightWave,
/// X3D, AMF, and buildings in IFC. At rest, and with the pictures that lie in the file itself.
struct AssimpFile {
    /// A way to write models.
    enum Format: String {
        case amf, building = "ifc", collada = "dae", fbx, lightWave = "lwo", studio = "3ds", x3d

        init?(mimeType: String) {
            switch mimeType {
            case "application/x-amf": self = .amf
            case "application/x-extension-ifc": self = .building
            case "model/vnd.collada+xml": self = .collada
            case "application/vnd.autodesk.fbx": self = .fbx
            case "image/x-lwo": self = .lightWave
            case "image/x-3ds": self = .studio
            case "model/x3d+xml": self = .x3d
            default: return nil
            }
        }

        /// How its scenes stand: Assimp makes y point up, but of AMF.
        fileprivate var placement: Placement { self == .amf ? .identity : .upright }
    }

    private let scene: aiScene
    private var mesh = Mesh()
    private let pool: TexturePool
    /// Numbers in the mesh of the scene's materials, with and without colours of points.
    private var materials: [Key: Int] = [:]
    /// Pictures by the places where they lie.
    private var textures: [UnsafePointer<UInt8>: Texture?] = [:]
    /// Nodes so far, and meshes that they show.
    private var uses = 0

    private struct Key: Hashable {
        var material: UInt32
        var isPainted: Bool
    }

    /// Nodes in one another, and nodes and meshes all together.
    private static let deepest = 256, mostUses = 100_000

    /// - Throws: `corrupt`, `limitExceeded`, `unsupported`.
    static func mesh(
        _ bytes: UnsafeRawBufferPointer, _ format: Format, _ pool: TexturePool
    ) throws(PluginError) -> Mesh {
        switch format {
        case .x3d:
            let blanked = X3DLinks.blanked(bytes)
            return try blanked.withUnsafeBufferPointer { bytes throws(PluginError) in
                try mesh(of: UnsafeRawBufferPointer(bytes), format, pool)
            }
        case .building:
            try checkSchema(bytes)
            try STEPReferences.check(bytes)
        default: break
        }
        return try mesh(of: bytes, format, pool)
    }

    /// The same, of bytes that Assimp gets as they are.
    static func mesh(
        of bytes: UnsafeRawBufferPointer, _ format: Format, _ pool: TexturePool
    ) throws(PluginError) -> Mesh {
        var reason = [UInt8](repeating: 0, count: 512)
        let room = reason.count
        var lacksMemory = false
        let opened = reason.withUnsafeMutableBytes {
            cassimp_open(
                bytes.baseAddress, bytes.count, format.rawValue, $0.baseAddress?.assumingMemoryBound(to: CChar.self),
                room,
                &lacksMemory)
        }
        guard let scene = opened else {
            throw failure(String(decoding: reason.prefix { $0 != 0 }, as: UTF8.self), lacksMemory)
        }
        defer { cassimp_close(scene) }
        var file = Self(scene: scene.pointee, pool: pool)
        file.mesh.unpainted = SIMD4(repeating: 255)
        if let root = scene.pointee.mRootNode { try file.visit(root.pointee, format.placement, 0) }
        return file.mesh
    }

    /// Refuses what Assimp would take for what it knows, and read beyond its ends: later schemas have other records of the
    /// same names.
    private static func checkSchema(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        let head = String(decoding: bytes.prefix(8192), as: UTF8.self)
        guard let names = head.firstRange(of: "FILE_SCHEMA") else {
            throw PluginError(.corrupt, "the model does not say which version of IFC it is in")
        }
        guard head[names.upperBound...].prefix(while: { $0 != ";" }).contains("'IFC2X3") else {
            throw PluginError(.unsupported, "the model is in a version of IFC that is not read; IFC2x3 is")
        }
    }

    /// What Assimp could not read, by its own words: it has no codes.
    private static func failure(_ reason: String, _ lacksMemory: Bool) -> PluginError {
        // Of what it does with a mesh once it is read it keeps the text only.
        if lacksMemory || reason.hasPrefix("std::bad_alloc") {
            return PluginError(.limitExceeded, "the model needs more memory than a model may use")
        }
        let told = "(Assimp: \(DisplayText.of(reason)))"
        let unknown = ["unsupported", "not supported", "Unknown node \""]
        return unknown.contains { reason.contains($0) }
            ? PluginError(.unsupported, "the model is of a kind that is not read \(told)")
            : PluginError(.corrupt, "the model cannot be read \(told)")
    }

    private init(scene: aiScene, pool: TexturePool) { (self.scene, self.pool) = (scene, pool) }

    private mutating func visit(_ node: aiNode, _ placement: Placement, _ depth: Int) throws(PluginError) {
        uses += 1 + Int(node.mNumMeshes)
        guard depth < Self.deepest, uses <= Self.mostUses else {
            throw PluginError(.limitExceeded, "the model has too many nodes, or they are too deep in one another")
        }
        let placement = placement.of(Placement(node.mTransformation))
        for index in 0..<Int(node.mNumMeshes) {
            guard let number = node.mMeshes?[index], number < scene.mNumMeshes, let mesh = scene.mMeshes?[Int(number)]
            else { continue }
            try add(mesh.pointee, placement)
        }
        for index in 0..<Int(node.mNumChildren) {
            if let child = node.mChildren?[index] { try visit(child.pointee, placement, depth + 1) }
        }
    }

    // MARK: Meshes

    private mutating func add(_ part: aiMesh, _ placement: Placement) throws(PluginError) {
        guard let places = part.mVertices else { return }
        // Points without a colour, beside others that have one, are black and not seen.
        let count = Int(part.mNumVertices)
        let colours = part.mColors.0.flatMap { list in (0..<count).contains { list[$0].a > 0 } ? list : nil }
        let material = material(part.mMaterialIndex, isPainted: colours != nil)
        mesh.begin(material: material, isMirrored: placement.isMirrored)
        let first = mesh.points.count, turned = placement.ofNormals
        let coordinates = mesh.materials[material].texture == nil ? nil : part.mTextureCoords.0
        for index in 0..<count {
            var traits = Mesh.Traits()
            if let normal = part.mNormals?[index] { traits.normal = turned(SIMD3(normal)) }
            if let colour = colours?[index] {
                traits.colour = SIMD3(colour.r, colour.g, colour.b).coded
            }
            if let place = coordinates?[index] { traits.texture = SIMD2(place.x, place.y) }
            try mesh.add(placement(SIMD3(places[index])), traits)
        }
        for index in 0..<Int(part.mNumFaces) {
            guard let face = part.mFaces?[index], face.mNumIndices == 3, let corners = face.mIndices else { continue }
            // One beyond this mesh would be a point of another one.
            guard (0..<3).allSatisfy({ corners[$0] < part.mNumVertices }) else { continue }
            try mesh.add(corners: first + Int(corners[0]), first + Int(corners[1]), first + Int(corners[2]))
        }
    }

    private mutating func material(_ index: UInt32, isPainted: Bool) -> Int {
        let key = Key(material: index, isPainted: isPainted)
        if let number = materials[key] { return number }
        var material = isPainted ? Material() : Material.plain
        if index < scene.mNumMaterials, let source = scene.mMaterials?[Int(index)] {
            read(source, isPainted, into: &material)
        }
        let number = mesh.add(material)
        materials[key] = number
        return number
    }

    private mutating func read(_ source: UnsafePointer<aiMaterial>, _ isPainted: Bool, into material: inout Material) {
        material.texture = texture(source)
        var colour = [Float](repeating: 1, count: 4)
        let isKnown = cassimp_colour(source, &colour)
        if material.texture != nil || isPainted {
            material.colour = SIMD4(repeating: 1)
        } else if isKnown {
            let shown = SIMD3(colour[0], colour[1], colour[2]).clamped(lowerBound: .zero, upperBound: .one)
            material.colour = SIMD4(shown, material.colour.w)
        }
        // Some write for what is seen through that nothing of it is seen.
        if isKnown, 0.02..<0.99 ~= colour[3] {
            material.cover = .veil
            material.colour.w = colour[3]
        }
    }

    private mutating func texture(_ material: UnsafePointer<aiMaterial>) -> Texture? {
        var count: UInt32 = 0
        guard let file = withUnsafePointer(to: scene, { cassimp_picture($0, material, &count) }) else { return nil }
        if let known = textures[file] { return known }
        let bytes = Array(UnsafeBufferPointer(start: file, count: Int(count)))
        let texture = pool.texture(bytes, ignoresAlpha: true)
        textures[file] = .some(texture)
        return texture
    }
}

extension SIMD3<Float> {
    fileprivate init(_ vector: aiVector3D) { self.init(vector.x, vector.y, vector.z) }
}

extension Placement {
    /// Rows of a matrix, whose fourth column moves.
    fileprivate init(_ m: aiMatrix4x4) {
        self.init(
            x: [m.a1, m.b1, m.c1], y: [m.a2, m.b2, m.c2], z: [m.a3, m.b3, m.c3], origin: [m.a4, m.b4, m.c4])
    }
}
