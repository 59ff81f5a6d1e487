internal import BinaryNumbers
internal import Glibc
internal import ModelDrawing
internal import VitrineKit

/// What lasers measure from aircraft and vehicles (LAS 1.0 to 1.4, American Society for Photogrammetry and Remote Sensing):
/// points on the ground and on what stands there, in the colours that they were photographed in, or else by their heights.
struct LASFile {
    private let bytes: UnsafeRawBufferPointer
    /// Where the points begin, the bytes of each, and how many there are in the file.
    private let start: Int, size: Int, count: Int
    private let format: Int
    private let scale: SIMD3<Double>, offset: SIMD3<Double>
    /// What the numbers are multiplied with to be of one unit.
    private let unit: SIMD3<Double>

    /// Bytes of the shortest header.
    private static let shortest = 227
    /// For each format the bytes that a point has at least, and where its colours are.
    private static let formats: [(size: Int, colours: Int?)] = [
        (20, nil), (28, nil), (26, 20), (34, 28), (57, nil), (63, 28), (30, nil), (36, 30), (38, 30), (59, nil),
        (67, 30),
    ]
    /// More than there are pixels by far. Of more points every second one is taken, or every third …
    private static let mostShown = 6_000_000
    /// Points whose heights are looked at to know the range of most.
    private static let mostSampled = 20_000

    /// - Throws: `corrupt`, `unsupported` for points that are packed, `limitExceeded`.
    static func mesh(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> Mesh { try Self(bytes).mesh() }

    private init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        guard bytes.count >= Self.shortest, bytes.starts(with: "LASF".utf8), bytes[24] == 1 else {
            throw PluginError(.corrupt, "the file is no cloud of points in LAS, or it is cut off")
        }
        // The two highest bits tell that the points are packed.
        guard bytes[104] & 0xC0 == 0 else {
            throw PluginError(.unsupported, "the points are packed by LASzip (LAZ), which is not read: only LAS is")
        }
        self.bytes = bytes
        format = Int(bytes[104])
        start = Int(bytes.number(UInt32.self, at: 96))
        size = Int(bytes.number(UInt16.self, at: 105))
        scale = Self.triple(bytes, 131)
        offset = Self.triple(bytes, 155)
        unit = Self.unit(bytes, scale)
        guard Self.formats.indices ~= format, size >= Self.formats[format].size, start >= Self.shortest else {
            throw PluginError(
                .corrupt, "the cloud of points has a head that cannot be: format \(format), \(size) bytes a point")
        }
        // From version 1.4 on also as a number of eight bytes, and then this one may be zero.
        var promised = UInt64(bytes.number(UInt32.self, at: 107))
        if promised == 0, bytes[25] >= 4, bytes.count >= 255 { promised = bytes.number(UInt64.self, at: 247) }
        count = Int(min(promised, UInt64(max(0, bytes.count - start) / size)))
        guard count > 0 || promised == 0 else {
            throw PluginError(.corrupt, "the cloud of points is cut off before its first point")
        }
    }

    private func mesh() throws(PluginError) -> Mesh {
        var mesh = Mesh()
        mesh.kind = .cloud
        let step = (count + Self.mostShown - 1) / Self.mostShown
        let paint = paint()
        mesh.reserve(points: count / max(1, step))
        for at in stride(from: start, to: start + count * size, by: max(1, step) * size) where isMeant(at) {
            let place = place(at)
            try mesh.add(place: place, Mesh.Traits(colour: paint.colour(of: at, height: place.z, in: bytes)))
        }
        guard !mesh.points.isEmpty else {
            throw PluginError(
                .empty, count == 0 ? "the cloud has no points" : "all points of the cloud are noise, or were taken back"
            )
        }
        return mesh
    }

    /// Whether a point is neither taken back nor noise.
    private func isMeant(_ at: Int) -> Bool {
        let isOld = format < 6
        let isWithdrawn = bytes[at + 15] & (isOld ? 0x80 : 0x04) != 0
        let kind = isOld ? bytes[at + 15] & 31 : bytes[at + 16]
        // Too low; and too high, which older formats do not know.
        return !isWithdrawn && kind != 7 && (isOld || kind != 18)
    }

