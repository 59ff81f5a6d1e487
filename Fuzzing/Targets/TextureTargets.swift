import PictureTraits
import VitrineKit

@testable import ImageRenderer

extension FuzzTarget {
    private static func words(_ values: [Int]) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }

    /// Textures: those of DirectX, and those of Khronos with what is packed in them.
    static let texture = FuzzTarget(
        name: "texture", maximumLength: 1 << 12, fixtures: ["image/bc7.dds"],
        seeds: {
            let content = [UInt8](repeating: 0x5A, count: 64)
            let zstd: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 64, 0x03, 0x02, 0, 9]
            let said = Array("\u{12}\0\0\0KTXorientation\0ru\0\0\0".utf8)
            func new(_ format: Int, _ packing: Int, _ content: [UInt8]) -> [UInt8] {
                KTXPicture.newSignature
                    + words([format, 1, 4, 4, 0, 0, 1, 1, packing, 0, 0, 104, said.count, 0, 0, 0, 0])
                    + words([104 + said.count, 0, content.count, 0, 64, 0]) + said + content
            }
            let old =
                KTXPicture.signature + words([0x0403_0201, 0x1401, 1, 0x1908, 0x8058, 0x1908, 4, 4, 0, 0, 1, 1, 0, 64])
            return [new(37, 0, content), new(143, 0, content), new(151, 0, content), new(37, 2, zstd), old + content]
        },
        check: { bytes in
            try holdReader(bytes, mayBe: [.unsupported]) { (bytes, check) throws(PluginError) in
                if bytes.starts(with: "DDS ".utf8) {
                    return try DDSPicture.rendering(bytes, box: box, check: check)
                }
                return try KTXPicture.rendering(bytes, box: box, memory: 4 << 20, check: check)
            }
        })

    /// Pictures of Photoshop of few colours, or with many channels.
    static let photoshop = FuzzTarget(
        name: "photoshop", maximumLength: 1 << 12, fixtures: ["image/flat.psd"],
        seeds: {
            let head = Array("8BPS".utf8) + [0, 1, 0, 0, 0, 0, 0, 0, 0]
            let colours = [0, 0, 3, 0] + [UInt8](repeating: 7, count: 768)
            let nothing = [0, 0, 0, 14] + Array("8BIM".utf8) + [0x04, 0x17, 0, 0, 0, 0, 0, 2, 0, 6]
            let packed: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 5, 0, 5, 0xFE, 6, 0x80, 0, 12, 3, 60, 60, 120, 240]
            let sides: [UInt8] = [0, 0, 0, 2, 0, 0, 0, 4, 0, 8, 0]
            return [
                head + [1] + sides + [2] + colours + nothing + packed,
                head + [60] + sides + [3] + [UInt8](repeating: 0, count: 500),
            ]
        },
        check: { bytes in
            try holdReader(bytes) { (bytes, check) throws(PluginError) in
                try PSDPicture(bytes)?.rendering(box: box, ColorProfileCache(), check: check)
            }
        })

    /// Bitmaps of Windows of rare kinds, and farbfeld.
    static let rareBitmap = FuzzTarget(
        name: "rare-bitmap", maximumLength: 1 << 12, fixtures: ["image/plain.bmp"],
        seeds: {
            let head = Array("BM".utf8) + words([134, 0, 70, 40, 4, 4])
            let masks = words([0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]) + [UInt8](repeating: 7, count: 64)
            return [
                head + [1, 0, 32, 0] + words([6, 64, 0, 0, 0, 0]) + masks,
                head + [1, 0, 2, 0] + words([0, 64, 0, 0, 4, 0]) + masks,
                Array("farbfeld".utf8) + [0, 0, 0, 2, 0, 0, 0, 2] + [UInt8](repeating: 9, count: 32),
            ]
        },
        check: { bytes in
            try holdReader(bytes, mayBe: [.empty]) { (bytes, check) throws(PluginError) in
                guard bytes.starts(with: "farbfeld".utf8) else {
                    return try BMPPicture(bytes)?.rendering(box: box, check: check)
                }
                return try FarbfeldPicture.rendering(bytes, box: box, check: check)
            }
        })
}
