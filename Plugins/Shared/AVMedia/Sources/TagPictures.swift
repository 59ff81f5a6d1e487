internal import VitrineKit

/// Covers in tags that libav passes over: those whose kind the tag calls by a name that libav does not know, or by none. They are
/// known by their own first bytes.
package enum TagPictures {
    /// Bytes that a picture in MP4 may have. A block of FLAC has half of it at most, and a tag of ID3 is read as a whole.
    private static let mostBytes: Int64 = 32 << 20
    /// Frames of a tag, blocks of FLAC or boxes of MP4 that are passed over.
    private static let mostParts = 256
    /// The number of the front among the kinds of pictures (ID3v2.3, 4.15), which FLAC has as well (RFC 9639, 8.8).
    private static let front: UInt8 = 3

    // MARK: ID3

    /// The front in a tag of ID3v2 (2.2, 2.3 and 2.4), else its first picture.
    /// - Parameter tag: with its header.
    /// - Returns: `nil` when there is none.
    package static func inID3(_ tag: [UInt8]) -> [UInt8]? {
        guard tag.count > 10, TagPlaces.length(ofID3: Array(tag.prefix(10))) != nil, 2...4 ~= tag[3] else { return nil }
        let (version, flags) = (tag[3], tag[5])
        var rest = tag[10...]
        if version < 4, flags & 0x80 != 0 { rest = synchronised(rest) }
        if version > 2, flags & 0x40 != 0, rest.count >= 4 {
            let length = version == 4 ? sevenBits(rest.prefix(4)) : Int(bigEndianBytes: rest.prefix(4)) + 4
            rest = rest.dropFirst(length)
        }
        // A name and a length, which are followed by flags from version 2.3 on.
        let (name, header) = version == 2 ? ("PIC", 6) : ("APIC", 10)
        var first: [UInt8]?
        for _ in 0..<mostParts where rest.count > header && rest.first != 0 {
            let digits = rest.dropFirst(name.utf8.count).prefix(name.utf8.count)
            // Some writers have no seven bits in a byte in version 2.4.
            let isSeven = version == 4 && digits.allSatisfy { $0 < 0x80 }
            let length = isSeven ? sevenBits(digits) : Int(bigEndianBytes: digits)
            var content = rest.dropFirst(header).prefix(length)
            if rest.starts(with: name.utf8) {
                // A frame may say how long it is without those zeros.
                if version == 4, rest[rest.startIndex + 9] & 1 != 0 { content = content.dropFirst(4) }
                if version == 4, (flags & 0x80 | rest[rest.startIndex + 9] & 2) != 0 { content = synchronised(content) }
                if let picture = CoverFormat.picture(in: content) {
                    if kind(of: content, version) == front { return Array(picture) }
                    first = first ?? Array(picture)
                }
            }
            rest = rest.dropFirst(header).dropFirst(length)
        }
        return first
    }

    /// What a picture shows, by its number: behind the name of its format, which has three letters or ends with a NUL byte.
    private static func kind(of content: ArraySlice<UInt8>, _ version: UInt8) -> UInt8? {
        version == 2 ? content.dropFirst(4).first : content.dropFirst().drop { $0 != 0 }.dropFirst().first
    }

    private static func sevenBits(_ digits: ArraySlice<UInt8>) -> Int { digits.reduce(0) { $0 << 7 | Int($1 & 0x7F) } }

    /// Without the zeros that keep readers from taking bytes for the beginning of a frame of MP3 (ID3v2.3, 5).
    private static func synchronised(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var last: UInt8 = 0
        return bytes.filter { byte in
            defer { last = byte }
            return byte != 0 || last != 0xFF
        }[...]
    }

    // MARK: FLAC

    /// The front among the pictures of a FLAC file (RFC 9639, 8.8), else its first one.
    /// - Parameters:
    ///   - start: where the file begins behind a tag that is put in front of it.
    ///   - read: gives so many bytes from an offset on, fewer at the end of the file.
    /// - Returns: `nil` when there is none.
    package static func inFLAC(
        from start: Int64, _ read: (_ offset: Int64, _ count: Int) -> [UInt8]
    ) -> [UInt8]? {
        guard read(start, 4).elementsEqual("fLaC".utf8) else { return nil }
        var (offset, first) = (start + 4, [UInt8]?.none)
        for _ in 0..<mostParts {
            let header = read(offset, 8)
            guard header.count == 8, header[0] != 0xFF else { break }
            let length = Int(bigEndianBytes: header[1..<4])
            let isFront = header[4..<8].elementsEqual([0, 0, 0, front])
            // Only where a picture begins all of its bytes are read.
            if header[0] & 0x7F == 6, isFront || first == nil,
                CoverFormat.picture(in: read(offset + 4, min(length, CoverFormat.head))[...]) != nil,
                let picture = CoverFormat.picture(in: read(offset + 4, length)[...])
            {
                if isFront { return Array(picture) }
                first = Array(picture)
            }
            if header[0] & 0x80 != 0 { break }
            offset += 4 + Int64(length)
        }
        return first
    }

    // MARK: MP4

    /// The first cover among the tags of an MP4 file, as iTunes writes them.
    /// - Parameters:
    ///   - size: of the file, in bytes.
    ///   - read: as of ``inFLAC(from:_:)``.
    /// - Returns: `nil` when there is none.
    package static func inMP4(
        size: Int64, _ read: (_ offset: Int64, _ count: Int) -> [UInt8]
    ) -> [UInt8]? {
        var range = 0..<size
        for name in ["moov", "udta", "meta", "ilst", "covr", "data"] {
            guard var found = box(name, in: range, read) else { return nil }
            // Its version and its flags (ISO/IEC 14496-12, 8.11.1), which QuickTime does not write.
            if name == "meta", !read(found.lowerBound + 4, 4).elementsEqual("hdlr".utf8) {
                found = min(found.lowerBound + 4, found.upperBound)..<found.upperBound
            }
            range = found
        }
        guard range.count <= mostBytes else { return nil }
        return CoverFormat.picture(in: read(range.lowerBound, range.count)[...]).map(Array.init)
    }

    /// The content of the first box of a name.
    private static func box(
        _ name: String, in range: Range<Int64>, _ read: (Int64, Int) -> [UInt8]
    ) -> Range<Int64>? {
        var offset = range.lowerBound
        for _ in 0..<mostParts where offset < range.upperBound {
            let head = read(offset, 16)
            guard head.count >= 8 else { return nil }
            let isLong = UInt64(bigEndianBytes: head[..<4]) == 1
            guard !isLong || head.count == 16 else { return nil }
            let length = UInt64(bigEndianBytes: isLong ? head[8...] : head[..<4])
            let header: Int64 = isLong ? 16 : 8
            guard length >= UInt64(header), length <= UInt64(range.upperBound - offset) else { return nil }
            if head[4..<8].elementsEqual(name.utf8) { return offset + header..<offset + Int64(length) }
            offset += Int64(length)
        }
        return nil
    }
}
