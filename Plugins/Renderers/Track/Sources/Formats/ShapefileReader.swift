internal import BinaryNumbers
internal import VitrineKit

/// Gathers the geometry of a shapefile ("ESRI Shapefile Technical Description", 1998): the file named `.shp` alone. What it
/// shows is called by name in a table beside it, which is not looked for.
struct ShapefileReader {
    private let bytes: UnsafeRawBufferPointer
    private let features: FeatureGathering

    /// Bytes of the header, and of what comes before the content of each record.
    private static let header = 100, recordHeader = 8

    /// - Throws: `corrupt` for what is no shapefile, or is damaged before there is a shape.
    static func read(_ bytes: UnsafeRawBufferPointer, _ features: FeatureGathering) throws(PluginError) {
        guard bytes.count >= header, bytes.number(UInt32.self, at: 0, isBigEndian: true) == 9994,
            bytes.number(UInt32.self, at: 28) == 1000
        else { throw PluginError(.corrupt, "the file is no shapefile: it does not begin with the header of one") }
        // What stands behind the end that the file names was deleted.
        let end = 2 * Int(bytes.number(UInt32.self, at: 24, isBigEndian: true))
        let kept = UnsafeRawBufferPointer(rebasing: bytes.prefix(end < header ? bytes.count : end))
        let isWhole = Self(bytes: kept, features: features).readRecords() && end <= bytes.count
        features.end()
        guard isWhole || !features.shapes.isEmpty else {
            throw PluginError(.corrupt, "the shapefile is damaged or cut off, and there are no shapes before that")
        }
    }

    /// - Returns: whether each record lies within the file and is what it says.
    private func readRecords() -> Bool {
        var at = Self.header
        while bytes.count - at >= Self.recordHeader {
            // Lengths count pairs of bytes.
            let length = 2 * Int(bytes.number(UInt32.self, at: at + 4, isBigEndian: true))
            at += Self.recordHeader
            guard length >= 4, length <= bytes.count - at else { return false }
            features.beginGroup()
            guard readShape(UnsafeRawBufferPointer(rebasing: bytes[at..<at + length])) else { return false }
            at += length
        }
        return at == bytes.count
    }

    /// Reads the content of a record. Heights and measures stand behind what is read.
    private func readShape(_ record: UnsafeRawBufferPointer) -> Bool {
        // Ten more have heights, and twenty more measures.
        switch record.number(UInt32.self, at: 0) {
        case 0: return true
        case 1, 11, 21:
            guard record.count >= 20 else { return false }
            features.addPoint(record.double(at: 4), record.double(at: 12))
            return true
        case 8, 18, 28: return readPlaces(record)
        case 3, 13, 23: return readParts(record) { places, _, _ in add(places, as: .line) }
        // All edges of a surface are one figure, in which what lies between two of them is outside: in whatever order and
        // direction they are written, holes are holes.
        case 5, 15, 25: return readParts(record) { places, _, isFirst in add(places, as: isFirst ? .ring : .hole) }
        case 31: return readParts(record, hasTypes: true) { addPatch($0, type: $1, isFirst: $2) }
        default: return false
        }
    }

    private func readPlaces(_ record: UnsafeRawBufferPointer) -> Bool {
        guard record.count >= 40, case let count = Int(record.number(UInt32.self, at: 36)),
            count <= (record.count - 40) / 16
        else { return false }
        for index in 0..<count {
            features.addPoint(record.double(at: 40 + 16 * index), record.double(at: 48 + 16 * index))
        }
        return true
    }

    /// - Parameters:
    ///   - hasTypes: whether each part has a type.
    ///   - take: gets the places of a part, its type, and whether it is the first.
    private func readParts(
        _ record: UnsafeRawBufferPointer, hasTypes: Bool = false,
        _ take: (_ places: UnsafeRawBufferPointer, _ type: UInt32, _ isFirst: Bool) -> Void
    ) -> Bool {
        guard record.count >= 44 else { return false }
        let parts = Int(record.number(UInt32.self, at: 36)), count = Int(record.number(UInt32.self, at: 40))
        let size = hasTypes ? 8 : 4
        guard parts <= (record.count - 44) / size, count <= (record.count - 44 - size * parts) / 16 else {
            return false
        }
        let places = 44 + size * parts
        for part in 0..<parts {
            let first = Int(record.number(UInt32.self, at: 44 + 4 * part))
            let end = part + 1 < parts ? Int(record.number(UInt32.self, at: 48 + 4 * part)) : count
            guard first <= end, end <= count else { return false }
            let own = UnsafeRawBufferPointer(rebasing: record[(places + 16 * first)..<(places + 16 * end)])
            take(own, hasTypes ? record.number(UInt32.self, at: 44 + 4 * (parts + part)) : 0, part == 0)
        }
        features.end()
        return true
    }

    private func add(_ places: UnsafeRawBufferPointer, as kind: Shape.Kind) {
        features.begin(kind)
        for at in stride(from: 0, to: places.count, by: 16) {
            features.add(places.double(at: at), places.double(at: at + 8))
        }
    }

    /// Adds a part of a surface in space, which is seen from above: a strip or a fan of triangles, or an edge.
    private func addPatch(_ places: UnsafeRawBufferPointer, type: UInt32, isFirst: Bool) {
        guard type < 2 else { return add(places, as: isFirst ? .ring : .hole) }
        let count = places.count / 16
        for corner in 2..<max(2, count) {
            features.begin(.ring)
            for index in [type == 0 ? corner - 2 : 0, corner - 1, corner] {
                features.add(places.double(at: 16 * index), places.double(at: 16 * index + 8))
            }
        }
    }
}
