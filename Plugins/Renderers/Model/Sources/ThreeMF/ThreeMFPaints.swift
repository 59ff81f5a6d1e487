internal import ModelDrawing
internal import VitrineKit
internal import XML

/// What objects of a 3MF model are painted with: groups of colours, and of places in pictures.
struct ThreeMFPaints {
    private struct Group {
        var colours: [SIMD4<UInt8>] = []
        var places: [SIMD2<Float>] = []
        /// The number of its material; zero for one of colours.
        var material = 0
    }

    private var groups: [Group] = []
    /// Numbers of groups, from 1 on, and of pictures, by what the file calls them.
    private var numbers: [[UInt8]: Int] = [:]
    private var names: [[UInt8]: Int] = [:]
    private(set) var pictures: [[UInt8]] = []
    private var count = 0

    /// Whether nothing is painted.
    var isEmpty: Bool { groups.isEmpty }

    /// Groups and pictures, and colours and places of all.
    private static let mostGroups = 65_536, mostPaints = 10_000_000, mostPictures = 1024

    /// A whole number that is not below zero; -1 for everything else.
    static func integer(_ value: UnsafeRawBufferPointer) -> Int {
        var scanner = TextScanner(value)
        return max(-1, min(scanner.integer() ?? -1, Int(Int32.max)))
    }

    /// Takes a group or a picture.
    mutating func begin(_ attributes: XMLAttributes) throws(PluginError) {
        var id: [UInt8] = [], path: [UInt8] = [], picture: [UInt8] = []
        attributes.forEach { key, value in
            if key.elementsEqual("id".utf8) {
                id = Array(value)
            } else if key.elementsEqual("path".utf8) {
                path = Array(value.drop { $0 == UInt8(ascii: "/") })
            } else if key.elementsEqual("texid".utf8) {
                picture = Array(value)
            }
        }
        guard groups.count < Self.mostGroups, pictures.count < Self.mostPictures else { throw Self.tooMany }
        if !path.isEmpty {
            pictures.append(path)
            names[id] = pictures.count
            return
        }
        groups.append(Group(material: names[picture] ?? 0))
        numbers[id] = groups.count
    }

    /// Takes a colour, or a place in a picture, of the last group.
    mutating func add(_ attributes: XMLAttributes) throws(PluginError) {
        guard let last = groups.indices.last else { return }
        count += 1
        guard count <= Self.mostPaints else { throw Self.tooMany }
        var colour = Mesh.plain
        var place = SIMD2<Float>.zero
        attributes.forEach { key, value in
            if key.elementsEqual("displaycolor".utf8) || key.elementsEqual("color".utf8) {
                colour = Self.colour(value) ?? colour
            } else if key.count == 1, key[0] == UInt8(ascii: "u") || key[0] == UInt8(ascii: "v") {
                var scanner = TextScanner(value)
                place[key[0] == UInt8(ascii: "u") ? 0 : 1] = Float(scanner.number())
            }
        }
        if groups[last].material > 0 {
            // Up from the lower edge.
            groups[last].places.append(SIMD2(place.x, 1 - place.y))
        } else {
            groups[last].colours.append(colour)
        }
    }

    /// Red, green and blue, and perhaps alpha, as hexadecimal digits behind a sign.
    private static func colour(_ value: UnsafeRawBufferPointer) -> SIMD4<UInt8>? {
        guard value.count == 7 || value.count == 9, value[0] == UInt8(ascii: "#"),
            let bits = UInt32(hexadecimal: value.dropFirst().prefix(6))
        else { return nil }
        return SIMD4(UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255), 255)
    }

    /// The number of a group; zero for what is none.
    func group(_ id: UnsafeRawBufferPointer) -> Int { numbers[Array(id)] ?? 0 }

    /// The number of a group's material.
    func material(of group: Int) -> Int { group > 0 ? groups[group - 1].material : 0 }

    /// What a corner has that wears one of a group's; or of none, which is zero.
    func traits(_ group: Int, _ index: Int) -> Mesh.Traits {
        guard group > 0 else { return Mesh.Traits(colour: Mesh.plain) }
        let group = groups[group - 1]
        guard group.material == 0 else {
            let place = group.places.indices ~= index ? group.places[index] : .zero
            return Mesh.Traits(colour: SIMD4(repeating: 255), texture: place)
        }
        return Mesh.Traits(colour: group.colours.indices ~= index ? group.colours[index] : Mesh.plain)
    }

    private static let tooMany = PluginError(
        .limitExceeded, "the 3MF model has more colours or pictures than are looked at")
}
