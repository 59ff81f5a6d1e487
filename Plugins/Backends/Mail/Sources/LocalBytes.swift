import MIME
import Transfer
import VitrineKit

/// A range of something that is read on a thread that may wait.
struct LocalBytes: RawBytes {
    let size: Int64
    let isPinned: Bool
    /// Reads a range of the message; less only at its end.
    let source: @Sendable (Int64, Int) throws(PluginError) -> [UInt8]
    /// Where the part begins in the message.
    var start: Int64 = 0

    /// One part of it.
    func part(_ part: MIMEPart?) -> LocalBytes {
        guard let part else { return self }
        let end = min(size, part.offset + part.encodedSize)
        return LocalBytes(size: max(0, end - part.offset), isPinned: isPinned, source: source, start: part.offset)
    }

    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        let bytes = try await Blocking.run { () throws(PluginError) in try source(start + offset, count) }
        guard bytes.count == count else {
            throw PluginError(.changed, "the message became shorter since it was opened")
        }
        return bytes
    }
}
