internal import CompoundFiles
internal import MIME
internal import VitrineKit

/// What Outlook says of a mail, wherever it is kept.
protocol OutlookProperties {
    /// The value of a property; `nil` where it has none of this type.
    /// - Throws: what reading throws.
    func value(of property: OutlookProperty, _ type: OutlookType) throws(PluginError) -> [UInt8]?
}

/// A property by its number ([MS-OXPROPS]).
enum OutlookProperty: Int, CaseIterable {
    case subject = 0x0037
    case submitted = 0x0039
    case senderName = 0x0C1A
    case senderAddress = 0x0C1F
    case delivered = 0x0E06
    case body = 0x1000
    case richText = 0x1009
    case html = 0x1013
    case htmlCodePage = 0x3FDE
    case locale = 0x3FF1
    case codePage = 0x3FFD
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
        letter.subject = Letter.line(try text(.subject, charset))
        letter.sender = Letter.line(try text(.senderName, charset))
        if letter.sender == nil { letter.sender = Letter.line(try text(.senderAddress, charset)) }
        letter.date = try date(.submitted)
        if letter.date == nil { letter.date = try date(.delivered) }
        letter.text = Letter.body(try text(.body, charset) ?? "")
        if letter.text.isEmpty, let html = try value(of: .html, .bytes) {
            letter.text = Letter.body(
                HTMLText.words(Charset.likelyText(html, charset: try self.charset(.htmlCodePage))))
        }
        if letter.text.isEmpty, let packed = try value(of: .richText, .bytes),
            let rich = CompressedRichText.unpacked(packed)
        {
            letter.text = Letter.body(RichText.words(rich))
        }
        return letter
    }

    /// A text in UTF-16, or in the encoding that a mail is in.
    private func text(_ property: OutlookProperty, _ charset: String?) throws(PluginError) -> String? {
        if let bytes = try value(of: property, .unicode) {
            let units = stride(from: 0, to: bytes.count - 1, by: 2).compactMap { bytes.uint16(at: $0).map(UInt16.init) }
            return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
        }
        return try value(of: property, .text).map { Charset.likelyText($0.prefix { $0 != 0 }, charset: charset) }
    }

    /// The encoding of texts that are not in UTF-16; `nil` where nothing tells. Programs that leave it out name that of the HTML,
    /// or the language.
    var charset: String? {
        get throws(PluginError) {
            for property in [OutlookProperty.codePage, .htmlCodePage] {
                if let page = try number(property), page != 0, page != Self.ascii {
                    return Charset.name(ofCodePage: page)
                }
            }
            guard let locale = try number(.locale) else { return nil }
            return Charset.name(ofCodePage: OutlookLocale.codePage(locale))
        }
    }

    /// The code page of ASCII, which says nothing of other letters.
    private static var ascii: Int { 20_127 }

    /// The encoding whose number a property has.
    private func charset(_ property: OutlookProperty) throws(PluginError) -> String? {
        try number(property).flatMap(Charset.name(ofCodePage:))
    }

    private func number(_ property: OutlookProperty) throws(PluginError) -> Int? {
        try value(of: property, .number)?.uint32(at: 0)
    }

    private func date(_ property: OutlookProperty) throws(PluginError) -> String? {
        guard let time = try value(of: property, .time)?.uint64(at: 0) else { return nil }
        let seconds = Int64(time / 10_000_000) - 11_644_473_600
        guard seconds >= 0, let text = FactDate(secondsSince1970: seconds)?.text else { return nil }
        // Day and time, up to the minute.
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5)
    }
}
