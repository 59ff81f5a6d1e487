// Whole items that were made out of others, such as members of archives: kept until they are asked for.
extension BlockCache {
    /// Keeps all bytes of an item, as far as there is room.
    public func keep(content: [UInt8], of version: ItemVersion) {
        for (index, start) in stride(from: 0, to: content.count, by: Int(Self.block)).enumerated() {
            keep(Array(content[start..<min(content.count, start + Int(Self.block))]), Int64(index), of: version)
        }
    }

    /// All bytes of an item, if every one of them is still there.
    /// - Parameter size: the bytes that it must have.
    public func content(of version: ItemVersion, size: Int64) -> [UInt8]? {
        var content: [UInt8] = []
        var start: Int64 = 0
        while start < size {
            let count = Int(min(Self.block, size - start))
            guard let block = block(start / Self.block, of: version, count: count) else { return nil }
            if content.isEmpty { content.reserveCapacity(Int(size)) }
            content += block
            start += Int64(count)
        }
        return content
    }
}
