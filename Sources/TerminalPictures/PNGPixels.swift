import CZlib

/// The pixels of a PNG file, on white.
///
/// Previews in the cache may have been written by any program: this reader is safe in memory whatever the bytes are,
/// unlike libpng, which is for workers. It reads what previews are, 8 bits a channel and not interlaced, and nothing else.
/// Format: https://www.w3.org/TR/png-3/
public struct PNGPixels: Sendable {
    /// Pixels across.
    public private(set) var width: Int
    /// Pixels down.
    public private(set) var height: Int
    /// Red, green and blue, from top to bottom.
    public private(set) var rgb: [UInt8]

    /// The largest side that is read.
    static let maximumSide = 2048
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The size that a file says it has; `nil` when it is no PNG.
    static func size(of png: [UInt8]) -> (width: Int, height: Int)? {
        guard png.count >= 33, png.starts(with: signature), png[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        let (width, height) = (number(png, 16), number(png, 20))
        return 1...0x7FFF ~= width && 1...0x7FFF ~= height ? (width, height) : nil
    }

    /// Reads a file; `nil` when it is damaged, or of a kind that is not read.
    public init?(_ png: [UInt8]) {
        guard let size = Self.size(of: png), png[24] == 8, png[28] == 0, size.width <= Self.maximumSide,
            size.height <= Self.maximumSide, let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][png[25]]
        else { return nil }
        (width, height) = size
        var (data, palette, alphas): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        var offset = 8
        while offset + 12 <= png.count {
            let length = Self.number(png, offset)
            guard length <= png.count - offset - 12 else { return nil }
            let body = png[(offset + 8)..<(offset + 8 + length)]
            let name = String(decoding: png[(offset + 4)..<(offset + 8)], as: UTF8.self)
            if name == "IDAT" { data += body }
            if name == "PLTE" { palette = Array(body) }
            if name == "tRNS" { alphas = Array(body) }
            if name == "IEND" { break }
            offset += 12 + length
        }
        let stride = width * channels
        guard let rows = Self.inflated(data, count: (stride + 1) * height),
            let plain = Self.unfiltered(rows, stride: stride, height: height, step: channels)
        else { return nil }
        rgb = []
        rgb.reserveCapacity(width * height * 3)
        func add(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8) {
            let opacity = Int(alpha)
            let white = 255 * (255 - opacity) + 127
            for value in [red, green, blue] {
                let mixed = Int(value) * opacity + white
                rgb.append(UInt8(mixed / 255))
            }
        }
        for start in Swift.stride(from: 0, to: plain.count, by: channels) {
            let first = plain[start]
            switch (channels, png[25]) {
            case (1, 3):
                let index = Int(first) * 3
                guard index + 2 < palette.count else { return nil }
                add(
                    palette[index], palette[index + 1], palette[index + 2],
                    Int(first) < alphas.count ? alphas[Int(first)] : 255)
            case (1, _): add(first, first, first, 255)
            case (2, _): add(first, first, first, plain[start + 1])
            case (3, _): add(first, plain[start + 1], plain[start + 2], 255)
            default: add(first, plain[start + 1], plain[start + 2], plain[start + 3])
            }
        }
    }

    private init(width: Int, height: Int, rgb: [UInt8]) {
        self.width = width
        self.height = height
        self.rgb = rgb
    }

    /// The picture made smaller, so that it fits; each pixel is the mean of those that it stands for. Never enlarged.
    public func fitting(width room: Int, height roomBelow: Int) -> PNGPixels {
        let scale = min(1, Double(room) / Double(width), Double(roomBelow) / Double(height))
        let newWidth = max(1, Int(Double(width) * scale))
        let newHeight = max(1, Int(Double(height) * scale))
        if (newWidth, newHeight) == (width, height) { return self }
        var out: [UInt8] = []
        out.reserveCapacity(newWidth * newHeight * 3)
        for y in 0..<newHeight {
            let rows = (y * height / newHeight)..<max(y * height / newHeight + 1, (y + 1) * height / newHeight)
            for x in 0..<newWidth {
                let columns = (x * width / newWidth)..<max(x * width / newWidth + 1, (x + 1) * width / newWidth)
                var (red, green, blue) = (0, 0, 0)
                for row in rows {
                    for column in columns {
                        let start = (row * width + column) * 3
                        red += Int(rgb[start])
                        green += Int(rgb[start + 1])
                        blue += Int(rgb[start + 2])
                    }
                }
                let count = rows.count * columns.count
                for sum in [red, green, blue] { out.append(UInt8(sum / count)) }
            }
        }
        return PNGPixels(width: newWidth, height: newHeight, rgb: out)
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
        bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func inflated(_ data: [UInt8], count: Int) -> [UInt8]? {
        var room = uLongf(count)
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = uncompress(buffer.baseAddress, &room, data, uLong(data.count)) == Z_OK ? Int(room) : 0
        }
        return bytes.count == count ? bytes : nil
    }

    /// Takes the filters of section 9 off.
    private static func unfiltered(_ rows: [UInt8], stride: Int, height: Int, step: Int) -> [UInt8]? {
        var out = [UInt8](repeating: 0, count: stride * height)
        for y in 0..<height {
            let filter = rows[y * (stride + 1)]
            guard filter <= 4 else { return nil }
            for x in 0..<stride {
                let left = x >= step ? Int(out[y * stride + x - step]) : 0
                let above = y > 0 ? Int(out[(y - 1) * stride + x]) : 0
                let corner = x >= step && y > 0 ? Int(out[(y - 1) * stride + x - step]) : 0
                let guess: Int
                switch filter {
                case 1: guess = left
                case 2: guess = above
                case 3: guess = (left + above) / 2
                case 4:
                    let (a, b, c) = (abs(above - corner), abs(left - corner), abs(left + above - 2 * corner))
                    guess = a <= b && a <= c ? left : b <= c ? above : corner
                default: guess = 0
                }
                out[y * stride + x] = rows[y * (stride + 1) + 1 + x] &+ UInt8(guess)
            }
        }
        return out
    }
}
