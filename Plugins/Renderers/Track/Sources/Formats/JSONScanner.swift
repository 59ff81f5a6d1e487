internal import Glibc
internal import JSON
internal import VitrineKit

/// Goes through a text in JSON (RFC 8259) value by value, without keeping any: a map has more numbers than a tree of values
/// could hold.
struct JSONScanner {
    let bytes: UnsafeRawBufferPointer
    private(set) var numbers: DecimalScanner

    /// Objects and lists in one another.
    private static let deepest = 512

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        numbers = DecimalScanner(bytes)
    }

    /// The next byte's offset.
    var at: Int {
        get { numbers.at }
        set { numbers.at = newValue }
    }

    /// The first byte of the next value, or what stands in its place.
    mutating func next() -> UInt8? {
        numbers.skipBlanks()
        return numbers.next
    }

    /// Goes through the members of the object here.
    /// - Parameter body: called with each name, as it is written, in front of the value; goes behind it, or nowhere for one
    ///   that is left out.
    mutating func forEachMember(
        _ body: (inout JSONScanner, UnsafeRawBufferPointer) throws(PluginError) -> Void
    ) throws(PluginError) {
        try expect(UInt8(ascii: "{"))
        if next() == UInt8(ascii: "}") { return at += 1 }
        while true {
            let name = try text()
            try expect(UInt8(ascii: ":"))
            try leaveOut(unlessPassedBy: { (scanner) throws(PluginError) in try body(&scanner, name) })
            if try isEnd(UInt8(ascii: "}")) { return }
        }
    }

    /// Goes through the values of the list here.
    /// - Parameter body: called in front of each; goes behind it, or nowhere for one that is left out.
    mutating func forEachValue(_ body: (inout JSONScanner) throws(PluginError) -> Void) throws(PluginError) {
        try expect(UInt8(ascii: "["))
        if next() == UInt8(ascii: "]") { return at += 1 }
        while true {
            try leaveOut(unlessPassedBy: body)
            if try isEnd(UInt8(ascii: "]")) { return }
        }
    }

    private mutating func leaveOut(
        unlessPassedBy body: (inout JSONScanner) throws(PluginError) -> Void
    ) throws(PluginError) {
        _ = next()
        let start = at
        try body(&self)
        if at == start { try skipValue() }
    }

    private mutating func isEnd(_ end: UInt8) throws(PluginError) -> Bool {
        if next() == end {
            at += 1
            return true
        }
        try expect(UInt8(ascii: ","))
        return false
    }

    /// The text here without its quotation marks, escapes as they are written.
    mutating func text() throws(PluginError) -> UnsafeRawBufferPointer {
        try expect(0x22)
        let start = at
        while at < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + at, 0x22, bytes.count - at)
        {
            let end = base.distance(to: UnsafeRawPointer(found))
            at = end + 1
            // A mark behind an odd number of backslashes is part of the text.
            var before = end
            while before > start, bytes[before - 1] == 0x5C { before -= 1 }
            if (end - before) % 2 == 0 { return UnsafeRawBufferPointer(rebasing: bytes[start..<end]) }
        }
        throw damaged("a text does not end")
    }

    /// What a text means whose escapes are still in it.
    static func meaning(_ text: UnsafeRawBufferPointer) -> String? {
        if !text.contains(0x5C) { return String(decoding: text, as: UTF8.self) }
        return JSONValue([0x22] + Array(text) + [0x22])?.text
    }

    /// The number here.
    mutating func number() -> Double? {
        numbers.skipBlanks()
        return numbers.number()
    }

    /// Goes behind a value, whatever it is.
    mutating func skipValue() throws(PluginError) {
        var depth = 0
        repeat {
            switch next() {
            case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
                depth += 1
                guard depth <= Self.deepest else {
                    throw PluginError(
                        .limitExceeded, "the GeoJSON document has more than \(Self.deepest) values in one another")
                }
                at += 1
            case UInt8(ascii: "}")?, UInt8(ascii: "]")?:
                depth -= 1
                guard depth >= 0 else { throw damaged("a value is missing") }
                at += 1
            case 0x22?: _ = try text()
            case UInt8(ascii: ",")?, UInt8(ascii: ":")?:
                guard depth > 0 else { throw damaged("a value is missing") }
                at += 1
            case nil: throw damaged("it is cut off")
            default: try skipWord()
            }
        } while depth > 0
    }

    private mutating func skipWord() throws(PluginError) {
        let start = at
        while let byte = numbers.next, Self.isWord(byte) { at += 1 }
        guard at > start else { throw damaged("a value is missing") }
    }

    /// Whether a byte can be part of a number, `true`, `false`, `null`, or what some write for numbers that are none.
    private static func isWord(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == 0x2B || byte == 0x2D
            || byte == 0x2E
    }

    mutating func expect(_ byte: UInt8) throws(PluginError) {
        guard next() == byte else {
            throw damaged(at < bytes.count ? "a '\(Character(UnicodeScalar(byte)))' is missing" : "it is cut off")
        }
        at += 1
    }

    func damaged(_ reason: String) -> PluginError {
        PluginError(.corrupt, "the GeoJSON document is no JSON: \(reason), at byte \(at)")
    }
}
