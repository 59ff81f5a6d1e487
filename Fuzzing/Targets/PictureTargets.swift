import VitrineKit

@testable import PreviewCache

extension FuzzTarget {
    /// The keys of an entry of the cache, which any program of the user may have written. The first byte says
    /// whether checksums are put right: no mutation would guess one.
    static let pictureKeys = FuzzTarget(
        name: "picture-keys", maximumLength: 1 << 18,
        fixtures: ["golden/image", "bad/huge-claim.png", "bad/text-bomb.png"], fixturePrefix: [1],
        seeds: {
            let subject = Subject(
                uri: "file:///a%20b.pdf", modified: Timestamp(seconds: 1_700_000_000), size: 77,
                mimeType: "application/pdf")
            let keys = (try? EntryKeys(subject, software: "Vitrine").chunks) ?? []
            let entry = Array(PNG.pixel[..<PNG.headLength]) + keys + Array(PNG.pixel[PNG.headLength...])
            return [[1] + PNG.pixel, [1] + entry, [0] + entry]
        },
        words: ["tEXt", "IDAT", "IEND", "Thumb::URI\0", "Thumb::MTime\0"],
        check: { bytes in
            let png = Chunks.repaired(Array(bytes.dropFirst()), when: bytes.first == 1)
            guard let file = ScratchFile(png) else { return }
            var text = 0
            var count = 0
            var broken: BrokenRule?
            let outcome = PNGTextReader.read(file.path) { key, value in
                count += 1
                text += key.count + value.count
                if !(1...79 ~= key.count) || key.contains(0) || value.contains(0) {
                    broken = BrokenRule("a key of \(key.count) bytes was handed over")
                }
            }
            if let broken { throw broken }
            try hold(count <= 64 && text <= 1 << 18, "\(count) keys with \(text) bytes were handed over")
            let fits = png.starts(with: PNG.signature) && png.suffix(12).elementsEqual(PNG.end)
            try hold(outcome != .complete || fits, "a file without PNG's beginning or end passed as a whole one")
            try hold(outcome != .absent, "a file that is there is said to be absent")
        })

    /// A picture that a worker made, before it gets a name in the cache. The first two bytes are the declared size,
    /// the third says whether checksums are put right.
    static let workerPicture = FuzzTarget(
        name: "worker-picture", maximumLength: 1 << 16,
        seeds: { [[0, 0, 0] + PNG.pixel, [0, 0, 1] + PNG.pixel, [3, 1, 1] + PNG.pixel] },
        words: ["IDAT", "IEND", "IHDR", "tEXt", "PLTE"],
        check: { bytes in
            guard bytes.count >= 3 else { return }
            let picture = Chunks.repaired(Array(bytes[3...]), when: bytes[2] == 1)
            let size = PixelSize(width: Int(bytes[0]) + 1, height: Int(bytes[1]) + 1)
            let checked = Result { () throws(PluginError) in
                try WorkerPicture(picture, size: size, box: 128).bytes
            }
            guard case .success(let copy) = checked else {
                if case .failure(let error) = checked { try error.mustBe(.invalidAnswer) }
                return
            }
            try hold(size.width <= 128 && size.height <= 128, "a picture larger than asked for passed")
            try hold(copy == picture, "the copy differs from the picture")
            try hold(picture.starts(with: PNG.signature), "it has no signature")
            let chunks = Chunks(picture)
            let types = chunks.types
            try hold(chunks.end == picture.count, "something follows the last chunk")
            try hold(types.first == "IHDR" && types.last == "IEND", "the chunks are \(types)")
            let inner = types.dropFirst().dropLast()
            try hold(!inner.isEmpty && inner.allSatisfy { $0 == "IDAT" }, "the chunks are \(types)")
            let declared = picture[16..<24].map(Int.init)
            try hold(declared == [0, 0, 0, size.width, 0, 0, 0, size.height], "another size passed")
        })
}
