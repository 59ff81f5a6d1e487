internal import COffice
internal import CompoundFiles
internal import VitrineKit

extension ZipDirectory {
    /// The beginning and the end of a file, which is unpacked piece by piece: memory is needed for no more than the two and a piece.
    /// - Parameters:
    ///   - head: bytes of the beginning at most.
    ///   - tail: bytes of the end at most. What is in the beginning is not in it.
    /// - Returns: `nil` when the file is not packed, or cannot be unpacked to the size that the list says.
    func ends(
        of entry: Entry, head headLimit: Int, tail tailLimit: Int, in input: any RandomAccessInput
    ) throws(PluginError) -> (head: [UInt8], tail: [UInt8])? {
        guard entry.isDeflated, let start = try start(of: entry, in: input) else { return nil }
        var stream = z_stream()
        guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var (head, tail): ([UInt8], [UInt8]) = ([], [])
        var (done, size, status) = (0, 0, Z_OK)
        while status == Z_OK, done < entry.packedSize {
            var packed = try input.bytes(at: Int64(start + done), count: min(Self.piece, entry.packedSize - done))
            guard !packed.isEmpty else { return nil }
            done += packed.count
            packed.withUnsafeMutableBufferPointer { packed in
                stream.next_in = packed.baseAddress
                stream.avail_in = CUnsignedInt(packed.count)
                repeat {
                    let bytes = [UInt8](unsafeUninitializedCapacity: Self.piece) { buffer, count in
                        stream.next_out = buffer.baseAddress
                        stream.avail_out = CUnsignedInt(Self.piece)
                        status = inflate(&stream, Z_NO_FLUSH)
                        count = Self.piece - Int(stream.avail_out)
                    }
                    size += bytes.count
                    let first = bytes.prefix(headLimit - head.count)
                    head += first
                    tail += bytes.dropFirst(first.count)
                    if tail.count > 2 * tailLimit + Self.piece { tail.removeFirst(tail.count - tailLimit) }
                } while status == Z_OK && stream.avail_out == 0 && size <= entry.size
            }
            // All that was given was taken, and nothing came of it.
            if status == Z_BUF_ERROR { status = Z_OK }
            guard size <= entry.size else { return nil }
        }
        return status == Z_STREAM_END && size == entry.size ? (head, Array(tail.suffix(tailLimit))) : nil
    }

    private static let piece = 1 << 20
}
