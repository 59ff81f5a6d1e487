internal import VitrineKit

/// Where tags lie in a file of sound, of those that libav does not look for, or drops where it met another one before.
package enum TagPlaces {
    /// What a tag is written in.
    package enum Form: Hashable, Sendable { case id3, ape }

    /// A tag in a file.
    package struct Place: Hashable, Sendable {
        /// What it is written in.
        package var form: Form
        /// Its bytes, with header and footer.
        package var bytes: Range<Int64>
    }

    /// Bytes of a tag up to which it is read: covers of some MiB are found.
    private static let mostBytes: Int64 = 64 << 20
    /// Chunks of a file that are passed over.
    private static let mostChunks = 128

    /// Finds the tags of a file.
    /// - Parameters:
    ///   - size: of the file, in bytes.
    ///   - read: gives so many bytes from an offset on, fewer at the end of the file.
    /// - Returns: the tag in front, or that in a chunk, and the one at the end, as far as they are there.
    package static func all(size: Int64, _ read: (_ offset: Int64, _ count: Int) -> [UInt8]) -> [Place] {
        let front = id3(at: 0, in: 0..<size, read) ?? chunk(size, read)
        return [front, ape(size, read)].compactMap(\.self)
    }

    /// A tag of ID3v2 that begins at a place of the file.
    private static func id3(at offset: Int64, in room: Range<Int64>, _ read: (Int64, Int) -> [UInt8]) -> Place? {
        guard let length = length(ofID3: read(offset, 10)), length <= min(mostBytes, room.upperBound - offset) else {
            return nil
        }
        return Place(form: .id3, bytes: offset..<offset + length)
    }

    /// Bytes of a tag as ID3v2.4 describes it (section 3.1), with its header; `nil` where there is none.
    static func length(ofID3 header: [UInt8]) -> Int64? {
        guard header.count == 10, header.starts(with: "ID3".utf8), header[6..<10].allSatisfy({ $0 < 0x80 }) else {
            return nil
        }
        let hasFooter = header[5] & 0x10 != 0
        return header[6..<10].reduce(0) { $0 << 7 | Int64($1) } + (hasFooter ? 20 : 10)
    }

    /// The tag of ID3 in a chunk of RIFF, also in its forms with lengths of 64 bits (EBU Tech 3306, ITU-R BS.2088), or of
    /// DSDIFF (Philips, DSDIFF 1.5).
    private static func chunk(_ size: Int64, _ read: (Int64, Int) -> [UInt8]) -> Place? {
        let start = read(0, 16)
        guard start.count == 16 else { return nil }
        let isRIFF =
            ["RIFF", "RF64", "BW64"].contains { start.starts(with: $0.utf8) }
            && start[8..<12].elementsEqual("WAVE".utf8)
        guard isRIFF || start.starts(with: "FRM8".utf8) && start[12..<16].elementsEqual("DSD ".utf8) else { return nil }
        let header: Int64 = isRIFF ? 8 : 12
        var offset: Int64 = isRIFF ? 12 : 16
        var longData: UInt64?
        for _ in 0..<mostChunks {
            let bytes = read(offset, Int(header))
            guard bytes.count == Int(header) else { return nil }
            let (name, number) = (bytes[..<4], bytes[4...])
            var length = isRIFF ? UInt64(littleEndianBytes: number) : UInt64(bigEndianBytes: number)
            if isRIFF, name.elementsEqual("ds64".utf8) {
                longData = UInt64(littleEndianBytes: read(offset + header + 8, 8))
            }
            if isRIFF, name.elementsEqual("data".utf8), length == UInt32.max { length = longData ?? length }
            offset += header
            guard length <= UInt64(max(0, size - offset)) else { return nil }
            let end = offset + Int64(length)
            if name.elementsEqual("id3 ".utf8) || name.elementsEqual("ID3 ".utf8) {
                return id3(at: offset, in: offset..<end, read)
            }
            // Chunks begin at even places.
            offset = end + (end & 1)
        }
        return nil
    }

    /// A tag of APE at the end of the file, or before the lyrics and the tag of ID3v1 that may follow it.
    private static func ape(_ size: Int64, _ read: (Int64, Int) -> [UInt8]) -> Place? {
        func at(_ offset: Int64, _ count: Int) -> [UInt8] { offset < 0 ? [] : read(offset, count) }
        var end = size
        if at(end - 128, 3).elementsEqual("TAG".utf8) {
            end -= 128
            // Lyrics3 2.00: six digits say how long the part before them is.
            let lyrics = at(end - 15, 15)
            if lyrics.dropFirst(6).elementsEqual("LYRICS200".utf8), lyrics.prefix(6).allSatisfy({ 0x30...0x39 ~= $0 }) {
                end -= lyrics.prefix(6).reduce(0) { $0 * 10 + Int64($1 - 0x30) } + 15
            }
        }
        let footer = at(end - footerLength, Int(footerLength))
        // The highest bits of its flags say whether there is a header as well, and which of the two this is.
        guard footer.count == Int(footerLength), footer.starts(with: "APETAGEX".utf8), footer[23] & 0x20 == 0 else {
            return nil
        }
        let length = Int64(littleEndianBytes: footer[12..<16]) + (footer[23] & 0x80 != 0 ? footerLength : 0)
        guard length >= footerLength, length <= min(mostBytes, end) else { return nil }
        return Place(form: .ape, bytes: end - length..<end)
    }

    private static let footerLength: Int64 = 32
}
