internal import VitrineKit

/// An animated cursor of Windows: icons or cursors in the chunks of a RIFF file (`ACON`; Microsoft, "Multimedia Data Standards
/// Update", 1994).
enum AnimatedCursor {
    /// Chunks that are looked at.
    private static let most = 1024

    /// Finds the first picture.
    /// - Returns: a cursor or an icon, in the file's own bytes.
    /// - Throws: `empty` when there is none.
    static func first(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> UnsafeRawBufferPointer {
        var at = 12
        for _ in 0..<most {
            guard at + 8 <= bytes.count else { break }
            let length = Int(littleEndianBytes: bytes[at + 4..<at + 8])
            let content = at + 8
            if bytes[at..<at + 4].elementsEqual("LIST".utf8) {
                // Its chunks follow the list's name.
                at = content + 4
                continue
            }
            guard length <= bytes.count - content else { break }
            if bytes[at..<at + 4].elementsEqual("icon".utf8) {
                return UnsafeRawBufferPointer(rebasing: bytes[content..<content + length])
            }
            at = content + length + length % 2
        }
        throw PluginError(.empty, "the animated cursor has no picture in it")
    }
}
