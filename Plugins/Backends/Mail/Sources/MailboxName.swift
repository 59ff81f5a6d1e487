/// Names of mailboxes as IMAP writes them: modified UTF-7 (RFC 3501, section 5.1.3).
enum MailboxName {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,".utf8)

    /// Decodes a name. What is no modified UTF-7 is UTF-8 already, as newer servers and some Maildirs write it.
    static func decode(_ name: some Collection<UInt8>) -> String {
        var out = ""
        var plain: [UInt8] = []
        var rest = Array(name)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&") else {
                plain.append(byte)
                continue
            }
            let shifted = rest.prefix { $0 != UInt8(ascii: "-") }
            guard shifted.count < rest.count, let text = letters(shifted) else {
                plain.append(byte)
                continue
            }
            rest = rest.dropFirst(shifted.count + 1)
            out += String(decoding: plain, as: UTF8.self) + (shifted.isEmpty ? "&" : text)
            plain = []
        }
        return out + String(decoding: plain, as: UTF8.self)
    }

    private static func letters(_ shifted: ArraySlice<UInt8>) -> String? {
        var bits: UInt32 = 0
        var count = 0
        var units: [UInt16] = []
        for byte in shifted {
            guard let value = alphabet.firstIndex(of: byte) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 16 {
                count -= 16
                units.append(UInt16(truncatingIfNeeded: bits >> UInt32(count)))
                bits &= (1 << UInt32(count)) - 1
            }
        }
        return String(decoding: units, as: UTF16.self)
    }
}
