internal import CompoundFiles
internal import PrivateCopies
internal import VitrineKit

/// What an OpenDocument file sets for the program that opens it, and LibreOffice shall not heed for a picture of it.
enum OpeningSetting: CaseIterable {
    /// To load another document, or this one, after a while (`meta:auto-reload`, OpenDocument 1.3, part 3, 4.3.2).
    ///
    /// LibreOffice heeds it without a window too. When the other document is not there, and no time is to pass, it tries again for
    /// as long as it may compute.
    case reload
    /// To show the grid to which shapes are aligned, which is not printed.
    case grid

    /// The part of a package that it stands in.
    private var part: String { self == .reload ? "meta.xml" : "settings.xml" }
    /// What it is known by.
    private var mark: StaticString {
        switch self {
        case .reload: "auto-reload"
        case .grid: "\"GridIsVisible\""
        }
    }
    /// Bytes of such a part at most.
    private static let partLimit = 1 << 20
    /// These parts stand before the styles of a document of one XML file.
    private static let flatHead = 64 << 10
    /// Bytes of a tag at most.
    private static let tagLimit = 512

    /// Copies a document without these settings, a workbook without the buttons of its filters and with heights for its rows, and a master document as the text
    /// that it is.
    /// - Parameters:
    ///   - folder: where to; nobody else may write in it.
    ///   - limit: the most bytes that are copied.
    /// - Returns: `nil` when it has none, as far as that can be read, or cannot be written without them.
    /// - Throws: `unsupported` for a master document that cannot be written as a text.
    static func copyWithoutThem(
        of input: any RandomAccessInput, _ format: DocumentFormat, in folder: String, limit: Int64
    ) throws(PluginError) -> PrivateCopy? {
        guard input.size <= limit else { return nil }
        switch format.packing {
        case .openDocument:
            guard let archive = try? ZipDirectory(input) else { return nil }
            var changed = MasterDocument.partsAsText(archive, in: input)
            let isMaster = !changed.isEmpty
            for setting in allCases {
                if let bytes = try? archive.unpacked(setting.part, limit: partLimit, in: input) {
                    changed[setting.part] = setting.unset(in: bytes)
                }
            }
            changed = FilterButtons.partsWithout(archive, in: input, format, changed: changed)
            let copy = copy(of: input, archive, changed, format, in: folder)
            if isMaster, copy == nil {
                throw PluginError(
                    .unsupported, "the master document's parts cannot be taken apart, to read it as a text")
            }
            return copy
        case .flatXML:
            guard let head = try? input.head(flatHead) else { return nil }
            let changed = allCases.reduce(head) { $1.unset(in: $0) ?? $0 }
            guard changed != head else { return nil }
            return try? PrivateCopy(in: folder, suffix: format.suffix) { file throws(PluginError) in
                try PrivateCopy.copy(input, to: file) { block, start in
                    guard start == 0, block.count >= changed.count else { return }
                    block.replaceSubrange(..<changed.count, with: changed)
                }
            }
        case .openXML:
            guard format.family == .spreadsheet, let archive = try? ZipDirectory(input) else { return nil }
            let without = FilterButtons.partsWithout(archive, in: input, format)
            let high = RowHeights.partsWithThem(archive, in: input, format, changed: without)
            let changed = UncomputedCells.partsWithoutZeros(archive, in: input, format, changed: high)
            return copy(of: input, archive, changed, format, in: folder)
        case .compound:
            guard format.family == .spreadsheet else { return nil }
            let places = (try? FilterRecords.places(in: input)) ?? []
            guard !places.isEmpty else { return nil }
            return try? PrivateCopy(in: folder, suffix: format.suffix) { file throws(PluginError) in
                try PrivateCopy.copy(input, to: file) { block, start in
                    for place in places where start..<start + Int64(block.count) ~= place {
                        block[Int(place - start)] = FilterRecords.unknown
                    }
                }
            }
        case .richText, .records, .own: return nil
        }
    }

    /// - Returns: `nil` when nothing is changed, or it cannot be written.
    private static func copy(
        of input: any RandomAccessInput, _ archive: ZipDirectory, _ changed: [String: [UInt8]],
        _ format: DocumentFormat, in folder: String
    ) -> PrivateCopy? {
        guard !changed.isEmpty else { return nil }
        return try? PrivateCopy(in: folder, suffix: format.suffix) { file throws(PluginError) in
            try archive.replace(changed, of: input) { bytes throws(PluginError) in
                try PrivateCopy.write(bytes, to: file)
            }
        }
    }

    /// - Returns: as many bytes, without the setting; `nil` when it is not in them.
    func unset(in bytes: [UInt8]) -> [UInt8]? {
        var marks: [Range<Int>] = []
        bytes.withUnsafeBytes { bytes in
            while let found = bytes.offset(of: mark, from: marks.last?.upperBound ?? 0) {
                marks.append(found..<found + mark.utf8CodeUnitCount)
            }
        }
        var bytes = bytes
        var isSet = false
        for range in marks {
            guard let place = self == .reload ? Self.element(range, in: bytes) : Self.value(behind: range, in: bytes)
            else { continue }
            // An element that nobody knows, and a value that is not true.
            for index in place { bytes[index] = UInt8(ascii: "x") }
            isSet = true
        }
        return isSet ? bytes : nil
    }

    /// - Returns: the range, if it is the name of an element, with or without a prefix, in a tag.
    private static func element(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int>? {
        let ends = [UInt8](" \t\r\n/>".utf8)
        guard range.upperBound < bytes.count, ends.contains(bytes[range.upperBound]),
            let start = bytes[max(0, range.lowerBound - tagLimit)..<range.lowerBound].lastIndex(of: UInt8(ascii: "<"))
        else { return nil }
        let prefix = bytes[(start + 1)..<range.lowerBound]
        return prefix.contains { [UInt8](" \t\r\n>".utf8).contains($0) } ? nil : range
    }

    /// - Returns: where `true` stands, if that is what the element holds in whose tag the range is.
    private static func value(behind range: Range<Int>, in bytes: [UInt8]) -> Range<Int>? {
        let rest = bytes[range.upperBound..<min(bytes.count, range.upperBound + tagLimit)]
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")), bytes[(end + 1)...].starts(with: "true<".utf8),
            let mark = bytes[max(0, range.lowerBound - tagLimit)..<range.lowerBound].last(where: {
                "<>".utf8.contains($0)
            }),
            mark == UInt8(ascii: "<")
        else { return nil }
        return (end + 1)..<(end + 5)
    }
}
