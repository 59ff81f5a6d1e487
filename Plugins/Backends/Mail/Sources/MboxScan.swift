import Glibc
import VitrineKit

/// Goes through an mbox file once, in pieces, and finds where messages begin and end. Calls block.
///
/// A message begins with a line `From someone date` at the beginning of the file or after an empty line (RFC 4155). Such
/// lines inside of a message were quoted by who wrote it: `>From`, and `>>From` for one that was quoted already.
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
    /// Lines `From ` are short.
    private static let longestLine = 1000

    /// Begins at the beginning of a file, or where a message begins.
    init(_ file: LocalFile, from offset: Int64 = 0, piece: Int = 1 << 20) throws(PluginError) {
        self.file = file
        self.piece = piece
        size = try file.state.size
        at = offset
        let first = try file.read(at: offset, count: Self.longestLine)
        if let length = Self.fromLine(first[...]) {
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
            let bytes = try file.read(at: from, count: piece + Self.longestLine)
            if let found = Self.separator(bytes, upTo: piece) {
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

    /// The first line `From ` after an empty one.
    private static func separator(_ bytes: [UInt8], upTo limit: Int) -> (end: Int, line: Int, begin: Int)? {
        bytes.withUnsafeBytes { buffer -> (end: Int, line: Int, begin: Int)? in
            guard let base = buffer.baseAddress else { return nil }
            var from = 0
            while from < buffer.count, let found = memchr(base + from, 0x0A, buffer.count - from) {
                let newline = UnsafeRawPointer(found) - base
                guard newline < limit else { return nil }
                from = newline + 1
                guard from < buffer.count, buffer[from] == UInt8(ascii: "F") else { continue }
                // The line before must be empty.
                var before = newline
                if before > 0, buffer[before - 1] == 0x0D { before -= 1 }
                guard before > 0, buffer[before - 1] == 0x0A else { continue }
                let line = bytes[(newline + 1)..<min(bytes.count, newline + 1 + longestLine)]
                if let length = fromLine(line) { return (before, newline + 1, newline + 1 + length) }
            }
            return nil
        }
    }

    /// The length of a line `From someone date` with its end: a time tells it from a text that says so.
    static func fromLine(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.starts(with: "From ".utf8), let end = bytes.firstIndex(of: 0x0A) else { return nil }
        let line = Array(bytes[..<end])
        for at in line.indices.dropFirst(6) where line[at] == 0x3A && at + 2 < line.count {
            let digits = [line[at - 1], line[at + 1], line[at + 2]]
            if digits.allSatisfy({ (0x30...0x39).contains($0) }) { return end + 1 - bytes.startIndex }
        }
        return nil
    }
}
