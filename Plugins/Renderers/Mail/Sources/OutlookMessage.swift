internal import CompoundFiles
internal import MIME
internal import VitrineKit

/// A mail that Outlook saved: a compound file with a stream for each property ([MS-OXMSG] 2.1, 2.4).
enum OutlookMessage {
    /// Properties ([MS-OXPROPS]).
    private enum Property {
        static let subject = "0037"
        static let senderName = "0C1A"
        static let senderAddress = "0C1F"
        static let body = "1000"
        static let html = "1013"
        static let codePage = 0x3FFD
        static let htmlCodePage = 0x3FDE
        static let submitted = 0x0039
        static let delivered = 0x0E06
    }

    private static let longest = 128 << 10

    /// Reads a mail.
    /// - Throws: `unsupported` when the compound file is something else, `corrupt`, or what the input throws.
    static func letter(_ input: any RandomAccessInput) throws(PluginError) -> Letter {
        let file = try CompoundFile(input)
        guard let properties = try file.head(of: "__properties_version1.0", count: 32 + 16 * 512) else {
            throw PluginError(
                .unsupported, "the compound file holds no mail of Outlook, and nothing else that is known")
        }
        var letter = Letter()
        let charset = charset(Property.codePage, properties)
        letter.subject = Letter.line(try text(Property.subject, file, charset))
        letter.sender = Letter.line(try text(Property.senderName, file, charset))
        if letter.sender == nil { letter.sender = Letter.line(try text(Property.senderAddress, file, charset)) }
        letter.date = date(properties)
        let plain = Letter.body(try text(Property.body, file, charset) ?? "")
        if plain.isEmpty, let html = try stream(Property.html + "0102", file) {
            let said = self.charset(Property.htmlCodePage, properties)
            letter.text = Letter.body(HTMLText.words(Charset.likelyText(html, charset: said)))
        } else {
            letter.text = plain
        }
        // Each attachment is a storage; they are listed among the entries without being followed.
        letter.attachments = min(99, file.entries.keys.count { $0.hasPrefix("__attach_version1.0_#") })
        return letter
    }

    private static func stream(_ name: String, _ file: CompoundFile) throws(PluginError) -> [UInt8]? {
        try file.head(of: "__substg1.0_" + name, count: longest)
    }

    /// A text in UTF-16, or in the encoding that a mail is in.
    private static func text(
        _ property: String, _ file: CompoundFile, _ charset: String?
    ) throws(PluginError) -> String? {
        if let bytes = try stream(property + "001F", file) {
            let units = stride(from: 0, to: bytes.count - 1, by: 2).compactMap { bytes.uint16(at: $0).map(UInt16.init) }
            return String(decoding: units, as: UTF16.self)
        }
        return try stream(property + "001E", file).map { Charset.likelyText($0, charset: charset) }
    }

    /// The encoding whose number a property has.
    private static func charset(_ property: Int, _ properties: [UInt8]) -> String? {
        value(of: property, type: 0x0003, properties).flatMap { Charset.name(ofCodePage: Int($0 & 0xFFFF_FFFF)) }
    }

    /// The value of a property that is a number ([MS-OXMSG] 2.4.2.1).
    /// - Parameter type: how it is stored: 3 as 32 bits, which are the lower ones, 0x40 as a time.
    private static func value(of property: Int, type: Int, _ properties: [UInt8]) -> UInt64? {
        for at in stride(from: 32, to: properties.count - 15, by: 16)
        where properties.uint16(at: at) == type && properties.uint16(at: at + 2) == property {
            guard let low = properties.uint32(at: at + 8), let high = properties.uint32(at: at + 12) else { return nil }
            return UInt64(high) << 32 | UInt64(low)
        }
        return nil
    }

    /// When it was sent: a property of type time, in tenths of microseconds since 1601.
    private static func date(_ properties: [UInt8]) -> String? {
        let time =
            value(of: Property.submitted, type: 0x0040, properties)
            ?? value(of: Property.delivered, type: 0x0040, properties)
        guard let time else { return nil }
        let seconds = Int64(time / 10_000_000) - 11_644_473_600
        // Years of four digits.
        guard 0..<253_402_300_800 ~= seconds else { return nil }
        return CivilDate.text(secondsSince1970: seconds)
    }
}
