internal import VitrineKit

/// Says more precisely why a document could not be opened than PDFium does, which knows few reasons.
enum DocumentDamage {
    /// Bytes among which a document begins (ISO 32000-1, annex H, note 13), and among which its last line is looked for.
    private static let headSize = 1024, tailSize = 1024

    /// What is wrong.
    /// - Parameters:
    ///   - error: what PDFium says; it stays where nothing more can be told.
    ///   - bytes: the file.
    static func reason(_ error: PluginError, _ bytes: UnsafeRawBufferPointer) -> PluginError {
        switch error.code {
        case .corrupt: damage(bytes)
        case .locked: lock(bytes).map { PluginError(.locked, "the PDF document is encrypted \($0)") } ?? error
        default: error
        }
    }

    private static func damage(_ bytes: UnsafeRawBufferPointer) -> PluginError {
        if PagelessDocument.matches(bytes) { return PluginError(.empty, "the PDF document has no pages") }
        guard holds("%PDF-", bytes.prefix(headSize)) else {
            return PluginError(.corrupt, "the file is no PDF document: it does not begin like one, with %PDF-")
        }
        guard holds("%%EOF", bytes.suffix(tailSize)) else {
            return PluginError(
                .corrupt, "the PDF document is cut off: its end is missing, and what is left leads to no page")
        }
        return PluginError(
            .corrupt,
            "the PDF document is damaged beyond repair: neither its tables nor a search for its objects lead to a page")
    }

    /// Who holds the key, by the names of security handlers (ISO 32000-1, 7.6.1).
    private static let handlers = [
        ("Adobe.PubSec", "for the holders of certain certificates; no password opens it"),
        ("EBX_HANDLER", "by the digital rights management of Adobe; no password opens it"),
        ("FOPN_fLock", "by the digital rights management of FileOpen; no password opens it"),
    ]

    /// Bytes at either end of a document in which the handler is looked for.
    private static let handlerReach = 1 << 20

    private static func lock(_ bytes: UnsafeRawBufferPointer) -> String? {
        let ends = [bytes.suffix(handlerReach), bytes.prefix(handlerReach)]
        return handlers.first { handler in ends.contains { holds("/" + handler.0, $0) } }?.1
    }

    private static func holds(_ word: String, _ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        bytes.firstRange(of: Array(word.utf8)) != nil
    }
}
