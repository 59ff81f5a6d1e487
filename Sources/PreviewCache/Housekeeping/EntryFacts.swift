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

    /// Whether Vitrine made it, in whatever version.
    var isOurs: Bool { software.map { $0 == "Vitrine" || $0.hasPrefix("Vitrine ") } ?? false }

    /// Reads an entry's keys, without a trace in its access time.
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
        default: break
        }
    }

    private static func wholeSeconds(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.dropFirst().allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }) else {
            return nil
        }
        return Int64(whole)
    }
}
