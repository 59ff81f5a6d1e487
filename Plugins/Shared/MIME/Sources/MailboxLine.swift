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

    /// A message without the marks by which its own lines `From ` are told from those between messages: `>From`, and `>>From` for one
    /// that was marked already.
    public static func unquoted(_ message: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(message.count)
        var isLineStart = true
        for (place, byte) in message.enumerated() {
            let isMark =
                isLineStart && byte == UInt8(ascii: ">")
                && message[place...].drop { $0 == UInt8(ascii: ">") }.starts(with: "From ".utf8)
            if !isMark { out.append(byte) }
            isLineStart = byte == 0x0A
        }
        return out
    }

    /// The length of such a line with its end, if bytes begin with one: a month, a time and a year tell it from a sentence.
    public static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.starts(with: "From ".utf8), let end = bytes.firstIndex(of: 0x0A) else { return nil }
        let words = bytes[..<end].dropFirst(5).split { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
        let hasDate = words.contains(where: isMonth) && words.contains(where: isYear) || words.contains(where: isDate)
        guard hasDate, words.contains(where: isTime) else { return nil }
        return end + 1 - bytes.startIndex
    }

    private static func isMonth(_ word: ArraySlice<UInt8>) -> Bool {
        word.count == 3 && months.contains { $0.elementsEqual(word.map { $0 | 0x20 }) }
    }

    /// Such as 9:05 and 09:05:00.
    private static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
        guard let colon = word.firstIndex(of: UInt8(ascii: ":")), colon + 2 < word.endIndex, colon > word.startIndex
        else {
            return false
        }
        return [colon - 1, colon + 1, colon + 2].allSatisfy { isDigit(word[$0]) }
    }

    /// Such as 2026-12-01, 01-Dec-2026 and 01/12/2026.
    private static func isDate(_ word: ArraySlice<UInt8>) -> Bool {
        let parts = word.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "/") }
        return parts.count == 3 && parts.contains(where: isYear)
            && parts.allSatisfy { $0.allSatisfy(isDigit) || isMonth($0) }
    }

    private static func isYear(_ word: ArraySlice<UInt8>) -> Bool { word.count == 4 && word.allSatisfy(isDigit) }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ].map { Array($0.utf8) }
}
