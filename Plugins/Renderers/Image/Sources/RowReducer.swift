internal import VitrineKit

/// Takes a picture's rows as they come out of a decoder, and makes a bitmap of the averages of blocks, so that a large
/// picture is never in memory as a whole. What remains to be made smaller is the worker's scaler's.
struct RowReducer {
    /// What was made; whole after as many rows as the picture has.
    let bitmap: Bitmap

    private let source: PixelSize
    private let side: Int
    /// Whether the fourth byte is alpha and colours count as much as they show.
    private let hasAlpha: Bool
    private var row: [UInt8]
    /// Of the rows of a block, above each other.
    private var sums: [UInt32]
    private var y = 0

    /// - Parameters:
    ///   - size: of the picture.
    ///   - box: the longest side wanted. What comes out is at least twice as large where the picture is.
    ///   - hasAlpha: whether the fourth byte of a pixel is alpha; else it means nothing.
    init(_ size: PixelSize, box: Int, hasAlpha: Bool) throws(PluginError) {
        source = size
        self.hasAlpha = hasAlpha
        side = Self.side(size, box: box)
        bitmap = try Bitmap(
            width: (size.width + side - 1) / side, height: (size.height + side - 1) / side,
            format: hasAlpha ? .rgba : .rgbx)
        row = side == 1 ? [] : Array(repeating: 0, count: size.width * 4)
        sums = side == 1 ? [] : Array(repeating: 0, count: size.width * 4)
    }

    /// Pixels along a block; at most 4096, so that a column's sum fits its type.
    static func side(_ size: PixelSize, box: Int) -> Int {
        min(4096, max(1, max(size.width, size.height) / (2 * box)))
    }

    /// Takes the next row.
    /// - Parameter read: writes four bytes for each of its pixels; says whether it could.
    /// - Returns: what `read` said.
    mutating func next(_ read: (UnsafeMutableRawPointer) -> Bool) -> Bool {
        guard y < source.height else { return false }
        defer { y += 1 }
        let line = y / side * bitmap.bytesPerRow
        guard side > 1 else {
            return bitmap.withUnsafeMutableBytes { rows in rows.baseAddress.map { read($0 + line) } ?? false }
        }
        let isRead = row.withUnsafeMutableBytes { row in row.baseAddress.map(read) ?? false }
        guard isRead else { return false }
        if hasAlpha { addWeighed() } else { add() }
        let rows = y % side + 1
        if rows == side || y == source.height - 1 {
            bitmap.withUnsafeMutableBytes { finish(UnsafeMutableRawBufferPointer(rebasing: $0[line...]), rows: rows) }
        }
        return true
    }

    private mutating func add() {
        row.withUnsafeBufferPointer { row in
            sums.withUnsafeMutableBufferPointer { sums in
                for index in 0..<sums.count { sums[index] &+= UInt32(row[index]) }
            }
        }
    }

    private mutating func addWeighed() {
        row.withUnsafeBufferPointer { row in
            sums.withUnsafeMutableBufferPointer { sums in
                for x in stride(from: 0, to: sums.count, by: 4) {
                    let alpha = UInt32(row[x + 3])
                    sums[x] &+= UInt32(row[x]) &* alpha
                    sums[x + 1] &+= UInt32(row[x + 1]) &* alpha
                    sums[x + 2] &+= UInt32(row[x + 2]) &* alpha
                    sums[x + 3] &+= alpha
                }
            }
        }
    }

    /// Makes one row of blocks out of the sums, and sets these back.
    private mutating func finish(_ target: UnsafeMutableRawBufferPointer, rows: Int) {
        let (blocks, width, side, hasAlpha) = (bitmap.width, source.width, side, hasAlpha)
        sums.withUnsafeMutableBufferPointer { sums in
            for block in 0..<blocks {
                let columns = block * side..<min(width, (block + 1) * side)
                var total = SIMD4<UInt64>.zero
                for x in columns {
                    total &+= SIMD4(
                        UInt64(sums[4 * x]), UInt64(sums[4 * x + 1]), UInt64(sums[4 * x + 2]), UInt64(sums[4 * x + 3]))
                }
                let count = UInt64(columns.count * rows)
                let weight = hasAlpha ? total[3] : count
                for channel in 0..<3 {
                    target[4 * block + channel] =
                        weight == 0 ? 0 : UInt8(clamping: (total[channel] &+ weight / 2) / weight)
                }
                target[4 * block + 3] = UInt8(clamping: (total[3] &+ count / 2) / count)
            }
            sums.update(repeating: 0)
        }
    }
}

extension Bitmap {
    /// Another one that holds the same, which begins with R, G, B and alpha, reduced as its rows would have been.
    /// - Parameter box: the longest side wanted.
    /// - Throws: `limitExceeded` when there is no memory.
    func reduced(box: Int) throws(PluginError) -> Bitmap {
        var rows = try RowReducer(PixelSize(width: width, height: height), box: box, hasAlpha: true)
        withUnsafeMutableBytes { pixels in
            guard let start = pixels.baseAddress else { return }
            for y in 0..<height {
                _ = rows.next { row in
                    row.copyMemory(from: start + y * bytesPerRow, byteCount: width * 4)
                    return true
                }
            }
        }
        return rows.bitmap
    }
}
