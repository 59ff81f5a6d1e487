import CZlib
import Glibc

/// Reads a PNG file from its first byte to its last: chunks, their checksums, and whether the compressed pixels are
/// whole and as many as the header says. Of ISO/IEC 15948, what it takes to tell a good entry from a damaged one.
///
/// Holds 128 KiB, whatever the file claims. For one thread; made once and used for many files.
final class PictureVerifier {
    private static let roomSize = 65_536
    private var window = [UInt8](repeating: 0, count: roomSize)
    private var start = 0
    private var end = 0
    private var room = [UInt8](repeating: 0, count: roomSize)
    /// At one address for its whole life, since zlib remembers it.
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Returns: `nil` when there is no memory.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit_(stream, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Whether the system refused to read the last file, which then may be as it must be.
    private(set) var couldNotRead = false

    /// Whether what is wrong with the last file is nothing that keeps decoders from showing it: libpng warns of it and
    /// goes on.
    var isDecodable: Bool { oddity != nil && !isBroken }
    private var oddity: String?
    private var isBroken = false

    /// What is wrong with a file, as a clause; `nil` when nothing is.
    /// - Parameter descriptor: the file, at its beginning.
    func fault(_ descriptor: CInt) -> String? {
        (start, end) = (0, 0)
        couldNotRead = false
        oddity = nil
        let fault = breakage(descriptor)
        isBroken = fault != nil
        return fault ?? oddity
    }

    /// What keeps decoders from showing a file; what else is odd about it is noted.
    private func breakage(_ descriptor: CInt) -> String? {
        inflateReset(stream)
        guard fill(PNG.headLength, descriptor) else { return "it is cut short" }
        guard window.starts(with: PNG.signature) else { return "it is no PNG file" }
        let header = window.withUnsafeBytes { Header(UnsafeRawBufferPointer(rebasing: $0[..<PNG.headLength])) }
        guard let header else { return "its header is broken" }
        start = PNG.headLength
        var pixels = PixelCount(expected: header.pixelBytes)
        while true {
            guard fill(8, descriptor) else { return "it is cut short" }
            let (length, code) = window.withUnsafeBytes { (PNG.number($0, at: start), PNG.number($0, at: start + 4)) }
            let type = PNG.ChunkType(code: code)
            guard length < 1 << 31, type != .header else { return "a chunk is broken" }
            if let fault = chunk(type, Int(length), &pixels, descriptor) { return fault }
            guard type == .end else { continue }
            if length != 0 || start != end || fill(1, descriptor) { note("something follows its end") }
            if pixels.isWhole { return nil }
            guard pixels.count >= pixels.expected else { return "its pixels are not complete" }
            note("its pixels have no end")
            return nil
        }
    }

    private func note(_ clause: String) { oddity = oddity ?? clause }

    /// How much of the compressed pixels was seen.
    private struct PixelCount {
        var expected: Int
        var count = 0
        var hasEnded = false
        var isWhole: Bool { hasEnded && count == expected }

        init(expected: Int) { self.expected = expected }
    }

    /// Reads a chunk whose length and type are next in the window.
    private func chunk(
        _ type: PNG.ChunkType, _ length: Int, _ pixels: inout PixelCount, _ descriptor: CInt
    ) -> String? {
        var sum = checksum(0, start + 4, 4)
        start += 8
        var rest = length
        while rest > 0 {
            guard start < end || fill(1, descriptor) else { return "it is cut short" }
            let count = min(rest, end - start)
            sum = checksum(sum, start, count)
            if type == .data, let fault = inflate(count, &pixels) { return fault }
            start += count
            rest -= count
        }
        guard fill(4, descriptor) else { return "it is cut short" }
        if window.withUnsafeBytes({ PNG.number($0, at: start) }) != sum {
            // A chunk whose name begins with a small letter can be left out.
            guard type.code & 0x2000_0000 != 0 else { return "a checksum is wrong" }
            note("a checksum is wrong")
        }
        start += 4
        return nil
    }

    /// Decompresses what is next in the window, and keeps nothing of it.
    private func inflate(_ count: Int, _ pixels: inout PixelCount) -> String? {
        if pixels.hasEnded { return nil }
        return window.withUnsafeMutableBytes { input in
            room.withUnsafeMutableBytes { output in
                stream.pointee.next_in = input.baseAddress.map { ($0 + start).assumingMemoryBound(to: UInt8.self) }
                stream.pointee.avail_in = UInt32(count)
                repeat {
                    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    stream.pointee.avail_out = UInt32(Self.roomSize)
                    let code = CZlib.inflate(stream, Z_NO_FLUSH)
                    pixels.count += Self.roomSize - Int(stream.pointee.avail_out)
                    guard pixels.count <= pixels.expected else {
                        note("it has more pixels than its size")
                        (pixels.count, pixels.hasEnded) = (pixels.expected, true)
                        return nil
                    }
                    if code == Z_STREAM_END {
                        pixels.hasEnded = true
                        return nil
                    }
                    if code == Z_BUF_ERROR { return nil }
                    guard code == Z_OK else { return "its pixels are broken" }
                } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
                return nil
            }
        }
    }

    private func checksum(_ sum: UInt32, _ offset: Int, _ count: Int) -> UInt32 {
        window.withUnsafeBytes { bytes in
            UInt32(
                crc32(
                    uLong(sum), bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: UInt8.self) },
                    UInt32(count)))
        }
    }

    /// Sees to it that so many bytes are in the window.
    /// - Returns: whether the file has them.
    private func fill(_ count: Int, _ descriptor: CInt) -> Bool {
        if end - start >= count { return true }
        if start > 0 {
            window.replaceSubrange(0..<(end - start), with: window[start..<end])
            (start, end) = (0, end - start)
        }
        while end < count {
            let got = window.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress.map { $0 + end }, $0.count - end)
            }
            if got < 0, errno == EINTR { continue }
            if got < 0 { couldNotRead = true }
            guard got > 0 else { return false }
            end += got
        }
        return true
    }
}

/// What IHDR says.
private struct Header {
    /// Bytes of all rows with their filter bytes.
    let pixelBytes: Int

    /// - Parameter head: signature and IHDR chunk.
    init?(_ head: UnsafeRawBufferPointer) {
        let content = UnsafeRawBufferPointer(rebasing: head[12..<29])
        guard PNG.number(head, at: 8) == 13, PNG.number(head, at: 12) == PNG.ChunkType.header.code,
            PNG.checksum(content) == PNG.number(head, at: 29)
        else { return nil }
        let (width, height) = (Int(PNG.number(head, at: 16)), Int(PNG.number(head, at: 20)))
        let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][head[25]]
        guard 1...PreviewSize.maximumPixels ~= width, 1...PreviewSize.maximumPixels ~= height, let channels,
            [1, 2, 4, 8, 16].contains(head[24]), head[26] == 0, head[27] == 0, head[28] < 2
        else { return nil }
        let bits = Int(head[24]) * channels
        func bytes(_ columns: Int, _ rows: Int) -> Int { columns > 0 ? rows * (1 + (columns * bits + 7) / 8) : 0 }
        // Adam7: first column and row of each pass, and the steps between.
        let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        pixelBytes =
            head[28] == 0
            ? bytes(width, height)
            : passes.reduce(0) { sum, pass in
                let (x, y, stepX, stepY) = pass
                return sum + bytes((width - x + stepX - 1) / stepX, (height - y + stepY - 1) / stepY)
            }
    }
}
