internal import CompoundFiles
internal import PrivateCopies
internal import VitrineKit

/// The order of an OpenDocument file to load another one, or itself, after a while (`meta:auto-reload`, OpenDocument 1.3, part 3,
/// 4.3.2).
///
/// LibreOffice obeys without a window too. When what it is to load is not there, and no time is to pass, it tries again for as long
/// as it may compute.
enum AutoReload {
    private static let order = Array("auto-reload".utf8)
    /// As many letters, which mean nothing to anybody.
    private static let nothing = Array("auto-nothing".utf8.prefix(order.count))
    /// Where it stands, and the most bytes of that.
    private static let part = "meta.xml", partLimit = 1 << 20
    /// The properties of a document of one XML file stand before its styles.
    private static let flatHead = 32 << 10

    /// Copies a document without its order.
    /// - Parameters:
    ///   - folder: where to; nobody else may write in it.
    ///   - limit: the most bytes that are copied.
    /// - Returns: `nil` when it has none, as far as that can be read, or cannot be written without it.
    static func leftOut(
        of input: any RandomAccessInput, _ format: DocumentFormat, in folder: String, limit: Int64
    ) -> PrivateCopy? {
        guard input.size <= limit else { return nil }
        switch format.packing {
        case .openDocument:
            guard let archive = try? ZipDirectory(input),
                let meta = try? archive.unpacked(part, limit: partLimit, in: input),
                let quiet = withoutOrder(meta)
            else { return nil }
            return try? PrivateCopy(in: folder, suffix: format.suffix) { file throws(PluginError) in
                try archive.replace([part: quiet], of: input) { bytes throws(PluginError) in
                    try PrivateCopy.write(bytes, to: file)
                }
            }
        case .flatXML:
            guard let head = try? input.head(flatHead), let quiet = withoutOrder(head) else { return nil }
            return try? PrivateCopy(in: folder, suffix: format.suffix) { file throws(PluginError) in
                try PrivateCopy.copy(input, to: file) { block, start in
                    guard start == 0, block.count >= quiet.count else { return }
                    block.replaceSubrange(..<quiet.count, with: quiet)
                }
            }
        case .compound, .openXML, .richText, .records, .own: return nil
        }
    }

    /// - Returns: as many bytes; `nil` when there is no order among them.
    private static func withoutOrder(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.firstRange(of: order) == nil ? nil : bytes.replacing(order, with: nothing)
    }
}
