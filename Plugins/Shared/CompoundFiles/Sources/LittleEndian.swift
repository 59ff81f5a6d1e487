/// Numbers in files of Microsoft's and PKWARE's formats, least significant byte first. Every access is checked
/// against the array's end.
extension [UInt8] {
    /// Two bytes at an offset, or `nil` past the end.
    package func uint16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return Int(self[offset]) | Int(self[offset + 1]) << 8
    }

    /// Four bytes at an offset, or `nil` past the end.
    package func uint32(at offset: Int) -> Int? {
        guard let low = uint16(at: offset), let high = uint16(at: offset + 2) else { return nil }
        return low | high << 16
    }

    /// Eight bytes at an offset, or `nil` past the end or beyond what an `Int` holds.
    package func uint64(at offset: Int) -> Int? {
        guard let low = uint32(at: offset), let high = uint32(at: offset + 4), high < 1 << 31 else { return nil }
        return low | high << 32
    }

    /// Whether these bytes stand at an offset.
    package func holds(_ bytes: some Collection<UInt8>, at offset: Int = 0) -> Bool {
        offset >= 0 && offset <= count - bytes.count && self[offset..<(offset + bytes.count)].elementsEqual(bytes)
    }
}
