import RendererFixtures

/// Files of the project's own, and pictures written here.
enum Fixtures {
    /// The plugin's folder in the source tree, where its policy lies.
    static let pluginFolder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")

    /// Reads `fixtures/<path>`.
    static func bytes(_ path: String) throws -> [UInt8] { try RendererFixtures.Fixtures.bytes(path) }

    /// A TIFF file, grey, not compressed, one directory for each page (TIFF 6.0, section 2).
    /// - Parameters:
    ///   - pages: the grey of each page.
    ///   - width: pixels across.
    ///   - height: pixels down.
    ///   - loop: whether the last directory names the first as its successor.
    static func tiff(pages: [UInt8], width: Int = 20, height: Int = 10, loop: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]
        for (index, grey) in pages.enumerated() {
            let start = bytes.count
            let entries: [(tag: Int, type: Int, value: Int)] = [
                (256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1), (262, 3, 1),
                (273, 4, start + 2 + 9 * 12 + 4), (277, 3, 1), (278, 4, height), (279, 4, width * height),
            ]
            bytes += little(entries.count, 2)
            for entry in entries {
                bytes += little(entry.tag, 2) + little(entry.type, 2) + little(1, 4) + little(entry.value, 4)
            }
            let next = start + 2 + 9 * 12 + 4 + width * height
            bytes += little(index < pages.count - 1 ? next : loop ? 8 : 0, 4)
            bytes += [UInt8](repeating: grey, count: width * height)
        }
        return bytes
    }

    /// A chunk of a PNG file with its checksum (PNG, Third Edition, 5.3 and annex D).
    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let counted = Array(name.utf8) + content
        var rest = UInt32.max
        for byte in counted {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return big(content.count, 4) + counted + big(Int(~rest), 4)
    }

    /// A binary portable pixmap (netpbm's manual, ppm).
    static func ppm(width: Int, height: Int, _ pixel: (Int, Int) -> [UInt8]) -> [UInt8] {
        var bytes = Array("P6\n\(width) \(height)\n255\n".utf8)
        for y in 0..<height { for x in 0..<width { bytes += pixel(x, y) } }
        return bytes
    }

    /// An OpenEXR file of one grey (the file layout in OpenEXR's technical documentation): half floats, not
    /// compressed, linear light.
    static func exr(width: Int, height: Int, half grey: UInt16) -> [UInt8] {
        func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
            Array(name.utf8) + [0] + Array(type.utf8) + [0] + little(value.count, 4) + value
        }
        var channels: [UInt8] = []
        for name in ["B", "G", "R"] {
            channels += Array(name.utf8) + [0] + little(1, 4) + little(0, 4) + little(1, 4) + little(1, 4)
        }
        let window = little(0, 8) + little(width - 1, 4) + little(height - 1, 4)
        let one: [UInt8] = [0, 0, 0x80, 0x3F]
        var bytes: [UInt8] = [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0]
        bytes += attribute("channels", "chlist", channels + [0]) + attribute("compression", "compression", [0])
        bytes += attribute("dataWindow", "box2i", window) + attribute("displayWindow", "box2i", window)
        bytes += attribute("lineOrder", "lineOrder", [0]) + attribute("pixelAspectRatio", "float", one)
        bytes += attribute("screenWindowCenter", "v2f", little(0, 8)) + attribute("screenWindowWidth", "float", one)
        bytes.append(0)
        let row = width * 3 * 2
        let first = bytes.count + height * 8
        for y in 0..<height { bytes += little(first + y * (8 + row), 8) }
        for y in 0..<height {
            bytes += little(y, 4) + little(row, 4)
            for _ in 0..<width * 3 { bytes += little(Int(grey), 2) }
        }
        return bytes
    }
}
