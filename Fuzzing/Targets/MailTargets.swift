import MIME
import VitrineKit

@testable import MailBackend

extension FuzzTarget {
    /// A mail, which strangers write and the host reads for its list of attachments. Its bytes come in pieces of any length.
    static let mimeMessage = FuzzTarget(
        name: "mime-message", maximumLength: 1 << 15, fixtures: ["mail"],
        seeds: {
            [
                Array(
                    """
                    Subject: =?utf-8?q?=C3=BC?= =?utf-8?b?w7w=?=\r
                    Content-Type: multipart/mixed; boundary="b"\r
                    \r
                    --b\r
                    Content-Type: text/html; charset=iso-8859-1\r
                    Content-Transfer-Encoding: quoted-printable\r
                    \r
                    <p>a=E4 &amp; b</p>=\r
                    \r
                    --b\r
                    Content-Type: message/rfc822\r
                    \r
                    Content-Type: image/png; name*0*=utf-8''a%20; name*1="b.png"\r
                    Content-Disposition: attachment; filename="../../x.png"\r
                    Content-Transfer-Encoding: base64\r
                    \r
                    AAAA\r
                    --b--\r

                    """.utf8)
            ]
        },
        words: [
            "Content-Type: ", "multipart/mixed", "; boundary=", "--b", "--b--", "\r\n\r\n", "base64",
            "quoted-printable", "=?utf-8?b?", "?=", "message/rfc822", "filename*0*=", "%2F", "charset=utf-16",
            "multipart/digest", "=\r\n",
        ],
        check: { bytes in
            let whole = scanned(bytes, piece: max(1, bytes.count))
            try hold(whole.parts.count <= MIMEPart.most, "\(whole.parts.count) parts were taken")
            for piece in [1, 7] {
                let cut = scanned(bytes, piece: piece)
                let isSame = zip(cut.parts, whole.parts).allSatisfy {
                    $0.section == $1.section && $0.offset == $1.offset && $0.encodedSize == $1.encodedSize
                }
                try hold(cut.parts.count == whole.parts.count && isSame, "pieces of \(piece) bytes have other parts")
            }
            try attachments(whole.parts, of: bytes)
            if let subject = whole.head.text("subject") { try subject.mustBeShowable("a subject") }
        })

    private static func scanned(_ bytes: [UInt8], piece: Int) -> MIMEScanner {
        var scanner = MIMEScanner()
        for start in stride(from: 0, to: bytes.count, by: piece) {
            scanner.take(Array(bytes[start..<min(start + piece, bytes.count)]))
        }
        scanner.finish()
        return scanner
    }

    private static func attachments(_ parts: [MIMEPart], of bytes: [UInt8]) throws {
        var names = AttachmentNames()
        var seen: Set<String> = []
        for part in parts {
            try hold(
                part.offset >= 0 && part.encodedSize >= 0 && part.offset + part.encodedSize <= Int64(bytes.count),
                "a part lies at \(part.offset), and has \(part.encodedSize) bytes of \(bytes.count)")
            let name = names.name(for: part)
            try hold(1...AttachmentNames.longest ~= name.utf8.count, "a name has \(name.utf8.count) bytes")
            try hold(!name.utf8.contains(0x2F) && ![".", ".."].contains(name), "'\(name)' is a path")
            try hold(seen.insert(name).inserted, "the name '\(name)' comes twice")
            try name.mustBeShowable("a name")
            let content = bytes[Int(part.offset)..<Int(part.offset + part.encodedSize)]
            let decoded = part.coding.decode(content)
            try hold(decoded.count <= content.count, "\(content.count) bytes became \(decoded.count)")
            var decoder = TransferDecoder(part.coding)
            var pieces: [UInt8] = []
            for byte in content { pieces += decoder.decode(CollectionOfOne(byte)) }
            try hold(pieces + decoder.finish() == decoded, "bytes one by one are decoded in another way")
            guard part.isText else { continue }
            _ = HTMLText.words(Charset.text(decoded, charset: part.type["charset"]))
        }
    }

    /// A file of many mails.
    static let mbox = FuzzTarget(
        name: "mbox", maximumLength: 1 << 14,
        seeds: {
            let from = "From alice@example.org Wed Jan 31 23:59:00 2024\n"
            return [
                Array("\(from)Subject: a\n\n>From me\n>>From you\n\n\(from)Subject: b\n\ntext\n".utf8),
                Array("\(from)\n\(from)\r\n\(from)".utf8),
            ]
        },
        words: ["From ", "\n\nFrom a 1:00\n", ">From ", "\r\n", "12:34", "\n"],
        check: { bytes in
            guard let scratch = ScratchFile(bytes) else { return }
            do throws(PluginError) {
                let file = try LocalFile(Array(scratch.path.utf8))
                var scan = try MboxScan(file)
                var small = try MboxScan(file, piece: 64)
                var last: Int64 = 0
                while let place = try scan.next() {
                    let isSame = try small.next() == place
                    let isInside = last <= place.line && place.line < place.begin && place.begin <= place.end
                    guard isSame, isInside, place.end <= bytes.count else {
                        throw PluginError(.invalidAnswer, "a message lies at \(place), or not, in \(bytes.count) bytes")
                    }
                    last = place.end
                    try read(try MboxMessage(file, place), place)
                }
                guard try small.next() == nil else {
                    throw PluginError(.invalidAnswer, "small pieces have more messages")
                }
            } catch {
                throw BrokenRule(error.message)
            }
        })

    private static func read(_ message: MboxMessage, _ place: MboxScan.Place) throws(PluginError) {
        let whole = try message.read(at: 0, count: Int(place.end - place.begin) + 1)
        var pieces: [UInt8] = []
        while case let piece = try message.read(at: Int64(pieces.count), count: 33), !piece.isEmpty { pieces += piece }
        guard whole == pieces, Int64(whole.count) == message.size else {
            throw PluginError(.invalidAnswer, "a message of \(message.size) bytes is read in two ways")
        }
    }

    /// Lines of address books and calendars.
    static let contentLines = FuzzTarget(
        name: "content-lines", maximumLength: 1 << 14,
        seeds: {
            [
                """
                BEGIN:VCARD\r
                item1.N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=\r
                =F6rg;a\\;b;;\r
                NOTE;X="a:b":folded\r
                 and\\nlong\r
                END:VCARD\r
                """
            ].map { Array($0.utf8) }
        },
        words: [
            "\r\n ", "=\r\n", "ENCODING=QUOTED-PRINTABLE", ";CHARSET=utf-16", "\"", "\\", ":", ";", "BEGIN:", "END:",
        ],
        check: { bytes in
            let lines = ContentLine.lines(bytes)
            try hold(lines.reduce(0) { $0 + $1.value.count } <= bytes.count, "there is more than was written")
            for line in lines.prefix(200) {
                try hold(line.property == line.property.uppercased(), "a name is not in capitals")
                try hold(!line.parts.isEmpty, "a value has no parts")
                if !line.parts[0].contains(";"), line.parts.count == 1 {
                    try hold(line.parts[0] == line.text, "a value of one part is not that part")
                }
            }
        })
}
