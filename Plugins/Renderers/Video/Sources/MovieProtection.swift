internal import VitrineKit

/// Finds out whether an MP4 file says that its video is enciphered. libav gives up some of them, as if they were damaged,
/// before it tells.
enum MovieProtection {
    /// Boxes that are passed over, and bytes of the header that are read, at most.
    private static let mostBoxes = 64, mostBytes: Int64 = 4 << 20

    /// Looks for video whose kind of sample is `encv` (ISO/IEC 14496-12, 8.12) in the movie's header.
    /// - Returns: `false` also for what is no MP4, and what cannot be read.
    static func isSaid(in input: any RandomAccessInput) -> Bool {
        var at: Int64 = 0
        for _ in 0..<mostBoxes {
            guard let head = try? input.bytes(at: at, count: 16), head.count >= 8 else { return false }
            let name = head[4..<8]
            var size = number(head[0..<4])
            if size == 1, head.count == 16 { size = number(head[8..<16]) }
            // 0: to the end of the file.
            if size == 0 { size = input.size - at }
            guard size >= 8, size <= input.size - at else { return false }
            if name.elementsEqual("moov".utf8) {
                let header = (try? input.bytes(at: at, count: Int(min(size, mostBytes)))) ?? []
                return header.firstRange(of: Array("encv".utf8)) != nil
            }
            at += size
        }
        return false
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}
