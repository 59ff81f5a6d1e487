import CRSVG

/// Small drawings, written here rather than shipped as files, so that a test shows what it draws.
enum SampleDrawings {
    /// A drawing.
    /// - Parameters:
    ///   - content: elements.
    ///   - attributes: of the root; a size of 200 × 100 unless they say otherwise.
    ///   - prolog: what comes before the root.
    static func drawing(
        _ content: String, _ attributes: String = #"width="200" height="100""#, prolog: String = ""
    ) -> String {
        """
        \(prolog)<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
        xmlns:xi="http://www.w3.org/2001/XInclude" \(attributes)>\(content)</svg>
        """
    }

    /// The lower left quarter red, the upper right quarter blue, the rest transparent.
    static let quarters = """
        <rect y="50" width="100" height="50" fill="red"/><rect x="100" width="100" height="50" fill="blue"/>
        """

    /// All red, whatever the size.
    static let red = #"<rect width="100%" height="100%" fill="red"/>"#

    /// One red pixel, as PNG (second edition).
    static let pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"

    /// A picture that fills all.
    static func picture(_ link: String) -> String {
        #"<image width="200" height="100" preserveAspectRatio="none" xlink:href="\#(link)"/>"#
    }

    /// Compresses as `gzip` does.
    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        let gzip: CInt = MAX_WBITS + 16
        let started = deflateInit2_(
            &stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            CInt(MemoryLayout<z_stream>.size))
        guard started == Z_OK else { return [] }
        defer { deflateEnd(&stream) }
        var bytes = bytes
        let room = Int(deflateBound(&stream, UInt(bytes.count)))
        return bytes.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: room) { output, count in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(room)
                count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
            }
        }
    }
}
