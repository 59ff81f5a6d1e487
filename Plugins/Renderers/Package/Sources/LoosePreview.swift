internal import PictureDecoding
internal import VitrineKit

/// A preview in a format that nobody describes: SketchUp and Affinity put it into their files as a whole PNG, before all
/// others.
enum LoosePreview {
    /// How files begin in which one is looked for: SketchUp's name in UTF-16 behind its length, and Affinity's signature.
    private static let beginnings: [[UInt8]] = [
        [0xFF, 0xFE, 0xFF, 0x0E] + "SketchUp".utf8.flatMap { [$0, 0] }, [0x00, 0xFF, 0x4B, 0x41],
    ]
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Pictures that are tried, chunks of one, and bytes of it, at most.
    private static let mostPictures = 4, mostChunks = 1024, longest = 16 << 20

    /// Whether a file begins as one of these.
    static func begins(_ head: [UInt8]) -> Bool { beginnings.contains { head.starts(with: $0) } }

    /// Decodes the first picture that is whole.
    /// - Throws: `unsupported` when there is none, `corrupt` or `limitExceeded` when it cannot be decoded, or what the input
    ///   throws.
    static func preview(
        _ input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Bitmap {
        let search = ByteSearch(input)
        var failure = PluginError(.unsupported, "the file has no preview in it, and nothing else of it can be drawn")
        var start: Int64 = 0
        for _ in 0..<mostPictures {
            guard let found = try search.offset(of: signature, from: start) else { break }
            start = found + Int64(signature.count)
            guard let length = try length(of: input, at: found) else { continue }
            do throws(PluginError) {
                return try decoder.picture(try input.bytes(at: found, count: length), box: box).bitmap
            } catch {
                guard [.corrupt, .limitExceeded, .unsupported].contains(error.code) else { throw error }
                failure = error
            }
        }
        throw failure
    }

    /// Bytes of a PNG (ISO/IEC 15948, 5.3), by the lengths of its chunks.
    /// - Returns: `nil` when it does not end as one.
    private static func length(of input: any RandomAccessInput, at start: Int64) throws(PluginError) -> Int? {
        var length = signature.count
        for _ in 0..<mostChunks where length <= longest {
            let head = try input.bytes(at: start + Int64(length), count: 8)
            guard head.count == 8 else { return nil }
            length += 12 + Int(bigEndianBytes: head.prefix(4))
            if head.suffix(4).elementsEqual("IEND".utf8) { return length <= longest ? length : nil }
        }
        return nil
    }
}
