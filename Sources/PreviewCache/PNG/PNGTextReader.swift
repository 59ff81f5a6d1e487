import Glibc

/// Reads the tEXt chunks of a PNG file that anybody may have written, at the cost of one read in the usual case.
///
/// Strict where a wrong answer could come of it, and bounded: it stops at the first IDAT chunk, never follows a
/// link, never waits for a pipe, and holds at most 64 KiB.
struct PNGTextReader: ~Copyable {
    /// How reading ended.
    enum Outcome {
        /// All keys were handed over, and the file is whole as far as that can be seen from its two ends.
        case complete
        /// There is no such file.
        case absent
        /// There is something, but it cannot be read, or it is not a PNG file.
        case unusable
    }

    /// A usual entry's keys and the first of its pixels.
    private static let window = 4096
    /// Above the longest URI: a path of 4,096 bytes, each encoded as three.
    private static let longestChunk = 65_536
    private static let mostChunks = 64
    private static let mostText = 131_072

    /// `O_NOATIME` of `asm-generic/fcntl.h`, which Swift's Glibc does not name.
    private static let withoutAccessTime: CInt = 0o1000000

    private let descriptor: CInt
    /// Whether the keys lie behind a picture of another format; see ``EntryTail``.
    private let hasTail: Bool
    private var buffer: [UInt8] = []
    /// Where in the file the buffer begins.
    private var start: Int64 = 0

    /// Reads the keys of a file.
    /// - Parameters:
    ///   - path: the file.
    ///   - folder: an open folder that a relative path starts from.
    ///   - each: called with every key and value, in the file's order; they are valid during the call.
    static func read(
        _ path: String, in folder: CInt = AT_FDCWD,
        _ each: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
    ) -> Outcome {
        let descriptor = open(path, in: folder)
        guard descriptor >= 0 else { return errno == ENOENT || errno == ENOTDIR ? .absent : .unusable }
        var reader = PNGTextReader(descriptor, hasTail: !path.hasSuffix(".png"))
        return reader.scan(each) && reader.hasEnd() ? .complete : .unusable
    }

    /// Opens an entry for reading, without a trace in its access time: who looks into every entry would make all of them
    /// seem used.
    /// - Returns: a negative number, with `errno`, when it cannot be opened.
    static func open(_ path: String, in folder: CInt) -> CInt {
        // O_NONBLOCK: a pipe in an entry's place must not stop the program.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        let descriptor = openat(folder, path, flags | withoutAccessTime)
        // Only a file's owner may ask for that.
        return descriptor < 0 && errno == EPERM ? openat(folder, path, flags) : descriptor
    }

    private init(_ descriptor: CInt, hasTail: Bool) { (self.descriptor, self.hasTail) = (descriptor, hasTail) }

    deinit { close(descriptor) }

    private mutating func scan(_ each: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void) -> Bool {
        guard let base = hasTail ? EntryTail.start(in: descriptor) : 0 else { return false }
        let isPicture = bytes(at: base, count: PNG.headLength) { head in
            head.starts(with: PNG.signature) && PNG.number(head, at: 8) == 13
                && PNG.number(head, at: 12) == PNG.ChunkType.header.code
        }
        guard isPicture == true else { return false }
        var offset = base + Int64(PNG.headLength)
        var text = 0
        for _ in 0..<Self.mostChunks {
            let frame = bytes(at: offset, count: 8) { (PNG.number($0, at: 0), PNG.number($0, at: 4)) }
            guard let frame, frame.0 < 1 << 31 else { return false }
            let length = Int(frame.0)
            switch PNG.ChunkType(code: frame.1) {
            case .data: return true
            case .end, .header: return false
            case .text:
                text += length
                guard length <= Self.longestChunk - PNG.frameLength, text <= Self.mostText else { return false }
                let isWhole = bytes(at: offset, count: length + PNG.frameLength) { Self.split($0, each) }
                guard isWhole == true else { return false }
            default: break
            }
            offset += Int64(length + PNG.frameLength)
        }
        return false
    }

    /// Takes a tEXt chunk apart: a key of 1 to 79 bytes, a NUL byte, a value without one.
    private static func split(
        _ chunk: UnsafeRawBufferPointer, _ each: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        let content = UnsafeRawBufferPointer(rebasing: chunk[4..<(chunk.count - 4)])
        guard PNG.checksum(content) == PNG.number(chunk, at: chunk.count - 4),
            let end = content.firstIndex(of: 0), 5...83 ~= end
        else { return false }
        let value = UnsafeRawBufferPointer(rebasing: content[(end + 1)...])
        guard !value.contains(0) else { return false }
        each(UnsafeRawBufferPointer(rebasing: content[4..<end]), value)
        return true
    }

    /// Whether the file ends as a PNG file does. A write that was cut off by a power cut has a good beginning.
    private mutating func hasEnd() -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size >= PNG.headLength + PNG.end.count else { return false }
        return bytes(at: Int64(status.st_size) - Int64(PNG.end.count), count: PNG.end.count) {
            $0.elementsEqual(PNG.end)
        } == true
    }

    /// Hands out a range of the file; `nil` when the file does not have it.
    private mutating func bytes<R>(at offset: Int64, count: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R? {
        if offset < start || offset + Int64(count) > start + Int64(buffer.count) {
            let wanted = max(count, Self.window)
            start = offset
            buffer = [UInt8](unsafeUninitializedCapacity: wanted) { room, filled in
                while filled < count {
                    let got = pread(
                        descriptor, room.baseAddress.map { $0 + filled }, wanted - filled, off_t(offset) + filled)
                    if got < 0, errno == EINTR { continue }
                    if got <= 0 { break }
                    filled += got
                }
            }
        }
        let first = Int(offset - start)
        guard first + count <= buffer.count else { return nil }
        return buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[first..<(first + count)])) }
    }
}
