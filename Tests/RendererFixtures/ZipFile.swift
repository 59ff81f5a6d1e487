/// Makes zip files (PKWARE's APPNOTE), and lies about them when told to.
/// - Parameters:
///   - count: how many members the list says that it has.
///   - listAt: where the list is said to begin.
///   - claimedSize: what the list says about the size of each file.
///   - isPacked: whether the files are packed, as blocks that do not make them smaller (RFC 1951, 3.2.4), rather than
///     stored as they are.
///   - checksum: that of all files (CRC-32); `nil`: the right ones. Default: a wrong one, which is no reason to show nothing.
public func zipFile(
    _ files: [(name: String, bytes: [UInt8])], count: Int? = nil, listAt: Int? = nil, claimedSize: Int? = nil,
    isPacked: Bool = false, checksum: UInt32? = 0
) -> [UInt8] {
    var body: [UInt8] = []
    var list: [UInt8] = []
    for file in files {
        let name = Array(file.name.utf8)
        let size = file.bytes.count
        let bytes = isPacked ? blocks(file.bytes) : file.bytes
        let method = little(0, 2) + little(isPacked ? 8 : 0, 2) + little(0, 4)
        let sum = little(Int(checksum ?? crc32(file.bytes)), 4) + little(bytes.count, 4)
        list += little(0x0201_4B50, 4) + little(20, 2) + little(20, 2) + method + sum + little(claimedSize ?? size, 4)
        list += little(name.count, 2) + little(0, 12) + little(body.count, 4) + name
        body += little(0x0403_4B50, 4) + little(20, 2) + method + sum + little(size, 4)
        body += little(name.count, 2) + little(0, 2) + name + bytes
    }
    let members = little(min(count ?? files.count, 0xFFFF), 2)
    return body + list + little(0x0605_4B50, 4) + little(0, 4) + members + members + little(list.count, 4)
        + little(listAt ?? body.count, 4) + little(0, 2)
}

/// Bytes in blocks that are not compressed, each as long as can be.
private func blocks(_ bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    var packed: [UInt8] = []
    repeat {
        let block = rest.prefix(0xFFFF)
        rest = rest.dropFirst(0xFFFF)
        packed += [rest.isEmpty ? 1 : 0] + little(block.count, 2) + little(~block.count, 2) + block
    } while !rest.isEmpty
    return packed
}

/// The checksum of zip archives and PNG pictures (ISO 3309), bit by bit.
public func crc32(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = .max
    for byte in bytes {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
    }
    return ~sum
}
