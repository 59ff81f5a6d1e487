internal import JSON

/// Goes once through a text in JSON, and reads of it what is wanted; what is passed over may be of any size and depth. The
/// end may be missing.
struct JSONCursor {
    private let bytes: [UInt8]
    private var at = 0

    /// - Parameter bytes: UTF-8, also with a mark in front that says so.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    }

    /// Calls for each member of the object that begins here, with its name. Anything else than an object is passed over, and
    /// so is a value of which nothing is read.
    mutating func members(_ body: (inout JSONCursor, String) -> Void) {
        guard next() == UInt8(ascii: "{") else { return skip() }
        at += 1
        while next() == UInt8(ascii: "\"") {
            let name = text()
            guard take(UInt8(ascii: ":")) else { break }
            value { body(&$0, name ?? "") }
            if !take(UInt8(ascii: ",")) { break }
        }
        if !take(UInt8(ascii: "}")) { at = bytes.count }
    }

    /// Calls for each element of the list that begins here, in the same way.
    mutating func elements(_ body: (inout JSONCursor) -> Void) {
        guard next() == UInt8(ascii: "[") else { return skip() }
        at += 1
        while let byte = next(), byte != UInt8(ascii: "]") {
            value(body)
            if !take(UInt8(ascii: ",")) { break }
        }
        if !take(UInt8(ascii: "]")) { at = bytes.count }
    }

    /// The text that begins here; `nil` for anything else, which is passed over, and where its end is missing.
    mutating func text() -> String? {
        let isText = next() == UInt8(ascii: "\"")
        let start = at
        skip()
        return isText ? JSONValue(Array(bytes[start..<at]))?.text : nil
    }

    /// The text that begins here, or those of a list, each of which ends its line.
    /// - Parameter limit: bytes of UTF-8 behind which no more texts are added.
    mutating func joinedText(limit: Int) -> String {
        guard next() == UInt8(ascii: "[") else { return text() ?? "" }
        var all = ""
        elements { element in
            guard all.utf8.count < limit, let text = element.text() else { return }
            // Bytes: a carriage return and a newline are one character.
            if let last = all.utf8.last, last != UInt8(ascii: "\n") { all += "\n" }
            all += text
        }
        return all
    }

    /// The digit that begins here; `nil` for anything else.
    mutating func digit() -> Int? {
        guard let byte = next(), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
        return Int(byte - UInt8(ascii: "0"))
    }

    private mutating func value(_ body: (inout JSONCursor) -> Void) {
        _ = next()
        let start = at
        body(&self)
        if at == start { skip() }
    }

    /// The next byte that is no blank; `nil` at the end.
    private mutating func next() -> UInt8? {
        while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
        return at < bytes.count ? bytes[at] : nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        at += 1
        return true
    }

    /// Passes over the value that begins here, at least over one byte.
    private mutating func skip() {
        guard let first = next() else { return }
        var (depth, isText) = (0, false)
        while at < bytes.count {
            let byte = bytes[at]
            // What stands behind a word or a number is not its own.
            if depth == 0, !isText, first != byte,
                [UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}")].contains(byte)
            {
                return
            }
            at += 1
            if isText {
                if byte == UInt8(ascii: "\\") { at = min(at + 1, bytes.count) }
                if byte == UInt8(ascii: "\"") { isText = false }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: continue
                }
            }
            if depth <= 0, !isText { return }
        }
    }
}
