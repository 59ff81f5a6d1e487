internal import VitrineKit

/// What is signed in a message of S/MIME whose signature lies around it (RFC 8551, 3.5.2; RFC 5652, 5.1 and 5.2).
///
/// Written in BER (X.690, 8.1): programs that write while they read leave lengths open, and cut texts into pieces.
struct SignedContent {
    private var bytes: ArraySlice<UInt8>

    private enum Tag {
        static let octets: UInt8 = 0x04, identifier: UInt8 = 0x06, sequence: UInt8 = 0x30, context: UInt8 = 0xA0
        static let constructedOctets: UInt8 = 0x24
    }

    /// 1.2.840.113549.1.7.2 and .1.
    private static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    private static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]

    /// Values in one another that are followed.
    private static let deepest = 16

    /// What is signed; of a message that is cut off as much as there is. `nil` for what is enciphered, or damaged.
    static func bytes(of message: [UInt8]) -> [UInt8]? {
        var reader = SignedContent(bytes: message[...])
        guard reader.enter(Tag.sequence), reader.has(signedData), reader.enter(Tag.context), reader.enter(Tag.sequence),
            // The version, and how it is digested.
            reader.skip(), reader.skip(),
            reader.enter(Tag.sequence), reader.has(data), reader.enter(Tag.context)
        else { return nil }
        return reader.octets(depth: 0)
    }

    /// Reads how the next value begins.
    /// - Returns: its tag and, unless that is open, its length.
    private mutating func head() -> (tag: UInt8, length: Int?)? {
        guard let tag = bytes.popFirst(), tag & 0x1F != 0x1F, let first = bytes.popFirst() else { return nil }
        if first < 0x80 { return (tag, Int(first)) }
        if first == 0x80 { return (tag, nil) }
        let count = Int(first & 0x7F)
        guard count <= 4, bytes.count >= count else { return nil }
        defer { bytes.removeFirst(count) }
        return (tag, Int(bigEndianBytes: bytes.prefix(count)))
    }

    private mutating func enter(_ tag: UInt8) -> Bool { head()?.tag == tag }

    private mutating func has(_ identifier: [UInt8]) -> Bool {
        guard let head = head(), head.tag == Tag.identifier, head.length == identifier.count,
            bytes.starts(with: identifier)
        else { return false }
        bytes.removeFirst(identifier.count)
        return true
    }

    /// Whether an open length ends here.
    private mutating func endsHere() -> Bool {
        guard bytes.starts(with: [0, 0]) else { return false }
        bytes.removeFirst(2)
        return true
    }

    private mutating func skip(depth: Int = 0) -> Bool {
        guard depth < Self.deepest, let head = head() else { return false }
        if let length = head.length {
            bytes = bytes.dropFirst(length)
            return true
        }
        while !endsHere() { guard skip(depth: depth + 1) else { return false } }
        return true
    }

    /// A text in one piece, or in pieces that may have pieces.
    private mutating func octets(depth: Int) -> [UInt8]? {
        guard depth < Self.deepest, let head = head() else { return nil }
        switch (head.tag, head.length) {
        case (Tag.octets, let length?):
            defer { bytes = bytes.dropFirst(length) }
            return Array(bytes.prefix(length))
        case (Tag.constructedOctets, let length):
            let end = length.map { bytes.dropFirst($0).startIndex }
            var text: [UInt8] = []
            while !bytes.isEmpty, end.map({ bytes.startIndex < $0 }) ?? !endsHere() {
                guard let piece = octets(depth: depth + 1) else { break }
                text += piece
            }
            return text
        default: return nil
        }
    }
}
