internal import CompoundFiles
internal import PrivateCopies
internal import VitrineKit

/// What an OpenDocument file tells the program that opens it, and LibreOffice shall not do for a picture of it.
struct OpeningOrder {
    /// The part that it stands in.
    private let part: String
    /// The word by which LibreOffice knows it.
    private let word: [UInt8]
    /// What an element of this name has to hold for it to count; empty: anything.
    private let value: [UInt8]

    private init(_ part: String, _ word: String, value: String = "") {
        self.part = part
        self.word = Array(word.utf8)
        self.value = Array(value.utf8)
    }

    private static let all = [
        // To load another document, or itself, after a while (OpenDocument 1.3, part 3, 4.3.2). LibreOffice obeys without a window
        // too. When that is not there, and no time is to pass, it tries again for as long as it may compute.
        OpeningOrder("meta.xml", "auto-reload"),
        // To show the grid to which shapes are aligned, which is not printed.
        OpeningOrder("settings.xml", "GridIsVisible", value: "true"),
    ]
    /// Bytes of such a part at most.
    private static let partLimit = 1 << 20
    /// These parts stand before the styles of a document of one XML file.
    private static let flatHead = 64 << 10

    /// Copies a document without its orders.
    /// - Parameters:
    ///   - folder: where to; nobody else may write in it.
    ///   - limit: the most bytes that are copied.
    /// - Returns: `nil` when it has none, as far as that can be read, or cannot be written without them.
    static func leftOut(
        of input: any RandomAccessInput, _ format: DocumentFormat, in folder: String, limit: Int64
    ) -> PrivateCopy? {
        guard input.size <= limit else { return nil }
        switch format.packing {
        case .openDocument:
            guard let archive = try? ZipDirectory(input) else { return nil }
            var quiet: [String: [UInt8]] = [:]
            for order in all {
                if let bytes = try? archive.unpacked(order.part, limit: partLimit, in: input) {
                    quiet[order.part] = order.leftOut(of: bytes)
                }
            }
            guard !quiet.isEmpty else { return nil }
            return try? PrivateCopy(in: folder, suffix: format.suffix) { file throws(PluginError) in
                try archive.replace(quiet, of: input) { bytes throws(PluginError) in
                    try PrivateCopy.write(bytes, to: file)
                }
            }
        case .flatXML:
            guard let head = try? input.head(flatHead) else { return nil }
            let quiet = all.reduce(head) { $1.leftOut(of: $0) ?? $0 }
            guard quiet != head else { return nil }
            return try? PrivateCopy(in: folder, suffix: format.suffix) { file throws(PluginError) in
                try PrivateCopy.copy(input, to: file) { block, start in
                    guard start == 0, block.count >= quiet.count else { return }
                    block.replaceSubrange(..<quiet.count, with: quiet)
                }
            }
        case .compound, .openXML, .richText, .records, .own: return nil
        }
    }

    /// Makes a word of it that means nothing to anybody.
    /// - Returns: as many bytes; `nil` when it is not given in them.
    private func leftOut(of bytes: [UInt8]) -> [UInt8]? {
        let isGiven = bytes.ranges(of: word).contains { range in
            let rest = bytes[range.upperBound...]
            guard !value.isEmpty, let start = rest.firstIndex(of: UInt8(ascii: ">")) else { return value.isEmpty }
            return rest[rest.index(after: start)...].starts(with: value)
        }
        return isGiven ? bytes.replacing(word, with: word.map { _ in UInt8(ascii: "x") }) : nil
    }
}
