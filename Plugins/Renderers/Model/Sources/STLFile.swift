internal import BinaryNumbers
internal import ModelDrawing
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
        let count = Int(bytes.number(UInt32.self, at: 80))
        let rest = bytes.count - head
        // Files of numbers may begin with "solid" as well. What follows the triangles is nothing that matters.
        guard count > 0, count * record == rest || count * record < rest && !isText(bytes) else { return nil }
        return count
    }

    private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var start = TextScanner(bytes)
        start.skipSpace()
        return start.word().isKeyword("solid")
    }

    private static func binary(_ bytes: UnsafeRawBufferPointer, _ count: Int) throws(PluginError) -> Mesh {
        var mesh = Mesh()
        mesh.kind = .apart
        mesh.reserve(points: 3 * count)
        let paint = paint(bytes, count)
        for triangle in 0..<count {
            // Twelve bytes of a normal come first, which follows from the corners.
            let at = head + triangle * record + 12
            let colour = paint?.colour(bytes.number(UInt16.self, at: at + 36))
            for corner in 0..<3 {
                let place = at + 12 * corner
                func number(_ axis: Int) -> Double { Double(bytes.float(at: place + 4 * axis)) }
                try mesh.add(place: SIMD3(number(0), number(1), number(2)), Mesh.Traits(colour: colour))
            }
        }
        return mesh
    }

    // MARK: Colours

    /// How the two bytes behind a triangle name its colour, with five bits for each of red, green and blue. Neither way is
    /// part of the format; most files leave these bytes zero.
    private enum Paint {
        /// As VisCAM and SolidView write it: the lowest bits are blue, and the highest is set.
        case own
        /// As Materialise's Magics writes it: the lowest bits are red, and the highest is set where the triangle has the
        /// colour of all, which the head names. Where nothing is written behind any triangle, all have that colour.
        case ofAll(SIMD4<UInt8>, isPlain: Bool)

        func colour(_ bits: UInt16) -> SIMD4<UInt8> {
            func channel(_ shift: UInt16) -> UInt8 { UInt8((Int(bits >> shift & 31) * 255 + 15) / 31) }
            let isSet = bits & 0x8000 != 0
            return switch self {
            case .own: isSet ? SIMD4(channel(10), channel(5), channel(0), 255) : Mesh.plain
            case .ofAll(let colour, let isPlain):
                isSet || isPlain ? colour : SIMD4(channel(0), channel(5), channel(10), 255)
            }
        }
    }

    /// - Returns: `nil` where no triangle has a colour.
    private static func paint(_ bytes: UnsafeRawBufferPointer, _ count: Int) -> Paint? {
        // Some programs count something else there, or leave what was in their memory: colours are few.
        var found: Set<UInt16> = []
        var marked = 0, isPlain = true
        for triangle in 0..<count {
            let bits = bytes.number(UInt16.self, at: head + triangle * record + 48)
            if bits != 0 { isPlain = false }
            guard bits & 0x8000 != 0 else { continue }
            marked += 1
            found.insert(bits)
        }
        if let all = colourOfAll(bytes) { return .ofAll(all, isPlain: isPlain) }
        return marked > 0 && found.count <= max(256, marked / 4) && found != [0xFFFF] ? .own : nil
    }

    /// What the head names behind a word: red, green, blue and alpha, a byte each.
    private static func colourOfAll(_ bytes: UnsafeRawBufferPointer) -> SIMD4<UInt8>? {
        let key = Array("COLOR=".utf8)
        for start in 0..<(80 - key.count - 4) where bytes[start..<(start + key.count)].elementsEqual(key) {
            let at = start + key.count
            return SIMD4(bytes[at], bytes[at + 1], bytes[at + 2], 255)
        }
        return nil
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> Mesh {
        var mesh = Mesh()
        mesh.kind = .apart
        var scanner = TextScanner(ofAnySystem: bytes)
        while !scanner.isAtEnd {
            let word = scanner.word()
            if word.isKeyword("vertex") {
                try mesh.add(place: SIMD3(scanner.number(), scanner.number(), scanner.number()))
            } else if word.isKeyword("facet") {
                // One with a corner too few or too many must not shift those behind it.
                mesh.dropUnfinished()
            }
            scanner.nextLine()
        }
        return mesh
    }
}

extension UnsafeRawBufferPointer {
    /// Whether it is a word of the format, which some programs write in capitals.
    /// - Parameter word: in small letters of ASCII.
    fileprivate func isKeyword(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        return indices.allSatisfy { self[$0] | 0x20 == word.utf8Start[$0] }
    }
}
