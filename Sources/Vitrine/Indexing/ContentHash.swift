import CPlatform
import Catalog
import Glibc
import VitrineKit

/// What tells the content of a file from that of others, for the price of reading a little of it.
///
/// Of a file of up to 128 KiB everything is hashed, of a larger one 32 blocks of 4 KiB from its start to its end:
/// some ten microseconds. Two files of the same size whose hashes are the same are candidates; whether they are the
/// same is for ``isSame(_:_:size:)`` to say, also of small ones: XXH3, with 64 and 128 bits, withstands nobody who wants
/// to be taken for another.
enum ContentHash {
    private static let wholeLimit: Int64 = 128 << 10
    private static let block = 4096
    private static let blocks: Int64 = 32
    /// The largest files that are compared byte by byte; larger ones count as the same if their times are, too.
    static let comparisonLimit: Int64 = 16 << 20

    /// - Parameters:
    ///   - descriptor: open for reading; its position is not used.
    ///   - size: bytes of content.
    ///   - head: its first bytes, as ``OpenItem`` read them.
    /// - Returns: `nil` when it cannot be read, or is shorter than it should be.
    static func fingerprint(of descriptor: CInt, size: Int64, head: [UInt8]) -> ContentFingerprint? {
        guard size > 0 else { return nil }
        let first = vp_hash64(head, head.count)
        if size <= Int64(head.count) { return ContentFingerprint(head: first, content: digest(head)) }
        if size <= wholeLimit {
            guard let bytes = read(descriptor, at: 0, count: Int(size)) else { return nil }
            return ContentFingerprint(head: first, content: digest(bytes))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(blocks) * block)
        for number in 0..<blocks {
            // Evenly spread, the last block at the very end. No overflow: the quotient is taken first.
            let span = size - Int64(block)
            let offset = span / (blocks - 1) * number + span % (blocks - 1) * number / (blocks - 1)
            guard let part = read(descriptor, at: offset, count: block) else { return nil }
            bytes += part
        }
        return ContentFingerprint(head: first, content: digest(bytes))
    }

    /// The same of an open file; `nil` also for one that has no descriptor, no size or no content. Blocks.
    static func fingerprint(of file: any ByteSource) -> ContentFingerprint? {
        guard let descriptor = file.fileDescriptor, let size = file.entry.size else { return nil }
        guard let head = file.head ?? read(descriptor, at: 0, count: Int(min(size, Int64(OpenItem.headSize)))) else {
            return nil
        }
        return fingerprint(of: descriptor, size: size, head: head)
    }

    /// Compares two files byte by byte.
    static func isSame(_ one: CInt, _ other: CInt, size: Int64) -> Bool {
        var offset: Int64 = 0
        while offset < size {
            let count = Int(min(256 << 10, size - offset))
            guard let a = read(one, at: offset, count: count), let b = read(other, at: offset, count: count), a == b
            else { return false }
            offset += Int64(count)
        }
        return true
    }

    private static func digest(_ bytes: [UInt8]) -> FolderDigest {
        var hash: [UInt64] = [0, 0]
        vp_hash128(bytes, bytes.count, &hash)
        return FolderDigest(low: hash[0], high: hash[1])
    }

    private static func read(_ descriptor: CInt, at offset: Int64, count: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            while filled < count {
                let got = pread(
                    descriptor, room.baseAddress.map { $0 + filled }, count - filled, off_t(offset) + filled)
                if got < 0, errno == EINTR { continue }
                if got <= 0 { break }
                filled += got
            }
        }
        return bytes.count == count ? bytes : nil
    }
}
