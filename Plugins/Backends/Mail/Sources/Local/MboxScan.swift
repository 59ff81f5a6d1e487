import MIME
import VitrineKit

/// Goes through an mbox file once, in pieces, and finds where messages begin and end. Calls block.
///
/// A message begins with a ``MailboxLine`` at the beginning of the file or after an empty line (RFC 4155). Such lines inside of a
/// message were quoted by who wrote it: `>From`, and `>>From` for one that was quoted already.
struct MboxScan {
    /// A message: where its line `From ` begins, where the message itself begins, and where it ends.
    struct Place: Hashable, Sendable {
        var line: Int64
        var begin: Int64
        var end: Int64
    }

    private let file: LocalFile
    private let size: Int64
    /// Where the next look begins.
    private var at: Int64
    /// The message that is open.
    private var current: (line: Int64, begin: Int64)?

    /// Bytes that are looked at at once.
    private let piece: Int
    /// Bytes of an end of a line and of an empty line's beginning, which both belong to what begins a message.
    private static let overlap = 2

    /// Begins at the beginning of a file, or where a message begins.
    init(_ file: LocalFile, from offset: Int64 = 0, piece: Int = 1 << 20) throws(PluginError) {
        self.file = file
        self.piece = piece
        size = try file.state.size
        at = offset
        let first = try file.read(at: offset, count: MailboxLine.longest)
        if let length = MailboxLine.length(first[...]) {
            current = (offset, offset + Int64(length))
            at = offset + Int64(length)
        } else {
            at = size
        }
    }

    /// The next message; `nil` at the end.
    mutating func next() throws(PluginError) -> Place? {
        guard let open = current else { return nil }
        // The message may be empty: its line is followed by an empty one and the next line.
        var from = max(open.line, at - 2)
        while from < size {
            let bytes = try file.read(at: from, count: piece + MailboxLine.longest)
            if let found = MailboxLine.first(in: bytes, upTo: piece) {
                let end = from + Int64(found.end)
                current = (from + Int64(found.line), from + Int64(found.begin))
                at = from + Int64(found.begin)
                return Place(line: open.line, begin: open.begin, end: max(open.begin, end))
            }
            guard bytes.count > piece else { break }
            // The empty line before may have begun in this piece.
            from += Int64(piece - Self.overlap)
        }
        current = nil
        return Place(line: open.line, begin: open.begin, end: max(open.begin, size))
    }
}
