import MIME
import Transfer
import VitrineKit

/// One connection to a server of POP3 (RFC 1939), which shows what was in the mailbox when it began. One thread at a time;
/// nothing is ever deleted.
final class POP3Link {
    /// A message of the session.
    struct Message: Sendable {
        var number: Int
        var size: Int64
    }

    private let line: any ServerLines
    /// By their marks, which are those of the names that the server keeps for them.
    private(set) var messages: [String: Message] = [:]
    /// Marks in the order of the mailbox.
    private(set) var marks: [String] = []
    /// Whether commands may be sent before the one before is answered (RFC 2449, section 6.6).
    private var pipelines = false

    private static let most = 2 << 20
    private static let longestLine = 16 << 20
    /// The most bytes of what a server says it can do.
    private static let longestAbilities: Int64 = 64 << 10
    /// The most bytes of the list of its messages.
    private static let longestList: Int64 = 256 << 20
    /// The most bytes of the head of a message.
    private static let longestHead: Int64 = 1 << 20
    /// The most bytes of a message. More than is kept, so that the connection stays usable after one that is too long.
    private static let longestMessage = 2 * SpooledMessage.longest

    /// Connects to a server and begins.
    convenience init(_ server: MailServer) throws(TransferFailure) { try self.init(try server.connect()) }

    /// Begins on a connection that is logged in.
    init(_ line: any ServerLines) throws(TransferFailure) {
        self.line = line
        let doing = "cannot list the mailbox"
        if try ask("CAPA", doing, isOptional: true) {
            try lines(upTo: Self.longestAbilities, doing) { text in
                pipelines = pipelines || text.lowercasedText.hasPrefix("pipelining")
            }
        }
        var sizes: [Int: Int64] = [:]
        _ = try ask("LIST", doing)
        try pairs(doing) { number, size in sizes[number] = Int64(size) }
        guard try ask("UIDL", doing, isOptional: true) else {
            throw TransferFailure(
                PluginError(
                    .unsupported,
                    "'\(line.server)' does not tell messages apart from one session to the next (UIDL): use IMAP instead"
                ))
        }
        try pairs(doing) { number, unique in
            let mark = StableMark.of(unique, letters: 13)
            let message = Message(number: number, size: max(0, sizes[number] ?? 0))
            if messages.updateValue(message, forKey: mark) == nil { marks.append(mark) }
        }
    }

    /// The heads of messages; empty for those that are gone.
    func heads(_ marks: [String], _ doing: String) throws(TransferFailure) -> [HeaderFields] {
        var heads: [HeaderFields] = []
        let batch = pipelines ? 50 : 1
        for begin in stride(from: 0, to: marks.count, by: batch) {
            let numbers = marks[begin..<min(marks.count, begin + batch)].map { messages[$0]?.number ?? 0 }
            try line.send(numbers.flatMap { Array("TOP \($0) 0\r\n".utf8) }, doing)
            for _ in numbers {
                guard try answer(doing, isOptional: true) else {
                    heads.append(HeaderFields())
                    continue
                }
                var bytes: [UInt8] = []
                try lines(upTo: Self.longestHead, doing) { text in
                    if bytes.count < HeaderFields.longest { bytes += text + [0x0A] }
                }
                heads.append(HeaderFields(bytes))
            }
        }
        return heads
    }

    /// The whole of a message, piece by piece.
    /// - Returns: whether it is there.
    func retrieve(
        _ mark: String, _ doing: String, _ take: ([UInt8]) -> Void
    ) throws(TransferFailure) -> Bool {
        guard let message = messages[mark], try ask("RETR \(message.number)", doing) else { return false }
        var piece: [UInt8] = []
        try lines(upTo: Self.longestMessage, doing) { text in
            piece += text + [0x0D, 0x0A]
            if piece.count >= 256 << 10 {
                take(piece)
                piece = []
            }
        }
        take(piece)
        return true
    }

    /// Sends a command and reads the line that answers it.
    private func ask(_ command: String, _ doing: String, isOptional: Bool = false) throws(TransferFailure) -> Bool {
        try line.send(Array((command + "\r\n").utf8), doing)
        return try answer(doing, isOptional: isOptional)
    }

    private func answer(_ doing: String, isOptional: Bool) throws(TransferFailure) -> Bool {
        let text = String(decoding: try line.line(longest: 64 << 10, doing), as: UTF8.self)
        if text.hasPrefix("+OK") { return true }
        guard text.hasPrefix("-ERR") else {
            throw TransferFailure(
                PluginError(.io, "\(doing): '\(line.server)' gave an answer that cannot be understood"),
                isOfSource: true)
        }
        let meaning = ServerAnswer.meaning(String(text.dropFirst(5)))
        if isOptional, !meaning.isPassing { return false }
        throw TransferFailure(
            PluginError(meaning.code, "\(doing): '\(line.server)' \(meaning.reason)"), isPassing: meaning.isPassing,
            isOfSource: meaning.isPassing)
    }

    /// The lines of an answer of many, without the dots that were put before some.
    /// - Parameter limit: the most bytes of all. A server that sends more is left: `limitExceeded`.
    private func lines(
        upTo limit: Int64, _ doing: String, _ take: ([UInt8]) throws(TransferFailure) -> Void
    ) throws(TransferFailure) {
        var rest = limit
        while true {
            let text = try line.line(longest: min(Self.longestLine, Int(limit)), doing)
            // With its end.
            rest -= Int64(text.count) + 2
            guard rest >= 0 else {
                throw TransferFailure(
                    PluginError(
                        .limitExceeded, "\(doing): '\(line.server)' answers with more than \(limit >> 10) KiB"),
                    isOfSource: true)
            }
            guard text.first == UInt8(ascii: ".") else {
                try take(text)
                continue
            }
            if text.count == 1 { return }
            try take(Array(text.dropFirst()))
        }
    }

    /// Lines of a number and a word.
    private func pairs(_ doing: String, _ take: (Int, String) -> Void) throws(TransferFailure) {
        var count = 0
        try lines(upTo: Self.longestList, doing) { (text) throws(TransferFailure) in
            count += 1
            guard count <= Self.most else {
                throw TransferFailure(
                    PluginError(.limitExceeded, "\(doing): it holds more than \(Self.most) messages"), isOfSource: true)
            }
            let words = text.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
            if words.count >= 2, let number = Int(words[0]), number > 0 { take(number, words[1]) }
        }
    }
}
