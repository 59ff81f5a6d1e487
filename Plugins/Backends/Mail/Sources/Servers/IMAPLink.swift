import Transfer
import VitrineKit

/// One connection to a server of IMAP. Mailboxes are only examined, and bodies only peeked at, so that nothing is marked
/// as read. One thread at a time.
///
/// libcurl connects, makes TLS and logs in; what follows is spoken here. Its own commands of IMAP would select mailboxes
/// and mark what they fetch as read, and they hand out answers as lines, in which the literals of strangers cannot be told
/// from the server's own words.
final class IMAPLink {
    private let line: LineConnection
    private var number = 0
    private var selected: (mailbox: [UInt8], validity: UInt32)?

    init(_ server: MailServer) throws(TransferFailure) { line = try server.connect() }

    /// The numbers of some millions of messages are one line.
    private static let longestLine = 32 << 20
    /// Far more than a page of messages needs.
    private static let longestAnswer: Int64 = 128 << 20

    /// What follows the word of an untagged answer.
    typealias Untagged = (_ words: [[UInt8]], _ reader: inout IMAPReader) throws(TransferFailure) -> Void

    /// Opens a mailbox for reading.
    /// - Parameter validity: what its numbers were valid under; `changed` when they are not any more.
    /// - Returns: what the numbers of its messages are valid under.
    @discardableResult
    func examine(_ mailbox: [UInt8], validity: UInt32? = nil, anew: Bool = false, _ doing: String)
        throws(TransferFailure) -> UInt32
    {
        if anew || selected?.mailbox != mailbox {
            selected = nil
            var found: UInt32?
            var rest: [UInt8] = Array("EXAMINE ".utf8)
            rest += try Self.string(mailbox)
            try command(rest, doing, isAboutMailbox: true) { (words, reader) throws(TransferFailure) in
                guard words.count >= 2, words[1].lowercasedText == "ok" else { return }
                let text = reader.rest
                if let range = text.firstRange(of: Array("[UIDVALIDITY ".utf8)) {
                    found = UInt32(String(decoding: text[range.upperBound...].prefix { $0 != 0x5D }, as: UTF8.self))
                }
            }
            // Without it numbers mean nothing beyond this connection.
            selected = (mailbox, found ?? 0)
        }
        let now = selected?.validity ?? 0
        if let validity, validity != now {
            throw TransferFailure(
                PluginError(.changed, "\(doing): the server numbers the messages of the mailbox anew; list it again"))
        }
        return now
    }

    /// A text as an argument.
    static func string(_ bytes: [UInt8]) throws(TransferFailure) -> [UInt8] {
        guard bytes.count <= 1000, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw TransferFailure(
                PluginError(
                    .unsupported, "'\(DisplayText.of(bytes.prefix(200)))' is no name that IMAP can be asked for"))
        }
        return [0x22] + bytes.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] } + [0x22]
    }

    /// Sends a command and reads all that is answered.
    /// - Parameters:
    ///   - text: without tag and end; no part of it comes from elsewhere unquoted.
    ///   - untagged: called for each answer on the way.
    func command(
        _ text: [UInt8], _ doing: String, isAboutMailbox: Bool = false, untagged: Untagged = { _, _ in }
    ) throws(TransferFailure) {
        number += 1
        let tag = Array("V\(number)".utf8)
        try line.send(tag + [0x20] + text + [0x0D, 0x0A], doing)
        let begin = line.received
        while true {
            let answer = try line.line(longest: Self.longestLine, doing)
            guard line.received - begin <= Self.longestAnswer else {
                throw TransferFailure(
                    PluginError(.limitExceeded, "\(doing): the answer of '\(line.server)' does not end"),
                    isOfSource: true)
            }
            let words = answer.prefix(200).split(separator: 0x20, maxSplits: 3).map { Array($0) }
            guard let first = words.first else { continue }
            if first == tag {
                guard words.count > 1, words[1].lowercasedText == "ok" else {
                    throw refusal(answer, words, doing, isAboutMailbox)
                }
                return
            }
            guard first == [UInt8(ascii: "*")] else { continue }
            if words.count > 1, words[1].lowercasedText == "bye" {
                let meaning = ServerAnswer.meaning(String(decoding: answer, as: UTF8.self))
                let isBusy = meaning.code == .throttled
                throw TransferFailure(
                    PluginError(
                        isBusy ? .throttled : .offline,
                        "\(doing): '\(line.server)' \(isBusy ? meaning.reason : "ended the connection")"),
                    isPassing: true,
                    isOfSource: true)
            }
            var reader = IMAPReader(line, answer, from: 2, doing)
            try untagged(words, &reader)
            // What nobody took may go on with literals.
            _ = try reader.values()
        }
    }

    private func refusal(
        _ answer: [UInt8], _ words: [[UInt8]], _ doing: String, _ isAboutMailbox: Bool
    ) -> TransferFailure {
        var meaning = ServerAnswer.meaning(
            String(decoding: answer.dropFirst((words.first?.count ?? 0) + 1), as: UTF8.self))
        if meaning.code == .io, isAboutMailbox {
            meaning = ServerAnswer(code: .notFound, reason: "does not open the mailbox: " + meaning.reason)
        }
        return TransferFailure(
            PluginError(meaning.code, "\(doing): '\(line.server)' \(meaning.reason)"), isPassing: meaning.isPassing,
            isOfSource: meaning.isPassing)
    }
}

extension [UInt8] {
    /// As text in lower case, for keywords.
    var lowercasedText: String { String(decoding: self, as: UTF8.self).lowercased() }

    /// Where some bytes are first found.
    func firstRange(of bytes: [UInt8]) -> Range<Int>? {
        guard !bytes.isEmpty, count >= bytes.count else { return nil }
        for start in 0...(count - bytes.count) where self[start..<(start + bytes.count)].elementsEqual(bytes) {
            return start..<(start + bytes.count)
        }
        return nil
    }
}
