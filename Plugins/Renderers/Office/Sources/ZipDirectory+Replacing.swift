internal import COffice
internal import CompoundFiles
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
        var list: [UInt8] = []
        var offset = 0
        for entry in entries {
            let replacement = contents[entry.name]
            let fileName = Array(entry.name.utf8)
            let packedSize = replacement?.count ?? entry.packedSize
            let isStored = replacement != nil || entry.isStored
            // Version 2.0; names are UTF-8; how it is packed; no time; the checksum and the sizes (APPNOTE 4.3.7).
            let description =
                Self.little(20, 2) + Self.little(0x800, 2) + Self.little(isStored ? 0 : 8, 2)
                + Self.little(0, 4) + Self.little(replacement.map(Self.checksum) ?? entry.checksum, 4)
                + Self.little(packedSize, 4) + Self.little(replacement?.count ?? entry.size, 4)
                + Self.little(fileName.count, 2) + Self.little(0, 2)
            try write(Self.little(0x0403_4B50, 4) + description + fileName)
            list += Self.little(0x0201_4B50, 4) + Self.little(20, 2) + description
            list += Self.little(0, 10) + Self.little(offset, 4) + fileName
            if let replacement {
                try write(replacement)
            } else {
                try copy(entry, packedSize, of: input, write)
            }
            offset += 30 + fileName.count + packedSize
        }
        let end =
            Self.little(0x0605_4B50, 4) + Self.little(0, 4) + Self.little(entries.count, 2)
            + Self.little(entries.count, 2) + Self.little(list.count, 4) + Self.little(offset, 4) + Self.little(0, 2)
        try write(list + end)
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

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func checksum(_ bytes: [UInt8]) -> Int { Int(crc32(0, bytes, CUnsignedInt(bytes.count))) }
}
