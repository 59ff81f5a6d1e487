import VitrineKit

/// What an entry says of itself.
struct EntryFacts {
    /// The item's URI.
    private(set) var uri: String?
    /// When the item had changed, in whole seconds; some programs write a fraction behind them.
    private(set) var modified: Int64?
    /// The item's size.
    private(set) var size: Int64?
    /// The program that made it, with its version.
    private(set) var software: String?
    /// The longest side that was asked for; of the own store's entries.
    private(set) var previewSize: Int?
    /// The page or moment; of the own store's entries.
    private(set) var variant = ""
    /// The checksum of the picture, as text; of entries that are no PNG.
    private(set) var checksum: String?
    /// Its ThumbHash in Base64.
    private(set) var placeholder: String?
    /// The item's MIME type.
    private(set) var mimeType: String?
    /// What a renderer learned of the item.
    private(set) var facts = Facts()
    private var width: Int?

    /// Whether Vitrine made it, in whatever version.
    var isOurs: Bool { software.map { $0 == "Vitrine" || $0.hasPrefix("Vitrine ") } ?? false }

    /// Reads an entry's keys, without a trace in its access time where it belongs to this user.
    /// - Returns: `nil` when it is gone or damaged.
    init?(_ name: String, in folder: OpenFolder) {
        var facts = EntryFacts()
        guard case .complete = PNGTextReader.read(name, in: folder.descriptor, { facts.see($0, $1) }) else {
            return nil
        }
        self = facts
    }

    /// Whether Vitrine made an entry that may be damaged, as far as that can still be read.
    static func isOurs(_ name: String, in folder: OpenFolder) -> Bool {
        var facts = EntryFacts()
        _ = PNGTextReader.read(name, in: folder.descriptor) { facts.see($0, $1) }
        return facts.isOurs
    }

    /// Reads the keys of an entry by its path.
    /// - Returns: `nil` when it is gone or damaged.
    init?(path: String) {
        var facts = EntryFacts()
        guard case .complete = PNGTextReader.read(path, { facts.see($0, $1) }) else { return nil }
        self = facts
    }

    /// Nothing is known yet.
    init() {}

    /// Takes the next key. Of a key that comes twice the last one counts; verifying finds it.
    mutating func see(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        var text: String { String(decoding: value, as: UTF8.self) }
        switch String(decoding: key, as: UTF8.self) {
        case EntryKeys.uri: uri = text
        case EntryKeys.modified: modified = value.count < 40 ? Self.wholeSeconds(text) : nil
        case EntryKeys.size: size = value.count < 40 ? Int64(text) : nil
        case EntryKeys.software: software = value.count < 256 ? text : nil
        case EntryKeys.previewSize: previewSize = value.count < 40 ? Int(text) : nil
        case EntryKeys.variant: variant = value.count < 256 ? text : ""
        case EntryKeys.checksum: checksum = value.count < 40 ? text : nil
        case EntryKeys.placeholder: placeholder = value.count < 64 ? text : nil
        case EntryKeys.mimeType: mimeType = value.count < 256 ? text : nil
        case EntryKeys.width: width = value.count < 40 ? Int(text) : nil
        case EntryKeys.height:
            let height = value.count < 40 ? Int(text) : nil
            if let width, let height, width > 0, height > 0 { facts.size = PixelSize(width: width, height: height) }
        case EntryKeys.pages: facts.pages = value.count < 40 ? Int(text) : nil
        case EntryKeys.duration:
            facts.duration = facts.duration ?? (value.count < 40 ? Int64(text).map(Double.init) : nil)
        case EntryKeys.milliseconds:
            if value.count < 40, let count = Int64(text) { (facts.duration, isExact) = (Double(count) / 1000, true) }
        case EntryKeys.embedded: embedded = value.count < 256 ? EmbeddedMark(text) : nil
        case EntryKeys.completeness: areComplete = text == EntryKeys.completeFacts
        case let name: EntryKeys.readDetail(name, value, into: &facts)
        }
    }

    /// Whether ``facts`` are all that the renderer learned.
    private(set) var areComplete = false
    /// What the picture is when it lay ready inside the item.
    private(set) var embedded: EmbeddedMark?
    /// Whether the duration is known to the millisecond.
    private(set) var isExact = false

    private static func wholeSeconds(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.dropFirst().allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }) else {
            return nil
        }
        return Int64(whole)
    }
}
