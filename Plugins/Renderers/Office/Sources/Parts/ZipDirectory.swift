internal import COffice
internal import CompoundFiles
internal import VitrineKit

/// The list of files at the end of a zip archive (PKWARE's APPNOTE 4.3.12 to 4.3.16).
struct ZipDirectory {
    /// One file of the archive, as the list says.
    struct Entry {
        /// Its path.
        var name: String
        /// Bytes when unpacked.
        var size: Int
        /// Whether its bytes lie in the archive as they are.
        var isStored: Bool
        /// Whether they are packed as RFC 1951 says.
        var isDeflated: Bool
        /// Bytes as they lie in the archive.
        var packedSize: Int
        /// CRC-32 of the bytes when unpacked.
        var checksum: Int
        /// When it was written, in minutes that are counted as if each month had 31 days; `nil` where nothing is said, as by
        /// Microsoft's programs, which write the first minute of 1980.
        var minute: Int?
        fileprivate var offset: Int
    }

    /// The files in the order of the list.
    private(set) var entries: [Entry] = []

    /// Bytes of all files when unpacked.
    var unpackedSize: Int { Self.sum(entries) }

    /// Bytes of the files that are XML or Excel's records, when unpacked: what has to be parsed.
    var parsedSize: Int {
        Self.sum(entries.filter { entry in Self.parsedSuffixes.contains { entry.name.hasSuffix($0) } })
    }

    private static let parsedSuffixes = [".xml", ".rels", ".vml", ".rdf", ".bin"]

    private static let maximumEntries = 100_000
    private static let maximumBytes = 32 << 20
    private static let shortestEntry = 46

    /// Reads the list.
    /// - Throws: `corrupt` when there is none or it is cut off, `limitExceeded` when it is too long, or what the
    ///   input throws.
    init(_ input: any RandomAccessInput) throws(PluginError) {
        let tailSize = Int(min(input.size, 22 + 65_535))
        let tailStart = input.size - Int64(tailSize)
        let tail = try input.bytes(at: tailStart, count: tailSize)
        let candidates = stride(from: tail.count - 22, through: 0, by: -1)
        guard let end = candidates.first(where: { tail.holds([0x50, 0x4B, 0x05, 0x06], at: $0) }),
            var count = tail.uint16(at: end + 10), var size = tail.uint32(at: end + 12),
            var offset = tail.uint32(at: end + 16)
        else { throw PluginError(.corrupt, "the document is cut off: the list of its parts, at the end, is missing") }
        if offset == 0xFFFF_FFFF || count == 0xFFFF || size == 0xFFFF_FFFF {
            let large = try Self.large(input, tail, end)
            (count, size, offset) = large
        }
        // The list lies in the file, and each part has so many bytes in it, and its name.
        guard Int64(size) <= input.size, count <= size / Self.shortestEntry else { throw Self.broken }
        guard count <= Self.maximumEntries, size <= Self.maximumBytes else {
            throw PluginError(
                .limitExceeded,
                "the document has \(count) parts in a list of \(size) bytes; at most \(Self.maximumEntries) in "
                    + "\(Self.maximumBytes >> 20) MiB are read")
        }
        let list = try input.bytes(at: Int64(offset), count: size)
        var at = 0
        for _ in 0..<count {
            guard let entry = Self.entry(list, &at) else { throw Self.broken }
            entries.append(entry)
        }
    }

    /// Whether a file of this path is there.
    func contains(_ name: String) -> Bool { entries.contains { $0.name == name } }

    /// Whether a file is there that ``unpacked(_:limit:in:)`` can unpack, unless its bytes are damaged.
    func canUnpack(_ name: String, limit: Int) -> Bool {
        entries.contains { entry in
            entry.name == name && 1...limit ~= entry.size
                && (entry.isStored || entry.isDeflated && 1...limit ~= entry.packedSize)
        }
    }

    /// The first bytes of a file that is stored as it is; `nil` when it is packed or not there.
    func stored(_ name: String, count: Int, in input: any RandomAccessInput) throws(PluginError) -> [UInt8]? {
        guard let entry = entries.first(where: { $0.name == name }), entry.isStored else { return nil }
        return try contents(of: entry, count: min(count, entry.size), in: input)
    }

