import PictureTraits
import VitrineKit

@testable import ImageRenderer

extension FuzzTarget {
    /// What chooses the coder of ImageMagick.
    static let imageFormat = FuzzTarget(
        name: "image-format", maximumLength: ImageFormat.headLength, fixtures: ["image", "bad"],
        words: ["ftyp", "avif", "heic", "mif1", "P6\n", "BM", "DDS ", "WEBPVP8"],
        check: { bytes in
            let found = ImageFormat(head: bytes, mimeType: "image/png")
            try hold(ImageFormat(head: bytes, mimeType: "image/jpeg") == found, "a type decides where it may not")
            let targa = ImageFormat(head: bytes, mimeType: "image/x-tga")
            try hold(targa == .tga || targa == found, "a type decides between other formats")
            guard let found else { return }
            try hold(!bytes.isEmpty, "a format was found in nothing")
            try hold(found != .tga, "a format without signature was found by one")
            try hold(
                !["MVG", "MSL", "SVG", "TEXT", "URL", "PS", "PDF", "EPHEMERAL", "LABEL"].contains(found.coder),
                "the coder \(found.coder) runs programs or opens files")
        })

    /// What is taken out of a PNG before libpng sees it.
    static let pictureChunks = FuzzTarget(
        name: "picture-chunks", maximumLength: 1 << 16,
        fixtures: [
            "image/alpha.png", "image/rgb-16.png", "image/palette.png", "image/one-pixel.png", "bad/text-bomb.png",
        ],
        words: ["tEXt", "zTXt", "iTXt", "iCCP", "IDAT", "IEND", "acTL", "fdAT", "eXIf"],
        check: { bytes in
            guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return }
            let inFile = Chunks(bytes).types.prefix { $0 != "IEND" }
            try hold(
                !inFile.contains("eXIf") || bytes.withUnsafeBytes { PNGChunks.camera($0) != nil },
                "a camera's block is missed")
            guard let needed = bytes.withUnsafeBytes({ PNGChunks.needed($0) }) else {
                let types = Chunks(bytes).types
                let inside = types.prefix { $0 != "IEND" }
                return try hold(!inside.contains("zTXt") && !inside.contains("iTXt"), "text was left in: \(types)")
            }
            try hold(needed.count < bytes.count, "nothing was taken out, and yet it was copied")
            try hold(needed.starts(with: bytes[..<8]), "the signature was taken out")
            let rest = Chunks(needed).types.prefix { $0 != "IEND" }
            try hold(!rest.contains { ["tEXt", "zTXt", "iTXt", "fdAT"].contains($0) }, "text was left in: \(rest)")
            // What is needed is needed again: a second look takes out nothing that is whole.
            if let again = needed.withUnsafeBytes({ PNGChunks.needed($0) }) {
                try hold(again.count < needed.count, "the second look took out nothing")
            }
        })

    /// Counting the pages of a TIFF.
    static let tiffPages = FuzzTarget(
        name: "tiff-pages", maximumLength: 1 << 16, fixtures: ["image/pages.tiff"],
        seeds: {
            let classic: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            let big: [UInt8] =
                [0x4D, 0x4D, 0, 43, 0, 8, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 16] + [UInt8](repeating: 0, count: 16)
            return [classic, big]
        },
        words: ["II*\0", "MM\0*", "II+\0\u{8}\0\0\0", "MM\0+\0\u{8}\0\0"],
        check: { bytes in
            let count = bytes.withUnsafeBytes { TIFFPages.directories($0).count }
            try hold(1...TIFFPages.limit ~= count, "\(count) pages")
            // A directory needs two bytes for its count at least, and they may overlap.
            try hold(count <= max(1, bytes.count), "\(count) pages in \(bytes.count) bytes")
        })
    /// The side of the box that pictures are drawn for, and the most pixels that they may have.
    static let box = 32
    private static let mostPixels = 1 << 18

    /// The rules of a reader that draws one format: nothing is drawn that was not checked, nor larger than needed.
    /// - Parameter others: failures that it may have, beside those of damaged and of large pictures.
    static func holdReader(
        _ bytes: [UInt8], mayBe others: [PluginError.Code] = [],
        draws: (UnsafeRawBufferPointer, (PixelSize) throws(PluginError) -> Void) throws(PluginError) -> Rendering?
    ) throws {
        var claimed: PixelSize?
        let made = bytes.withUnsafeBytes { bytes in
            Result { () throws(PluginError) in
                try draws(bytes) { (size) throws(PluginError) in
                    claimed = size
                    guard max(size.width, size.height) <= mostPixels, size.width * size.height <= mostPixels else {
                        throw PluginError(.limitExceeded, "too large")
                    }
                }
            }
        }
        switch made {
        case .failure(let error):
            try hold(([.corrupt, .limitExceeded] + others).contains(error.code), "it failed with \(error)")
        case .success(nil): return
        case .success(let rendering?):
            let (bitmap, size) = (rendering.bitmap, rendering.facts.size)
            try hold(max(bitmap.width, bitmap.height) < 4 * box, "\(bitmap.width) × \(bitmap.height) pixels")
            try hold(
                size == claimed || size.map { PixelSize(width: $0.height, height: $0.width) } == claimed,
                "\(String(describing: size)) was not checked")
        }
    }

    /// A page of a TIFF, by libtiff and by what gives its samples a meaning.
    static let tiffPicture = FuzzTarget(
        name: "tiff-picture", maximumLength: 1 << 16, fixtures: ["image/pages.tiff", "image/icc-swapped.tiff"],
        seeds: { [TIFFSeed(samples: 2, extra: 1), TIFFSeed(samples: 4, extra: 2), TIFFSeed(samples: 3)].map(\.file) },
        check: { bytes in
            try holdReader(bytes) { (bytes, check) throws(PluginError) in
                try TIFFPicture.rendering(
                    bytes, RenderRequest(box: box, mimeType: "image/tiff"), pages: 1, ColorProfileCache(),
                    memory: 4 << 20, check: check)
            }
        })

    /// A TGA of greys with alpha.
    static let targaGreys = FuzzTarget(
        name: "targa-greys", maximumLength: 1 << 12,
        seeds: {
            let head: [UInt8] = [0, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 16, 8]
            return [head + [0x8E, 9, 9], head + [14] + [UInt8](repeating: 7, count: 30)]
        },
        check: { bytes in
            try holdReader(bytes) { (bytes, check) throws(PluginError) in
                try TargaGreys.rendering(bytes, box: box, check: check)
            }
        })
}

/// A TIFF of 8 × 8 pixels, grey or coloured, in one strip (TIFF 6.0, section 2).
private struct TIFFSeed {
    /// Samples of a pixel, and what the last one is when it is alpha.
    var samples: Int
    var extra: Int?

    var file: [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        let count = 64 * samples
        var entries = [
            (256, 8), (257, 8), (259, 1), (262, samples > 2 ? 2 : 1), (273, 8), (277, samples), (278, 8), (279, count),
        ]
        if let extra { entries.append((338, extra)) }
        return Array("II*\0".utf8) + little(8 + count, 4) + (0..<count).map { UInt8($0 & 255) }
            + little(entries.count, 2)
            + entries.flatMap { little($0.0, 2) + little(4, 2) + little(1, 4) + little($0.1, 4) } + little(0, 4)
    }
}
