/// Makes small compound files ([MS-CFB]) with streams of at least 4,096 bytes, which lie in sectors of 512 bytes.
/// A stream named `a/b` lies in a storage of its own.
public func compoundFile(_ streams: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    let end = 0xFFFF_FFFE
    let none = 0xFFFF_FFFF
    // Sector 0 is the allocation table, 1 and 2 the directory, then the streams.
    var table = [0xFFFF_FFFD, 2, end]
    var body: [UInt8] = []
    var directory: [[UInt8]] = []
    func entry(_ name: String, type: UInt8, right: Int, child: Int, start: Int, size: Int) -> [UInt8] {
        let units = name.utf16.flatMap { little(Int($0), 2) }
        return units + [UInt8](repeating: 0, count: 64 - units.count) + little(units.count + 2, 2) + [type, 1]
            + little(none, 4) + little(right, 4) + little(child, 4) + [UInt8](repeating: 0, count: 36)
            + little(start, 4) + little(size, 8)
    }
    directory.append(entry("Root Entry", type: 5, right: none, child: 1, start: end, size: 0))
    for (number, stream) in streams.enumerated() {
        let padded = stream.bytes + [UInt8](repeating: 0, count: max(4096 - stream.bytes.count, 0))
        let sectors = (padded.count + 511) / 512
        let names = stream.name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let right = number + 1 < streams.count ? directory.count + names.count : none
        if names.count == 2 {
            directory.append(
                entry(names[0], type: 1, right: right, child: directory.count + 1, start: 0, size: 0))
        }
        directory.append(
            entry(
                names[names.count - 1], type: 2, right: names.count == 2 ? none : right, child: none,
                start: table.count,
                size: padded.count))
        table += (1..<sectors).map { table.count + $0 } + [end]
        body += padded + [UInt8](repeating: 0, count: sectors * 512 - padded.count)
    }
    var header = signature + [UInt8](repeating: 0, count: 16)
    header += little(0x3E, 2) + little(3, 2) + little(0xFFFE, 2) + little(9, 2) + little(6, 2)
    header += [UInt8](repeating: 0, count: 10) + little(1, 4) + little(1, 4) + little(0, 4) + little(4096, 4)
    header += little(end, 4) + little(0, 4) + little(end, 4) + little(0, 4) + little(0, 4)
    header += (0..<108).flatMap { _ in little(none, 4) }
    table += [Int](repeating: none, count: 128 - table.count)
    let entries = directory.flatMap { $0 }
    return header + table.flatMap { little($0, 4) } + entries
        + [UInt8](repeating: 0, count: 1024 - entries.count) + body
}

private let signature: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]
