internal import BinaryNumbers
internal import VitrineKit

/// The slice of a volume that is shown.
struct VolumeSlice {
    private let header: NIfTIHeader
    /// Which axis leads to the right, to the front, and to the head, and whether it does so backwards.
    private let axes: [Int], backwards: [Bool]
    /// Numbers from one to the next along each axis of the file.
    private let strides: [Int]
    /// The numbers of the volume, or of the slice where it is in one piece.
    private let bytes: [UInt8]
    /// Where the slice's first number is in them.
    private let first: Int

    /// Bytes of a volume that are looked at, where the slice is not in one piece.
    private static let longest = 512 << 20

    /// Reads the slice.
    /// - Throws: `corrupt`, `limitExceeded`, or what the input throws.
    init(_ header: NIfTIHeader, _ input: any RandomAccessInput, maximumPixels: Int) throws(PluginError) {
        guard header.counts != [1, 1, 1] else {
            throw PluginError(
                .unsupported, "the file has numbers without places in a body, such as connections, and no volume")
        }
        self.header = header
        (axes, backwards) = Self.anatomy(header.axes)
        let (counts, up) = (header.counts, axes[2])
        strides = [1, counts[0], counts[0].multipliedReportingOverflow(by: counts[1]).partialValue]
        let across = counts[axes[0]], down = counts[axes[1]]
        // A million along each of three axes fits into 64 bits.
        guard across * down <= maximumPixels else {
            throw PluginError(
                .limitExceeded, "a slice of the volume has \(across) × \(down) numbers, too many to be drawn")
        }
        let middle = counts[up] / 2, size = header.kind.size
        let isWhole = up == 2
        let length = isWhole ? strides[2] * size : strides[2] * counts[2] * size
        guard length <= Self.longest else {
            throw PluginError(.limitExceeded, "the volume has \(length) bytes, of which \(Self.longest) are looked at")
        }
        bytes = try input.bytes(at: header.start + Int64(isWhole ? middle * length : 0), count: length)
        guard bytes.count == length else {
            throw PluginError(.corrupt, "the volume is cut off: its slice in the middle is not there as a whole")
        }
        first = isWhole ? 0 : middle * strides[up]
    }

    /// Which axis leads most to the head, which of the others most to the front, and whether they lead there or back.
    private static func anatomy(_ axes: [SIMD3<Double>]) -> ([Int], [Bool]) {
        func longest(_ numbers: [Int], _ direction: Int) -> Int {
            numbers.max { abs(axes[$0][direction]) < abs(axes[$1][direction]) } ?? numbers[0]
        }
        let up = longest([0, 1, 2], 2)
        let front = longest([0, 1, 2].filter { $0 != up }, 1)
        let right = 3 - up - front
        let found = [right, front, up]
        return (found, found.indices.map { axes[found[$0]][$0] < 0 })
    }

    /// How much wider and higher a number is drawn than it would be alone. Flat numbers are stretched, but not without end.
    private var stretch: (Double, Double) {
        let (wide, high) = (header.steps[axes[0]], header.steps[axes[1]])
        let finest = min(wide, high)
        return (min(wide / finest, 16), min(high / finest, 16))
    }

    /// Its shape in the body, in parts as wide as its finest numbers are apart.
    var size: PixelSize {
        let (across, down) = (Double(header.counts[axes[0]]), Double(header.counts[axes[1]]))
        return PixelSize(
            width: max(1, Int((across * stretch.0).rounded())), height: max(1, Int((down * stretch.1).rounded())))
    }

