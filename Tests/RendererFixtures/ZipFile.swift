/// Makes zip files (PKWARE's APPNOTE) of files that are stored as they are, and lies about them when told to.
/// - Parameters:
///   - count: how many members the list says that it has.
///   - listAt: where the list is said to begin.
///   - checksum: that of all files (CRC-32). Default: a wrong one, which is no reason to show nothing.
public func zipFile(
    _ files: [(name: String, bytes: [UInt8])], count: Int? = nil, listAt: Int? = nil, checksum: UInt32 = 0
) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var body: [UInt8] = []
    var list: [UInt8] = []
    for file in files {
        let name = Array(file.name.utf8)
        let size = little(file.bytes.count, 4)
        let numbers = little(0, 8) + little(Int(checksum), 4) + size + size
        list += little(0x0201_4B50, 4) + little(20, 2) + little(20, 2) + numbers + little(name.count, 2)
        list += little(0, 12) + little(body.count, 4) + name
        body += little(0x0403_4B50, 4) + little(20, 2) + numbers + little(name.count, 2) + little(0, 2) + name
        body += file.bytes
    }
    let members = little(min(count ?? files.count, 0xFFFF), 2)
    return body + list + little(0x0605_4B50, 4) + little(0, 4) + members + members + little(list.count, 4)
        + little(listAt ?? body.count, 4) + little(0, 2)
}
