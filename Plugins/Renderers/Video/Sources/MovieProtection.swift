internal import VitrineKit

/// Finds out whether an MP4 file says that its video is enciphered. libav gives up some of them, as if they were damaged,
/// before it tells.
enum MovieProtection {
    /// Boxes that are passed over, and bytes of the header that are read, at most.
    private static let mostBoxes = 64, mostBytes: Int64 = 4 << 20

    /// The boxes inside the movie's header, one in the other, the last of which lists kinds of samples behind 8 bytes.
    private static let path = ["trak", "mdia", "minf", "stbl", "stsd"]

    /// Looks for video whose kind of sample is `encv` (ISO/IEC 14496-12, 8.12) in the movie's header.
    /// - Returns: `false` also for what is no MP4, and what cannot be read.
    static func isSaid(in input: any RandomAccessInput) -> Bool {
        var at: Int64 = 0
        for _ in 0..<mostBoxes {
            guard let head = try? input.bytes(at: at, count: 16), head.count >= 8 else { return false }
            let name = head[4..<8]
            var size = Int64(bigEndianBytes: head[0..<4])
            if size == 1, head.count == 16 { size = Int64(bigEndianBytes: head[8..<16]) }
            // 0: to the end of the file.
            if size == 0 { size = input.size - at }
            guard size >= 8, size <= input.size - at else { return false }
            if name.elementsEqual("moov".utf8) {
                let header = (try? input.bytes(at: at, count: Int(min(size, mostBytes)))) ?? []
                // A header with a length of 64 bits is as long as two others.
                return holds(header.dropFirst(Int(bigEndianBytes: head[0..<4]) == 1 ? 16 : 8), path[...])
            }
            at += size
        }
        return false
    }

    /// Whether boxes hold one of enciphered video at the end of a path.
    /// - Parameter boxes: one behind the other; the last may be cut off.
    private static func holds(_ boxes: ArraySlice<UInt8>, _ path: ArraySlice<String>) -> Bool {
        var rest = boxes
        while rest.count >= 8 {
            let start = rest.startIndex
            let size = Int(bigEndianBytes: rest.prefix(4))
            let name = rest[start + 4..<start + 8]
            // 0: to the end of the box around.
            guard size >= 8 || size == 0 else { return false }
            let box = size == 0 ? rest : rest.prefix(size)
            if let wanted = path.first {
                let content = box.dropFirst(path.count == 1 ? 16 : 8)
                if name.elementsEqual(wanted.utf8), holds(content, path.dropFirst()) { return true }
            } else if name.elementsEqual("encv".utf8) {
                return true
            }
            rest = rest.dropFirst(box.count)
        }
        return false
    }
}
