internal import CRSVG
internal import VitrineKit

/// A gzip stream in memory (RFC 1952).
enum GzipStream {
    /// Whether the bytes begin as one.
    static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
    }

    /// Inflates the first member; what follows it is left alone.
    /// - Parameters:
    ///   - bytes: the stream, at most 4 GiB.
    ///   - limit: the most bytes that may come out of it. No more memory is used than twice what comes out.
    /// - Throws: `limitExceeded` when more comes out, `corrupt` when the stream is cut short or damaged.
    static func inflate(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(PluginError) -> [UInt8] {
        guard let input = UInt32(exactly: bytes.count) else {
            throw PluginError(.limitExceeded, "the compressed drawing has \(bytes.count) bytes, which is too many")
        }
        var stream = z_stream()
        // zlib does not write there; its header lacks the const.
        stream.next_in = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
        stream.avail_in = input
        if let error = PluginError(zlib: crsvg_inflate_gzip(&stream)) { throw error }
        defer { inflateEnd(&stream) }

        var content: [UInt8] = []
        var status = Z_OK
        while status == Z_OK {
            let room = min(max(64 << 10, content.count), limit + 1 - content.count)
            let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(room)
                status = CRSVG.inflate(&stream, Z_NO_FLUSH)
                count = room - Int(stream.avail_out)
            }
            content += part
            guard content.count <= limit else {
                throw PluginError(
                    .limitExceeded, "the compressed drawing holds more than the \(limit) bytes that are allowed")
            }
        }
        if let error = PluginError(zlib: status) { throw error }
        return content
    }
}
