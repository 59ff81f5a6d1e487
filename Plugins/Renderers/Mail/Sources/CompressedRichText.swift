internal import CompoundFiles

/// The text of a mail in Rich Text Format, packed as Outlook does it ([MS-OXRTFCP]).
enum CompressedRichText {
    /// Bytes that are unpacked: a text of some pages.
    private static let longest = 1 << 20
    /// The bytes that references may mean before there are others ([MS-OXRTFCP] 2.1.2.1).
    private static let beginning = Array(
        (#"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"#
            + "\r\n" + #"\par \pard\plain\f0\fs20\b\i\u\tab\tx"#).utf8)

    /// - Returns: the beginning of the text as far as it is whole; `nil` for what is not packed like that.
    static func unpacked(_ bytes: [UInt8]) -> [UInt8]? {
        let head = 16
        guard bytes.count > head, let kind = bytes.uint32(at: 8) else { return nil }
        // "MELA": not packed at all; else "LZFu".
        if kind == 0x414C_454D { return Array(bytes[head...].prefix(longest)) }
        guard kind == 0x7546_5A4C else { return nil }
        var window = beginning + [UInt8](repeating: 0, count: 4096 - beginning.count)
        var (write, at, out) = (beginning.count, head, [UInt8]())
        func put(_ byte: UInt8) {
            window[write] = byte
            write = (write + 1) % 4096
            out.append(byte)
        }
        while at < bytes.count, out.count < longest {
            let control = bytes[at]
            at += 1
            for bit in 0..<8 where at < bytes.count {
                guard control >> UInt8(bit) & 1 != 0 else {
                    put(bytes[at])
                    at += 1
                    continue
                }
                guard at + 1 < bytes.count else { return out }
                let reference = Int(bytes[at]) << 8 | Int(bytes[at + 1])
                at += 2
                let place = reference >> 4
                // A reference to where the next byte goes ends the text.
                if place == write { return out }
                for step in 0..<(reference & 15) + 2 { put(window[(place + step) % 4096]) }
            }
        }
        return out
    }
}