    /// A whole file, unpacked.
    /// - Returns: `nil` when it is not there, when it or its packed form is empty or has more bytes than `limit`, and
    ///   when it cannot be unpacked to the size that the list says.
    func unpacked(_ name: String, limit: Int, in input: any RandomAccessInput) throws(PluginError) -> [UInt8]? {
        guard let entry = entries.first(where: { $0.name == name }), 1...limit ~= entry.size else { return nil }
        if entry.isStored { return try contents(of: entry, count: entry.size, in: input) }
        guard entry.isDeflated, 1...limit ~= entry.packedSize,
            let packed = try contents(of: entry, count: entry.packedSize, in: input)
        else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: entry.size) { buffer, count in
            let failed = coffice_inflate(
                packed, CUnsignedInt(packed.count), buffer.baseAddress, CUnsignedInt(entry.size))
            count = failed == 0 ? entry.size : 0
        }
        return bytes.isEmpty ? nil : bytes
    }

    private func contents(
        of entry: Entry, count: Int, in input: any RandomAccessInput
    ) throws(PluginError) -> [UInt8]? {
        guard let start = try start(of: entry, in: input) else { return nil }
        return try input.bytes(at: Int64(start), count: count)
    }

    /// Where a file's bytes begin; `nil` where there is no file.
    func start(of entry: Entry, in input: any RandomAccessInput) throws(PluginError) -> Int? {
        let header = try input.bytes(at: Int64(entry.offset), count: 30)
        guard let name = header.uint16(at: 26), let extra = header.uint16(at: 28) else { return nil }
        return entry.offset + 30 + name + extra
    }

    private static func sum(_ entries: [Entry]) -> Int {
        entries.reduce(0) { sum, entry in
            let (sum, overflow) = sum.addingReportingOverflow(entry.size)
            return overflow ? .max : sum
        }
    }

    private static let broken = PluginError(.corrupt, "the list of the document's parts is damaged")

    /// Count, size and offset from the record for archives beyond 4 GiB.
    private static func large(
        _ input: any RandomAccessInput, _ tail: [UInt8], _ end: Int
    ) throws(PluginError) -> (Int, Int, Int) {
        guard tail.holds([0x50, 0x4B, 0x06, 0x07], at: end - 20), let at = tail.uint64(at: end - 12) else {
            throw broken
        }
        let record = try input.bytes(at: Int64(at), count: 56)
        guard record.holds([0x50, 0x4B, 0x06, 0x06]), let count = record.uint64(at: 32),
            let size = record.uint64(at: 40), let offset = record.uint64(at: 48)
        else { throw broken }
        return (count, size, offset)
    }

    private static func entry(_ list: [UInt8], _ at: inout Int) -> Entry? {
        guard list.holds([0x50, 0x4B, 0x01, 0x02], at: at), let method = list.uint16(at: at + 10),
            let time = list.uint16(at: at + 12), let date = list.uint16(at: at + 14),
            let checksum = list.uint32(at: at + 16), let packedSize = list.uint32(at: at + 20),
            var size = list.uint32(at: at + 24),
            let nameLength = list.uint16(at: at + 28),
            let extraLength = list.uint16(at: at + 30), let commentLength = list.uint16(at: at + 32),
            var offset = list.uint32(at: at + 42), at + 46 + nameLength + extraLength <= list.count
        else { return nil }
        let name = String(decoding: list[(at + 46)..<(at + 46 + nameLength)], as: UTF8.self)
        let extra = Array(list[(at + 46 + nameLength)..<(at + 46 + nameLength + extraLength)])
        var field = 0
        while let id = extra.uint16(at: field), let length = extra.uint16(at: field + 2) {
            if id == 1 {
                var value = field + 4
                if size == 0xFFFF_FFFF {
                    size = extra.uint64(at: value) ?? .max
                    value += 8
                    // The packed size comes between, when that is large as well.
                    if packedSize == 0xFFFF_FFFF { value += 8 }
                }
                if offset == 0xFFFF_FFFF { offset = extra.uint32(at: value) ?? 0 }
            }
            field += 4 + length
        }
        at += 46 + nameLength + extraLength + commentLength
        return Entry(
            name: name, size: size, isStored: method == 0, isDeflated: method == 8, packedSize: packedSize,
            checksum: checksum, minute: minute(date, time), offset: offset)
    }

    /// What the date and time of DOS say (APPNOTE 4.4.6).
    private static func minute(_ date: Int, _ time: Int) -> Int? {
        guard date > 0x21 || time > 0 else { return nil }
        let day = ((date >> 9) * 12 + (date >> 5 & 15)) * 31 + (date & 31)
        return (day * 24 + (time >> 11)) * 60 + (time >> 5 & 63)
    }
}
