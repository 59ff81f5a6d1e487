import Finishing

/// An entry of the cache, taken apart into picture and keys.
struct StoredPicture {
    /// The picture without its keys.
    let picture: [UInt8]
    /// Its format.
    let format: PictureFormat
    /// The keys and values, in order.
    let keys: [(String, String)]

    /// Reads an entry.
    /// - Returns: `nil` when the file is no entry of the format, or changes while it is read.
    init?(reading path: String, _ format: PictureFormat) {
        guard let bytes = try? EntryFile.read(path) else { return nil }
        self.format = format
        if format == .png {
            guard let (png, keys) = Self.apart(bytes) else { return nil }
            (picture, self.keys) = (png, keys)
        } else {
            guard let tail = EntryTail.keys(of: bytes), let (_, keys) = Self.apart(tail) else { return nil }
            picture = EntryTail.withoutKeys(bytes)
            // Where the tail begins is written anew.
            self.keys = keys
        }
    }

    /// A PNG without its texts, and those.
    private static func apart(_ bytes: [UInt8]) -> ([UInt8], [(String, String)])? {
        let size = bytes.count
        guard size >= PNG.headLength + PNG.end.count, bytes.starts(with: PNG.signature) else { return nil }
        var picture = Array(bytes[..<PNG.headLength])
        var keys: [(String, String)] = []
        picture.reserveCapacity(size)
        var offset = PNG.headLength
        while offset < size {
            guard
                let (length, type) = bytes.withUnsafeBytes({ all -> (Int, PNG.ChunkType)? in
                    guard size - offset >= PNG.frameLength else { return nil }
                    return (Int(PNG.number(all, at: offset)), PNG.ChunkType(code: PNG.number(all, at: offset + 4)))
                }), length <= size - offset - PNG.frameLength
            else { return nil }
            let chunk = bytes[offset..<(offset + length + PNG.frameLength)]
            if type == .text {
                let content = chunk.dropFirst(8).dropLast(4)
                guard let end = content.firstIndex(of: 0) else { return nil }
                keys.append(
                    (
                        String(decoding: content[..<end], as: UTF8.self),
                        String(decoding: content[(end + 1)...], as: UTF8.self)
                    ))
            } else {
                picture += chunk
            }
            offset += chunk.count
        }
        guard picture.suffix(PNG.end.count).elementsEqual(PNG.end) else { return nil }
        return (picture, keys)
    }
}
