internal import Glibc

/// Attributes of X3D that Assimp cannot read, for it stumbles over the quotation marks that the format prescribes around each
/// of several texts (`url='"a.png" "b.png"'`) and gives up the whole model: names of other files, which are not read anyway, and
/// notes.
struct X3DLinks {
    private let bytes: UnsafeMutableRawBufferPointer
    private var at = 0

    /// A copy of a file with blanks in the place of such attributes. In UTF-8; any other encoding stays as it is.
    static func blanked(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var copy = [UInt8](bytes)
        copy.withUnsafeMutableBytes { bytes in
            var links = X3DLinks(bytes: bytes)
            while links.passTag() {}
        }
        return copy
    }

    private init(bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

    /// Goes behind the next tag or comment. Returns whether there was one.
    private mutating func passTag() -> Bool {
        guard skip(past: "<") else { return false }
        if bytes[at...].starts(with: "!--".utf8) { return skip(past: "-->") }
        if bytes[at...].starts(with: "![CDATA[".utf8) { return skip(past: "]]>") }
        let element = name()
        let isNote = bytes[element].elementsEqual("MetadataString".utf8)
        while at < bytes.count, bytes[at] != UInt8(ascii: ">") {
            let start = at
            let attribute = name()
            if attribute.isEmpty {
                at += 1
            } else if skipValue(),
                bytes[attribute].elementsEqual("url".utf8) || isNote && bytes[attribute].elementsEqual("value".utf8)
            {
                for index in start..<at { bytes[index] = 0x20 }
            }
        }
        return true
    }

    /// The name here; empty where there is none.
    private mutating func name() -> Range<Int> {
        let start = at
        while at < bytes.count, bytes[at] > 0x20, !Self.marks.contains(bytes[at]) { at += 1 }
        return start..<at
    }

    private static let marks = Array("=/>\"'".utf8)

    /// Goes behind the value of an attribute whose name lies behind. Returns whether it has one.
    private mutating func skipValue() -> Bool {
        skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else { return false }
        at += 1
        skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else { return false }
        let quote: StaticString = bytes[at] == UInt8(ascii: "'") ? "'" : "\""
        at += 1
        return skip(past: quote)
    }

    private mutating func skipBlanks() { while at < bytes.count, bytes[at] <= 0x20 { at += 1 } }

    /// Goes behind the next place where a text stands, or to the end. Returns whether it was found.
    private mutating func skip(past text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        while at < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + at, CInt(wanted[0]), bytes.count - at)
        {
            at = base.distance(to: found)
            if bytes[at...].starts(with: wanted) {
                at += wanted.count
                return true
            }
            at += 1
        }
        at = bytes.count
        return false
    }
}
