internal import VitrineKit

/// Leaves out the zeros that programs write as values of formulas which they do not compute, in workbooks that say that they
/// are to be computed when they are opened (ISO/IEC 29500-1, 18.2.2, `fullCalcOnLoad`). Excel does so; LibreOffice computes
/// only what has no value.
enum UncomputedCells {
    /// The most cells of a workbook that are left to be computed: of more, none is.
    private static let mostCells = 10_000
    private static let request: StaticString = "fullCalcOnLoad=\"1\""
    private static let zero: StaticString = "</f><v>0</v>"
    /// What functions begin with that came after the standard. LibreOffice knows some of them only.
    private static let newFunction: StaticString = "_xlfn."
    /// Bytes before a value in which its formula is looked for.
    private static let longestFormula = 1024
    /// Where the zero stands in it.
    private static let digit = 7

    /// The sheets that have such cells, without their values.
    /// - Parameter changed: parts that are others already.
    /// - Returns: these as well.
    static func partsWithoutZeros(
        _ archive: ZipDirectory, in input: any RandomAccessInput, _ format: DocumentFormat, changed: [String: [UInt8]]
    ) -> [String: [UInt8]] {
        guard format.packing == .openXML, format.family == .spreadsheet,
            let workbook = try? archive.unpacked("xl/workbook.xml", limit: ChangedParts.partLimit, in: input),
            workbook.withUnsafeBytes({ $0.offset(of: request) }) != nil
        else { return changed }
        var others = changed
        // Of more of them than these, none is computed: one may count on another.
        var (left, bytesLeft) = (mostCells, ChangedParts.limit)
        for entry in archive.entries where ChangedParts.isSheet(entry.name) {
            let size = changed[entry.name]?.count ?? entry.size
            guard size <= ChangedParts.partLimit else { continue }
            bytesLeft -= size
            guard bytesLeft >= 0 else { return changed }
            guard
                let sheet = changed[entry.name]
                    ?? (try? archive.unpacked(entry.name, limit: ChangedParts.partLimit, in: input))
            else { continue }
            let zeros = places(in: sheet, most: left + 1)
            left -= zeros.count
            guard left >= 0 else { return changed }
            if !zeros.isEmpty { others[entry.name] = without(zeros, sheet) }
        }
        return others
    }

    private static func places(in sheet: [UInt8], most: Int) -> [Int] {
        var places: [Int] = []
        sheet.withUnsafeBytes { bytes in
            var at = 0
            while places.count < most, let found = bytes.offset(of: zero, from: at) {
                let before = UnsafeRawBufferPointer(rebasing: bytes[max(at, found - longestFormula)..<found])
                if before.offset(of: newFunction) == nil { places.append(found + digit) }
                at = found + zero.utf8CodeUnitCount
            }
        }
        return places
    }

    private static func without(_ places: [Int], _ sheet: [UInt8]) -> [UInt8] {
        var other: [UInt8] = []
        other.reserveCapacity(sheet.count)
        var at = 0
        for place in places {
            other += sheet[at..<place]
            at = place + 1
        }
        return other + sheet[at...]
    }
}
