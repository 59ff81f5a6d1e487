import CZlib
import Finishing
import Glibc

/// The keys of an entry that is no PNG: a PNG of one pixel behind the picture.
///
/// All three formats say inside how long they are, and readers ignore what follows: after JPEG's EOI marker, after the
/// size in WebP's RIFF header; AVIF gets a box of the type `free` around it, as ISO/IEC 14496-12 has it. Its last chunk
/// but IEND is private, `vtOf`, and holds where in the file the tail begins. So all formats are looked up, counted,
/// verified and evicted alike.
public struct EntryTail {
    /// What follows the picture.
    let bytes: [UInt8]

    private static let place = PNG.ChunkType(code: 0x7674_4F66)
    private static let placeLength = PNG.frameLength + 8

    /// - Parameters:
    ///   - count: bytes of the picture.
    ///   - format: its format.
    ///   - keys: what the entry says of itself.
    init(behind count: Int, _ format: PictureFormat, _ keys: EntryKeys) {
        let box = format == .avif ? 8 : 0
        let pixel = PNG.pixel
        var tail = Array(pixel[..<PNG.headLength]) + keys.chunks + pixel[PNG.headLength..<(pixel.count - PNG.end.count)]
        let start = UInt64(count + box)
        PNG.append(Self.place, (0..<8).map { UInt8(truncatingIfNeeded: start >> UInt64(56 - 8 * $0)) }, to: &tail)
        tail += PNG.end
        var head: [UInt8] = []
        if box > 0 {
            let size = UInt32(tail.count + box)
            head = (0..<4).map { UInt8(truncatingIfNeeded: size >> UInt32(24 - 8 * $0)) } + Array("free".utf8)
        }
        bytes = head + tail
    }

    /// Where in a file the tail's PNG begins; `nil` when it has none.
    static func start(in descriptor: CInt) -> Int64? {
        var status = stat()
        let length = placeLength + PNG.end.count
        guard fstat(descriptor, &status) == 0, Int(status.st_size) > length + PNG.headLength else { return nil }
        var end = [UInt8](repeating: 0, count: length)
        guard pread(descriptor, &end, length, off_t(Int(status.st_size) - length)) == length else { return nil }
        return start(end: end, size: Int(status.st_size)).map(Int64.init)
    }

    private static func start(end: [UInt8], size: Int) -> Int? {
        let place = end.withUnsafeBytes { bytes -> UInt64? in
            guard PNG.number(bytes, at: 0) == 8, PNG.number(bytes, at: 4) == Self.place.code,
                PNG.checksum(UnsafeRawBufferPointer(rebasing: bytes[4..<16])) == PNG.number(bytes, at: 16),
                bytes[20...].elementsEqual(PNG.end)
            else { return nil }
            return UInt64(PNG.number(bytes, at: 8)) << 32 | UInt64(PNG.number(bytes, at: 12))
        }
        guard let place, place > 0, place < UInt64(size - end.count) else { return nil }
        return Int(place)
    }

    /// The checksum of the picture before the tail; `nil` when it cannot be read.
    static func checksum(of start: Int64, in descriptor: CInt) -> UInt32? {
        var box = [UInt8](repeating: 0, count: 8)
        var left = start
        // The header of AVIF's box belongs to the tail.
        if start > 8, pread(descriptor, &box, 8, off_t(start - 8)) == 8, box[4...].elementsEqual("free".utf8) {
            left -= 8
        }
        var room = [UInt8](repeating: 0, count: 64 << 10)
        var sum: uLong = 0
        var offset: Int64 = 0
        while left > 0 {
            let count = pread(descriptor, &room, Int(min(Int64(room.count), left)), off_t(offset))
            guard count > 0 else { return nil }
            sum = crc32(sum, room, UInt32(count))
            offset += Int64(count)
            left -= Int64(count)
        }
        return UInt32(sum)
    }

    /// The picture of an entry without what Vitrine wrote to it: URI, time and the like are nobody's business who gets a
    /// copy of the picture.
    /// - Parameter entry: the bytes of an entry, in any format.
    /// - Returns: the same bytes when there is nothing to be removed, or when it is no entry.
    public static func withoutKeys(_ entry: [UInt8]) -> [UInt8] {
        guard !entry.starts(with: PNG.signature) else { return withoutText(entry) }
        let length = placeLength + PNG.end.count
        guard entry.count > length, let start = start(end: Array(entry.suffix(length)), size: entry.count) else {
            return entry
        }
        let picture = entry[..<start]
        return Array(picture.suffix(4).elementsEqual("free".utf8) ? picture.dropLast(8) : picture)
    }

    /// The PNG with the keys behind the picture of an entry in another format; `nil` when there is none.
    static func keys(of entry: [UInt8]) -> [UInt8]? {
        let length = placeLength + PNG.end.count
        guard entry.count > length, let start = start(end: Array(entry.suffix(length)), size: entry.count) else {
            return nil
        }
        return Array(entry[start...])
    }

    private static func withoutText(_ png: [UInt8]) -> [UInt8] {
        var out = Array(png.prefix(8))
        var rest = png.dropFirst(8)
        while rest.count >= PNG.frameLength {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length <= rest.count - PNG.frameLength else { return png }
            let chunk = rest.prefix(length + PNG.frameLength)
            if !chunk.dropFirst(4).prefix(4).elementsEqual("tEXt".utf8) { out += chunk }
            rest = rest.dropFirst(length + PNG.frameLength)
        }
        return rest.isEmpty ? out : png
    }
}
