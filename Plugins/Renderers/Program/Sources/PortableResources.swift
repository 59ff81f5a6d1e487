internal import CompoundFiles
internal import VitrineKit

/// The resources of a program of 32 or 64 bits (PE Format, "The .rsrc Section"): a tree of tables for kinds, numbers and
/// languages. Tables are read one by one, as far as the way to a resource leads.
struct PortableResources: ProgramResources {
    /// A part of the file that is loaded into memory as a whole.
    private struct Section {
        /// Where it is loaded, and how many bytes of the file.
        let address: Int, length: Int
        /// Where these bytes are in the file.
        let offset: Int
    }

    /// What stands in a table.
    private struct Entry {
        /// `nil` where it has a name instead.
        let number: Int?
        /// Whether ``offset`` is that of another table.
        let isTable: Bool
        /// Counted from the tree's beginning.
        let offset: Int
    }

    private let input: any RandomAccessInput
    private let sections: [Section]
    /// Address of the tree.
    private let root: Int

    /// Sections at most; Windows loads no more than 96.
    private static let mostSections = 96
    /// Tables one below the other: kinds, numbers, languages.
    private static let depth = 3

    /// Finds the tree.
    /// - Parameters:
    ///   - input: the file.
    ///   - start: where the signature is.
    /// - Returns: `nil` when the program has no resources.
    /// - Throws: `corrupt` when the headers are cut off or make no sense, or what the input throws.
    init?(_ input: any RandomAccessInput, at start: Int64) throws(PluginError) {
        let header = try input.bytes(at: start, count: 24)
        guard let count = header.uint16(at: 6), let length = header.uint16(at: 20) else { throw Self.broken }
        let optional = try input.bytes(at: start + 24, count: length)
        // Without this header it is an object file.
        guard length > 0 else { return nil }
        let isWide: Bool
        switch optional.uint16(at: 0) {
        case 0x010B: isWide = false
        case 0x020B: isWide = true
        default: throw Self.broken
        }
        // The number of directories, and behind it these: the third is that of resources.
        let directories = isWide ? 108 : 92
        guard let known = optional.uint32(at: directories) else { throw Self.broken }
        guard known > 2, let root = optional.uint32(at: directories + 4 + 2 * 8) else { return nil }
        guard root > 0 else { return nil }
        let table = try input.bytes(at: start + 24 + Int64(length), count: min(count, Self.mostSections) * 40)
        var sections: [Section] = []
        for at in stride(from: 0, to: table.count, by: 40) {
            guard let address = table.uint32(at: at + 12), let length = table.uint32(at: at + 16),
                let offset = table.uint32(at: at + 20)
            else { throw Self.broken }
            sections.append(Section(address: address, length: length, offset: offset))
        }
        (self.input, self.sections, self.root) = (input, sections, root)
    }

    private static let broken = PluginError(
        .corrupt, "the program's headers are damaged, or cut off; fetch the program again")
    private static let cutOff = PluginError(
        .corrupt, "the program's resources are damaged, or cut off; fetch the program again")

    func first(of kind: ResourceKind) throws(PluginError) -> [UInt8]? {
        try content(below: try table(0).first { $0.number == kind.rawValue }, 1, { _ in true })
    }

    func resource(_ kind: ResourceKind, _ number: Int) throws(PluginError) -> [UInt8]? {
        try content(below: try table(0).first { $0.number == kind.rawValue }, 1, { $0.number == number })
    }

    /// The bytes that a way through the tables leads to: to what is chosen in the next table, and to the first in all others.
    private func content(
        below entry: Entry?, _ level: Int, _ isChosen: (Entry) -> Bool
    ) throws(PluginError) -> [UInt8]? {
        guard let entry, level <= Self.depth else { return nil }
        guard !entry.isTable else {
            return try content(below: try table(entry.offset).first(where: isChosen), level + 1, { _ in true })
        }
        let place = try bytes(at: root + entry.offset, count: 8)
        guard let address = place.uint32(at: 0), let length = place.uint32(at: 4) else { return nil }
        try ResourceLimits.check(length)
        let bytes = try bytes(at: address, count: length)
        guard bytes.count == length else { throw Self.cutOff }
        return bytes
    }

    private func table(_ offset: Int) throws(PluginError) -> [Entry] {
        let head = try bytes(at: root + offset, count: 16)
        guard let named = head.uint16(at: 12), let numbered = head.uint16(at: 14) else { return [] }
        let count = min(named + numbered, ResourceLimits.entries)
        let bytes = try bytes(at: root + offset + 16, count: count * 8)
        return stride(from: 0, to: bytes.count - 7, by: 8).compactMap { at in
            guard let name = bytes.uint32(at: at), let place = bytes.uint32(at: at + 4) else { return nil }
            // The upper bit tells names from numbers, and tables from contents.
            return Entry(
                number: name >> 31 == 0 ? name : nil, isTable: place >> 31 == 1, offset: place & 0x7FFF_FFFF)
        }
    }

    /// Bytes by the address at which they are loaded; fewer at the end of a section, none outside of all.
    /// - Throws: `corrupt` when the section reaches beyond the end of the file before them, or what the input throws.
    private func bytes(at address: Int, count: Int) throws(PluginError) -> [UInt8] {
        guard let section = sections.first(where: { $0.address <= address && address - $0.address < $0.length }) else {
            return []
        }
        let skipped = address - section.address
        let wanted = min(count, section.length - skipped)
        let bytes = try input.bytes(at: Int64(section.offset + skipped), count: wanted)
        guard bytes.count == wanted else { throw Self.cutOff }
        return bytes
    }
}
