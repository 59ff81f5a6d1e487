package import VitrineKit

/// A compound file (OLE2, [MS-CFB]): the little file system that doc, xls and ppt files are, and enciphered
/// docx, xlsx and pptx files as well, and mails that Outlook saves.
///
/// Reads the streams of the root folder, and those of the storages in it where they are asked for: documents embedded in others
/// have streams of the same names deeper down. Chains of sectors are followed for a bounded number of steps, so that loops
/// end. Not for several threads at once.
package struct CompoundFile {
    /// A stream, or a storage, which has no bytes.
    package struct Stream {
        var start: Int
        /// Bytes in it, as the directory says.
        package var size: Int
        /// Where the entries of a storage begin.
        fileprivate var child: Int
    }

    /// The streams and storages of the root folder by name.
    package private(set) var entries: [String: Stream] = [:]

    private var records: [[UInt8]] = []
    let input: any RandomAccessInput
    let sectorSize: Int
    private let sectorTables: [Int]
    /// Short streams lie in parts of a stream of their own; which part follows which is told in a chain of sectors.
    private let miniTable: SectorChain
    private var miniStream: SectorChain?
    private var miniSize = 0

    /// The first eight bytes of every compound file.
    package static let signature: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]

    /// Parts of the stream of short streams, and what is short ([MS-CFB] 2.2 has no other number).
    private static let miniSectorSize = 64
    static let miniCutoff = 4096
    private static let maximumEntries = 4096
    /// Bytes of a stream that are read at most.
    static let longestStream = 4 << 20
    /// The same of what is read from its beginning: pictures in mails may be long.
    private static let longestHead = 16 << 20
    /// Sectors of the allocation table that are looked at: enough for a file of 2 GiB.
    private static let maximumTables = 1 << 15
    /// Sectors that list those of the allocation table, beyond the first 109.
    private static let maximumLists = 512
    private static let lastSector = 0xFFFF_FFFA

    /// Reads header and directory.
    /// - Throws: `corrupt` when they make no sense, or what the input throws.
    package init(_ input: any RandomAccessInput) throws(PluginError) {
        let header = try input.head(512)
        guard header.holds(Self.signature), let shift = header.uint16(at: 30), shift == 9 || shift == 12,
            let directory = header.uint32(at: 48), header.uint32(at: 56) == Self.miniCutoff,
            let miniTable = header.uint32(at: 60)
        else { throw Self.broken }
        self.input = input
        sectorSize = 1 << shift
        self.miniTable = SectorChain(miniTable)
        sectorTables = try Self.tables(input, header, sectorSize: 1 << shift)
        try readDirectory(directory)
    }

    /// The first bytes of a stream of the root folder.
    /// - Parameter count: how many at most.
    /// - Returns: `nil` when there is no such stream, or when its sectors cannot be followed.
    package func head(of name: String, count: Int) throws(PluginError) -> [UInt8]? {
        guard let stream = entries[name] else { return nil }
        return try head(of: stream, count: count)
    }

    /// The streams of a storage of the root folder by name; none where there is no such storage.
    package func streams(of storage: String) -> [String: Stream] {
        guard let child = entries[storage]?.child else { return [:] }
        return entries(from: child)
    }

    /// The first bytes of a stream.
    /// - Parameter count: how many at most.
    /// - Returns: `nil` when its sectors cannot be followed.
    package func head(of stream: Stream, count: Int) throws(PluginError) -> [UInt8]? {
        let wanted = min(count, stream.size)
        if stream.size >= Self.miniCutoff { return try chain(stream.start, count: wanted) }
        guard let miniStream else { return nil }
        var bytes: [UInt8] = []
        var part = stream.start
        while bytes.count < wanted {
            let offset = part * Self.miniSectorSize
            guard offset + Self.miniSectorSize <= min(miniSize, Self.longestStream),
                let block = try self.bytes(of: miniStream, at: offset, count: Self.miniSectorSize)
            else { return nil }
            bytes += block
            guard let next = try self.bytes(of: miniTable, at: part * 4, count: 4)?.uint32(at: 0) else { return nil }
            part = next
        }
        return Array(bytes.prefix(wanted))
    }

    /// Some bytes of a chain, which lie in one of its sectors.
    /// - Returns: `nil` when the chain or the file ends before.
    func bytes(of chain: SectorChain, at offset: Int, count: Int) throws(PluginError) -> [UInt8]? {
        guard let start = try place(of: offset, in: chain) else { return nil }
        let bytes = try input.bytes(at: start, count: count)
        return bytes.count == count ? bytes : nil
    }

    /// Where a byte of a chain lies in the file.
    /// - Returns: `nil` when the chain ends before.
    func place(of offset: Int, in chain: SectorChain) throws(PluginError) -> Int64? {
        let (index, rest) = offset.quotientAndRemainder(dividingBy: sectorSize)
        while chain.sectors.count <= index {
            guard let last = chain.sectors.last, last < Self.lastSector, let next = try sector(after: last) else {
                return nil
            }
            chain.sectors.append(next)
        }
        guard chain.sectors[index] < Self.lastSector else { return nil }
        return Int64(chain.sectors[index] + 1) * Int64(sectorSize) + Int64(rest)
    }

    private static let broken = PluginError(
        .corrupt, "the file begins like a document of Microsoft Office, but its directory cannot be read")

    /// Where the sectors of the allocation table lie.
    private static func tables(
        _ input: any RandomAccessInput, _ header: [UInt8], sectorSize: Int
    ) throws(PluginError) -> [Int] {
        var tables = (0..<109).compactMap { header.uint32(at: 76 + 4 * $0) }.filter { $0 < lastSector }
        var next = header.uint32(at: 68) ?? lastSector
        // Counted as well: a sector that lists nothing but itself as the next one adds no table.
        var lists = 0
        while next < lastSector, tables.count < maximumTables, lists < maximumLists {
            lists += 1
            let more = try input.bytes(at: Int64(next + 1) * Int64(sectorSize), count: sectorSize)
            guard more.count == sectorSize else { break }
            let last = sectorSize / 4 - 1
            tables += (0..<last).compactMap { more.uint32(at: 4 * $0) }.filter { $0 < lastSector }
            next = more.uint32(at: 4 * last) ?? lastSector
        }
        return tables
    }

    private func sector(_ number: Int) throws(PluginError) -> [UInt8] {
        try input.bytes(at: Int64(number + 1) * Int64(sectorSize), count: sectorSize)
    }

    private func sector(after number: Int) throws(PluginError) -> Int? {
        let (table, slot) = number.quotientAndRemainder(dividingBy: sectorSize / 4)
        guard table < sectorTables.count else { return nil }
        let offset = Int64(sectorTables[table] + 1) * Int64(sectorSize) + Int64(slot * 4)
        return try input.bytes(at: offset, count: 4).uint32(at: 0)
    }

    /// The first bytes of a chain of sectors; `nil` when it ends or breaks before.
    private func chain(_ start: Int, count: Int) throws(PluginError) -> [UInt8]? {
        guard count <= Self.longestHead else { return nil }
        var bytes: [UInt8] = []
        var next = start
        while bytes.count < count {
            guard next < Self.lastSector else { return nil }
            let block = try sector(next)
            guard !block.isEmpty else { return nil }
            bytes += block
            if bytes.count < count {
                guard let following = try sector(after: next) else { return nil }
                next = following
            }
        }
        return Array(bytes.prefix(count))
    }

    private mutating func readDirectory(_ start: Int) throws(PluginError) {
        var next = start
        while next < Self.lastSector, records.count < Self.maximumEntries {
            let block = try sector(next)
            guard block.count >= 128 else { break }
            records += stride(from: 0, through: block.count - 128, by: 128).map { Array(block[$0..<($0 + 128)]) }
            guard let following = try sector(after: next) else { break }
            next = following
        }
        guard let root = records.first, let child = root.uint32(at: 76) else { throw Self.broken }
        if let stream = Self.stream(root) { (miniStream, miniSize) = (SectorChain(stream.start), stream.size) }
        entries = entries(from: child)
    }

    /// A stream or storage, and its siblings, which are a tree.
    private func entries(from first: Int) -> [String: Stream] {
        var entries: [String: Stream] = [:]
        var open = [first]
        var visited: Set<Int> = []
        while let number = open.popLast() {
            guard number < records.count, visited.insert(number).inserted else { continue }
            let record = records[number]
            if let name = Self.name(record), let stream = Self.stream(record) { entries[name] = stream }
            open += [record.uint32(at: 68), record.uint32(at: 72)].compactMap { $0 }
        }
        return entries
    }

    private static func name(_ record: [UInt8]) -> String? {
        guard let length = record.uint16(at: 64), 2...64 ~= length else { return nil }
        let units = stride(from: 0, to: length - 2, by: 2).compactMap { record.uint16(at: $0).map(UInt16.init) }
        return String(decoding: units, as: UTF16.self)
    }

    private static func stream(_ record: [UInt8]) -> Stream? {
        guard let child = record.uint32(at: 76), let start = record.uint32(at: 116), let size = record.uint32(at: 120)
        else { return nil }
        return Stream(start: start, size: size, child: child)
    }
}

/// The sectors of a chain, which are looked up as far as somebody asks for them, each once.
final class SectorChain {
    var sectors: [Int]

    init(_ first: Int) { sectors = [first] }
}
