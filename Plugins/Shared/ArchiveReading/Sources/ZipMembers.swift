internal import VitrineKit

/// The list of members at the end of a zip file (PKWARE's APPNOTE 6.3.10, 4.3.12 to 4.3.16).
///
/// libarchive reads it too, but looks at every member's own header on the way: a read for each, which is dear where the
/// file is far away.
struct ZipMembers {
    private(set) var members: [ArchiveMember] = []
    private(set) var isWhole = true

    /// Bytes of the list that are read at most.
    private static let longest = 48 << 20
    private static let unknown32 = 0xFFFF_FFFF

    /// Reads the list.
    /// - Returns: `nil` when the file does not begin as a zip, or when its list cannot be found: what is there may still
    ///   be found by walking.
    /// - Throws: what the input throws.
    init?(_ input: any RandomAccessInput, limits: ArchiveLimits) throws(PluginError) {
        guard let head = try input.head(4).number(at: 0, 4), head == 0x0403_4B50 || head == 0x0605_4B50 else {
            return nil
        }
        let tailStart = max(0, input.size - (22 + 65_535))
        let tail = try input.bytes(at: tailStart, count: 22 + 65_535)
        let ends = stride(from: tail.count - 22, through: 0, by: -1)
        guard let end = ends.first(where: { tail.number(at: $0, 4) == 0x0605_4B50 }),
            var count = tail.number(at: end + 10, 2), var size = tail.number(at: end + 12, 4),
            var offset = tail.number(at: end + 16, 4)
        else { return nil }
        if count == 0xFFFF || size == Self.unknown32 || offset == Self.unknown32 {
            // The record of files beyond 4 GiB, by its locator.
            if tail.number(at: end - 20, 4) == 0x0706_4B50 {
                guard let at = tail.number(at: end - 12, 8) else { return nil }
                let record = try input.bytes(at: Int64(at), count: 56)
                guard record.number(at: 0, 4) == 0x0606_4B50, let c = record.number(at: 32, 8),
                    let s = record.number(at: 40, 8), let o = record.number(at: 48, 8)
                else { return nil }
                (count, size, offset) = (c, s, o)
            }
        }
        let wanted = min(size, Self.longest)
        isWhole = wanted == size && count <= limits.members
        // Mostly the list lies in the tail that has been read already.
        let inTail = Int64(offset) - tailStart
        let list =
            inTail >= 0 && inTail <= Int64(tail.count) - Int64(wanted)
            ? Array(tail[Int(inTail)..<Int(inTail) + wanted])
            : try input.bytes(at: Int64(offset), count: wanted)
        var at = 0
        while members.count < min(count, limits.members) {
            guard let member = Self.member(list, &at, limits) else { break }
            members.append(member)
        }
        if members.count < count {
            isWhole = false
            // A list of which nothing can be read is none.
            if members.isEmpty { return nil }
        }
    }

    private static func member(_ list: [UInt8], _ at: inout Int, _ limits: ArchiveLimits) -> ArchiveMember? {
        guard list.number(at: at, 4) == 0x0201_4B50, let system = list.number(at: at + 5, 1),
            let flags = list.number(at: at + 8, 2), var packed = list.number(at: at + 20, 4),
            var size = list.number(at: at + 24, 4), let nameLength = list.number(at: at + 28, 2),
            let extraLength = list.number(at: at + 30, 2), let commentLength = list.number(at: at + 32, 2),
            let attributes = list.number(at: at + 38, 4), var offset = list.number(at: at + 42, 4),
            at + 46 + nameLength + extraLength <= list.count
        else { return nil }
        let start = at
        var unixTime: Int64?
        let name = Array(list[(at + 46)..<(at + 46 + nameLength)])
        var field = at + 46 + nameLength
        let extraEnd = field + extraLength
        while let id = list.number(at: field, 2), let length = list.number(at: field + 2, 2), field + 4 <= extraEnd {
            if id == 1 {
                // Those numbers that did not fit, in this order.
                var value = field + 4
                if size == unknown32 {
                    size = list.number(at: value, 8) ?? .max
                    value += 8
                }
                if packed == unknown32 {
                    packed = list.number(at: value, 8) ?? .max
                    value += 8
                }
                if offset == unknown32 { offset = list.number(at: value, 8) ?? 0 }
            }
            // The time of Info-ZIP's extended timestamp, when its flags say that it is there.
            if id == 0x5455, length >= 5, let flags = list.number(at: field + 4, 1), flags & 1 != 0,
                let seconds = list.number(at: field + 5, 4)
            {
                unixTime = Int64(Int32(truncatingIfNeeded: seconds))
            }
            field += 4 + length
        }
        at = extraEnd + commentLength
        var modified = time(date: list.number(at: start + 14, 2) ?? 0, clock: list.number(at: start + 12, 2) ?? 0)
        if let seconds = unixTime { modified = Timestamp(seconds: seconds) }
        let isFolder = name.last == UInt8(ascii: "/")
        // Unix keeps the kind of a file in the upper half: regular ones only.
        let kind = system == 3 ? attributes >> 28 : 0
        var member = ArchiveMember(
            name: Array(name.prefix(limits.name)), size: Int64(size),
            isFile: !isFolder && (kind == 0 || kind == 8), isFolder: isFolder, isEncrypted: flags & 1 != 0,
            place: .offset(Int64(offset)))
        member.isLink = kind == 10
        member.modified = modified
        member.checksum = list.number(at: start + 16, 4).flatMap { UInt32(exactly: $0) }
        // The local header has a name and extra fields of its own, which are about as long as these.
        let (sum, overflow) = Int64(packed).addingReportingOverflow(Int64(30 + nameLength + extraLength + 256))
        member.packed = overflow ? nil : sum
        return member
    }

    /// A time as MS-DOS keeps it, in no time zone: as if it were UTC, so that it is the same on every machine.
    private static func time(date: Int, clock: Int) -> Timestamp? {
        let (year, month, day) = (1980 + (date >> 9), (date >> 5) & 15, date & 31)
        guard 1...12 ~= month, day > 0 else { return nil }
        // Days since 1970, by years that begin in March (the civil calendar repeats after 146,097 days).
        let (y, m) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468
        let seconds = (clock >> 11) * 3600 + ((clock >> 5) & 63) * 60 + (clock & 31) * 2
        return Timestamp(seconds: Int64(days) * 86_400 + Int64(seconds))
    }
}

extension [UInt8] {
    /// A number, least significant byte first; `nil` past the end or beyond what an `Int` holds.
    fileprivate func number(at offset: Int, _ size: Int) -> Int? {
        guard offset >= 0, offset <= count - size else { return nil }
        var value: UInt64 = 0
        for index in (0..<size).reversed() { value = value << 8 | UInt64(self[offset + index]) }
        return Int(exactly: value)
    }
}
