package import VitrineKit

/// A stream of a compound file that is not short, of which any part can be read. Its sectors are looked up as far as they are
/// needed. Not for several threads at once.
package struct CompoundStream {
    private let file: CompoundFile
    private let chain: SectorChain
    /// Bytes in it, as the directory says.
    package let size: Int

    /// Opens a stream of the root folder.
    /// - Returns: `nil` when there is none of this name, when it is short, or longer than the file.
    package init?(_ name: String, of file: CompoundFile) {
        guard let stream = file.entries[name], stream.size >= CompoundFile.miniCutoff, stream.size <= file.input.size
        else { return nil }
        self.file = file
        chain = SectorChain(stream.start)
        size = stream.size
    }

    /// Some bytes of it.
    /// - Parameter count: 4 MiB at most.
    /// - Returns: `nil` when there are not so many, or its sectors cannot be followed.
    package func bytes(at offset: Int, count: Int) throws(PluginError) -> [UInt8]? {
        guard 0...CompoundFile.longestStream ~= count, offset >= 0, offset <= size - count else { return nil }
        var bytes: [UInt8] = []
        while bytes.count < count {
            let at = offset + bytes.count
            let part = min(count - bytes.count, file.sectorSize - at % file.sectorSize)
            guard let more = try file.bytes(of: chain, at: at, count: part) else { return nil }
            bytes += more
        }
        return bytes
    }

    /// Where a byte of it lies in the file.
    /// - Returns: `nil` when it has no such byte, or its sectors cannot be followed.
    package func place(of offset: Int) throws(PluginError) -> Int64? {
        guard 0..<size ~= offset else { return nil }
        return try file.place(of: offset, in: chain)
    }
}
