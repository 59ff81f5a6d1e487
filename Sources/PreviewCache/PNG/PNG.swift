import CISAL

/// What the PNG specification (ISO/IEC 15948) fixes, as far as the cache needs it.
enum PNG {
    /// The first eight bytes.
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The last twelve bytes: an empty IEND chunk.
    static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    /// Signature and IHDR chunk.
    static let headLength = 33
    /// Length, type and checksum around a chunk's data.
    static let frameLength = 12

    /// The four letters of a chunk's type.
    struct ChunkType: Equatable {
        var code: UInt32
        static let header = ChunkType(code: 0x4948_4452)
        static let data = ChunkType(code: 0x4944_4154)
        static let end = ChunkType(code: 0x4945_4E44)
        static let text = ChunkType(code: 0x7445_5874)
    }

    /// The checksum over a chunk's type and data.
    static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        // Of a hundred kilobytes, as previews have them, zlib's takes 30 µs where this one takes 5.
        crc32_gzip_refl(0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }

    /// A number of four bytes, the most significant first.
    static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Appends a chunk. `data` is shorter than 2³¹ bytes.
    static func append(_ type: ChunkType, _ data: some Collection<UInt8>, to png: inout [UInt8]) {
        append(type, count: data.count, to: &png) { $0 += data }
    }

    /// Appends a chunk whose data is written where it is to stand.
    /// - Parameters:
    ///   - count: bytes of the data, fewer than 2³¹.
    ///   - write: appends exactly so many.
    static func append(_ type: ChunkType, count: Int, to png: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
        append(UInt32(count), to: &png)
        let start = png.count
        append(type.code, to: &png)
        write(&png)
        append(png.withUnsafeBytes { checksum(UnsafeRawBufferPointer(rebasing: $0[start...])) }, to: &png)
    }

    /// A picture of one transparent pixel, 8-bit RGBA.
    static let pixel: [UInt8] = {
        var png = signature
        append(.header, [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0], to: &png)
        // zlib's frame around one stored block: filter byte and four channels, all 0.
        append(.data, [0x78, 0x01, 1, 5, 0, 0xFA, 0xFF, 0, 0, 0, 0, 0, 0, 5, 0, 1], to: &png)
        return png + end
    }()

    private static func append(_ number: UInt32, to png: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { png += $0 }
    }
}
