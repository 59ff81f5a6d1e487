internal import ArchiveReading
internal import CGXPS
internal import PrivateCopies
internal import VitrineKit

/// A document whose parts are written in UTF-16, which the format allows (ECMA-388, 9.1.6) and Microsoft's own writers use.
/// libgxps reads UTF-8 only: it is given a copy in which they are that.
struct WideDocument {
    private let archive: Archive
    /// Bytes of all parts together at most.
    private let limit: Int64

    /// The largest part that is recoded. A larger one is left as it is: it would be needed three times in memory.
    private static let longestText = 32 << 20

    /// Looks whether a document is one.
    /// - Parameter limit: the most bytes of its parts, and of one of them.
    /// - Returns: `nil` where it is not, also where it is damaged: what is wrong with it, libgxps says.
    /// - Throws: what the input throws.
    init?(_ input: any RandomAccessInput, limit: Int64) throws(PluginError) {
        guard try Archive.beginsAsZip(input.head(4)) else { return nil }
        var limits = ArchiveLimits()
        limits.members = 20_000
        limits.unpacked = limit
        do throws(PluginError) {
            let archive = try Archive(input, limits: limits)
            guard let sequence = archive.members.first(where: Self.isSequence),
                Self.order(of: try archive.beginning(of: sequence, count: 4)) != nil
            else { return nil }
            (self.archive, self.limit) = (archive, limit)
        } catch {
            guard [.corrupt, .locked, .limitExceeded, .unsupported].contains(error.code) else { throw error }
            return nil
        }
    }

    /// Writes the copy. Parts that are damaged are left out.
    /// - Parameter folder: where to; nobody else may write in it.
    /// - Throws: `limitExceeded` where the parts are too large, `noSpace` or `io` when it cannot be written, or what the
    ///   input throws.
    func copy(in folder: String) throws(PluginError) -> PrivateCopy {
        let parts = archive.members.filter(\.isFile)
        return try PrivateCopy(in: folder, suffix: "xps") { (file) throws(PluginError) in
            var writer = ZipWriter { (bytes) throws(PluginError) in try PrivateCopy.write(bytes, to: file) }
            var total: Int64 = 0
            try archive.forEach(of: parts, limit: .max) { (index, bytes) throws(PluginError) in
                let bytes = Self.recoded(bytes)
                total += Int64(bytes.count)
                guard total <= limit else {
                    throw PluginError(
                        .limitExceeded,
                        "the parts of the XPS document have more than the \(limit >> 20) MiB that are given to libgxps")
                }
                let checksum = bytes.withUnsafeBufferPointer {
                    crc32_z(0, $0.baseAddress, $0.count)
                }
                try writer.add(String(decoding: parts[index].name, as: UTF8.self), bytes, checksum: Int(checksum))
                return true
            }
            try writer.end()
        }
    }

    /// Whether a part lists the documents, by the ending that all writers give it.
    private static func isSequence(_ member: ArchiveMember) -> Bool {
        member.isFile && String(decoding: member.name, as: UTF8.self).lowercased().hasSuffix(".fdseq")
    }

    private enum ByteOrder { case little, big }

    /// In which order a part in UTF-16 has the bytes of its letters: by its mark and the first letter, which is that of a tag.
    private static func order(of part: [UInt8]) -> ByteOrder? {
        if part.starts(with: [0xFF, 0xFE, 0x3C, 0]) { return .little }
        return part.starts(with: [0xFE, 0xFF, 0, 0x3C]) ? .big : nil
    }

    /// A part in UTF-8, without its mark; one that is in no UTF-16 as it is.
    private static func recoded(_ part: [UInt8]) -> [UInt8] {
        guard let order = order(of: part), part.count <= longestText else { return part }
        let units = stride(from: 2, to: part.count - 1, by: 2).lazy.map { at in
            let (first, second) = (UInt16(part[at]), UInt16(part[at + 1]))
            return order == .little ? second << 8 | first : first << 8 | second
        }
        return Array(String(decoding: Array(units), as: UTF16.self).utf8)
    }
}
