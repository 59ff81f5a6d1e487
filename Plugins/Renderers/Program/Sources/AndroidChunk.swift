internal import CompoundFiles

/// A part of the binary files in a package of Android (AOSP, `ResourceTypes.h`): its kind, the length of its header and its
/// whole length, then what is in it.
struct AndroidChunk {
    /// The kinds that are looked at.
    enum Kind: Int {
        case strings = 0x0001, table = 0x0002, document = 0x0003, element = 0x0102, names = 0x0180, package = 0x0200,
            values = 0x0201
    }

    /// `nil` for kinds that are passed over.
    let kind: Kind?
    /// The whole chunk in the file, and what is behind its header.
    let range: Range<Int>, body: Range<Int>

    /// Chunks at most, in one other.
    private static let most = 1 << 16

    /// - Returns: `nil` for what is no chunk, or not within these bytes.
    init?(_ bytes: [UInt8], at start: Int, end: Int) {
        guard let kind = bytes.uint16(at: start), let header = bytes.uint16(at: start + 2),
            let length = bytes.uint32(at: start + 4), header >= 8, header <= length, length <= end - start
        else { return nil }
        self.kind = Kind(rawValue: kind)
        range = start..<start + length
        body = start + header..<start + length
    }

    /// The chunks in a part of a file, one behind the other; those before the damage where there is one.
    static func chunks(_ bytes: [UInt8], in range: Range<Int>) -> [AndroidChunk] {
        var found: [AndroidChunk] = []
        var at = range.lowerBound
        while found.count < most, let chunk = AndroidChunk(bytes, at: at, end: range.upperBound) {
            found.append(chunk)
            at = chunk.range.upperBound
        }
        return found
    }

    /// The file's only chunk at the top.
    static func whole(_ bytes: [UInt8], _ kind: Kind) -> AndroidChunk? {
        AndroidChunk(bytes, at: 0, end: bytes.count).flatMap { $0.kind == kind ? $0 : nil }
    }
}

/// A value of an attribute or a resource (`Res_value`).
enum AndroidValue {
    /// The number of a string in the pool beside it.
    case string(Int)
    /// The number of a resource.
    case reference(Int)

    /// - Parameters:
    ///   - kind: what the number means.
    ///   - data: the number.
    /// - Returns: `nil` for all other kinds.
    init?(kind: UInt8, data: Int) {
        switch kind {
        case 0x01, 0x07: self = .reference(data)
        case 0x03: self = .string(data)
        default: return nil
        }
    }

    /// Reads one that begins with its own length.
    init?(_ bytes: [UInt8], at start: Int) {
        guard let data = bytes.uint32(at: start + 4) else { return nil }
        self.init(kind: bytes[start + 3], data: data)
    }
}

/// Strings by their numbers (`ResStringPool`), in UTF-8 or UTF-16.
struct AndroidStrings {
    private let bytes: [UInt8]
    private let chunk: AndroidChunk
    private let count: Int, first: Int
    private let isUTF8: Bool

    /// Letters of a string that is a path, a name or a title; longer ones are none of these.
    private static let longest = 4096

    /// - Returns: `nil` when the header is cut off.
    init?(_ bytes: [UInt8], _ chunk: AndroidChunk) {
        let start = chunk.range.lowerBound
        guard let count = bytes.uint32(at: start + 8), let flags = bytes.uint32(at: start + 16),
            let first = bytes.uint32(at: start + 20)
        else { return nil }
        (self.bytes, self.chunk, self.count, self.first) = (bytes, chunk, count, start + first)
        isUTF8 = flags & 0x100 != 0
    }

    /// A string; `nil` when there is none of this number, or it is cut off or too long.
    subscript(number: Int) -> String? {
        guard number >= 0, number < count, let offset = bytes.uint32(at: chunk.body.lowerBound + number * 4) else {
            return nil
        }
        var at = first + offset
        if isUTF8 {
            // How many letters there are, then how many bytes.
            guard length(&at) != nil, let length = length(&at), length <= Self.longest,
                at + length <= chunk.range.upperBound
            else { return nil }
            return String(decoding: bytes[at..<at + length], as: UTF8.self)
        }
        guard let length = length(&at), length <= Self.longest, at + length * 2 <= chunk.range.upperBound else {
            return nil
        }
        return String(decoding: (0..<length).map { UInt16(bytes.uint16(at: at + $0 * 2) ?? 0) }, as: UTF16.self)
    }

    /// A length in one unit, or in two when the upper bit of the first is set.
    private func length(_ at: inout Int) -> Int? {
        let size = isUTF8 ? 1 : 2
        func unit() -> Int? {
            defer { at += size }
            guard at + size <= chunk.range.upperBound else { return nil }
            return isUTF8 ? Int(bytes[at]) : bytes.uint16(at: at)
        }
        let bits = size * 8
        guard let high = unit() else { return nil }
        guard high >> (bits - 1) == 1 else { return high }
        guard let low = unit() else { return nil }
        return (high & (1 << (bits - 1) - 1)) << bits | low
    }
}
