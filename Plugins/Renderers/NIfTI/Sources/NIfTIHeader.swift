internal import BinaryNumbers
internal import VitrineKit

/// What a NIfTI file says of its numbers: how many, of what kind, and how they lie in the body.
///
/// Sources: nifti1.h and nifti2.h of the NIfTI Data Format Working Group.
struct NIfTIHeader {
    /// A kind of numbers.
    enum Kind: Int {
        case uint8 = 2, uint16 = 512, uint32 = 768, uint64 = 1280
        case int8 = 256, int16 = 4, int32 = 8, int64 = 1024
        case float32 = 16, float64 = 64
        case rgb = 128, rgba = 2304

        /// Bytes of each.
        var size: Int {
            switch self {
            case .uint8, .int8: 1
            case .int16, .uint16: 2
            case .rgb: 3
            case .int32, .uint32, .float32, .rgba: 4
            case .float64, .int64, .uint64: 8
            }
        }
    }

    /// Bytes of the longer header.
    static let length = 540
    private static let shortLength = 348

    let kind: Kind
    let isBigEndian: Bool
    /// Numbers along each of the three axes of a volume, and millimetres from one to the next.
    let counts: [Int], steps: [Double]
    /// Where the first number is.
    let start: Int64
    /// What a number is multiplied by, and what is added.
    let slope: Double, intercept: Double
    /// What is shown black and white; equal where the file does not say it.
    let darkest: Double, brightest: Double
    /// How far a step along each axis leads to the right, to the front, and to the head.
    let axes: [SIMD3<Double>]

    /// - Parameter bytes: the first ``length`` of the file, or all that there are.
    /// - Throws: `corrupt`, `unsupported`.
    init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        guard bytes.count >= Self.shortLength else { throw Self.noHeader }
        let size = bytes.number(Int32.self, at: 0)
        let isSecond = size == 540 || size.byteSwapped == 540
        guard isSecond || size == 348 || size.byteSwapped == 348, !isSecond || bytes.count >= Self.length else {
            throw Self.noHeader
        }
        let isBig = size.byteSwapped == 540 || size.byteSwapped == 348
        func short(_ at: Int) -> Int { Int(bytes.number(Int16.self, at: at, isBigEndian: isBig)) }
        func long(_ at: Int) -> Int64 { bytes.number(Int64.self, at: at, isBigEndian: isBig) }
        func word(_ at: Int) -> Int { Int(bytes.number(Int32.self, at: at, isBigEndian: isBig)) }
        /// A fraction, of four bytes in the shorter header and of eight in the longer one.
        func fraction(_ first: Int, _ second: Int, _ index: Int = 0) -> Double {
            isSecond
                ? bytes.double(at: second + 8 * index, isBigEndian: isBig)
                : Double(bytes.float(at: first + 4 * index, isBigEndian: isBig))
        }
        isBigEndian = isBig
        let dimensions = (0..<4).map { isSecond ? Int(clamping: long(16 + 8 * $0)) : short(40 + 2 * $0) }
        guard 1...7 ~= dimensions[0] else { throw Self.noHeader }
        counts = (1...3).map { $0 <= dimensions[0] ? dimensions[$0] : 1 }
        guard counts.allSatisfy({ 1...Self.mostNumbers ~= $0 }) else { throw Self.noHeader }
        guard let kind = Kind(rawValue: short(isSecond ? 12 : 70)) else {
            throw PluginError(.unsupported, "the volume has numbers that are no shades, such as complex ones")
        }
        self.kind = kind
        steps = (1...3).map { axis in
            let step = abs(fraction(76, 104, axis))
            return step > 0 && step.isFinite ? step : 1
        }
        let offset = isSecond ? Double(long(168)) : Double(bytes.float(at: 108, isBigEndian: isBig))
        guard offset.isFinite, offset >= 0, offset < 1e15 else { throw Self.noHeader }
        start = max(Int64(offset), Int64(isSecond ? Self.length : Self.shortLength))
        let scale = fraction(112, 176), added = fraction(116, 184)
        let isScaled = scale != 0 && scale.isFinite && added.isFinite
        (slope, intercept) = isScaled ? (scale, added) : (1, 0)
        (brightest, darkest) = (fraction(124, 192), fraction(128, 200))
        let steps = steps
        if (isSecond ? word(348) : short(254)) > 0 {
            let rows = (0..<3).map { row in (0..<3).map { fraction(280 + 16 * row, 400 + 32 * row, $0) } }
            axes = (0..<3).map { SIMD3(rows[0][$0], rows[1][$0], rows[2][$0]) }
        } else if (isSecond ? word(344) : short(252)) > 0 {
            // The third axis may be turned round.
            let turn = fraction(76, 104) < 0 ? -1.0 : 1
            let columns = Self.rotation((0..<3).map { fraction(256, 352, $0) })
            axes = (0..<3).map { columns[$0] * steps[$0] * ($0 == 2 ? turn : 1) }
        } else {
            axes = [SIMD3(steps[0], 0, 0), SIMD3(0, steps[1], 0), SIMD3(0, 0, steps[2])]
        }
    }

    /// More than any scanner makes along one axis.
    private static let mostNumbers = 1 << 20

    /// The columns of the rotation of a quaternion, of which three parts are given.
    private static func rotation(_ parts: [Double]) -> [SIMD3<Double>] {
        let (b, c, d) = (parts[0], parts[1], parts[2])
        let a = max(0, 1 - (b * b + c * c + d * d)).squareRoot()
        return [
            SIMD3(a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)),
            SIMD3(2 * (b * c - a * d), a * a + c * c - b * b - d * d, 2 * (c * d + a * b)),
            SIMD3(2 * (b * d + a * c), 2 * (c * d - a * b), a * a + d * d - b * b - c * c),
        ]
    }

    private static let noHeader = PluginError(
        .corrupt, "the file is no NIfTI volume, or its header is damaged: its sizes are none that can be")
}
