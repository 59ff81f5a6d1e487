import Glibc

/// The line `From someone date` before each message of an mbox file (RFC 4155).
public enum MailboxLine {
    /// Such lines are short.
    public static let longest = 1000

    /// The first such line after an empty one.
    /// - Parameters:
    ///   - bytes: of an mbox file.
    ///   - limit: what begins from there on is not looked for.
    /// - Returns: where the message before it ends, where the line begins, and where the message behind it begins.
    public static func first(in bytes: [UInt8], upTo limit: Int) -> (end: Int, line: Int, begin: Int)? {
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
                let line = bytes[(newline + 1)..<min(bytes.count, newline + 1 + longest)]
                if let length = length(line) { return (before, newline + 1, newline + 1 + length) }
            }
            return nil
        }
    }

    /// The length of such a line with its end, if bytes begin with one: a time tells it from a text that says so.
    public static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.starts(with: "From ".utf8), let end = bytes.firstIndex(of: 0x0A) else { return nil }
        let line = Array(bytes[..<end])
        for at in line.indices.dropFirst(6) where line[at] == 0x3A && at + 2 < line.count {
            let digits = [line[at - 1], line[at + 1], line[at + 2]]
            if digits.allSatisfy({ (0x30...0x39).contains($0) }) { return end + 1 - bytes.startIndex }
        }
        return nil
    }
}
