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
                !inFile.contains("eXIf") || bytes.withUnsafeBytes { PNGChunks.hasCamera($0) },
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
            let count = bytes.withUnsafeBytes { TIFFPages.count($0) }
            try hold(1...TIFFPages.limit ~= count, "\(count) pages")
            // A directory needs two bytes for its count at least, and they may overlap.
            try hold(count <= max(1, bytes.count), "\(count) pages in \(bytes.count) bytes")
        })
}
