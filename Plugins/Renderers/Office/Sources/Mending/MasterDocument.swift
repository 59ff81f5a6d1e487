internal import VitrineKit

/// Master documents, which gather other texts as chapters. LibreOffice's library ends where it is to draw one, and is given it as
/// the text that it also is: only the type differs.
enum MasterDocument {
    /// What each type of them becomes.
    private static let texts = [
        "application/vnd.oasis.opendocument.text-master": "application/vnd.oasis.opendocument.text",
        "application/vnd.oasis.opendocument.text-master-template": "application/vnd.oasis.opendocument.text-template",
        "application/vnd.sun.xml.writer.global": "application/vnd.sun.xml.writer",
    ]
    private static let (list, type) = ("META-INF/manifest.xml", "mimetype")
    /// Bytes of a list of parts at most.
    private static let listLimit = 4 << 20

    /// The parts that tell the type, as those of a text.
    /// - Returns: nothing for other documents, and for those whose parts cannot be read.
    static func partsAsText(_ archive: ZipDirectory, in input: any RandomAccessInput) -> [String: [UInt8]] {
        var parts: [String: [UInt8]] = [:]
        if let bytes = try? archive.unpacked(type, limit: listLimit, in: input),
            let text = texts[String(decoding: bytes, as: UTF8.self)]
        {
            parts[type] = Array(text.utf8)
        }
        guard let bytes = try? archive.unpacked(list, limit: listLimit, in: input) else { return parts }
        var written = String(decoding: bytes, as: UTF8.self)
        for (master, text) in texts {
            for quote in ["\"", "'"] where written.contains(quote + master + quote) {
                written = written.replacing(quote + master + quote, with: quote + text + quote)
                parts[list] = Array(written.utf8)
            }
        }
        return parts
    }
}
