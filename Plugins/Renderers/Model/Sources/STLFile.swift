internal import VitrineKit

/// What 3D Systems described as the stereolithography interface: triangles, each with its three corners, as numbers or as
/// text.
enum STLFile {
    /// Bytes before the first triangle, and of each.
    private static let head = 84, record = 50

    /// - Throws: `corrupt`, `limitExceeded`.
    static func mesh(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> Mesh {
        if let count = count(bytes) { return try binary(bytes, count) }
        guard isText(bytes) else {
            throw PluginError(.corrupt, "the file is no model in STL, or it is cut off")
        }
        return try text(bytes)
    }

    /// How many triangles a file of numbers has; `nil` for another, or one that is cut off.
    private static func count(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= head else { return nil }
        let count = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 80, as: UInt32.self)))
        let rest = bytes.count - head
        // Files of numbers may begin with "solid" as well. What follows the triangles is nothing that matters.
        guard count > 0, count * record == rest || count * record < rest && !isText(bytes) else { return nil }
        return count
    }

    private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var start = TextScanner(bytes)
        start.skipSpace()
        return start.word().elementsEqual("solid".utf8)
    }

    private static func binary(_ bytes: UnsafeRawBufferPointer, _ count: Int) throws(PluginError) -> Mesh {
        var mesh = Mesh()
        mesh.kind = .apart
        mesh.reserve(points: 3 * count)
        for triangle in 0..<count {
            // Twelve bytes of a normal come first, which follows from the corners.
            let at = head + triangle * record + 12
            for corner in 0..<3 {
                let place = at + 12 * corner
                func number(_ axis: Int) -> Double {
                    let bits = bytes.loadUnaligned(fromByteOffset: place + 4 * axis, as: UInt32.self)
                    return Double(Float(bitPattern: UInt32(littleEndian: bits)))
                }
                try mesh.add(place: SIMD3(number(0), number(1), number(2)))
            }
        }
        return mesh
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> Mesh {
        var mesh = Mesh()
        mesh.kind = .apart
        var scanner = TextScanner(bytes)
        while !scanner.isAtEnd {
            let word = scanner.word()
            if word.elementsEqual("vertex".utf8) {
                try mesh.add(place: SIMD3(scanner.number(), scanner.number(), scanner.number()))
            } else if word.elementsEqual("facet".utf8) {
                // One with a corner too few or too many must not shift those behind it.
                mesh.dropUnfinished()
            }
            scanner.nextLine()
        }
        return mesh
    }
}
