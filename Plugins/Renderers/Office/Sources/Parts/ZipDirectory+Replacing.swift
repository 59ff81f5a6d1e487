internal import CompoundFiles
internal import PrivateCopies
internal import VitrineKit

extension ZipDirectory {
    /// Writes the archive with other bytes in the place of some files'; the others are copied as they are packed.
    /// - Parameters:
    ///   - contents: what these files hold from now on, stored as it is, by their names, each of which there must be once.
    ///   - input: the archive that this is the directory of.
    ///   - write: gets what is to be written, piece by piece.
    /// - Throws: `unsupported` when that is not possible, also when the others together are larger than the archive, as they
    ///   can be where several lie at the same place; what the input throws, and what `write` does.
    func replace(
        _ contents: [String: [UInt8]], of input: any RandomAccessInput,
        write: ([UInt8]) throws(PluginError) -> Void
    ) throws(PluginError) {
        let others = entries.filter { contents[$0.name] == nil }
        guard entries.count - others.count == contents.count, Set(entries.map(\.name)).isSuperset(of: contents.keys),
            entries.count < 0xFFFF, input.size < 1 << 31, contents.values.reduce(0, { $0 + $1.count }) < 1 << 30,
            others.allSatisfy(Self.canBeCopied), others.reduce(0, { $0 + $1.packedSize }) <= input.size
        else { throw Self.cannotBeReplaced }
        try withoutActuallyEscaping(write) { (write) throws(PluginError) in
            var writer = ZipWriter(write: write)
            for entry in entries {
                if let replacement = contents[entry.name] {
                    try writer.add(entry.name, replacement)
                } else {
                    try writer.begin(
                        entry.name, isStored: entry.isStored, checksum: entry.checksum, packedSize: entry.packedSize,
                        size: entry.size)
                    try copy(entry, entry.packedSize, of: input, write)
                }
            }
            try writer.end()
        }
    }

    /// Whether a file can be written as it lies there, with sizes of 32 bits.
    private static func canBeCopied(_ entry: Entry) -> Bool {
        entry.size < 1 << 31 && (entry.isDeflated || entry.isStored && entry.packedSize == entry.size)
    }

    private func copy(
        _ entry: Entry, _ count: Int, of input: any RandomAccessInput, _ write: ([UInt8]) throws(PluginError) -> Void
    ) throws(PluginError) {
        guard let start = try start(of: entry, in: input), Int64(start) + Int64(count) <= input.size else {
            throw Self.cannotBeReplaced
        }
        var done = 0
        while done < count {
            let block = try input.bytes(at: Int64(start + done), count: min(1 << 20, count - done))
            guard !block.isEmpty else { throw Self.cannotBeReplaced }
            try write(block)
            done += block.count
        }
    }

    private static let cannotBeReplaced = PluginError(
        .unsupported, "the document's parts cannot be taken apart: read it as a whole")
}
