import VitrineKit

/// The keys of a failure's entry, as they are read.
struct FailureKeys {
    private var texts: [String: String] = [:]
    /// The item's URI as the entry has it.
    private(set) var uri: String?

    /// Takes the next key.
    mutating func see(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        if key.elementsEqual(EntryKeys.uri.utf8) { uri = String(decoding: value, as: UTF8.self) }
        guard key.starts(with: "X-Vitrine::".utf8), value.count <= 4096 else { return }
        let text = PercentEncoding.decode(String(decoding: value, as: UTF8.self))
        texts[String(decoding: key, as: UTF8.self)] = text.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The failure; `nil` when the entry does not say what it was.
    var failure: RememberedFailure? {
        guard let code = texts[EntryKeys.code] else { return nil }
        return RememberedFailure(
            code: PluginError.Code(rawValue: code), message: texts[EntryKeys.reason] ?? "",
            renderer: texts[EntryKeys.renderer] ?? "", limits: texts[EntryKeys.limits] ?? "",
            count: texts[EntryKeys.count].flatMap { Int($0) } ?? 1)
    }
}