    private func place(_ at: Int) -> SIMD3<Double> {
        func number(_ axis: Int) -> Double { Double(bytes.number(Int32.self, at: at + 4 * axis)) }
        return (SIMD3(number(0), number(1), number(2)) * scale + offset) * unit
    }

    // MARK: Colours

    /// How the colour of a point is found.
    private enum Paint {
        /// Written at so many bytes from its beginning; in 16 bits, or in the lower 8 of them as some programs do.
        case own(Int, isByte: Bool)
        /// By its height between two that most lie between.
        case height(ClosedRange<Double>)

        func colour(of at: Int, height: Double, in bytes: UnsafeRawBufferPointer) -> SIMD4<UInt8> {
            switch self {
            case .own(let place, let isByte):
                let channels = (0..<3).map { bytes.number(UInt16.self, at: at + place + 2 * $0) >> (isByte ? 0 : 8) }
                return SIMD4(UInt8(channels[0] & 255), UInt8(channels[1] & 255), UInt8(channels[2] & 255), 255)
            case .height(let range):
                let share = (height - range.lowerBound) / (range.upperBound - range.lowerBound)
                return LASFile.ramp(share)
            }
        }
    }

    private func paint() -> Paint {
        let sampled = stride(from: start, to: start + count * size, by: max(1, count / Self.mostSampled) * size)
        if let place = Self.formats[format].colours {
            let most = sampled.reduce(UInt16(0)) { most, at in
                (0..<3).reduce(most) { max($0, bytes.number(UInt16.self, at: at + place + 2 * $1)) }
            }
            // All black is what programs write that know no colours.
            if most > 0 { return .own(place, isByte: most < 256) }
        }
        let heights = sampled.lazy.filter(isMeant).map { place($0).z }.filter(\.isFinite).sorted()
        guard let first = heights.first else { return .height(0...1) }
        // Birds and wells are few.
        let low = heights[heights.count / 50], high = heights[heights.count - 1 - heights.count / 50]
        return .height(low < high ? low...high : first...(first + 1))
    }

    /// The colour of a height, from deep water to bare rock.
    private static func ramp(_ share: Double) -> SIMD4<UInt8> {
        let place = share.isNaN ? 0 : min(max(share, 0), 1) * Double(stops.count - 1)
        let index = min(Int(place), stops.count - 2)
        let part = Float(place - Double(index))
        let mixed = stops[index] + (stops[index + 1] - stops[index]) * part
        return SIMD4(UInt8(mixed.x), UInt8(mixed.y), UInt8(mixed.z), 255)
    }
    private static let stops: [SIMD3<Float>] = [
        SIMD3(38, 84, 124), SIMD3(42, 140, 130), SIMD3(122, 176, 92), SIMD3(226, 196, 104), SIMD3(214, 122, 76),
        SIMD3(240, 228, 214),
    ]

    /// Degrees of longitude and latitude become metres, as heights are: numbers of their range, in steps of a millionth or less.
    private static func unit(_ bytes: UnsafeRawBufferPointer, _ scale: SIMD3<Double>) -> SIMD3<Double> {
        let one = SIMD3<Double>(repeating: 1)
        // The most and the least of x, and of y.
        let (east, west) = (bytes.double(at: 179), bytes.double(at: 187))
        let (north, south) = (bytes.double(at: 195), bytes.double(at: 203))
        guard abs(east) <= 360, abs(west) <= 360, abs(north) <= 90, abs(south) <= 90, abs(scale.x) <= 1e-6,
            abs(scale.z) > abs(scale.x) * 10
        else { return one }
        let metres = 111_195.0
        return SIMD3(metres * cos((north + south) / 2 * .pi / 180), metres, 1)
    }

    private static func triple(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> SIMD3<Double> {
        SIMD3(bytes.double(at: at), bytes.double(at: at + 8), bytes.double(at: at + 16))
    }
}
