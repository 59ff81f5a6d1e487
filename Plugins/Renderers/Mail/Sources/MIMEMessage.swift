internal import CMail
internal import Glibc
internal import MIME
internal import VitrineKit

/// A mail as it is sent (RFC 5322, RFC 2045), read with gmime.
enum MIMEMessage {
    /// Bytes that are read: what is written lies before what is attached. More of them where they end in a picture.
    private static let reach = 2 << 20, longReach = 16 << 20
    /// Messages at the beginning of a mailbox that are none, at most.
    private static let mostPassedOver = 16
    /// The subject of the message in which UW IMAP, Pine and Alpine keep what they know of a mailbox.
    private static let ofPrograms = "DON'T DELETE THIS MESSAGE"

    /// Encodings that mails have; their tables are loaded before the worker is locked, and kept.
    private static let encodings = [
        "ISO-8859-1", "ISO-8859-2", "ISO-8859-5", "ISO-8859-7", "ISO-8859-9", "ISO-8859-15", "WINDOWS-1250",
        "WINDOWS-1251", "WINDOWS-1252", "WINDOWS-1253", "WINDOWS-1254", "WINDOWS-1255", "WINDOWS-1256", "KOI8-R",
        "KOI8-U", "ISO-2022-JP", "SHIFT_JIS", "EUC-JP", "GB2312", "GBK", "GB18030", "BIG5", "EUC-KR", "UTF-16LE",
        "UTF-7", "US-ASCII",
    ]

    /// gmime is started once: a second call that comes while the first one is under way finds tables that are not there yet.
    private static let started: Void = g_mime_init()

    /// Loads what gmime and the C library load late.
    static func warmUp() {
        _ = started
        for name in encodings { _ = g_mime_iconv_open("UTF-8", name) }
        Charset.warmUp(.all)
        let bytes = Array("Subject: =?utf-8?q?a?=\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n\na\n".utf8)
        var endsInPicture = false
        _ = mail(bytes, isCut: false, &endsInPicture)
    }

    /// Reads a mail.
    /// - Throws: `corrupt` for what is none, `empty` for a mailbox without one, or what the input throws.
    static func letter(_ input: any RandomAccessInput) throws(PluginError) -> Letter {
        _ = started
        for reach in [reach, longReach] {
            var endsInPicture = false
            let isCut = input.size > reach
            guard let letter = try letter(try input.head(reach), isCut: isCut, &endsInPicture) else { break }
            if !endsInPicture || reach == longReach { return letter }
        }
        throw PluginError(.corrupt, "the file is no mail: it has neither a sender nor a subject or a date")
    }

    /// The mail; of a mailbox the first one.
    /// - Parameters:
    ///   - isCut: whether the file goes on.
    ///   - endsInPicture: becomes whether the mail goes on with a picture that is not there whole.
    private static func letter(
        _ bytes: [UInt8], isCut: Bool, _ endsInPicture: inout Bool
    ) throws(PluginError) -> Letter? {
        guard bytes.starts(with: "From ".utf8), let end = bytes.firstIndex(of: 10) else {
            return mail(bytes, isCut: isCut, &endsInPicture)
        }
        // With the end of the line before the mail, without which an empty mail would have no empty line.
        var rest = Array(bytes[end...])
        var isMailbox = false
        for _ in 0..<mostPassedOver {
            let next = MailboxLine.first(in: rest, upTo: rest.count)
            let first = Array(rest[1..<(next?.end ?? rest.count)])
            if let letter = mail(MailboxLine.unquoted(first), isCut: isCut && next == nil, &endsInPicture) {
                guard letter.subject?.hasPrefix(ofPrograms) == true else { return letter }
                isMailbox = true
            }
            guard let next else { break }
            rest.removeSubrange(..<(next.begin - 1))
        }
        if isMailbox { throw PluginError(.empty, "there is no mail in the mailbox") }
        return nil
    }

    private static func mail(_ bytes: [UInt8], isCut: Bool, _ endsInPicture: inout Bool) -> Letter? {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { text -> Letter? in
                guard let message = cmail_parse(text.baseAddress, text.count) else { return nil }
                defer { g_object_unref(UnsafeMutableRawPointer(message)) }
                let names: [String] = ["From", "Subject", "Date", "To", "Message-Id"]
                guard names.contains(where: { cmail_header(message, $0) != nil }) else { return nil }
                var letter = Letter()
                letter.subject = Letter.line(g_mime_message_get_subject(message).map { String(cString: $0) })
                letter.sender = sender(message)
                letter.date = date(message, "%Y-%m-%d %H:%M")
                let zone = cmail_header(message, "Date").map { namesZone(String(cString: $0)) } ?? false
                letter.moment = date(message, zone ? "%Y-%m-%dT%H:%M:%S%z" : "%Y-%m-%dT%H:%M:%S")
                endsInPicture = MessageParts.read(message, isCut: isCut, into: &letter)
                return letter
            }
        }
    }

    /// The name of who wrote it, or the address where there is none.
    private static func sender(_ message: UnsafeMutablePointer<GMimeMessage>) -> String? {
        guard let list = g_mime_message_get_from(message), internet_address_list_length(list) > 0,
            let address = internet_address_list_get_address(list, 0)
        else { return nil }
        if let name = Letter.line(internet_address_get_name(address).map({ String(cString: $0) })) { return name }
        guard let text = internet_address_to_string(address, nil, 0) else { return nil }
        defer { g_free(text) }
        return Letter.line(String(cString: text))
    }

    private static func date(_ message: UnsafeMutablePointer<GMimeMessage>, _ format: String) -> String? {
        guard let date = g_mime_message_get_date(message), let text = g_date_time_format(date, format) else {
            return nil
        }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// Zones that have names (RFC 5322, 4.3), with one that is written all the same.
    private static let zones: Set = [
        "UT", "UTC", "GMT", "Z", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT",
    ]

    /// Whether a date ends with its zone. `-0000` says that nobody knows it (3.3).
    private static func namesZone(_ date: String) -> Bool {
        let words = date.prefix { $0 != "(" }.split(whereSeparator: \.isWhitespace)
        guard words.count > 1, let last = words.last else { return false }
        if zones.contains(last.uppercased()) { return true }
        return last != "-0000" && last.count == 5 && (last.hasPrefix("+") || last.hasPrefix("-"))
            && last.dropFirst().allSatisfy { "0"..."9" ~= $0 }
    }
}
