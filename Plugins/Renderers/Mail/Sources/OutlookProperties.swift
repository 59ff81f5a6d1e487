internal import MIME
internal import VitrineKit

/// What Outlook says of a mail ([MS-OXPROPS]), wherever it is kept.
protocol OutlookProperties {
    /// The value of a property; `nil` where it has none of this type.
    /// - Throws: what reading throws.
    func value(of property: Int, _ type: OutlookType) throws(PluginError) -> [UInt8]?
}

/// How a value is written, the lowest byte first ([MS-OXCDATA] 2.11.1).
enum OutlookType: Int {
    /// 32 bits.
    case number = 0x0003
    /// Tenths of microseconds since 1601, in 64 bits.
    case time = 0x0040
    /// In the encoding of the mail, and in UTF-16.
    case text = 0x001E, unicode = 0x001F
    case bytes = 0x0102
}

extension OutlookProperties {
    /// The mail, but for what is attached to it.
    /// - Throws: what reading throws.
    func letter() throws(PluginError) -> Letter {
        var letter = Letter()
        let charset = try charset
        letter.subject = Letter.line(try text(0x0037, charset))
        // The name of who sent it, or the address.
        letter.sender = Letter.line(try text(0x0C1A, charset))
        if letter.sender == nil { letter.sender = Letter.line(try text(0x0C1F, charset)) }
        // When it was sent, or arrived.
        letter.date = try date(0x0039)
        if letter.date == nil { letter.date = try date(0x0E06) }
        letter.text = Letter.body(try text(0x1000, charset) ?? "")
        if letter.text.isEmpty, let html = try value(of: 0x1013, .bytes) {
            letter.text = Letter.body(HTMLText.words(Charset.likelyText(html, charset: try self.charset(0x3FDE))))
        }
        if letter.text.isEmpty, let packed = try value(of: 0x1009, .bytes),
            let rich = CompressedRichText.unpacked(packed)
        {
            letter.text = Letter.body(RichText.words(rich))
        }
        return letter
    }

    /// A text in UTF-16, or in the encoding that a mail is in.
    private func text(_ property: Int, _ charset: String?) throws(PluginError) -> String? {
        if let bytes = try value(of: property, .unicode) {
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
                UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
            }
            return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
        }
        return try value(of: property, .text).map { Charset.likelyText($0.prefix { $0 != 0 }, charset: charset) }
    }

    /// The encoding of texts that are not in UTF-16; `nil` where nothing tells.
    var charset: String? { get throws(PluginError) { try charset(0x3FFD) } }

    /// The encoding whose number a property has.
    private func charset(_ property: Int) throws(PluginError) -> String? {
        try value(of: property, .number).flatMap { Charset.name(ofCodePage: Self.number($0.prefix(4))) }
    }

    private func date(_ property: Int) throws(PluginError) -> String? {
        guard let bytes = try value(of: property, .time), bytes.count >= 8, bytes[7] < 0x80 else { return nil }
        let seconds = Int64(Self.number(bytes.prefix(8)) / 10_000_000) - 11_644_473_600
        // Years of four digits.
        guard 0..<253_402_300_800 ~= seconds else { return nil }
        return CivilDate.text(secondsSince1970: seconds)
    }

    private static func number(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
