import MIME
import Transfer
import VitrineKit

@testable import MailBackend

extension FuzzTarget {
    /// What a server of IMAP answers to FETCH, with its literals.
    static let imapAnswer = FuzzTarget(
        name: "imap-answer", maximumLength: 1 << 14,
        seeds: {
            [
                """
                * 1 FETCH (UID 7 RFC822.SIZE 99 INTERNALDATE "31-Jan-2024 23:59:00 +0000" BODYSTRUCTURE (("TEXT" "PLAIN" \
                ("CHARSET" "utf-8") NIL NIL "7BIT" 12 1 NIL NIL NIL)("MESSAGE" "RFC822" NIL NIL NIL "7BIT" 500 () \
                ("APPLICATION" "PDF" ("NAME" "a.pdf") NIL NIL "BASE64" 100 NIL ("attachment" ("filename" "b.pdf"))) 9) \
                "MIXED") BODY[HEADER.FIELDS (SUBJECT DATE)] {12}\r
                Subject: a\r
                )\r

                """,
                "* LIST (\\HasNoChildren) \"/\" &AOQ-rger\r\n", "* SEARCH 1 2 3\r\n", "* OK [UIDVALIDITY 5] a\r\n",
                "* 1 FETCH (A {1}\r\nx B ~{2}\r\nyz NIL \"q\\\"\")\r\n",
            ].map { Array($0.utf8) }
        },
        words: ["{5}\r\n", "{99999999999}\r\n", "NIL", "((", "))", "\"", "BODY[", "]", "\\", "\"MESSAGE\" \"RFC822\""],
        check: { bytes in
            let lines = SpokenLines(bytes)
            do throws(TransferFailure) {
                let first = try lines.line(longest: IMAPReader.longestLine, "fuzzing")
                var reader = IMAPReader(lines, first, from: min(2, first.count), "fuzzing")
                let values = try reader.values()
                for value in values {
                    for place in [value] + (value.list ?? []) { try structure(BodyStructure.parts(place)) }
                }
            } catch {
                try error.error.mustBe(.io, .offline, .limitExceeded)
            }
            _ = MailboxName.decode(bytes.prefix(1000))
        })

    private static func structure(_ parts: [MIMEPart]) throws(TransferFailure) {
        var names = AttachmentNames()
        for part in parts {
            let name = names.name(for: part)
            guard parts.count <= MIMEPart.most, part.encodedSize >= 0, !part.section.isEmpty, !name.isEmpty,
                !name.utf8.contains(0x2F)
            else { throw TransferFailure(PluginError(.invalidAnswer, "a part is none: \(part.section) \(name)")) }
        }
    }

    /// What a server of POP3 says from its list on.
    static let pop3Session = FuzzTarget(
        name: "pop3-session", maximumLength: 1 << 14,
        seeds: {
            [
                "+OK\r\nPIPELINING\r\nUIDL\r\n.\r\n+OK\r\n1 120\r\n2 99999999999999999999\r\n.\r\n+OK\r\n1 a\r\n2 b\r\n.\r\n"
                    + "+OK\r\nSubject: a\r\n..b\r\n.\r\n+OK\r\nSubject: c\r\n.\r\n+OK\r\ntext\r\n.\r\n",
                "-ERR no\r\n+OK\r\n.\r\n-ERR [AUTH] what\r\n",
            ].map { Array($0.utf8) }
        },
        words: ["+OK\r\n", "-ERR ", ".\r\n", "..", "-1 5\r\n", "0 5\r\n", "1 a\r\n", "PIPELINING\r\n"],
        check: { bytes in
            let lines = SpokenLines(bytes)
            do throws(TransferFailure) {
                let link = try POP3Link(lines)
                guard link.marks.count == link.messages.count, link.messages.values.allSatisfy({ $0.size >= 0 }) else {
                    throw TransferFailure(PluginError(.invalidAnswer, "messages are listed twice, or have no size"))
                }
                let heads = try link.heads(link.marks, "fuzzing")
                guard heads.count == link.marks.count else {
                    throw TransferFailure(PluginError(.invalidAnswer, "a head is missing"))
                }
                var length = 0
                if let first = link.marks.first { _ = try link.retrieve(first, "fuzzing") { length += $0.count } }
                guard length <= 2 * bytes.count + 2 else {
                    throw TransferFailure(PluginError(.invalidAnswer, "more came than was sent"))
                }
            } catch {
                // Whatever a server says for itself is said with its code.
                try hold(error.error.code != .invalidAnswer, error.error.message)
                try error.error.message.mustBeShowable("the message of an error")
            }
        })
}

/// A server that says what it was given, whatever it is asked.
private final class SpokenLines: ServerLines {
    let server = "fuzzing"
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func send(_ bytes: [UInt8], _ doing: String) {}

    func line(longest: Int, _ doing: String) throws(TransferFailure) -> [UInt8] {
        guard let end = rest.firstIndex(of: 0x0A) else {
            throw TransferFailure(PluginError(.offline, "the server has ended"))
        }
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        guard line.count <= longest else { throw TransferFailure(PluginError(.limitExceeded, "the line is too long")) }
        return Array(line.last == 0x0D ? line.dropLast() : line)
    }

    func bytes(_ count: Int, _ doing: String) throws(TransferFailure) -> [UInt8] {
        guard 0...rest.count ~= count else { throw TransferFailure(PluginError(.offline, "the server has ended")) }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
