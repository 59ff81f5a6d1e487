import VitrineKit

@testable import ImageRenderer

extension FuzzTarget {
    private static func little(_ values: [Int]) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }

    private static func big(_ values: [Int]) -> [UInt8] {
        values.flatMap { value in (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }

    /// Pictures of PC Paintbrush of one bit. The first byte says whether one is a page of a fax.
    static let paintbrush = FuzzTarget(
        name: "paintbrush", maximumLength: 1 << 12, fixtures: ["image/pages.dcx"], fixturePrefix: [1],
        seeds: {
            var head: [UInt8] = [0x0A, 5, 1, 1, 0, 0, 0, 0, 15, 0, 3, 0] + [UInt8](repeating: 0, count: 116)
            (head[65], head[66]) = (1, 2)
            let file = head + [0xC4, 0xFF, 0x0F, 0xC3, 0x00]
            return [[0] + file, [1] + little([987_654_321, 12, 0]) + file]
        },
        check: { bytes in
            guard let kind = bytes.first else { return }
            try holdReader(Array(bytes.dropFirst())) { (bytes, check) throws(PluginError) in
                try PaintbrushBits.rendering(bytes, kind == 1 ? .dcx : .pcx, box: box, check: check)
            }
        })

    /// Brushes and patterns of GIMP. The first byte says which.
    static let brush = FuzzTarget(
        name: "brush", maximumLength: 1 << 12,
        seeds: {
            let greys = [UInt8](repeating: 9, count: 16), colours = [UInt8](repeating: 7, count: 64)
            let brush = big([30, 2, 4, 4, 1]) + Array("GIMP".utf8) + big([25]) + Array("a\0".utf8)
            return [
                [0] + brush + greys, [0] + big([20, 1, 4, 4, 1]) + greys,
                [0] + big([28, 2, 4, 4, 4]) + Array("GIMP".utf8) + big([25]) + colours,
                [1] + big([24, 1, 4, 4, 3]) + Array("GPAT".utf8) + colours,
                [2] + Array("name\n2 ncells:2\n".utf8) + brush + greys,
            ]
        },
        words: ["GIMP", "GPAT", "\n1 ", "\n"],
        check: { bytes in
            guard let kind = bytes.first else { return }
            let formats: [ImageFormat] = [.gimpBrush, .gimpPattern, .gimpPipe]
            let format = formats[Int(kind) % formats.count]
            try holdReader(Array(bytes.dropFirst()), mayBe: [.empty, .unsupported]) {
                (bytes, check) throws(PluginError) in
                try GIMPBrush.rendering(bytes, format, box: box, check: check)
            }
        })

    /// Heads of bitmaps and of ImageMagick's own pictures, which are written anew. The first byte says which.
    static let pictureHeads = FuzzTarget(
        name: "picture-heads", maximumLength: 1 << 12, fixtures: ["image/plain.bmp"], fixturePrefix: [0],
        seeds: {
            let pixels = [UInt8](repeating: 7, count: 64)
            let bitmap =
                Array("BM".utf8) + little([9999, 0, 54, 40, 4, 4]) + [1, 0, 32, 0] + little([0, 64, 0, 0, 0, 0])
            let other = Array("BM".utf8) + little([9999, 0, 14 + 64 + 8, 64, 4, 4]) + [1, 0, 1, 0]
            let old = Array("BM".utf8) + little([9999, 0, 26, 12]) + [4, 0, 4, 0, 1, 0, 24, 0]
            return [
                [0] + bitmap + pixels, [0] + other + [UInt8](repeating: 0, count: 56) + pixels, [0] + old + pixels,
                [1] + Array("id=ImageMagick columns=4 rows=4 profile-icm=8 {profile-8bim=9}\n:\u{1A}".utf8) + pixels,
            ]
        },
        words: ["profile-icc=", "profile-8bim=4\n", "montage=", "{", "}", ":\u{1A}", "=-1 ", "9223372036854775807"],
        check: { bytes in
            guard let kind = bytes.first else { return }
            let file = Array(bytes.dropFirst())
            let (mended, failure) = file.withUnsafeBytes { file in
                kind == 1
                    ? (MIFFHead.withoutProfiles(file), nil) : (BMPHead.mended(file), BMPHead.missingEnd(of: file))
            }
            try failure?.mustBe(.corrupt)
            guard let mended else { return }
            if kind == 1 {
                try hold(mended.count < file.count, "nothing was taken out, and yet it was copied")
                try hold(file.elementsEqual(mended) == false, "it was copied as it is")
            } else {
                // What is put in front is a head and colours.
                try hold(mended.count <= file.count + 40 + 4 * 256, "\(file.count) bytes became \(mended.count)")
                try hold(mended[2..<6].elementsEqual(little([mended.count])), "the length in the head is another one")
                let again = mended.withUnsafeBytes { BMPHead.mended($0) }
                try hold(again == nil, "what was mended is mended again")
            }
        })

    /// A JPEG file, and another file with its alpha, in the chunks of a PNG.
    static let networkGraphic = FuzzTarget(
        name: "network-graphic", maximumLength: 1 << 12,
        seeds: {
            func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
                big([content.count]) + Array(name.utf8) + content + [0, 0, 0, 0]
            }
            func file(_ kind: UInt8, _ packing: UInt8, _ alpha: String) -> [UInt8] {
                let head = big([4, 4]) + [kind, 8, 8, 0, 8, packing, 0, 0]
                return JNGPicture.signature + chunk("JHDR", head) + chunk("JDAT", [0xFF, 0xD8, 0xFF, 0xD9])
                    + chunk(alpha, [1, 2, 3]) + chunk("JSEP", []) + chunk("JDAT", [4]) + chunk("IEND", [])
            }
            return [file(10, 0, "tEXt"), file(14, 0, "IDAT"), file(12, 8, "JDAA")]
        },
        words: ["JHDR", "JDAT", "JDAA", "IDAT", "JSEP", "IEND"],
        check: { bytes in
            let picture = bytes.withUnsafeBytes { bytes in
                Result { () throws(PluginError) in try JNGPicture(bytes) }
            }
            guard case .success(let picture) = picture else {
                if case .failure(let error) = picture { try error.mustBe(.corrupt) }
                return
            }
            try hold(
                !picture.jpeg.isEmpty && picture.jpeg.count < bytes.count, "\(picture.jpeg.count) bytes of colours")
            guard let (file, format) = picture.alpha else { return }
            // A PNG has a signature, a head and an end of its own.
            try hold(file.count <= bytes.count + 8 + 25 + 12, "\(file.count) bytes of alpha")
            try hold(format == .jpeg || Chunks(file).types.first == "IHDR", "the alpha has no head")
        })
}
