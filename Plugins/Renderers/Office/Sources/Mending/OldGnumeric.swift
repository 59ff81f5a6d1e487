internal import COffice
internal import CompoundFiles
internal import PrivateCopies
internal import VitrineKit

/// Sheets that Gnumeric wrote before its version 10 of the format. LibreOffice knows that one only, and draws the others as the
/// source that they are: they are given the namespace of it, and their cells the form that they have there.
struct OldGnumeric {
    /// The workbook, as version 10 would have it, not packed.
    let workbook: [UInt8]

    /// Bytes of a workbook at most, unpacked. Those of that time are small; one that is larger is left as it is.
    private static let limit = 32 << 20

    private static let current = "http://www.gnumeric.org/v10.dtd"
    /// What the namespaces of former versions begin with; a digit follows, or nothing (1).
    private static let former = ["http://www.gnome.org/gnumeric/", "http://www.gnumeric.org/v"]

    /// Reads a workbook.
    /// - Returns: `nil` where it is of no former version, too large, or damaged.
    /// - Throws: what the input throws.
    init?(_ input: any RandomAccessInput) throws(PluginError) {
        let head = try input.head(DocumentSniffer.headSize)
        guard input.size <= Self.limit, let opening = Opening(head.inflatedGzip(count: 1024)) else { return nil }
        let packed = try input.head(Self.limit)
        // The last bytes tell the size (RFC 1952, 2.3.1).
        guard let size = packed.uint32(at: packed.count - 4), 1...Self.limit ~= size else { return nil }
        let bytes = packed.inflatedGzip(count: size)
        guard bytes.count == size, bytes.count > opening.namespace.upperBound else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        text += bytes[..<opening.namespace.lowerBound]
        text += Self.current.utf8
        var cells = OldGnumericCells(bytes, from: opening.namespace.upperBound, prefix: opening.prefix)
        while let piece = cells.next() { text += piece }
        workbook = text
    }

    /// Writes it.
    /// - Parameter folder: where to; nobody else may write in it.
    func copy(in folder: String) throws(PluginError) -> PrivateCopy {
        try PrivateCopy(in: folder, suffix: OwnFormat.gnumeric.rawValue) { (file) throws(PluginError) in
            // A gzip file (RFC 1952, 2.3) of blocks that are stored as they are (RFC 1951, 3.2.4).
            try PrivateCopy.write([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255], to: file)
            var rest = workbook[...]
            repeat {
                let block = rest.prefix(0xFFFF)
                rest = rest.dropFirst(block.count)
                let sizes = Self.little(block.count, 2) + Self.little(~block.count, 2)
                try PrivateCopy.write([rest.isEmpty ? 1 : 0] + sizes + block, to: file)
            } while !rest.isEmpty
            let checksum = Int(crc32(0, workbook, CUnsignedInt(workbook.count)))
            try PrivateCopy.write(Self.little(checksum, 4) + Self.little(workbook.count, 4), to: file)
        }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// What the root element says, of a former version.
    private struct Opening {
        /// What names of elements begin with.
        var prefix: String
        /// Where the namespace stands, without its quotes.
        var namespace: Range<Int>

        init?(_ head: [UInt8]) {
            for prefix in ["gmr", "gnm"] {
                let declaration = Array("xmlns:\(prefix)=\"".utf8)
                guard let root = head.firstRange(of: Array("<\(prefix):Workbook".utf8)),
                    let start = head[root.upperBound...].firstRange(of: declaration)?.upperBound,
                    let end = head[start...].firstIndex(of: UInt8(ascii: "\""))
                else { continue }
                guard OldGnumeric.isFormer(String(decoding: head[start..<end], as: UTF8.self)) else { return nil }
                (self.prefix, namespace) = (prefix, start..<end)
                return
            }
            return nil
        }
    }

    private static func isFormer(_ namespace: String) -> Bool {
        guard namespace != current, let begin = former.first(where: namespace.hasPrefix) else { return false }
        let rest = namespace.dropFirst(begin.count)
        return ["", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "7.dtd", "8.dtd", "9.dtd"].contains(rest)
    }
}
