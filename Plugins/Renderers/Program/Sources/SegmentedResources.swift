internal import CompoundFiles
internal import VitrineKit

/// The resources of a program of 16 bits for Windows 3 (Microsoft, "Executable-File Header Format", KB 65122): one table of
/// kinds, each with its resources.
struct SegmentedResources: ProgramResources {
    private let input: any RandomAccessInput
    private let table: [UInt8]
    /// By how many bits lengths and places are shifted.
    private let shift: Int

    /// Bytes of the table at most.
    private static let longestTable = 64 << 10

    /// Reads the table.
    /// - Parameters:
    ///   - input: the file.
    ///   - start: where the signature is.
    /// - Returns: `nil` when the program has no resources.
    /// - Throws: `corrupt` when the header is cut off, or what the input throws.
    init?(_ input: any RandomAccessInput, at start: Int64) throws(PluginError) {
        // Where the tables of resources and of names are, the one behind the other.
        let header = try input.bytes(at: start, count: 0x40)
        guard let from = header.uint16(at: 0x24), let to = header.uint16(at: 0x26) else {
            throw PluginError(.corrupt, "the program's header is damaged, or cut off; fetch the program again")
        }
        guard from > 0, from < to else { return nil }
        table = try input.bytes(at: start + Int64(from), count: min(to - from, Self.longestTable))
        guard let shift = table.uint16(at: 0), shift <= 16 else { return nil }
        (self.input, self.shift) = (input, shift)
    }

    func first(of kind: ResourceKind) throws(PluginError) -> [UInt8]? {
        // What a program of 16 bits says of itself is written in another way.
        kind == .version ? nil : try content(kind) { _ in true }
    }

    func resource(_ kind: ResourceKind, _ number: Int) throws(PluginError) -> [UInt8]? {
        try content(kind) { $0 == number }
    }

    private func content(_ kind: ResourceKind, _ isChosen: (Int) -> Bool) throws(PluginError) -> [UInt8]? {
        var at = 2
        // The upper bit tells numbers from names.
        while let type = table.uint16(at: at), type != 0, let count = table.uint16(at: at + 2) {
            let entries = at + 8
            at = entries + count * 12
            guard type == 0x8000 | kind.rawValue else { continue }
            for entry in stride(from: entries, to: min(at, table.count - 11), by: 12) {
                guard let offset = table.uint16(at: entry), let length = table.uint16(at: entry + 2),
                    let number = table.uint16(at: entry + 6), isChosen(number & 0x7FFF)
                else { continue }
                try ResourceLimits.check(length << shift)
                return try input.bytes(at: Int64(offset << shift), count: length << shift)
            }
        }
        return nil
    }
}