    /// Draws it, with pixels as wide as they are high.
    /// - Parameter box: the longest side that is wanted. A side that is longer than this, and longer than the slice has numbers
    ///   along it, is not made.
    /// - Throws: `limitExceeded`.
    func bitmap(box: Int) throws(PluginError) -> Bitmap {
        let (across, down) = (header.counts[axes[0]], header.counts[axes[1]])
        let whole = size
        let reduction = min(1, Double(max(box, across, down)) / Double(max(whole.width, whole.height)))
        let stretch = (self.stretch.0 * reduction, self.stretch.1 * reduction)
        let (width, height) = (Double(whole.width) * reduction, Double(whole.height) * reduction)
        let bitmap = try Bitmap(
            width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())), format: .rgbx)
        let isGrey = header.kind != .rgb && header.kind != .rgba
        let shades = isGrey ? window(across, down) : (0, 1)
        bytes.withUnsafeBytes { numbers in
            bitmap.withUnsafeMutableBytes { pixels in
                for y in 0..<bitmap.height {
                    let line = min(down - 1, Int(Double(y) / stretch.1))
                    for x in 0..<bitmap.width {
                        let at = place(min(across - 1, Int(Double(x) / stretch.0)), line)
                        let pixel: SIMD4<UInt8>
                        if isGrey {
                            let share = (value(numbers, at) - shades.0) / (shades.1 - shades.0)
                            let shade = UInt8(min(max(share.isNaN ? 0 : share, 0), 1) * 255 + 0.5)
                            pixel = SIMD4(shade, shade, shade, 255)
                        } else {
                            let start = at * header.kind.size
                            pixel = SIMD4(numbers[start], numbers[start + 1], numbers[start + 2], 255)
                        }
                        pixels.storeBytes(
                            of: pixel, toByteOffset: y * bitmap.bytesPerRow + 4 * x, as: SIMD4<UInt8>.self)
                    }
                }
            }
        }
        return bitmap
    }

    /// Where the number is that is seen at a place, counted from the upper left corner: right is at the left, and the front up.
    private func place(_ x: Int, _ y: Int) -> Int {
        func step(_ axis: Int, _ index: Int) -> Int {
            (backwards[axis] ? index : header.counts[axes[axis]] - 1 - index) * strides[axes[axis]]
        }
        return first + step(0, x) + step(1, y)
    }

    private func value(_ numbers: UnsafeRawBufferPointer, _ index: Int) -> Double {
        let at = index * header.kind.size, isBig = header.isBigEndian
        let stored: Double =
            switch header.kind {
            case .uint8, .rgb, .rgba: Double(numbers[at])
            case .int8: Double(Int8(bitPattern: numbers[at]))
            case .int16: Double(numbers.number(Int16.self, at: at, isBigEndian: isBig))
            case .uint16: Double(numbers.number(UInt16.self, at: at, isBigEndian: isBig))
            case .int32: Double(numbers.number(Int32.self, at: at, isBigEndian: isBig))
            case .uint32: Double(numbers.number(UInt32.self, at: at, isBigEndian: isBig))
            case .int64: Double(numbers.number(Int64.self, at: at, isBigEndian: isBig))
            case .uint64: Double(numbers.number(UInt64.self, at: at, isBigEndian: isBig))
            case .float32: Double(numbers.float(at: at, isBigEndian: isBig))
            case .float64: numbers.double(at: at, isBigEndian: isBig)
            }
        return stored * header.slope + header.intercept
    }

    /// Numbers of a slice that are looked at for its shades.
    private static let mostSamples = 100_000

    /// What is black and what is white: as the file says, else all of the slice but its strays.
    private func window(_ across: Int, _ down: Int) -> (Double, Double) {
        if header.darkest.isFinite, header.brightest.isFinite, header.darkest < header.brightest {
            return (header.darkest, header.brightest)
        }
        let step = max(1, across * down / Self.mostSamples)
        var samples = bytes.withUnsafeBytes { numbers in
            stride(from: 0, to: across * down, by: step).map { value(numbers, place($0 % across, $0 / across)) }
        }.filter(\.isFinite)
        samples.sort()
        guard let least = samples.first, let most = samples.last else { return (0, 1) }
        let strays = samples.count / 200
        let (dark, bright) = (samples[strays], samples[samples.count - 1 - strays])
        if dark < bright { return (dark, bright) }
        return least < most ? (least, most) : (least, least + 1)
    }
}
