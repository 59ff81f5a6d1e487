internal import ModelDrawing
internal import VitrineKit

/// Wavefront's object file: lines of points, of directions in which the surface looks, and of faces between them.
/// Materials lie in other files, and are left out.
struct OBJFile {
    private var scanner: TextScanner
    private var mesh = Mesh()
    /// The points of the mesh in the order of the file's lines, as soon as these are others.
    private var places: [UInt32] = []
    private var count = 0
    private var normals: [SIMD3<Float>] = []
    private var variants = PointVariants()

    /// Corners of one face at most: more are nothing that a program writes.
    private static let mostCorners = 1000

    /// - Throws: `limitExceeded`.
    static func mesh(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> Mesh {
        var file = Self(scanner: TextScanner(ofAnySystem: bytes))
        try file.read()
        if file.mesh.corners.isEmpty { file.mesh.kind = .cloud }
        return file.mesh
    }

    private init(scanner: TextScanner) { self.scanner = scanner }

    private mutating func read() throws(PluginError) {
        while !scanner.isAtEnd {
            scanner.skipBlanks()
            if scanner.take(UInt8(ascii: "v")) {
                if isBlank() {
                    try addPoint()
                } else if scanner.take(UInt8(ascii: "n")), isBlank() {
                    try addNormal()
                }
            } else if scanner.take(UInt8(ascii: "f")), isBlank() {
                try addFace()
            }
            scanner.nextLine()
        }
    }

    private mutating func isBlank() -> Bool { scanner.take(0x20) || scanner.take(0x09) }

    /// Three numbers, and often three more from 0 to 1 for its colour.
    private mutating func addPoint() throws(PluginError) {
        let place = Placement.upright(SIMD3(scanner.number(), scanner.number(), scanner.number()))
        let first = scanner.number()
        let second = first.isNaN ? .nan : scanner.number()
        if count < mesh.points.count {
            while places.count < count { places.append(UInt32(truncatingIfNeeded: places.count)) }
            places.append(UInt32(truncatingIfNeeded: mesh.points.count))
        }
        count += 1
        // A fourth number alone is a weight.
        guard !second.isNaN else { return try mesh.add(place: place) }
        let colour = SIMD3<Float>(SIMD3(first, second, scanner.number())).coded
        try mesh.add(place: place, Mesh.Traits(colour: colour))
    }

    private mutating func addNormal() throws(PluginError) {
        guard normals.count < Mesh.mostPoints else { throw Mesh.tooLarge }
        normals.append(
            Placement.upright(SIMD3<Float>(SIMD3(scanner.number(), scanner.number(), scanner.number()))))
    }

    /// Corners one after the other; of more than three, triangles around the first.
    private mutating func addFace() throws(PluginError) {
        var first: Int?
        var last: Int?
        for _ in 0..<Self.mostCorners {
            scanner.skipBlanks()
            guard let point = try corner() else { return }
            if let first, let last { try mesh.add(corners: first, last, point) }
            if first == nil { first = point } else { last = point }
        }
    }

    /// Numbers of a point, of a place in a texture and of a normal with slashes between them, from 1 on, or back from the
    /// last.
    private mutating func corner() throws(PluginError) -> Int? {
        guard let number = scanner.integer() else { return nil }
        var point = number < 0 ? count + number : number - 1
        if places.indices ~= point { point = Int(places[point]) } else if point >= count { point = -1 }
        defer { scanner.skipWord() }
        guard !normals.isEmpty, scanner.take(UInt8(ascii: "/")) else { return point }
        _ = scanner.integer()
        guard scanner.take(UInt8(ascii: "/")), let which = scanner.integer() else { return point }
        let index = which < 0 ? normals.count + which : which - 1
        guard normals.indices ~= index else { return point }
        let normal = normals[index]
        return try variants.point(point, index, in: &mesh) { Mesh.Traits(normal: normal) }
    }
}

extension SIMD3<Float> {
    /// Numbers from 0 to 1 as bytes.
    var coded: SIMD4<UInt8> {
        func byte(_ value: Float) -> UInt8 { UInt8(Swift.max(0, Swift.min(1, value.isNaN ? 0 : value)) * 255 + 0.5) }
        return SIMD4(byte(x), byte(y), byte(z), 255)
    }
}
