internal import BinaryNumbers
internal import VitrineKit

/// Gathers the geometry of a shapefile ("ESRI Shapefile Technical Description", 1998): the file named `.shp` alone. What it
/// shows is called by name in a table beside it, which is not looked for.
struct ShapefileReader {
    private let bytes: UnsafeRawBufferPointer
    private let features: FeatureGathering

    /// Bytes of the header, and of what comes before the content of each record.
    private static let header = 100, recordHeader = 8

    /// - Throws: `corrupt` for what is no shapefile, or is damaged before there is a shape; `unsupported` for an index.
    static func read(_ bytes: UnsafeRawBufferPointer, _ features: FeatureGathering) throws(PluginError) {
        guard bytes.count >= header, bytes.number(UInt32.self, at: 0, isBigEndian: true) == 9994,
            bytes.number(UInt32.self, at: 28) == 1000
        else { throw PluginError(.corrupt, "the file is no shapefile: it does not begin with the header of one") }
        let isWhole = Self(bytes: bytes, features: features).readRecords()
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
        case 3, 13, 23: return readParts(record) { _, _ in .line }
        case 5, 15, 25: return readParts(record) { Self.kind(ofRing: $0, isFirst: $1) }
        // Surfaces in space, which are seen from above.
        case 31: return readParts(record, extra: 4) { _, _ in .line }
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
    ///   - extra: bytes that a part has beside the number of its first place.
    ///   - kind: what a part is, by its places, and by whether it is the first.
    private func readParts(
        _ record: UnsafeRawBufferPointer, extra: Int = 0, _ kind: (UnsafeRawBufferPointer, Bool) -> Shape.Kind
    ) -> Bool {
        guard record.count >= 44 else { return false }
        let parts = Int(record.number(UInt32.self, at: 36)), count = Int(record.number(UInt32.self, at: 40))
        guard parts <= (record.count - 44) / (4 + extra), count <= (record.count - 44 - (4 + extra) * parts) / 16 else {
            return false
        }
        let places = 44 + (4 + extra) * parts
        for part in 0..<parts {
            let first = Int(record.number(UInt32.self, at: 44 + 4 * part))
            let end = part + 1 < parts ? Int(record.number(UInt32.self, at: 48 + 4 * part)) : count
            guard first <= end, end <= count else { return false }
            let own = UnsafeRawBufferPointer(rebasing: record[(places + 16 * first)..<(places + 16 * end)])
            features.begin(kind(own, part == 0))
            for at in stride(from: 0, to: own.count, by: 16) {
                features.add(own.double(at: at), own.double(at: at + 8))
            }
        }
        features.end()
        return true
    }

    /// Rings that go around counter-clockwise are holes. The first one of a surface is none, whichever way it goes.
    private static func kind(ofRing places: UnsafeRawBufferPointer, isFirst: Bool) -> Shape.Kind {
        guard !isFirst, places.count >= 32 else { return .ring }
        let (x, y) = (places.double(at: 0), places.double(at: 8))
        var area = 0.0
        for at in stride(from: 16, to: places.count - 16, by: 16) {
            area +=
                (places.double(at: at) - x) * (places.double(at: at + 24) - y)
                - (places.double(at: at + 16) - x) * (places.double(at: at + 8) - y)
        }
        return area > 0 ? .hole : .ring
    }
}
