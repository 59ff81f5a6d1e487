internal import Glibc
internal import JSON
internal import ModelDrawing

/// The materials of a model in glTF, each read when something is made of it.
struct GLTFMaterials {
    /// A material, and which of a point's coordinates are those of its texture.
    struct Entry {
        /// Its number in the mesh.
        var number: Int
        var coordinates: Int64
    }

    private let json: JSONValue
    private let buffers: GLTFBuffers
    private let pool: TexturePool
    private var known: [Key: Entry] = [:]
    /// Textures by the pictures that they show, or that cannot be shown.
    private var textures: [Picture: Texture?] = [:]

    private struct Key: Hashable {
        var material: Int64?
        var isPainted: Bool
    }
    private struct Picture: Hashable {
        var image: Int64
        var ignoresAlpha: Bool
    }

    init(_ json: JSONValue, _ buffers: GLTFBuffers, _ pool: TexturePool) {
        (self.json, self.buffers, self.pool) = (json, buffers, pool)
    }

    /// The material of a primitive.
    /// - Parameter isPainted: whether its points have colours.
    mutating func entry(_ index: Int64?, isPainted: Bool, in mesh: inout Mesh) -> Entry {
        let key = Key(material: index, isPainted: isPainted)
        if let entry = known[key] { return entry }
        let (material, coordinates) = read(json["materials"]?.list?.at(index), isPainted)
        let entry = Entry(number: mesh.add(material), coordinates: coordinates)
        known[key] = entry
        return entry
    }

    private mutating func read(_ json: JSONValue?, _ isPainted: Bool) -> (Material, Int64) {
        // One that is none of glTF's own is what older models have beside it, or instead.
        let own = json?["pbrMetallicRoughness"], extensions = json?["extensions"]
        let older = extensions?["KHR_materials_pbrSpecularGlossiness"]
        var material = isPainted ? Material() : Material.plain
        material.isDoubleSided = json?["doubleSided"]?.boolean ?? false
        material.isUnlit = extensions?["KHR_materials_unlit"] != nil
        switch json?["alphaMode"]?.text {
        case "MASK": material.cover = .cut(json?["alphaCutoff"]?.number ?? 0.5)
        case "BLEND": material.cover = .veil
        default: break
        }
        var coordinates: Int64 = 0
        if let use = older?["diffuseTexture"] ?? own?["baseColorTexture"] {
            var ignoresAlpha = false
            if case .opaque = material.cover { ignoresAlpha = true }
            let texture = self.json["textures"]?.list?.at(use["index"]?.integer)
            material.texture = texture.flatMap { self.texture($0, ignoresAlpha) }
            material.laying = Material.Laying(use, self.json["samplers"]?.list?.at(texture?["sampler"]?.integer))
            coordinates =
                use["extensions"]?["KHR_texture_transform"]?["texCoord"]?.integer ?? use["texCoord"]?.integer ?? 0
            if material.texture != nil { material.colour = SIMD4(repeating: 1) }
        }
        let factors = older?["diffuseFactor"]?.numbers ?? own?["baseColorFactor"]?.numbers ?? []
        if factors.count >= 3 {
            let colour = SIMD3(factors[0], factors[1], factors[2]).shown
            material.colour = SIMD4(colour, factors.count > 3 ? max(0, min(1, factors[3])) : 1)
        }
        material.shine(json)
        return (material, coordinates)
    }

    private mutating func texture(_ json: JSONValue, _ ignoresAlpha: Bool) -> Texture? {
        let webp = json["extensions"]?["EXT_texture_webp"]?["source"]?.integer
        guard let index = webp ?? json["source"]?.integer else { return nil }
        let key = Picture(image: index, ignoresAlpha: ignoresAlpha)
        if let known = textures[key] { return known }
        var texture: Texture?
        if !pool.isSpent, let image = self.json["images"]?.list?.at(index), let bytes = bytes(of: image) {
            texture = pool.texture(bytes, ignoresAlpha: ignoresAlpha)
        }
        textures[key] = .some(texture)
        return texture
    }

    /// A picture's file; `nil` for one that is a file of its own.
    private func bytes(of image: JSONValue) -> [UInt8]? {
        if let address = image["uri"]?.text { return GLTFBuffers.data(address) }
        guard let view = json["bufferViews"]?.list?.at(image["bufferView"]?.integer) else { return nil }
        // A picture that is packed as numbers are is none.
        return (try? buffers.bytes(of: view)).flatMap { $0 }.map { Array($0) }
    }
}

extension Material {
    /// What shines by itself has its colour without a lamp.
    fileprivate mutating func shine(_ json: JSONValue?) {
        guard let factors = json?["emissiveFactor"]?.numbers, factors.count == 3, texture == nil,
            json?["emissiveTexture"] == nil
        else { return }
        let strength = json?["extensions"]?["KHR_materials_emissive_strength"]?["emissiveStrength"]?.number ?? 1
        let light = SIMD3(factors[0], factors[1], factors[2])
        guard light.max() * strength > 0.2 else { return }
        isUnlit = true
        let shown = pointwiseMax((light * strength).shown, SIMD3(colour.x, colour.y, colour.z) * 0.7)
        colour = SIMD4(shown, colour.w)
    }
}

extension Material.Laying {
    /// As a material uses a texture, and as its sampler and KHR_texture_transform say.
    init(_ use: JSONValue, _ sampler: JSONValue?) {
        self.init()
        func edge(_ name: String) -> Edge {
            switch sampler?[name]?.integer {
            case 33071: .border
            case 33648: .mirrored
            default: .again
            }
        }
        (across, down) = (edge("wrapS"), edge("wrapT"))
        isBlocky = sampler?["magFilter"]?.integer == 9728
        guard let transform = use["extensions"]?["KHR_texture_transform"] else { return }
        let (offset, scale) = (transform["offset"]?.numbers ?? [], transform["scale"]?.numbers ?? [])
        let turn = transform["rotation"]?.number ?? 0
        let size = scale.count == 2 ? SIMD2(scale) : SIMD2(1, 1)
        x = SIMD2(cosf(turn), -sinf(turn)) * size.x
        y = SIMD2(sinf(turn), cosf(turn)) * size.y
        if offset.count == 2 { origin = SIMD2(offset) }
    }
}

extension SIMD3<Float> {
    /// Numbers in proportion to light in the code of sRGB (IEC 61966-2-1), from 0 to 1.
    var shown: Self {
        func coded(_ light: Float) -> Float {
            guard light > 0.0031308 else { return Swift.max(0, 12.92 * light) }
            return light < 1 ? 1.055 * powf(light, 1 / 2.4) - 0.055 : 1
        }
        return Self(coded(x), coded(y), coded(z))
    }
}

extension JSONValue {
    /// The number that it is.
    var number: Float? { if case .number(let number) = self { Float(number) } else { nil } }

    /// The numbers of a list; `nil` when there is anything else in it.
    var numbers: [Float]? {
        let numbers = list?.compactMap(\.number)
        return numbers?.count == list?.count ? numbers : nil
    }
}

extension [JSONValue] {
    /// The value of this number; `nil` when there is none.
    func at(_ index: Int64?) -> JSONValue? {
        guard let index, 0..<Int64(count) ~= index else { return nil }
        return self[Int(index)]
    }
}
