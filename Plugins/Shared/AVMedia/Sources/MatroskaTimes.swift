internal import VitrineKit

/// The first and the last moment in a Matroska file, by its clusters (RFC 9559, 5.1.3). Recordings that browsers make, and those
/// that were broken off, say nowhere else how long they last.
enum MatroskaTimes {
    private static let cluster: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
    /// Bytes at the file's end in which the last cluster is looked for, the fewer first.
    private static let tails = [1 << 20, 12 << 20]
    /// Bytes from a cluster's beginning in which its time stands: behind a checksum at most.
    private static let reach = 40

    /// When a cluster begins, in the file's own units.
    /// - Parameters:
    ///   - offset: of a byte in it, or in the header before it, not far from where it begins.
    ///   - read: gives so many bytes from an offset on, fewer at the end of the file.
    /// - Returns: `nil` where there is none.
    static func first(near offset: Int64, _ read: (_ offset: Int64, _ count: Int) -> [UInt8]) -> Int64? {
        let bytes = read(max(0, offset - 16), 32 + reach)
        for start in bytes.indices where bytes[start...].starts(with: cluster) {
            if let time = begin(bytes[start...])?.time { return time }
        }
        return nil
    }

    /// When the last block of a file begins, in the file's own units.
    /// - Parameters:
    ///   - size: of the file, in bytes.
    ///   - read: as of ``first(near:_:)``.
    /// - Returns: `nil` where no cluster is found.
    static func last(_ size: Int64, _ read: (_ offset: Int64, _ count: Int) -> [UInt8]) -> Int64? {
        for tail in tails {
            let bytes = read(max(0, size - Int64(tail)), tail)
            for start in bytes.indices.dropLast(cluster.count).reversed()
            where bytes[start] == cluster[0] && bytes[start...].starts(with: cluster) {
                if let cluster = begin(bytes[start...]) { return cluster.time + latest(in: cluster.content) }
            }
            if bytes.count >= size { break }
        }
        return nil
    }

    /// The time that stands in front of a cluster, and what comes behind it.
    private static func begin(_ bytes: ArraySlice<UInt8>) -> (time: Int64, content: ArraySlice<UInt8>)? {
        guard var rest = element(bytes.dropFirst(cluster.count))?.content else { return nil }
        // A checksum may come first.
        if rest.first == 0xBF, let checksum = element(rest.dropFirst()) {
            rest = rest[checksum.end...]
        }
        guard rest.first == 0xE7, let time = element(rest.dropFirst()), time.content.count == time.length,
            1...7 ~= time.content.count
        else { return nil }
        return (Int64(bigEndianBytes: time.content), rest[time.end...])
    }

    /// How much later than a cluster its last block begins.
    private static func latest(in cluster: ArraySlice<UInt8>) -> Int64 {
        var (rest, latest) = (cluster, Int64(0))
        while let id = rest.first, id >= 0x80, let found = element(rest.dropFirst()) {
            if id == 0xA3 {
                latest = max(latest, time(ofBlock: found.content))
            } else if id == 0xA0, found.content.first == 0xA1, let block = element(found.content.dropFirst()) {
                latest = max(latest, time(ofBlock: block.content))
            }
            rest = rest[found.end...]
        }
        return latest
    }

    /// How much later than its cluster a block begins: two bytes behind the number of its track (RFC 9559, 10.1).
    private static func time(ofBlock block: ArraySlice<UInt8>) -> Int64 {
        guard let track = block.first, track != 0 else { return 0 }
        let bytes = block.dropFirst(track.leadingZeroBitCount + 1).prefix(2)
        return bytes.count == 2 ? Int64(Int16(truncatingIfNeeded: Int(bigEndianBytes: bytes))) : 0
    }

    /// What follows the name of an element: its length, and as much of its content as there is.
    /// - Returns: also where its content ends; `nil` where there is no length.
    private static func element(
        _ bytes: ArraySlice<UInt8>
    ) -> (content: ArraySlice<UInt8>, length: Int, end: Int)? {
        guard let start = bytes.first, start != 0 else { return nil }
        let count = start.leadingZeroBitCount + 1
        guard bytes.count >= count else { return nil }
        let marked = Int(truncatingIfNeeded: UInt64(bigEndianBytes: bytes.prefix(count)))
        let unknown = 1 << (7 * count) - 1
        let length = marked & unknown
        let content = bytes.dropFirst(count)
        // All bits: it goes on to the end, as far as anybody knew.
        let here = length == unknown ? content : content.prefix(length)
        return (here, length, here.endIndex)
    }
}
