/// Makes zip archives.
/// - Parameters:
///   - claimedSize: what the list at the end says about the size of each file, for lies.
///   - isPacked: whether the files are packed, as one block that does not make them smaller (RFC 1951, 3.2.4), rather
///     than stored as they are. They have fewer than 65,536 bytes then.
func zipFile(
    _ files: [(name: String, bytes: [UInt8])], claimedSize: Int? = nil, isPacked: Bool = false
) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var body: [UInt8] = []
    var list: [UInt8] = []
    for file in files {
        let name = Array(file.name.utf8)
        let offset = body.count
        let count = file.bytes.count
        let bytes = isPacked ? [1] + little(count, 2) + little(~count, 2) + file.bytes : file.bytes
        let method = little(0, 2) + little(isPacked ? 8 : 0, 2) + little(0, 4)
        let sizes = little(crc32(file.bytes), 4) + little(bytes.count, 4)
        body += little(0x0403_4B50, 4) + little(20, 2) + method + sizes + little(count, 4)
        body += little(name.count, 2) + little(0, 2) + name + bytes
        list += little(0x0201_4B50, 4) + little(20, 2) + little(20, 2) + method + sizes
        list += little(claimedSize ?? file.bytes.count, 4) + little(name.count, 2) + little(0, 12) + little(offset, 4)
        list += name
    }
    return body + list + little(0x0605_4B50, 4) + little(0, 4) + little(files.count, 2) + little(files.count, 2)
        + little(list.count, 4) + little(body.count, 4) + little(0, 2)
}

/// The checksum of zip archives (ISO 3309), bit by bit.
private func crc32(_ bytes: [UInt8]) -> Int {
    var sum: UInt32 = .max
    for byte in bytes {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
    }
    return Int(~sum)
}
