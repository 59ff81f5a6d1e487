/// Pictures as DEC's terminals take them: six rows of pixels at a time, colour by colour.
///
/// libsixel would bring libcurl and a dozen decoders into a program that reads strangers' names; what is needed of it is
/// this page. The palette is a cube of 216 colours, between which an ordered pattern (Bayer's, 4 × 4) mediates.
enum Sixel {
    private static let pattern = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

    static func encode(_ picture: PNGPixels) -> String {
        let (width, height) = (picture.width, picture.height)
        let colors = quantized(picture)
        // No background is drawn, pixels are square, and the size is told beforehand.
        var out = "\u{1B}P0;1;0q\"1;1;\(width);\(height)"
        for color in Set(colors).sorted() {
            let (red, green, blue) = (color / 36, color / 6 % 6, color % 6)
            out += "#\(color);2;\(red * 20);\(green * 20);\(blue * 20)"
        }
        for top in stride(from: 0, to: height, by: 6) {
            let rows = top..<min(top + 6, height)
            var bands: [Int: [UInt8]] = [:]
            for row in rows {
                for column in 0..<width {
                    bands[colors[row * width + column], default: [UInt8](repeating: 0, count: width)][column] |=
                        1 << UInt8(row - top)
                }
            }
            for (color, band) in bands.sorted(by: { $0.key < $1.key }) { out += "#\(color)\(runs(band))$" }
            out += "-"
        }
        return out + "\u{1B}\\"
    }

    /// Sixels with those in a row that are the same counted.
    private static func runs(_ band: [UInt8]) -> String {
        var out: [UInt8] = []
        var start = 0
        while start < band.count {
            let end = band[start...].firstIndex { $0 != band[start] } ?? band.count
            let sixel = band[start] + 63
            // What is empty up to the end need not be said.
            if end == band.count, band[start] == 0 { break }
            if end - start > 3 {
                out += "!\(end - start)".utf8
                out.append(sixel)
            } else {
                out += repeatElement(sixel, count: end - start)
            }
            start = end
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// For each pixel its number in the cube.
    private static func quantized(_ picture: PNGPixels) -> [Int] {
        (0..<picture.width * picture.height).map { index in
            let (row, column) = (index / picture.width, index % picture.width)
            // From half a step below to half a step above; a step is 51.
            let shift = pattern[row % 4 * 4 + column % 4] * 51 / 16 - 24
            func level(_ value: UInt8) -> Int { min(5, max(0, (Int(value) + shift + 25) / 51)) }
            let start = index * 3
            return level(picture.rgb[start]) * 36 + level(picture.rgb[start + 1]) * 6 + level(picture.rgb[start + 2])
        }
    }
}
