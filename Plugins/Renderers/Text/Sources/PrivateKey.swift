/// Keys that nobody but their owner may have, in forms that are text: a picture of one, or its letters among what can be found,
/// would be a copy that nobody guards.
enum PrivateKey {
    /// Whether a text has one in it, whatever else it has: in PEM (RFC 7468, RFC 4716, RFC 9580), also in JSON and settings, of
    /// PuTTY, age and WireGuard. Of those that speak of keys, as manuals do, none is meant that has no key.
    static func isHeld(in text: String) -> Bool {
        let bytes = Array(text.utf8)
        if starts(bytes, 0, "PuTTY-User-Key-File-") { return true }
        for (at, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "P"):
                // Behind `-----BEGIN RSA ` or `---- BEGIN SSH2 ENCRYPTED `.
                guard starts(bytes, at, "PRIVATE KEY"), let end = endOfMark(bytes, at) else { continue }
                if runs(bytes, from: content(bytes, from: end)) >= fewestLetters { return true }
            case UInt8(ascii: "A"):
                if starts(bytes, at, "AGE-SECRET-KEY-1"), runs(bytes, from: at + 16) >= fewestLetters { return true }
            default: continue
            }
        }
        return isTunnel(text)
    }

    /// Letters of a key without a break: fewer are those of examples, and words.
    private static let fewestLetters = 40
    /// Letters of a name before a colon, such as `DEK-Info`; bytes of all lines that name something, and blanks, which are looked
    /// through anew behind each mark.
    private static let longestName = 24, longestNames = 2 << 10

    /// The settings of a tunnel of WireGuard.
    private static func isTunnel(_ text: String) -> Bool {
        text.split(separator: "\n").contains { line in
            let parts = line.split(separator: "=", maxSplits: 1).map {
                Array($0.utf8).filter { $0 != 0x20 && $0 != 0x09 }
            }
            // 32 bytes in Base64.
            return parts.count == 2 && parts[0] == Array("PrivateKey".utf8) && parts[1].count == 44
                && runs(parts[1], from: 0) == 43
        }
    }

    private static func starts(_ bytes: [UInt8], _ at: Int, _ word: String) -> Bool {
        bytes[at...].starts(with: word.utf8)
    }

    /// Where the dashes end behind a mark of a key's beginning: five, or four in an older form.
    private static func endOfMark(_ bytes: [UInt8], _ at: Int) -> Int? {
        let dash = UInt8(ascii: "-")
        guard let dashes = bytes[at...].prefix(40).firstIndex(of: dash), starts(bytes, dashes, "----") else {
            return nil
        }
        return bytes[dashes...].firstIndex { $0 != dash } ?? bytes.endIndex
    }

    /// Where the letters begin behind a mark: past ends of lines, also as programs write these in one line, and lines that name
    /// something.
    private static func content(_ bytes: [UInt8], from start: Int) -> Int {
        var at = start
        while at < min(bytes.count, start + longestNames) {
            let line = bytes[at...].prefix(200).prefix { $0 != 0x0A }
            if line.starts(with: "\\n".utf8) || line.starts(with: "\\r".utf8) {
                at += 2
            } else if [0x09, 0x0A, 0x0D, 0x20].contains(bytes[at]) {
                at += 1
            } else if let colon = line.prefix(longestName).firstIndex(of: UInt8(ascii: ":")), colon > at {
                at += line.count
            } else {
                break
            }
        }
        return at
    }

    /// How many letters of Base64 there are without a break.
    private static func runs(_ bytes: [UInt8], from start: Int) -> Int {
        bytes[min(start, bytes.count)...].prefix { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
        .count
    }
}
