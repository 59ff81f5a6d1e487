internal import VitrineKit

/// Changes parts of a package before LibreOffice reads it, within bounds on what is unpacked for it.
enum ChangedParts {
    /// The most bytes of a part that is looked at, and of all of them.
    static let partLimit = 8 << 20, limit = 16 << 20

    /// Changes the parts that have something to be changed. Those that are too long stay as they are.
    /// - Parameters:
    ///   - changed: parts that are others already.
    ///   - takes: which parts are looked at, by their paths.
    ///   - change: makes another part of one; `nil` when it stays.
    /// - Returns: parts that are others now, those that were before among them.
    static func changing(
        _ archive: ZipDirectory, in input: any RandomAccessInput, _ changed: [String: [UInt8]],
        where takes: (_ path: String) -> Bool, _ change: (_ path: String, _ bytes: [UInt8]) -> [UInt8]?
    ) -> [String: [UInt8]] {
        var changed = changed
        var left = limit
        for entry in archive.entries where takes(entry.name) {
            let size = changed[entry.name]?.count ?? entry.size
            guard size <= partLimit, size <= left else { continue }
            left -= size
            guard let bytes = changed[entry.name] ?? (try? archive.unpacked(entry.name, limit: partLimit, in: input)),
                let other = change(entry.name, bytes)
            else { continue }
            changed[entry.name] = other
        }
        return changed
    }

    /// Whether a part of a workbook in SpreadsheetML is a sheet, by where it lies by custom.
    static func isSheet(_ path: String) -> Bool { path.hasPrefix("xl/worksheets/") && path.hasSuffix(".xml") }
}
