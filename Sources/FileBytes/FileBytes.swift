import Glibc

/// Bytes from and to open files, all of them: the system may take or give fewer at a time than it was asked for, and a signal
/// stops it. Calls block.
public enum FileBytes {
    /// Reads bytes.
    /// - Parameters:
    ///   - count: how many at most; memory for so many is taken at once.
    ///   - descriptor: open for reading.
    ///   - offset: of the first one in the file, which stays where it stands. Default: from there on.
    /// - Returns: what was read, fewer than `count` where the file ends before; and what is in the way of more, as `errno` has
    ///   it, or `nil`.
    public static func read(
        _ count: Int, from descriptor: CInt, at offset: Int64? = nil
    ) -> (bytes: [UInt8], failure: CInt?) {
        var failure: CInt?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            while filled < count {
                let (place, rest) = (room.baseAddress.map { $0 + filled }, count - filled)
                let got =
                    if let offset { pread(descriptor, place, rest, off_t(offset &+ Int64(filled))) } else {
                        Glibc.read(descriptor, place, rest)
                    }
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { return }
                filled += got
            }
        }
        return (bytes, failure)
    }

    /// Reads to the end of a file that does not tell its size, as those of `/proc` do not. Memory is taken as bytes come.
    /// - Parameters:
    ///   - limit: the most bytes that are read.
    ///   - descriptor: open for reading.
    ///   - offset: of the first one in the file, which stays where it stands. Default: from there on.
    /// - Returns: as ``read(_:from:at:)``.
    public static func readToEnd(
        limit: Int, from descriptor: CInt, at offset: Int64? = nil
    ) -> (bytes: [UInt8], failure: CInt?) {
        var all: [UInt8] = []
        while all.count < limit {
            let count = min(piece, limit - all.count)
            let (bytes, failure) = read(count, from: descriptor, at: offset.map { $0 &+ Int64(all.count) })
            all += bytes
            if bytes.count < count { return (all, failure) }
        }
        return (all, nil)
    }

    /// Bytes for which there is memory before it is known that they come.
    private static let piece = 64 << 10

    /// Writes bytes.
    /// - Parameters:
    ///   - bytes: all of them are written, unless something is in the way.
    ///   - descriptor: open for writing.
    ///   - offset: of the first one in the file, which stays where it stands. Default: from there on.
    /// - Returns: what is in the way, as `errno` has it, and `EIO` when nothing is taken without a reason; `nil` when all
    ///   of them are written.
    public static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at offset: Int64? = nil
    ) -> CInt? {
        var done = 0
        while done < bytes.count {
            let (place, rest) = (bytes.baseAddress.map { $0 + done }, bytes.count - done)
            let count =
                if let offset { pwrite(descriptor, place, rest, off_t(offset &+ Int64(done))) } else {
                    Glibc.write(descriptor, place, rest)
                }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            done += count
        }
        return nil
    }

    /// The same of an array.
    public static func write(_ bytes: [UInt8], to descriptor: CInt, at offset: Int64? = nil) -> CInt? {
        bytes.withUnsafeBytes { write($0, to: descriptor, at: offset) }
    }
}
