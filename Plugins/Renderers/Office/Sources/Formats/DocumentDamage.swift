internal import CompoundFiles
internal import VitrineKit
internal import XML

/// Says why LibreOffice refused a document, for which it has one sentence whatever the cause.
enum DocumentDamage {
    /// The most bytes of a part that is read, and how many are parsed at once.
    private static let partLimit = 64 << 20, step = 64 << 10

    /// The parts without which there is no document.
    private static let mainParts = [
        "[Content_Types].xml", "word/document.xml", "xl/workbook.xml", "ppt/presentation.xml", "content.xml",
        "styles.xml",
    ]

    /// The streams that are the document itself ([MS-DOC] 2.1.1, [MS-XLS] 2.1.2, [MS-PPT] 2.1.2).
    private static let mainStreams = ["WordDocument", "Workbook", "Book", "PowerPoint Document"]

    /// Looks for a damage.
    /// - Parameters:
    ///   - input: the document.
    ///   - packing: how it is packed.
    /// - Returns: what is wrong, as an error that people read; `nil` when nothing was found.
    /// - Throws: what the input throws.
    static func found(
        in input: any RandomAccessInput, _ packing: DocumentFormat.Packing
    ) throws(PluginError) -> PluginError? {
        switch packing {
        case .openXML, .openDocument: try inPackage(input)
        case .compound: try inCompoundFile(input)
        case .flatXML, .richText, .records, .own: nil
        }
    }

    /// A list of parts; `nil` when there is none that can be used. What the input throws is thrown.
    private static func readable<List>(_ open: () throws(PluginError) -> List) throws(PluginError) -> List? {
        do throws(PluginError) {
            return try open()
        } catch {
            guard [.corrupt, .limitExceeded, .unsupported].contains(error.code) else { throw error }
            return nil
        }
    }

    private static func inPackage(_ input: any RandomAccessInput) throws(PluginError) -> PluginError? {
        guard let archive = try readable({ () throws(PluginError) in try ZipDirectory(input) }) else { return nil }
        // Of parts that are empty, too large or packed in another way nothing is known.
        for part in mainParts where archive.canUnpack(part, limit: partLimit) {
            guard let bytes = try archive.unpacked(part, limit: partLimit, in: input) else {
                return PluginError(.corrupt, "the document's part '\(part)' cannot be unpacked: it is damaged")
            }
            let reader = XMLReader("the document's part '\(part)'", limits: XMLLimits(depth: 1024, text: 16 << 20))
            for start in stride(from: 0, to: bytes.count, by: step) {
                let end = min(start + step, bytes.count)
                do throws(PluginError) {
                    _ = try reader.events(from: Array(bytes[start..<end]), isLast: end == bytes.count)
                } catch { return error }
            }
        }
        return nil
    }

    private static func inCompoundFile(_ input: any RandomAccessInput) throws(PluginError) -> PluginError? {
        guard let file = try readable({ () throws(PluginError) in try CompoundFile(input) }) else { return nil }
        let tooLong = file.entries.filter { Int64($0.value.size) > input.size }
        guard let name = mainStreams.first(where: { tooLong[$0] != nil }) ?? tooLong.keys.min(),
            let stream = tooLong[name]
        else { return nil }
        let part = mainStreams.contains(name) ? "its part '\(name)'" : "one of its parts"
        return PluginError(
            .corrupt,
            "the document is cut off or damaged: \(part) is said to have \(stream.size) bytes, and the whole file has "
                + "\(input.size)")
    }
}
