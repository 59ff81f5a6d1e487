internal import VitrineKit

/// Wavefront's object file: lines of points and of faces between them. Materials lie in other files, and are left out.
enum OBJFile {
    /// Corners of one face at most: more are nothing that a program writes.
    private static let mostCorners = 1000

    /// - Throws: `limitExceeded`.
    static func mesh(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> Mesh {
        var mesh = Mesh()
        var scanner = TextScanner(bytes)
        while !scanner.isAtEnd {
            scanner.skipBlanks()
            if scanner.take(UInt8(ascii: "v")) {
                if scanner.take(0x20) || scanner.take(0x09) { try addPoint(&scanner, to: &mesh) }
            } else if scanner.take(UInt8(ascii: "f")), scanner.take(0x20) || scanner.take(0x09) {
                try addFace(&scanner, to: &mesh)
            }
            scanner.nextLine()
        }
        if mesh.corners.isEmpty { mesh.kind = .cloud }
        return mesh
    }

    /// Three numbers, and often three more from 0 to 1 for its colour.
    private static func addPoint(_ scanner: inout TextScanner, to mesh: inout Mesh) throws(PluginError) {
        let place = Placement.upright(SIMD3(scanner.number(), scanner.number(), scanner.number()))
        let first = scanner.number()
        let second = first.isNaN ? .nan : scanner.number()
        // A fourth number alone is a weight.
        guard !second.isNaN else { return try mesh.add(place: place) }
        try mesh.add(place: place, SIMD3<Float>(SIMD3(first, second, scanner.number())).coded)
    }

    /// Numbers of points from 1 on, or back from the last; what stands behind a slash is no place.
    private static func addFace(_ scanner: inout TextScanner, to mesh: inout Mesh) throws(PluginError) {
        var first: Int?
        var last: Int?
        for _ in 0..<mostCorners {
            scanner.skipBlanks()
            guard let number = scanner.integer() else { return }
            let index = number < 0 ? mesh.points.count + number : number - 1
            scanner.skipWord()
            if let first, let last {
                try mesh.add(corners: first, last, index)
            }
            if first == nil { first = index } else { last = index }
        }
    }
}

extension SIMD3<Float> {
    /// Numbers from 0 to 1 as bytes.
    var coded: SIMD4<UInt8> {
        func byte(_ value: Float) -> UInt8 { UInt8(Swift.max(0, Swift.min(1, value.isNaN ? 0 : value)) * 255 + 0.5) }
        return SIMD4(byte(x), byte(y), byte(z), 255)
    }
}
